#!/bin/bash
# What the logs of a cluster tell when agents and controllers are lost.
. "$(dirname "$0")/common_agents.sh"
start_cluster "20 MB/s" "1 s"
start_agent n1
soon is_connected n1
"$weir" exec --socket "$scratch/n1.sock" --name long -- bash -c "while :; do write long 4; done" &
job=$!
soon eval 'status_of head | grep -q "\"name\": \"long\""'

it "nothing is told while all is well" eval '! grep -e "^weir: node" -e lease head.log n1.log'
kill -9 "$(cat n1.pid)"
it "the controller tells that an agent is lost" soon grep -q "^weir: node n1: its agent is lost" head.log
it "it tells that its lease has ended" soon grep -q "^weir: node n1: its lease has ended" head.log
it "each is told once" eval '[ "$(grep -c "node n1" head.log)" -eq 2 ]'
: >n1.log
start_agent n1
soon is_connected n1
soon eval 'status_of n1 | grep -q "\"name\": \"long\""'
kill -STOP $head
it "an agent tells that its programs run unthrottled" soon grep -q "for a lease: programs run unthrottled" n1.log
kill -CONT $head
it "it tells that they are under control again" soon grep -q "programs are under control" n1.log
kill $job
wait $job
finish
