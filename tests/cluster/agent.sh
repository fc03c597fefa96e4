#!/bin/bash
# A controller and three agents: unmodified programs on different nodes share one bandwidth.
. "$(dirname "$0")/common_agents.sh"
cat >cluster.yaml <<YAML
platform: {bandwidth: 40 MB/s}
stores: [$scratch/store]
journal: $scratch/journal
cluster: {lease: 1 s, agent_user: 65534, controller_user: root, munge_socket: $scratch/munge.sock}
YAML
start_munged || skip "munged does not start here"
start_controller
for node in n1 n2 n3; do start_agent $node; done

it "connects every agent" soon eval "is_connected n1 && is_connected n2 && is_connected n3"
it "shows the connection at an agent's socket" \
    eval '"$weir" status --socket n1.sock | grep -q "node n1  connected to controller 127.0.0.1:$port"'
settings_refused() {
    ! "$weir" ctl --socket n1.sock policy fcfs 2>err && grep -q "settings are the controller's" err
}
it "leaves settings to the controller" settings_refused

# --- two agents of one name ------------------------------------------------------------------------
"$weir" agent --controller "127.0.0.1:$port" --name n1 --config cluster.yaml \
    --socket "$scratch/twin.sock" 2>twin.log &
twin=$!
daemons="$daemons $twin"
it "tells an agent that another one has its name" \
    soon grep -q "it refuses: another agent is connected as node 'n1'" twin.log
sleep 4 # in which it tries again
it "keeps the first one" eval 'is_connected n1 && ! grep -q "connection lost" n1.log'
it "logs the second one once" [ "$(grep -c "another agent is connected as node 'n1'" head.log)" -eq 1 ]
kill $twin
sleep 1.2 # a new controller raises nothing before the leases of one before it have ended

