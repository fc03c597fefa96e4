#!/bin/bash
# Two controllers that are not elected: agents that know both do not split.
. "$(dirname "$0")/common_agents.sh"
write_cluster "40 MB/s" "1 s"
# serve NAME PORT OPTION...: starts a controller; its process is in NAME.pid, its port in NAME.port.
serve() {
    "$weir" serve --config cluster.yaml --listen "127.0.0.1:$2" --socket "$scratch/$1.sock" "${@:3}" \
        2>"$1.log" &
    echo $! >"$1.pid"
    daemons="$daemons $!"
    soon grep -q "$1.sock" "$1.log" || return
    sed -n 's/.*agents connect to port //p' "$1.log" >"$1.port"
}
serve a 0
serve b 0
controllers="127.0.0.1:$(cat a.port),127.0.0.1:$(cat b.port)"
start_agent n1
it "connects an agent to the first controller" soon is_at n1 a
it "says that there is no election" soon grep -q "several controllers without an election" n1.log
kill "$(cat a.pid)"
start_agent n2
it "refuses the second one, loudly" soon grep -q "it is not elected: of several controllers only the first" n2.log
it "does so at an agent that was at the first one" \
    soon grep -q "it is not elected: of several controllers only the first" n1.log
it "is told by the second one too" \
    soon grep -q "node n2: its agent has another controller before this one, and does not obey it" b.log
serve a "$(cat a.port)"
it "brings all agents to the first one when it is back" soon eval 'is_at n1 a && is_at n2 a'
sed -i "s/lease: 1 s/lease: 1 s, controller: 'h1,h2'/" cluster.yaml
serve c 0
it "warns when a controller is started whose configuration lists several" \
    grep -q "several controllers without an election: agents use only the first" c.log
finish
