#!/bin/bash
# Programs with threads, children and signals run under a controller that is killed, stopped,
# restarted and reconfigured twice a second: every byte is right. For so many seconds:
# $WEIR_CHAOS_SECONDS.
. "$(dirname "$0")/../cli/common.sh"
chaos=${WEIR_BUILD_DIR:?the build directory}/chaos
seconds=${WEIR_CHAOS_SECONDS:-5}
programs=3

mkdir store
serve() {
    "$weir" serve --bandwidth 100MB/s --socket "$scratch/socket" --store "$scratch/store" \
        2>>serve.log &
    server=$!
}
stop_all() {
    kill -CONT "$server" 2>/dev/null
    kill -KILL "$server" 2>/dev/null
    wait "$server" 2>/dev/null
}
trap 'stop_all; rm -rf "$scratch"' EXIT
serve
soon answers "$scratch/socket"

set_to() { timeout 5 "$weir" ctl --socket "$scratch/socket" set "$@" >/dev/null 2>>ctl.log; }
policies=(fcfs greedy-yield fair-share floor round-robin set-10)
trouble() {
    case $(($1 % 8)) in
    0) kill -KILL "$server" && { wait "$server" 2>/dev/null; serve; } ;;
    1) set_to policy "${policies[RANDOM % 6]}" ;;
    2) kill -STOP "$server"; sleep 0.3; kill -CONT "$server" ;;
    3) set_to bandwidth $((30 + RANDOM % 200))MB/s ;;
    4) kill -TERM "$server" && { wait "$server" 2>/dev/null; sleep 0.2; serve; } ;;
    5) set_to limit $((30 + RANDOM % 100))MB/s ;;
    6) set_to ops $((500 + RANDOM % 5000)) ;;
    7) set_to limit none; set_to ops none ;;
    esac
}

pids=()
for i in $(seq $programs); do
    # A program that hangs is ended, and its exit code says so.
    timeout -k 5 $((seconds + 60)) "$weir" exec --socket "$scratch/socket" --name "chaos$i" -- \
        "$chaos" "$scratch/store" "$seconds" "$i" 2>"err$i" &
    pids+=($!)
done
end=$((SECONDS + seconds))
for ((turn = 0; SECONDS < end; turn++)); do
    sleep 0.5
    trouble $turn
done
stop_all

codes=
for pid in "${pids[@]}"; do
    wait "$pid"
    codes+="$? "
done
all_end_well() { cat err?; echo "exit codes: $codes"; [ "$codes" = "0 0 0 " ]; }
it "every byte is right, and every program ends" all_end_well
say_nothing() { ! grep -hv '^weir: ' err?; }
it "nothing is said but by weir" say_nothing
leaves_nothing() { ls store; [ -z "$(ls -A store)" ]; }
it "nothing is left behind" leaves_nothing
echo "# $turn troubles in $seconds s"
finish