# --- sharing ---------------------------------------------------------------------------------------
# share NODE NODE: each writes 20 MB; together they take 1 s at 40 MB/s, less what may be moved at once.
share() {
    local start took jobs= node
    rm -f store/*
    start=$(now)
    for node; do on "$node" "on-$node" bash -c "write $node 20" & jobs="$jobs $!"; done
    wait $jobs
    took=$(($(now) - start))
    echo "took $took us"
    [ "$(cat store/* | wc -c)" -eq 41943040 ] && [ $took -gt 900000 ] && [ $took -lt 4000000 ]
}
it "lets programs on two nodes share the bandwidth" share n1 n2
it "shares it with programs of the controller's own node" share head n3

granted() { # all that three programs hold while they run
    local i sum jobs=
    for i in 1 2 3; do on n$i load bash -c "write load$i 24" & jobs="$jobs $!"; done
    sleep 0.8
    sum=$(for i in 1 2 3; do status_of n$i; done | awk -F'[:,]' '/"granted"/ { s += $2 } END { print s }')
    wait $jobs
    echo "granted $sum"
    awk -v s="$sum" 'BEGIN { exit !(s > 30e6 && s <= 40e6 + 1) }'
}
it "grants no more than the bandwidth, on all nodes together" granted

# --- one application on two nodes -----------------------------------------------------------------
pair() {
    local jobs= node
    for node in n1 n2; do
        on $node starter env WEIR_TOKEN=0123456789abcdef0123456789abcdef WEIR_NAME=pair WEIR_NODES=2 \
            bash -c "write pair.$node 20" & jobs="$jobs $!"
    done
    sleep 0.5
    status_of head >during
    wait $jobs
    soon eval '"$weir" status --json --finished --socket head.sock | grep -q "\"pair\""'
}
pair
it "knows an application on two nodes as one" [ "$(grep -c '"name": "pair"' during)" -eq 1 ]
of_pair() { "$weir" status --json --finished --socket head.sock | grep -A30 '"name": "pair"'; }
it "adds up the bytes of its nodes" eval 'of_pair | grep -m1 "\"moved\": 41943040"'
it "closes one account for it" [ "$(of_pair | grep -c '"name": "pair"')" -eq 1 ]

# --- the controller fails -------------------------------------------------------------------------
# A program that runs all the time, a megabyte every tenth of a second; and one that has much to write.
(for _ in $(seq 90); do sleep 0.1; head -c 1M /dev/zero; done) |
    on n2 steady dd of=store/steady bs=1M iflag=fullblock count=90 status=none & steady=$!
on n1 survivor bash -c "write survivor 80" & survivor=$!
is_uncontrolled() { status_of "$1" | grep -q '"state": "uncontrolled"'; }
it "controls programs until then" eval 'soon eval "status_of n2 | grep steady" && ! is_uncontrolled n2'
sleep 0.3
kill -9 $head
dead=$(now)
it "lets programs run unthrottled when their lease has ended" soon is_uncontrolled n2
free=$(($(now) - dead))
it "does so within the lease of a second" [ $free -lt 2500000 ] # and time to look
wait $survivor
it "has all bytes of a program that was not held up" [ "$(wc -c <store/survivor)" -eq 83886080 ]
it "shows that there is no connection" eval '! is_connected n1'
start_controller
it "connects again when the controller is back" soon eval "is_connected n1 && is_connected n2"
taken_back() { status_of head | grep -q '"steady"' && ! is_uncontrolled n2; }
it "takes running programs back" soon taken_back
sleep 1.2
paced() {
    local start took
    start=$(now)
    on n1 again bash -c "write again 20"
    took=$(($(now) - start))
    echo "took $took us"
    [ $took -gt 350000 ]
}
it "paces programs again" paced

# --- an agent fails -------------------------------------------------------------------------------
orphan() {
    local job
    on n3 orphan bash -c "write orphan 40" & job=$!
    sleep 0.3
    kill -9 "$(cat n3.pid)"
    wait $job && [ "$(wc -c <store/orphan)" -eq 41943040 ]
}
it "lets programs finish whose agent was killed" orphan
# It is kept for a minute, without processes or bandwidth, since its agent could come back.
gone() { ! status_of head | grep -A20 '"orphan"' | grep -q '"state": "\(moving\|waiting\)"'; }
it "takes back what was granted on a node whose agent is gone for a lease" soon gone
wait $steady
it "has all bytes of a program that saw controllers come and go" [ "$(wc -c <store/steady)" -eq 94371840 ]

# --- an agent hangs for longer than its lease ------------------------------------------------------
hang() {
    local job agent
    agent=$(cat n2.pid)
    on n2 sleeper bash -c "write sleeper 60" & job=$!
    soon eval "status_of n2 | grep -q '\"state\": \"moving\"'" || return
    kill -STOP "$agent"
    soon eval "! status_of head | grep -A20 '\"sleeper\"' | grep -q '\"state\": \"moving\"'" || return
    kill -CONT "$agent"
    wait $job && soon eval "accounts | grep -q sleeper"
}
accounts() { grep '"event": *"done"' journal | grep '"sleeper"'; }
it "has programs that saw their agent hang for longer than the lease" hang
it "closes one account for them" eval '[ "$(accounts | wc -l)" -eq 1 ]'
it "counts every byte of them once" eval 'accounts | grep -q "\"moved\": *62914560[,.}]"'

# --- other users ----------------------------------------------------------------------------------
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    mkdir -m 777 theirs
    chmod 644 cluster.yaml
    agent_of() { # UID NAME: an agent of this user
        setpriv --reuid="$1" --clear-groups "$weir" agent --controller "127.0.0.1:$port" --name "$2" \
            --config cluster.yaml --socket "$scratch/theirs/$2.sock" 2>"$2.log" &
        daemons="$daemons $!"
    }
    agent_of 65534 theirs
    agent_of 65533 stranger
    it "takes the agents of the user that the configuration names" soon is_connected theirs/theirs
    it "tells the agent of another user why it is refused" \
        soon grep -q "it refuses: user 65533 may not run an agent" stranger.log
    sleep 2 # in which it tries again
    it "logs it once" [ "$(grep -c 'may not run an agent' head.log)" -eq 1 ]
fi
finish
