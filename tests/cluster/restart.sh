#!/bin/bash
# A controller is restarted: what a write waits, from the program's point of view.
. "$(dirname "$0")/common_agents.sh"
lease=6000000 # microseconds
start_cluster "40 MB/s" "6 s"
for node in n1 n2; do start_agent $node; done
connected() { is_connected n1 && is_connected n2; }
it "connects every agent" soon connected
it "serves the first program of a new cluster" on n1 first bash -c "write first 1"

restart() { # SIGNAL
    kill "-$1" $head
    wait $head 2>/dev/null
    start_controller && soon connected
}

# --- one that knows what its predecessor knew -----------------------------------------------------
it "is restarted while nobody does I/O" restart TERM
it "does not let a write wait for a lease then" waits n1 $((lease * 3 / 4))
it "is killed, and started again" restart KILL
it "does not let a write wait for a lease then, either" waits n2 $((lease * 3 / 4))
on n1 busy bash -c "write busy 400" & busy=$!
it "has a program that holds the bandwidth" \
    soon eval '"$weir" status --json --socket n1.sock | grep -q "\"state\": \"moving\""'
it "is restarted meanwhile" restart TERM
it "divides what that one holds at once" waits n2 $((lease * 3 / 4))
it "has all bytes of it" eval 'wait $busy && [ "$(wc -c <store/busy)" -eq 419430400 ]'

# --- one that knows nothing -----------------------------------------------------------------------
away() {
    local job
    kill -9 $head
    wait $head 2>/dev/null
    rm head.sock.held
    waits n1 $((lease + lease / 2)) & job=$!
    sleep 4 # two thirds of a lease: with another one after that it would be ten seconds
    start_controller
    wait $job
}
it "adds no second lease to what a program has waited" away
finish
