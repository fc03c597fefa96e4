#!/bin/bash
# The commands around a controller: serve, status, top, ctl, and its journal.
. "$(dirname "$0")/../cli/common.sh"
export WEIR_SOCKET=$scratch/socket
store=$scratch/store
user=$(id -un)
unset SLURM_JOB_ID PBS_JOBID LSB_JOBID
mkdir "$store"

cat >serve.yaml <<YAML
platform: {bandwidth: 50 MB/s}
socket: $WEIR_SOCKET
stores: [$store]
journal: $scratch/journal
state: $scratch/state
limits:
  - {name: small, bandwidth: 10 MB/s}
  - {name: big, weight: 4}
  - {user: 1042, bandwidth: 30 MB/s}
YAML
"$weir" serve --config serve.yaml --policy fcfs 2>serve.log &
controller=$!
trap 'kill -9 $controller $writers 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT
soon answers "$WEIR_SOCKET"

# What status says of the first application, or of the controller.
status() { "$weir" status --json | sed -n "s/^ *\"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},*\$/\\1/p"; }

it "says where it listens" grep -qF "fcfs at '$WEIR_SOCKET', 50 MB/s" serve.log
it "has nobody at first" prints "0 applications, 0 processes" status
refuses_twice() {
    exits 1 serve --socket "$WEIR_SOCKET" --bandwidth 1MB/s &&
        grep -q "another process already listens at" err
}
it "is alone at its socket" refuses_twice

# --- programs ------------------------------------------------------------------------------------
writers=
write() { # NAME MB
    "$weir" exec --name "$1" -- dd if=/dev/zero of="$store/$1" bs=100K count="$2"0 2>/dev/null &
    writers="$writers $!"
}
shows_two() {
    write large 200
    sleep 0.4
    SLURM_JOB_ID=4711 write small 20
    sleep 0.4
    exits 0 status && cat out
    grep -qE "^large +$user +[0-9]+ +moving +50 MB/s" out &&
        grep -qE "^small +$user +[0-9]+ +waiting +-" out
}
it "shows who moves and who waits, their users and processes" shows_two
pid_is_the_leaders() {
    local pid
    pid=$(awk '$1 == "large" { print $3 }' out) && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q "exec --name large"
}
exits 0 status
it "shows the process that was started" pid_is_the_leaders
it "shows the same once on top" prints "granted  [####" top --once
on_terminal() { # COLUMNS ARGUMENTS...
    script -qec "stty cols $1; NO_COLOR=1 '$weir' ${*:2}" /dev/null </dev/null | tr -d '\r' >screen
}
keeps_within() { # COLUMNS
    on_terminal "$1" status && grep -q "^application" screen && ! grep -nE "^.{$(($1 + 1)),}" screen
}
if command -v script >/dev/null; then
    it "keeps within 80 columns of a terminal" keeps_within 80
    it "keeps within 40" keeps_within 40
    it "keeps within 200" keeps_within 200
fi
quits() {
    (sleep 0.3; printf q) | TERM=xterm timeout 10 script -qec "'$weir' top" /dev/null >screen &&
        grep -q large screen
}
if command -v script >/dev/null; then
    it "stays on top until q is pressed" quits
fi
as_json() {
    exits 0 status --json && [ "$(status policy)" = fcfs ] && [ "$(status bandwidth)" = 50000000 ] &&
        [ "$(status granted | head -1)" = 50000000 ] && [ "$(status limit | sort -n | tail -1)" = 10000000 ]
}
it "says it as JSON, limits included" as_json

