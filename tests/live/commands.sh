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
limits:
  - {name: small, bandwidth: 10 MB/s}
YAML
"$weir" serve --config serve.yaml --policy fcfs 2>serve.log &
controller=$!
trap 'kill -9 $controller $writers 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do grep -q socket serve.log && break; sleep 0.05; done

# What status says of the first application, or of the controller.
status() { "$weir" status --json | sed -n "s/^ *\"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},*\$/\\1/p"; }

it "says where it listens" grep -qF "fcfs at '$WEIR_SOCKET', 50 MB/s" serve.log
it "has nobody at first" prints "0 applications, 0 processes" status
refuses_twice() {
    exits 1 serve --socket "$WEIR_SOCKET" --bandwidth 1MB/s &&
        grep -q "somebody listens at" err
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
    # 50 MB/s over bmax 50 and 10: 5/6 each.
    exits 0 status && grep -qE '^large .* moving +41.67 MB/s' out && grep -qE '^small .* moving +8.333' out
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
it "suggests a setting" refuses "did you mean 'bandwidth'" ctl set bandwith 3
it "wants a value" refuses "expected set KEY VALUE" ctl set limit
it "wants a rate" refuses "5 s" ctl set bandwidth "5 s"
it "refuses what is for applications only" refuses "means nothing" ctl set bandwidth 5 --application a
it "refuses a verb" refuses "neither 'policy' nor 'set'" ctl jump
cannot_plan() { exits 1 ctl policy plan && grep -q "follows a plan" err; }
it "cannot follow a plan" cannot_plan
cannot_start_with_one() {
    exits 2 serve --bandwidth 1 --policy apio --socket "$scratch/other" && grep -q "follows a plan" err
}
it "cannot start with one" cannot_start_with_one
it "wants a bandwidth" refuses "give --bandwidth" serve --socket "$scratch/other"
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
    exits 0 status --last 1 --json && [ "$(grep -c '"name"' out)" = 1 ] && grep -q '"name": "large"' out &&
        grep -qE '"ended": "20[0-9]{2}-[0-9-]+T[0-9:]+\.[0-9]{3}Z"' out
}
it "lists only the last" lists_the_last
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
ends_with_its_terminal() {
    "$weir" serve --socket "$WEIR_SOCKET" --bandwidth 1GB/s 2>/dev/null &
    controller=$!
    for _ in $(seq 100); do [ -e "$WEIR_SOCKET" ] && break; sleep 0.05; done
    kill -HUP "$controller" && wait "$controller" && [ ! -e "$WEIR_SOCKET" ]
}
it "ends on SIGHUP and removes its socket" ends_with_its_terminal
outlives_its_terminal() {
    nohup "$weir" serve --socket "$WEIR_SOCKET" --bandwidth 1GB/s >/dev/null 2>&1 &
    controller=$!
    for _ in $(seq 100); do [ -e "$WEIR_SOCKET" ] && break; sleep 0.05; done
    kill -HUP "$controller" && sleep 0.2 && exits 0 status && kill "$controller" && wait "$controller"
}
it "ignores SIGHUP under nohup" outlives_its_terminal
gone() { exits 1 status && grep -q "no controller listens there" err; }
it "says when there is no controller" gone
finish
