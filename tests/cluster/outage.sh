#!/bin/bash
# Controllers, agents, networks and daemons of Slurm fail under jobs of MPI on a cluster: no job fails
# or hangs, all bytes are right, and the jobs are under control again soon after the fault has gone.
. "$(dirname "$0")/common_slurm.sh"
. "$root/tests/cluster/common_nodes.sh"
. "$root/tests/cluster/common_store.sh"
. "$root/tests/cluster/common_jobs.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"

# Each does I/O most of the time, until it is stopped.
jobs="red openmpi n0,n1 1000 0.2 10000000 0
green mpich n2,n3 1000 0.2 10000000 0"
jobs_build
store_start 400
cluster_start
nodes_start
"$weir" ctl --socket "$scratch/socket" policy fcfs >ctl.log

# end PROCESS: kills it.
end() {
    kill -9 "$1"
    wait "$1" 2>/dev/null
    daemons=${daemons/ $1/}
}

# granted LINES NAME...: since these first lines of the journal, each of the jobs was granted bandwidth
# in an I/O of its own.
granted() {
    awk -v lines="$1" -v names="${*:2}" '
        function value(key) { return match($0, "\"" key "\":\"?[^\",}]*") ? substr($0, RSTART, RLENGTH) : "" }
        /"event":"start"/ { delete name; delete posted }
        /"event":"join"/ { name[value("id")] = value("name") }
        NR <= lines { next }
        /"event":"post"/ { posted[value("id")] = 1 }
        /"event":"grant"/ && !/"rate":0}/ { if (value("id") in posted) seen[name[value("id")]] = 1 }
        END { count = split(names, list, " ")
              for (i = 1; i <= count; i++) if (!("\"name\":\"" list[i] in seen)) exit 1 }' journal
}
again() { granted "$lines" red green && connected $nodes; }

# heals [SECONDS]: both jobs are under control again within five seconds, on all nodes.
heals() {
    local since=$EPOCHREALTIME lines
    lines=$(wc -l <journal)
    within "${1:-5}" again || { tail -n 3 serve.log n*.log; tail -n 20 journal; return 1; }
    awk -v since="$since" -v now="$EPOCHREALTIME" 'BEGIN { printf "after %.1f s\n", now - since }'
}
passes() { kill -0 $running; } # the jobs still run
shown() { sed -n 's/^after/# after/p' detail; }

jobs_go run || skip "jobs do not start here: $(cat run.*.log)"
begins() { heals && passes; }
it "jobs on several nodes are under control" begins

# --- the controller -------------------------------------------------------------------------------
killed() {
    { kill -9 $controller; wait $controller; } 2>/dev/null
    sleep 1
    head_start && heals && passes
}
it "jobs are under control again after the controller was killed" killed
shown
stopped() {
    kill -STOP $controller
    sleep 3
    kill -CONT $controller
    heals && passes
}
it "... and after it hung for longer than its grants hold" stopped
shown

# --- an agent -------------------------------------------------------------------------------------
of_red() { "$weir" status --json --socket "$scratch/n1.sock" | grep -q '"name": "red"'; }
orphaned() {
    end "$(cat n1.agent)"
    sleep 1
    agent_start n1
    heals && within 5 of_red && passes
}
it "... and after an agent was killed" orphaned
shown

# --- the network ----------------------------------------------------------------------------------
cut_off() {
    ip -n "$far" link set inner down
    sleep 4
    ! connected n2 && ! connected n3 || return 1
    sleep 1
    ip -n "$far" link set inner up
    heals && passes
}
it "... and after half of the nodes were cut off for 5 s" cut_off
shown

# --- Slurm ----------------------------------------------------------------------------------------
no_slurmd() {
    local status=0
    end "$(cat n1.slurmd)"
    sleep 1
    heals || status=1
    slurmd_start n1
    [ $status -eq 0 ] && passes
}
it "a slurmd that is killed changes nothing" no_slurmd
doomed_moves() { grep '"name": "doomed"' -A 12 doomed.json | grep -q '"state": "moving"'; }
sees_doomed() { "$weir" status --json --socket "$scratch/socket" >doomed.json && doomed_moves; }
no_doomed() { ! "$weir" status --json --socket "$scratch/socket" | grep -q '"doomed"'; }
doomed() {
    local jobs="doomed mpich n1,n3 1000 0.01 40000000 0" running=
    jobs_go run && within 10 sees_doomed || { cat run.doomed.log; return 1; }
    timeout 10 scancel --name=doomed && within 5 no_doomed || return 1
    wait $running
}
cancelled() { doomed && heals && passes; }
it "a job that is cancelled in a collective write leaves its bandwidth to the others" cancelled

# --- etcd -----------------------------------------------------------------------------------------
if command -v etcd >/dev/null; then
    . "$root/tests/cluster/common_etcd.sh"
    elected() {
        start_etcd || return 1
        kill $controller
        wait $controller
        leader=etcd://127.0.0.1:$etcd_port/outage
        head_start && heals && passes
    }
    it "the jobs go on under a controller that is elected" elected
    etcd_gone() { # SECONDS LIMIT
        stop_etcd
        sleep "$1"
        start_etcd && heals "$2" && passes
    }
    it "... and are under control after etcd was restarted" etcd_gone 0.5 5
    shown
    # An election, agents that connect again, and a lease in which nothing is raised.
    it "... and after it was gone for longer than the lease" etcd_gone 4 8
    shown
    it "... which ended the controller's term meanwhile" grep -q "no longer the leader" serve.log
else
    echo "# no etcd: it is not restarted"
fi

jobs_stop run
wait $running
it "no job has failed, and all bytes are right" jobs_fine run
goes_on() { awk 'FNR > 1 && $1 - last > 10 { bad = 1 } { last = $2 } END { exit bad }' run.red run.green; }
it "their I/Os went on all the time" goes_on
finish
