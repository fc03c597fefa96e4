#!/bin/bash
# Two controllers, of which one is elected by a real etcd, and agents that follow the leader.
. "$(dirname "$0")/common_agents.sh"
. "$root/tests/cluster/common_etcd.sh"
cat >cluster.yaml <<YAML
platform: {bandwidth: 40 MB/s}
stores: [$scratch/store]
state: $scratch/state
cluster: {lease: 1 s, munge_socket: $scratch/munge.sock}
YAML
start_munged || skip "munged does not start here"
start_etcd || skip "etcd does not start here"
start_candidate a
start_candidate b
it "elects one of two controllers" soon eval '[ "$(leaders)" = 1 ]'
find_leader
it "lets the other one stand by" soon grep -q "standing by: another controller leads" $other.log
controllers="127.0.0.1:$(cat $other.port),127.0.0.1:$(cat $leader.port)"
for node in n1 n2; do start_agent $node; done
it "sends agents from the one that stands by to the leader" \
    soon eval 'is_at n1 $leader && is_at n2 $leader'
it "tells agents why it refuses them" grep -q "it refuses: this controller stands by" n1.log
sleep 1.2 # a new controller raises nothing before the leases of one before it have ended

asks() { "$weir" "$1" --controller "$controllers" --munge-socket "$scratch/munge.sock" "${@:2}"; }
it "finds the leader for commands" eval 'asks status --json | grep -q "\"bandwidth\": 40000000"'

not_here() { ! "$weir" "$@" --socket $other.sock 2>err && grep -q "stands by: it is not the leader" err; }
it "answers no questions at the socket of the other one" not_here status
it "takes no settings there" not_here ctl policy fcfs

# fails_over COMMAND...: what it does to the leader makes the other one lead.
fails_over() {
    local start
    start=$(now)
    "$@"
    soon is_leader $other || return
    echo "$other leads after $((($(now) - start) / 1000)) ms"
    soon eval 'is_at n1 $other && is_at n2 $other' || return
    echo "it has all agents after $((($(now) - start) / 1000)) ms"
}

asks ctl set weight 3 --application precious >/dev/null

# --- the leader dies ------------------------------------------------------------------------------
on n1 survivor bash -c "write survivor 200" & survivor=$!
sleep 0.3
it "elects the other one when the leader is killed" fails_over kill -9 $(cat $leader.pid)
old=$leader
find_leader
it "keeps what was set, in a state file that both see" eval \
    'asks ctl show | grep "^weight .*3 .*application precious"'
it "keeps the application that was running" eval \
    'wait $survivor && [ "$(wc -c <store/survivor)" -eq 209715200 ]'
start_candidate $old
it "lets the one that comes back stand by" soon grep -q "standing by" $old.log
sleep 1
paced() { # 20 MB at 40 MB/s, less what may be moved at once
    local start took
    start=$(now)
    on n1 paced bash -c "write paced 20"
    took=$(($(now) - start))
    echo "took $took us"
    [ $took -gt 350000 ]
}
it "paces programs under the new leader" paced

# --- the leader hangs -----------------------------------------------------------------------------
# A program that runs all the time, a megabyte every tenth of a second: an agent without any does not
# notice that its controller hangs, and need not.
steady() {
    (for _ in $(seq 60); do sleep 0.1; head -c 1M /dev/zero; done) |
        on $1 steady dd of=store/steady.$1 bs=1M iflag=fullblock count=60 status=none
}
steady n1 & steady1=$!
steady n2 & steady2=$!
sleep 0.3
first_epoch=$(epoch_of n1)
hung=$(cat $leader.pid)
it "elects the other one when the leader hangs" fails_over kill -STOP $hung
it "has a higher epoch then" [ "$(epoch_of n1)" -gt "$first_epoch" ]
kill -CONT $hung
it "makes one that continues step down" soon grep -q "no longer the leader" $leader.log
it "has one leader then" eval '[ "$(leaders)" = 1 ] && is_leader $other'
find_leader
it "does not move agents" eval 'is_at n1 $leader && is_at n2 $leader'
it "has all bytes of programs that saw it" eval \
    'wait $steady1 $steady2 && [ "$(cat store/steady.* | wc -c)" -eq 125829120 ]'

# --- etcd fails -----------------------------------------------------------------------------------
led() {
    [ "$(leaders)" = 1 ] || return
    find_leader
    is_at n1 $leader && is_at n2 $leader
}
stop_etcd
start_etcd
it "has a leader with all agents after etcd was restarted" soon led
last_epoch=$(epoch_of n1)
stop_etcd
it "has no leader while etcd is away for longer than its lease" soon eval '[ "$(leaders)" = 0 ]'
nobody_leads() { ! asks status 2>err && [ "$(grep -o 'stands by' err | wc -l)" = 2 ]; }
it "tells commands that no controller leads" nobody_leads
free() { "$weir" status --socket n1.sock | grep -q "run unthrottled"; }
it "lets programs run unthrottled then" soon free
rm -r etcd # and it comes back without its data, so that revisions begin again
start_etcd
it "elects one again when etcd is back" soon led
it "goes on above the epoch that agents know" soon eval '[ "$(epoch_of n1)" -gt $last_epoch ]'

# --- the leader is stopped as it should be --------------------------------------------------------
hand_over() {
    local start
    start=$(now)
    kill -TERM "$(cat $leader.pid)"
    soon is_leader $other || return
    echo "took $((($(now) - start) / 1000)) ms"
    [ $(($(now) - start)) -lt 1900000 ] # before its lease would have ended
}
it "hands over at once when the leader is stopped" hand_over
finish
