#!/bin/bash
# Several stores with a bandwidth each, under one controller.
. "$(dirname "$0")/../cli/common.sh"
export WEIR_SOCKET=$scratch/socket
if ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    echo "skipped: timing means nothing under a sanitizer"
    exit 77
fi
mkdir fast slow split plain piecewise other

# serve CONFIGURATION: starts a controller.
controller=
trap 'kill $controller 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT
serve() {
    rm -f serve.log
    "$weir" serve --config "$1" --socket "$WEIR_SOCKET" 2>serve.log &
    controller=$!
    soon answers "$WEIR_SOCKET"
}
stop() {
    kill "$controller"
    wait "$controller" 2>/dev/null
}
cat >stores.yaml <<YAML
platform: {bandwidth: 20 MB/s}
policy: fair-share
stores:
  - $scratch/plain
  - {path: $scratch/fast, bandwidth: 40 MB/s, policy: fcfs}
  - {path: $scratch/slow, bandwidth: 10 MB/s}
  - {path: $scratch/split, read: 40 MB/s, write: 10 MB/s}
  - {path: $scratch/piecewise, bandwidth: 10 MB/s, pieces: 64 KiB}
journal: $scratch/journal
state: $scratch/state
YAML
serve stores.yaml

mover() { # NAME COMMAND...: the time that it takes, in microseconds
    local start=${EPOCHREALTIME/./}
    "${@:2}"
    echo $((${EPOCHREALTIME/./} - start)) >"$1.time"
}
write() { dd if=/dev/zero of="$1" bs=100K count="$2" status=none; } # PATH, TENTHS OF MB
read_() { dd if="$1" of=/dev/null bs=100K status=none; }
export -f mover write read_
controlled() { "$weir" exec --name "$@"; }
# near NAME BYTES RATE: what was moved in the time of this name was at about so many MB/s.
near() {
    awk -v got="$(cat "$1.time")" -v bytes="$2" -v rate="$3" \
        'BEGIN { r = bytes / got; printf "%.2f MB/s\n", r; exit !(r > 0.88 * rate && r < 1.07 * rate) }'
}

it "says what it shares" grep -q "fcfs, 40 MB/s for $scratch/fast" serve.log

both() {
    controlled both -- bash -c "mover fast write fast/a 200 & mover slow write slow/a 50 & wait"
    near fast 20480000 40 && near slow 5120000 10
}
it "gives a program that writes to two stores at once the rate of each" both
in_turns() { # one process and thread, of which no store gets what it did not use elsewhere
    cat >turns.py <<'PY'
import os, time
chunk = bytes(100000)
fds = [os.open(p + "/turns", os.O_CREAT | os.O_WRONLY) for p in ("fast", "slow")]
start = time.time()
for _ in range(40):
    for fd in fds:
        os.write(fd, chunk)
print(round(time.time() - start, 3))
PY
    controlled turns -- python3 turns.py >turns.out && cat turns.out
    # 4 MB at 10 MB/s, during which the faster store waits: 0.4 s, and 0.1 s for that one's
    awk '{ exit !($1 > 0.38 && $1 < 0.62) }' turns.out
}
command -v python3 >/dev/null && it "paces a thread that uses them in turns on each" in_turns
shared() {
    (controlled one -- bash -c "mover one write slow/b 25" & controlled two -- bash -c "mover two write slow/c 25" &
        controlled three -- bash -c "mover three write fast/b 200" & wait)
    near one 2560000 5 && near two 2560000 5 && near three 20480000 40
}
it "lets the strategy of each store share its bandwidth" shared

# --- reads and writes ------------------------------------------------------------------------------
write split/a 200
separately() {
    controlled split -- bash -c "mover reads read_ split/a & mover writes write split/b 50 & wait"
    near reads 20480000 40 && near writes 5120000 10
}
it "limits reads and writes of a store separately" separately

