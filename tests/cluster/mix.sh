#!/bin/bash
# Jobs of Open MPI and MPICH over several nodes of a real Slurm collide on a store with a real limit:
# each is one application, with exactly its I/Os and bytes, and none is the worse for it.
. "$(dirname "$0")/common_slurm.sh"
. "$root/tests/cluster/common_nodes.sh"
. "$root/tests/cluster/common_store.sh"
. "$root/tests/cluster/common_jobs.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"

jobs="long openmpi n0,n1 3 0.5 25000000 0
middle mpich n2,n3 6 0.25 10000000 0
short ompio n1,n2 14 0.125 2500000 0"
jobs_build
store_start 400
cluster_start
nodes_start

# no_worse WITHOUT WITH: their total times.
no_worse() {
    awk -v without="$(completions "$1" | measures)" -v with="$(completions "$2" | measures)" 'BEGIN {
        split(without, a); split(with, b)
        printf "total %s s instead of %s s, mean stretch %s instead of %s\n", b[1], a[1], b[2], a[2]
        exit !(b[1] > 0 && b[1] <= 1.2 * a[1])
    }'
}
collide() { jobs_under none free && jobs_fine free; }
under_control() {
    jobs_under critical-yield held && jobs_fine held && jobs_exact held.journal
}
it "jobs that collide end as they should" collide
it "so they do under control, each an application with all of its I/Os and bytes" under_control
in_time() {
    no_worse free held && return
    collide && under_control && no_worse free held # others may have used the machine
}
it "control does not delay them" in_time
sed 's/^/# /' detail
finish