# --- settings ------------------------------------------------------------------------------------
changes_strategy() {
    exits 0 ctl policy fair-share && grep -q "^fair-share, 50 MB/s, 2 applications" out || return
    sleep 0.1
    # Half of 50 MB/s would be 25; the one with a limit of 10 gets that, and the other the rest.
    exits 0 status && grep -qE '^large .* moving +40 MB/s' out && grep -qE '^small .* moving +10 MB/s' out
}
it "changes the strategy under running programs" changes_strategy
changes_bandwidth() {
    exits 0 ctl set bandwidth 20MB/s && sleep 0.1 && [ "$(status bandwidth)" = 20000000 ] &&
        [ "$(status granted | head -1)" = 20000000 ]
}
it "changes the bandwidth" changes_bandwidth
lifts_a_limit() {
    exits 0 ctl set limit none --application small && exits 0 ctl set weight 2 --application small &&
        [ "$(status limit | sort -n | tail -1)" = 0 ] && [ "$(status weight | sort -n | tail -1)" = 2 ]
}
it "lifts a limit and sets a weight" lifts_a_limit
shows_rules() {
    exits 0 ctl show && cat out
    grep -qE '^policy +fair-share +set$' out && grep -qE '^bandwidth +20 MB/s +set$' out &&
        grep -qE '^limit +none +application small +set$' out &&
        grep -qE '^weight +4 +application big +configured$' out &&
        grep -qE '^limit +30 MB/s +user (1042|.*) +configured$' out &&
        exits 0 ctl show --json && grep -q '"uid": 1042' out && grep -q '"source": "set"' out
}
it "shows the rules in force, also for names that do not run" shows_rules
unsets() {
    exits 0 ctl unset limit --application small && exits 0 ctl unset bandwidth &&
        [ "$(status limit | sort -n | tail -1)" = 10000000 ] && [ "$(status bandwidth)" = 50000000 ] &&
        exits 1 ctl unset bandwidth && grep -q "no such 'bandwidth' was set" err
}
it "goes back to what is configured" unsets
limits_a_user() {
    exits 0 ctl set limit 6MB/s --user "$(id -u)" && sleep 0.1 &&
        [ "$(status granted | head -1)" -le 6000000 ] && exits 0 ctl unset limit --user "$(id -u)"
}
it "limits a user" limits_a_user
switches() {
    exits 0 ctl off && grep -q "control is off" out && prints "control is off" status &&
        [ "$(status off)" = true ] && exits 0 ctl set bandwidth 20MB/s &&
        exits 0 ctl on && [ "$(status off)" = false ] &&
        exits 0 ctl set bandwidth none && [ "$(status off)" = true ] &&
        exits 0 ctl unset bandwidth && [ "$(status off)" = false ]
}
it "switches control off and on" switches
it "suggests a setting" refuses "did you mean 'bandwidth'" ctl set bandwith 3
it "wants a value" refuses "expected set KEY VALUE" ctl set limit
it "wants a rate" refuses "5 s" ctl set bandwidth "5 s"
it "refuses what is for applications only" refuses "has no effect" ctl set bandwidth 5MB/s --application a
it "refuses a verb" refuses "unknown action" ctl jump
it "refuses a strategy that there is not" refuses "did you mean 'fcfs'" ctl policy fcsf
it "refuses a parameter that a strategy does not have" refuses "speed" ctl policy set-10:speed=3
checks_beside() { exits 0 serve --config "$scratch/serve.yaml" --check-config; }
it "checks a configuration while another controller is there" checks_beside
cannot_plan() { exits 2 ctl policy plan && grep -q "follows a plan" err; }
it "cannot follow a plan that it does not have" cannot_plan
cannot_start_without_one() {
    exits 2 serve --bandwidth 1MB/s --policy apio --socket "$scratch/other" && grep -q "follows a plan" err
}
it "cannot start without one" cannot_start_without_one
it "wants a bandwidth" refuses "missing --bandwidth RATE" serve --socket "$scratch/other"
it "names a fault of the configuration" \
    refuses "unknown key 'polcy'" serve --config <(echo 'polcy: fcfs') --bandwidth 1

