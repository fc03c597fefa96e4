#!/bin/bash
# Metrics over HTTP: what promtool and a real Prometheus make of them, and what a hostile client cannot do.
. "$(dirname "$0")/../cli/common.sh"
export WEIR_SOCKET=$scratch/socket
store=$scratch/store
unset SLURM_JOB_ID PBS_JOBID LSB_JOBID
mkdir "$store"
command -v promtool >/dev/null || { echo "no promtool: skipped"; exit 77; }

"$weir" serve --socket "$WEIR_SOCKET" --bandwidth 50MB/s --policy fcfs --store "$store" --http 127.0.0.1:0 2>serve.log &
controller=$!
trap 'kill -9 $controller $prometheus $idle $writers 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT
soon answers "$WEIR_SOCKET"
port=$(sed -n 's/.*metrics at port \([0-9]*\),.*/\1/p' serve.log)
url=http://127.0.0.1:$port
# A page that was just made for another number of jobs is not made again at once: it answers 429.
get() {
    local attempt
    for attempt in 1 2 3 4 5; do
        curl -sf --max-time 10 "$@" && return
        sleep 0.15
    done
    curl -s --max-time 10 "$@"
}
value() { get "$url$2" | sed -n "s/^$1 //p"; }

"$weir" exec --name early -- dd if=/dev/zero of="$store/early" bs=100K count=50 2>/dev/null
SLURM_JOB_ID=4711 SLURM_JOB_ACCOUNT='phys"ics' "$weir" exec --name one -- dd if=/dev/zero of="$store/one" bs=100K count=3000 2>/dev/null &
writers=$!
SLURM_JOB_ID=4712 "$weir" exec --name two -- dd if=/dev/zero of="$store/two" bs=100K count=3000 2>/dev/null &
writers="$writers $!"
runs_two() { "$weir" status | grep -q "2 applications"; }
soon runs_two

for page in "" /users /jobs "/jobs?top=1"; do
    fits() { sleep 0.2; get "$url/metrics$page" | promtool check metrics; }
    it "serves /metrics$page as promtool wants it" fits
done
counts() { [ "$(value 'weir_moved_bytes_total{store=""}' /metrics | cut -d. -f1)" -ge 5120000 ]; }
it "counts the bytes of programs that have ended" counts
knows_stretch() { [ "$(value 'weir_stretch_ratio_count{store=""}' /metrics)" -ge 1 ]; }
it "has the stretch of those that have ended" knows_stretch
names_jobs() { get "$url/metrics/jobs" | grep -qF 'weir_job_moved_bytes{store="",job="4711",name="one",uid="'"$(id -u)"'",account="phys\"ics"} '; }
it "names jobs, users and accounts, quoted" names_jobs
cuts() { sleep 0.2; get "$url/metrics/jobs?top=1" >page && grep -q '^weir_jobs_cut 1$' page && grep -q 'job="other"' page; }
it "adds up the jobs that are not listed" cuts
open_metrics() {
    get -H 'Accept: application/openmetrics-text;version=1.0.0;q=0.9,text/plain;q=0.5' -D head "$url/metrics" >page &&
        grep -qi '^content-type: application/openmetrics-text; version=1.0.0' head && [ "$(tail -n 1 page)" = "# EOF" ]
}
it "speaks OpenMetrics where it is preferred" open_metrics

cat >prometheus.yml <<YAML
global: {scrape_interval: 1s}
rule_files: [$root/contrib/prometheus/weir.rules.yml]
scrape_configs:
  - {job_name: weir, static_configs: [{targets: ["127.0.0.1:$port"]}]}
YAML
it "has rules and alerts that promtool accepts" promtool check rules "$root/contrib/prometheus/weir.rules.yml"
it "passes the tests of its alerts" promtool test rules "$root/contrib/prometheus/weir.test.yml"
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
at=$(free_port)
prometheus --config.file=prometheus.yml --storage.tsdb.path="$scratch/tsdb" --web.listen-address="127.0.0.1:$at" \
    >prometheus.log 2>&1 &
prometheus=$!
asks() { get --data-urlencode "query=$1" "http://127.0.0.1:$at/api/v1/query" >answer && grep -q '"value":\[' answer; }
it "is scraped by a real Prometheus" soon asks 'weir_moved_bytes_total > 0'
it "is up for it, in OpenMetrics" soon asks 'up{job="weir"} == 1'
knows_every() { # metric of the list that this controller has is in Prometheus
    "$weir" serve --metrics | sed -n 's/^| `\([a-z_]*\)` | \(counter\|gauge\) | \/metrics | .*/\1/p' |
        grep -vE '^weir_(agents|agent_connected|lease_margin_seconds|journal_lines_lost_total)$' |
        while read -r name; do asks "$name" || { echo "$name is missing"; exit 1; }; done
}
it "has every metric of its list there" soon knows_every

# --- what others may try --------------------------------------------------------------------------
says() { # CODE ARGUMENT...: of curl
    local code=$1
    shift
    [ "$(curl -s --max-time 10 -o page -w '%{http_code}' "$@")" = "$code" ] || { cat page; false; }
}
it "knows no other page" says 404 "$url/nothing"
it "leaves its directory for nobody" says 404 --path-as-is "$url/../../../../etc/passwd"
it "leaves it for nobody who encodes it" says 404 --path-as-is "$url/%2e%2e/%2e%2e/etc/passwd"
it "takes nothing" says 405 -X POST -d x=1 "$url/metrics"
it "takes no number of jobs that is none" says 400 "$url/metrics/jobs?top=-1"
it "takes no number of jobs that is too large" says 400 "$url/metrics/jobs?top=100000"
floods_headers() {
    python3 - "$port" <<'PY'
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
sent = 0
try:
    s.sendall(b"GET /metrics HTTP/1.1\r\n")
    while sent < 10_000_000:
        sent += s.send(b"X-%d: %s\r\n" % (sent, b"y" * 1000))
except OSError:
    pass
sys.exit(sent >= 10_000_000)
PY
}
it "ends a flood of headers" floods_headers
memory() { awk '/^VmRSS/ { print $2 }' /proc/$controller/status; }
before=$(memory)
python3 - "$port" >idle.log 2>&1 <<'PY' &
import resource, socket, sys, time
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
most = min(10000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 50)
held, slow = [], []
for i in range(most):
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", int(sys.argv[1])))
    held.append(s)
print(len(held), flush=True)
for s in held[:200]: # and some that ask and read nothing
    try:
        s.send(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
    except OSError:
        pass
time.sleep(60)
PY
idle=$!
opened() { [ "$(cat idle.log)" -ge 900 ]; }
soon opened
still_controls() { # while thousands of connections are open: a program starts, writes and ends
    timeout 20 "$weir" exec --name beside -- dd if=/dev/zero of="$store/beside" bs=1M count=1 2>/dev/null &&
        "$weir" status --finished | grep -q beside
}
it "controls programs beside thousands of idle connections" still_controls
bounded() { local now; now=$(memory); echo "$before kB, then $now kB"; [ $((now - before)) -lt 65536 ]; }
# A sanitizer keeps what is freed.
ldd "$weir" | grep -q 'lib[at]san' || it "spends bounded memory on them" bounded
answers_again() { kill $idle 2>/dev/null; wait $idle 2>/dev/null; soon says 200 "$url/metrics"; }
it "answers again when they are gone" answers_again
it "is alive" kill -0 $controller
stops() { kill $controller && wait $controller; }
it "stops" stops
finish
