#!/bin/bash
# A campaign over four ranks of each MPI stores what threads store; and a rank that dies costs its run.
. "$(dirname "$0")/../cli/common.sh"
. "$(dirname "$0")/../cli/common_campaign.sh"
build=${WEIR_BUILD_DIR:?the build directory}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_base_warn_component_unused=0

# with MPI COUNT OPTION... -- ARGUMENT...: runs weir-mpi on this many ranks.
with() {
    local mpi=$1 count=$2 options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    case $mpi in
    ompi-c) set -- mpirun.openmpi --oversubscribe "${options[@]}" -n "$count" "$build/weir-mpi.$mpi" "$@" ;;
    mpich) set -- mpiexec.mpich "${options[@]}" -n "$count" "$build/weir-mpi.$mpi" "$@" ;;
    esac
    exec timeout 120 "$@"
}
there=
for mpi in ompi-c mpich; do
    [ -x "$build/weir-mpi.$mpi" ] || continue
    if (with $mpi 2 -- campaign --help) >help 2>&1 && grep -q '^usage: weir-mpi campaign' help; then
        there="$there $mpi"
    else
        echo "# $mpi does not start here: $(head -n 1 help)"
    fi
done
[ -n "$there" ] || { echo "skipped: no MPI"; exit 77; }

cat >grid.yaml <<'YAML'
families: [{name: general, noise: [0, 0.1]}, {name: jupiter, set: 1..10}]
seeds: 4
strategies: [fcfs, fair-share, floor]
YAML
"$weir" campaign grid.yaml --db threads.sqlite >/dev/null || exit 1

agrees() { # MPI RANKS
    (with "$1" "$2" -- campaign grid.yaml --db "$1-$2.sqlite") >printed 2>&1 &&
        grep -qx "grid: 54 runs stored in $1-$2.sqlite" printed && same threads.sqlite "$1-$2.sqlite" ||
        { cat printed; return 1; }
}
refuses_on_ranks() { # MPI TEXT ARGUMENT...: one of our lines, whatever MPI adds
    local mpi=$1 text=$2
    shift 2
    ! (with "$mpi" 4 -- campaign "$@") >printed 2>&1 || return
    cat printed
    [ "$(grep -c '^weir-mpi: ' printed)" = 1 ] && grep -qF -e "$text" printed
}

# Enough for some seconds.
cat >long.yaml <<'YAML'
families: [{name: synthetic, applications: 60, horizon: 200000}]
seeds: 250
strategies: [fcfs, fair-share]
YAML
# interrupt MPI RANK OPTION...: starts the long campaign, and kills this rank, from 1 on, once there
# are some results. Leaves the exit code in code.
interrupt() {
    local mpi=$1 rank=$2 base=$1-killed-$2.sqlite
    shift 2
    rm -f "$base"*
    (with "$mpi" 4 "$@" -- campaign long.yaml --db "$base" --patience 1s) >printed 2>&1 &
    local job=$! ranks=
    until [ "$(wc -w <<<"$ranks")" = 4 ]; do
        kill -0 $job || return
        ranks=$(pgrep -xf "$build/weir-mpi.$mpi campaign long.yaml --db $base --patience 1s" | sort -n)
    done
    for _ in $(seq 600); do [ "$(count "$base" || echo 0)" -gt 10 ] 2>/dev/null && break; sleep 0.02; done
    kill -9 "$(sed -n "${rank}p" <<<"$ranks")"
    code=0
    wait $job || code=$?
    echo "ended with $code at $(count "$base") of 500"
}
loses_a_rank() {
    interrupt ompi-c 3 --enable-recovery
    [ "$(count ompi-c-killed-3.sqlite)" = 500 ] && grep -q 'warning: 1 rank was lost' printed &&
        same long.sqlite ompi-c-killed-3.sqlite || { cat printed; return 1; }
}
continues() { # MPI RANK: without recovery all end, and the same command goes on
    interrupt "$1" "$2"
    [ "$code" -ne 0 ] && [ "$(count "$1-killed-$2.sqlite")" -lt 500 ] || { cat printed; return 1; }
    (with "$1" 4 -- campaign long.yaml --db "$1-killed-$2.sqlite") >printed 2>&1 &&
        same long.sqlite "$1-killed-$2.sqlite" || { cat printed; return 1; }
}

for mpi in $there; do
    it "$mpi: four ranks store what threads store" agrees "$mpi" 4
    it "$mpi: one rank stores what threads store" agrees "$mpi" 1
    it "$mpi: names a file that is not there, once" refuses_on_ranks "$mpi" none.yaml none.yaml --db x.sqlite
    it "$mpi: misses a database" refuses_on_ranks "$mpi" "missing --db FILE" grid.yaml
    it "$mpi: loses no results" refuses_on_ranks "$mpi" "':memory:' is not a file" grid.yaml --db :memory:
    it "$mpi: names a place that is not there, once" refuses_on_ranks "$mpi" nowhere/x grid.yaml --db nowhere/x
done
"$weir" campaign long.yaml --db long.sqlite >/dev/null || exit 1
case $there in *ompi-c*) it "ompi-c: a rank that dies costs its run" loses_a_rank ;; esac
it "$mpi: all ranks may die with one, and the campaign goes on later" continues "$mpi" 3
it "$mpi: rank 0 may die" continues "$mpi" 1
finish