# --- the journal ---------------------------------------------------------------------------------
exits 0 ctl set bandwidth 1GB/s
wait $writers
writers=
sleep 0.2
lists_those_that_left() {
    exits 0 status --finished && cat out
    grep -qE "^application +user +ended +took +waited +stretch +moved +job" out &&
        grep -qE "^large +$user +20[0-9-]+ [0-9:]+ .* 204.8 MB +- " out &&
        grep -qE "^small +$user .* 20.48 MB +4711 " out
}
it "lists those that have left, with job and time" lists_those_that_left
lists_the_last() {
    exits 0 status --last 1 --json && [ "$(grep -c '"name"' out)" = 1 ] && cat out &&
        grep -qE '"ended": "20[0-9]{2}-[0-9-]+T[0-9:]+\.[0-9]{3}Z"' out
}
it "lists only the last" lists_the_last
# 204.8 MB and 20.48 MB of one user, of which one has no job.
sums_up() {
    exits 0 status --finished --by user && cat out && grep -qE "^$user +2 .* 225.3 MB " out &&
        exits 0 status --finished --by job && cat out && grep -qE "^- +1 .* 204.8 MB " out &&
        grep -qE "^4711 +1 .* 20.48 MB " out && exits 0 status --by account --json && cat out &&
        grep -q '"groups": \[\]' out
}
it "sums up by user, job and account" sums_up
accounts() {
    local line
    line=$(grep '"event":"done"' "$scratch/journal" | grep '"name":"small"') &&
        echo "$line" | grep -qE '"time":"20[0-9-]+T[0-9:.]+Z"' &&
        echo "$line" | grep -q '"job":"4711"' && echo "$line" | grep -q '"moved":20480000,'
}
it "writes an account of each to its journal" accounts
notes_settings() {
    grep -qF '"key":"limit","value":0,"application":"small","uid":'"$(id -u)" "$scratch/journal" &&
        grep -qF '"key":"weight","value":2,"application":"small"' "$scratch/journal" &&
        grep '"event":"join"' "$scratch/journal" | grep -qF '"limit":10000000'
}
it "writes down who changed what, and limits" notes_settings
what_if() {
    sleep 0.2
    exits 0 import journal "$scratch/journal" -o was.yaml && cp work/was.yaml "$scratch" &&
        grep -q "name: large" was.yaml && grep -q "io: 204800000" was.yaml &&
        exits 0 simulate "$scratch/was.yaml" --policy fcfs --policy fair-share
}
it "turns what happened into a scenario" what_if

# --- the end -------------------------------------------------------------------------------------
ends_well() {
    kill "$controller" && wait "$controller" && [ ! -e "$WEIR_SOCKET" ]
}
it "ends on SIGTERM and removes its socket" ends_well

# --- the configuration ---------------------------------------------------------------------------
checks() {
    exits 0 serve --config "$scratch/serve.yaml" --check-config && [ ! -e "$WEIR_SOCKET" ] &&
        grep -qx "fair-share, 50 MB/s, 1 store, 3 limits" out &&
        exits 2 serve --config "$scratch/serve.yaml" --check-config --policy fcsf &&
        exits 2 serve --config "$scratch/serve.yaml" --check-config --store "$scratch/nowhere" &&
        exits 2 serve --config "$scratch/serve.yaml" --check-config --journal "$scratch/no/journal"
}
it "checks a configuration without starting" checks
start_again() {
    "$weir" serve --config serve.yaml 2>serve.log &
    controller=$!
    soon answers "$WEIR_SOCKET"
}
survives() {
    start_again && exits 0 ctl show && cat out &&
        grep -qE '^weight +2 +application small +set$' out &&
        grep -qE '^policy +fair-share +set$' out && grep -q '^weight 2 application small$' state
}
it "keeps what was set over a restart" survives
says() { soon grep -F "$1" serve.log || { cat serve.log; return 1; }; }
reloads() {
    exits 0 ctl unset bandwidth # which was set before
    sed -i 's/50 MB/70 MB/; s/weight: 4/weight: 5/' serve.yaml && mv journal journal.1 &&
        kill -HUP "$controller" && says "weir: reloaded" && [ "$(status bandwidth)" = 70000000 ] &&
        exits 0 ctl show && grep -qE '^weight +5 +application big +configured$' out && [ -e journal ]
}
it "reloads its configuration on SIGHUP and opens its journal again" reloads
keeps_the_old_one() {
    echo 'polcy: fcfs' >>serve.yaml && kill -HUP "$controller" &&
        says "not reloaded: serve.yaml:" && [ "$(status bandwidth)" = 70000000 ]
}
it "keeps the old configuration if the new one is wrong" keeps_the_old_one
comes_back() {
    rm "$WEIR_SOCKET" && says "the socket was gone, and is made again" && exits 0 status
}
it "makes its socket again" comes_back
it "ends well after all that" ends_well