# --- from one to another ---------------------------------------------------------------------------
write fast/source 50
copies() { # NAME FROM TO
    cat >copy.py <<'PY'
import os, sys, time
a, b = os.open(sys.argv[1], os.O_RDONLY), os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY)
left = os.fstat(a).st_size
start = time.time()
while left > 0:
    left -= os.copy_file_range(a, b, min(left, 1000000))
print(round(1e6 * (time.time() - start)))
PY
    controlled "$1" -- python3 copy.py "$2" "$3" >"$1.time"
    cmp "$2" "$3"
}
moved() { # NAME STORE: the bytes that the journal says
    for _ in $(seq 100); do
        grep "\"done\"" journal | grep "\"store\":\"$scratch/$2\"" | grep -q "\"name\":\"$1\"" && break
        sleep 0.02
    done
    grep "\"done\"" journal | grep "\"store\":\"$scratch/$2\"" | grep "\"name\":\"$1\"" |
        sed 's/.*"moved":\([0-9]*\).*/\1/'
}
from_to() {
    copies across fast/source slow/copy && near across 5120000 10 &&
        [ "$(moved across fast)" = 5120000 ] && [ "$(moved across slow)" = 5120000 ]
}
backwards() {
    copies back slow/copy fast/copy && near back 5120000 10 &&
        [ "$(moved back fast)" = 5120000 ] && [ "$(moved back slow)" = 5120000 ]
}
twice() { copies within slow/copy slow/again && near within 10240000 10; }
inside() {
    copies inside split/b split/c && near inside 5120000 10 &&
        [ "$(moved inside "split read")" = 5120000 ] && [ "$(moved inside "split write")" = 5120000 ]
}
if python3 -c 'import os; os.copy_file_range' 2>/dev/null; then
    it "charges a copy on both stores, and the slower one counts" from_to
    it "does so in the other direction" backwards
    it "charges a copy within a store twice there" twice
    it "charges a copy within a store as a read and as a write" inside
fi
nothing_escaped() { [ -s journal ] && ! grep -h '"escaped":[1-9]' journal; }
it "knows all bytes, whichever store they went to" nothing_escaped

# --- pieces ----------------------------------------------------------------------------------------
# What is there of a write of 2 MB, which takes 0.2 s, after a quarter of it.
partly() { # DIRECTORY
    rm -f "$1/whole"
    controlled pieces -- python3 -c "import os; os.write(os.open('$1/whole', os.O_CREAT | os.O_WRONLY), bytes(2 << 20))" &
    local writer=$!
    for _ in $(seq 200); do [ -s "$1/whole" ] && break; sleep 0.005; done
    sleep 0.03
    size=$(stat -c %s "$1/whole")
    wait $writer || return
    echo "$size"
    [ "$size" -gt 0 ] && [ "$(stat -c %s "$1/whole")" = 2097152 ]
}
in_pieces() { partly piecewise && [ "$size" -lt 2097152 ]; }
as_one() { partly slow && [ "$size" = 2097152 ]; }
if command -v python3 >/dev/null; then
    it "writes in pieces on a store that is configured so" in_pieces
    it "but nowhere else" as_one
fi

