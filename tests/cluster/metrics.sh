#!/bin/bash
# What monitoring sees of a cluster: the nodes, and which of them are lost.
. "$(dirname "$0")/common_agents.sh"
start_cluster "40 MB/s" "1 s" --http 127.0.0.1:0 || exit 1
web=$(sed -n 's/.*metrics at port \([0-9]*\),.*/\1/p' head.log)
start_agent n1 --http 127.0.0.1:0
start_agent n2
soon is_connected n1 && soon is_connected n2
get() { curl -s --max-time 10 "http://127.0.0.1:$1"; }
state_of() { get "$web/nodes" | tr -d '\n ' | grep -q "\"name\":\"$1\",\"state\":\"$2\""; }
it "lists the nodes of the agents" soon eval 'state_of n1 connected && sleep 0.2 && state_of n2 connected'
counts() { get "$web/metrics" | grep -q "^weir_agents{state=\"$1\"} $2\$"; }
it "counts the agents" soon counts connected 2
it "leads" eval 'get "$web/metrics" | grep -q "^weir_leader 1\$"'
own=$(sed -n 's/.*metrics at port \([0-9]*\),.*/\1/p' n1.log)
it "has metrics of an agent too" eval 'get "$own/metrics" | grep -q "^weir_agent_connected 1\$"'
it "fits promtool there" eval 'get "$own/metrics" | promtool check metrics'
it "is well at the agent" "$weir" status --health --socket "$scratch/n1.sock"
"$weir" exec --socket "$scratch/n2.sock" --name holder -- bash -c 'write held 20; exec sleep 60' &
daemons="$daemons $!"
soon eval '"$weir" status --socket "$scratch/head.sock" | grep -q holder'
kill -STOP "$(cat n2.pid)"
gone() { state_of n2 lost || ! get "$web/nodes" | grep -q '"n2"'; }
it "sees that an agent is lost" soon gone
kill -CONT "$(cat n2.pid)"
it "sees that it is back" soon state_of n2 connected
kill "$head"
warns() { ! "$weir" status --health --socket "$scratch/n1.sock" >out 2>err && grep -q "^warning  controller" out; }
it "warns at the agent when the controller is gone" soon warns
finish