# --- a service manager ---------------------------------------------------------------------------
cat >manager.py <<'PY'
import os, signal, socket, subprocess, sys
weir, place = sys.argv[1:]
hears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
hears.bind("\0" + place)
hears.settimeout(10)
server = subprocess.Popen([weir, "serve", "--bandwidth", "1GB/s", "--socket", place + ".s"],
    env=dict(os.environ, NOTIFY_SOCKET="@" + place, WATCHDOG_USEC="200000"))
def expect(text):
    while True:
        heard = hears.recv(256).decode()
        if heard.startswith(text):
            return
        assert heard == "WATCHDOG=1", heard
try:
    expect("READY=1")
    expect("WATCHDOG=1")
    server.send_signal(signal.SIGHUP)
    expect("RELOADING=1\nMONOTONIC_USEC=")
    expect("READY=1")
    server.terminate()
    expect("STOPPING=1")
    assert server.wait() == 0
finally:
    server.kill()
PY
if command -v python3 >/dev/null; then
    it "tells a service manager how it is" python3 manager.py "$weir" "$scratch/notify"
fi
fits_systemd() { systemd-analyze verify "$root/examples/systemd/$1.service" 2>&1 | tee verify; ! grep -v -e "is not executable" -e "man weir" verify; }
reaches_network() { # what a cluster needs
    systemd-analyze security --offline=true "$root/examples/systemd/$1.service" >security &&
        grep "may allocate Internet sockets" security && grep "access to the host's network" security
}
if command -v systemd-analyze >/dev/null; then
    for unit in weir weir-agent; do
        it "has a unit file $unit that systemd takes" fits_systemd $unit
        it "can serve a cluster with $unit" reaches_network $unit
    done
fi

# --- too many ------------------------------------------------------------------------------------
cat >crowd.py <<'PY'
import socket, sys, time
held = []
for _ in range(int(sys.argv[2])):
    one = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    one.connect(sys.argv[1])
    held.append(one)
print("held", flush=True)
time.sleep(30)
PY
says_that_it_is_full() {
    (ulimit -n 100 && exec "$weir" serve --socket "$WEIR_SOCKET" --bandwidth 1GB/s 2>/dev/null) &
    controller=$!
    soon answers "$WEIR_SOCKET"
    python3 crowd.py "$WEIR_SOCKET" 68 >crowd & # of 100 files, 32 are for other things
    writers=$!
    soon grep -q held crowd
    exits 1 status && cat err && grep -q "out of connections" err &&
        exits 0 exec -- true && cat err && grep -q "out of connections" err &&
        kill "$writers" && sleep 0.2 && exits 0 status && kill "$controller" && wait "$controller"
}
if command -v python3 >/dev/null; then
    it "says that it is out of connections" says_that_it_is_full
fi
writers=
outlives_its_terminal() {
    nohup "$weir" serve --socket "$WEIR_SOCKET" --bandwidth 1GB/s >/dev/null 2>&1 &
    controller=$!
    soon answers "$WEIR_SOCKET"
    kill -HUP "$controller" && sleep 0.2 && exits 0 status && kill "$controller" && wait "$controller"
}
it "ignores SIGHUP under nohup" outlives_its_terminal
gone() { exits 1 status && grep -q "neither a controller nor an agent listens there" err; }
it "says when there is no controller" gone
finish