# --- settings ----------------------------------------------------------------------------------------
shows() {
    exits 0 ctl show && cat out && grep -qE "^policy +fcfs +store $scratch/fast +configured" out &&
        grep -qE "^bandwidth +10 MB/s +store $scratch/split write +configured" out
}
it "shows the settings of each store" shows
sets() {
    exits 0 ctl set bandwidth 20MB/s --store "$scratch/slow" &&
        grep -q "20 MB/s for $scratch/slow" out &&
        exits 0 ctl policy fcfs --store "$scratch/split read" &&
        grep -qx "$scratch/slow: bandwidth 20000000" state &&
        grep -qx "$scratch/split read: policy fcfs" state
}
it "sets the bandwidth and the strategy of one store" sets
changed() { controlled quick -- bash -c "mover quick write slow/d 100" && near quick 10240000 20; }
it "holds what was set there" changed
it "does not know a store that there is not" exits 2 ctl set bandwidth 1MB/s --store /nowhere
it "says which there are" grep -qF "'$scratch/split read'" err
it "has limits for all stores" exits 2 ctl set limit 1MB/s --store "$scratch/slow"
it "sets the platform's bandwidth unless a store is named" prints "30 MB/s for $scratch/plain" ctl set bandwidth 30MB/s
unsets() { exits 0 ctl unset bandwidth --store "$scratch/slow" && grep -q "10 MB/s for" out; }
it "goes back to what is configured" unsets
reloads() {
    sed -i 's/slow, bandwidth: 10/slow, bandwidth: 15/' stores.yaml && kill -HUP "$controller"
    soon grep -q reloaded serve.log
    exits 0 ctl show && grep -qE "^bandwidth +15 MB/s +store $scratch/slow" out && ! grep -q restart serve.log
}
it "reloads the bandwidth of a store" reloads

# --- what people see ---------------------------------------------------------------------------------
seen() {
    controlled seen -- bash -c "write plain/a 10 & write fast/d 200 & wait" &
    sleep 0.3
    exits 0 status && cat out && wait $! && grep -qE "^application +store +user" out &&
        grep -qE "^seen +$scratch/fast .*moving +40 MB/s" out && grep -qE "^seen +$scratch/plain " out &&
        grep -qF "$scratch/fast  fcfs  40 MB/s" out
}
it "shows an application on each store that it uses" seen
as_json() {
    exits 0 status --json && [ "$(grep -c '"store":' out)" = 6 ] && grep -q '"stores": \[' out
}
it "lists the stores as JSON" as_json
finished() { exits 0 status --finished --last 3 && cat out && [ "$(wc -l <out)" = 4 ] && grep -q "$scratch/fast" out; }
it "shows accounts by store" finished
imported() {
    exits 0 import journal "$scratch/journal" --store "$scratch/slow" && cat out && grep -q "bandwidth: 10000000" out &&
        grep -q "lines of others are left out" out && grep -q across out && ! grep -q separately out
}
it "imports one of them" imported
stop

# --- other configurations ----------------------------------------------------------------------------
again() { serve stores.yaml && exits 0 ctl show && grep -qE "^policy +fcfs +store $scratch/split read +set" out; }
it "keeps what was set for a store over a restart" again
stop
cat >only.yaml <<YAML
stores: [{path: $scratch/slow, bandwidth: 10 MB/s}, {path: $scratch/fast, bandwidth: 40 MB/s}]
YAML
serve only.yaml
needs_no_other() {
    exits 2 ctl set bandwidth 1MB/s && grep -q "no store is named; there are" err &&
        controlled only -- bash -c "mover only write fast/e 200" && near only 20480000 40
}
it "needs no other bandwidth if all stores have theirs" needs_no_other
stop
cat >plain.yaml <<YAML
platform: {bandwidth: 20 MB/s}
stores: [$scratch/plain, $scratch/other]
journal: $scratch/plain.journal
YAML
serve plain.yaml
as_ever() {
    controlled plain -- bash -c "mover plain write plain/b 50 & mover other write other/b 50 & wait"
    near plain 5120000 10 && near other 5120000 10 && exits 0 status && ! grep -q store out &&
        ! grep -q '"store"' plain.journal
}
it "shares one bandwidth among stores that have none of their own, and says nothing of stores" as_ever
stop
cat >wrong.yaml <<YAML
platform: {bandwidth: 20 MB/s}
stores: [{path: $scratch/plain, bandwidth: 20 B/s}]
YAML
it "refuses a bandwidth without its unit" exits 2 serve --config "$scratch/wrong.yaml" --check-config
sed -i 's/20 B/20 MB/; s|plain,|plain, policy: fcsf,|' wrong.yaml
it "refuses a strategy that there is not" exits 2 serve --config "$scratch/wrong.yaml" --check-config
finish
