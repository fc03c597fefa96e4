#!/bin/bash
# A leader that is stopped as it should be hands over: programs wait for agents to connect, not for a
# lease.
. "$(dirname "$0")/common_agents.sh"
. "$root/tests/cluster/common_etcd.sh"
lease=6000000 # microseconds
write_cluster "40 MB/s" "6 s"
start_etcd || skip "etcd does not start here"
start_candidate a
start_candidate b
it "elects one of two controllers" soon eval '[ "$(leaders)" = 1 ]'
find_leader
controllers="127.0.0.1:$(cat a.port),127.0.0.1:$(cat b.port)"
start_agent n1
it "has an agent" soon is_at n1 $leader
it "serves the first program of a new cluster" on n1 first bash -c "write first 1"
hand_over() {
    kill -TERM "$(cat $leader.pid)"
    soon is_leader $other && soon is_at n1 $other
}
it "hands over when the leader is stopped" hand_over
it "does not let a write wait for a lease then" waits n1 $((lease * 3 / 4))
finish
