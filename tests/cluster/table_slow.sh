#!/bin/bash
# What control gains on a cluster: three jobs of MPI that collide on a store with a real limit, without
# control and under several strategies, beside what the simulator predicts; three equal jobs; and a job
# alone. Prints the tables of docs/reference/cluster.md. About ten minutes; they mean something only on a machine
# that does nothing else. WEIR_RUNS: how often each is run, by default 2. To see what makes simulation and
# reality differ: WEIR_STRATEGIES (only these, and only the first table), WEIR_RANKS of a job (2),
# WEIR_STORE_NICE of the store (-15), OMPI_MCA_mpi_yield_when_idle of Open MPI's ranks (1).
. "$(dirname "$0")/common_slurm.sh"
. "$root/tests/cluster/common_nodes.sh"
. "$root/tests/cluster/common_store.sh"
. "$root/tests/cluster/common_jobs.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"

runs=${WEIR_RUNS:-2}
jobs_build
store_start 400
cluster_start
nodes_start

# at_most LIMIT VALUE BASE: VALUE / BASE is.
at_most() {
    awk -v most="$1" -v value="$2" -v base="$3" 'BEGIN {
        printf "%s / %s = %.3f\n", value, base, value / base; exit !(value > 0 && value <= most * base) }'
}
# mean COLUMN <LINES
mean() { awk -v column="$1" '{ sum += $column; n++ } END { printf "%.4f\n", n ? sum / n : 0 }'; }

# trial STRATEGY NAME: one run; a line of its measures and error is added to NAME.all.
trial() {
    jobs_under "$1" "$2" || return 1
    jobs_fine "$2" || return 1
    [ "$1" = none ] || jobs_exact "$2.journal" || return 1
    echo "$(completions "$2" | measures) $(error_of "$2" "$1")" >>"$2.all"
    tail -n 1 "$2.all"
}

# row NAME STRATEGY: means of what was measured, and what was simulated.
row() {
    awk -v name="$1" -v simulated="$(predictions "$2" | measures)" '
        { for (i = 1; i <= 5; i++) sum[i] += $i }
        END { split(simulated, s); split("%.1f %.2f %.2f %.3f", form, " ")
              printf "| %s |", name
              for (i = 1; i <= 4; i++) printf " " form[i] " | " form[i] " |", sum[i] / NR, s[i]
              printf " %.1f %% |\n", sum[5] / NR }' "$1.all"
}

# strategy NAME: with its parameters.
strategy() {
    case $1 in
    plan) echo "plan:file=$scratch/jobs.json" ;;
    *) echo "$1" ;;
    esac
}

# table NAME...: their rows.
table() {
    local name
    echo "| strategy | total (s) | simulated | mean stretch | simulated | worst stretch | simulated |" \
        "SysEfficiency | simulated | error |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    for name; do
        [ ! -e "$name.all" ] || row "$name" "$(strategy "$name")"
    done
}

# --- jobs that collide ----------------------------------------------------------------------------
jobs="long openmpi n0,n1 3 2 100000000 0
middle mpich n2,n3 6 1 40000000 0
short ompio n1,n2 14 0.5 10000000 0"
names="none fair-share fcfs greedy-com critical-yield surplus"
if "$weir" policies | grep -q '^replan'; then
    scenario >jobs.yaml
    "$weir" plan jobs.yaml -o jobs.json >plan.log 2>&1 && names="$names plan"
    names="$names replan"
fi
names=${WEIR_STRATEGIES:-$names}
for run in $(seq "$runs"); do
    for name in $names; do
        it "jobs end as they should, with all of their I/Os and bytes ($name, run $run)" \
            trial "$(strategy "$name")" "$name"
    done
done
# shellcheck disable=SC2086 # a list
table $names >mix.md
if [ -n "$WEIR_STRATEGIES" ]; then
    cat mix.md
    finish
fi
it "the mean stretch of the mix falls" at_most 0.93 "$(mean 2 <greedy-com.all)" "$(mean 2 <none.all)"
sed 's/^/# /' detail
for pair in fcfs:7 greedy-com:8 fair-share:8; do
    it "the simulator predicts ${pair%:*} within ${pair#*:} %" \
        at_most "${pair#*:}" "$(mean 5 <"${pair%:*}.all")" 1
    sed 's/^/# /' detail
done

# --- three equal jobs -----------------------------------------------------------------------------
jobs="red openmpi n0,n1 4 1 50000000 0
green mpich n2,n3 4 1 50000000 0.05
blue openmpi n1,n2 4 1 50000000 0.1" # so that the order is not left to chance
rm -f ./*.all
for run in $(seq "$runs"); do
    for name in none fair-share fcfs; do
        it "equal jobs end as they should ($name, run $run)" trial $name $name
    done
done
table none fair-share fcfs >equal.md
it "equal jobs end sooner" at_most 0.92 "$(mean 1 <fcfs.all)" "$(mean 1 <none.all)"
sed 's/^/# /' detail

# --- one job alone --------------------------------------------------------------------------------
# io_time RUN: of all its I/Os.
io_time() { awk '{ sum += $2 - $1 } END { print sum }' "$1.alone"; }
alone() {
    jobs_under "$1" "$1.$2" && jobs_fine "$1.$2" && io_time "$1.$2" >>"$1.$2.times"
}
{
    echo "| MPI-IO | I/O time alone (s) | under control | ratio |"
    echo "|---|---|---|---|"
} >alone.md
for mpi in openmpi ompio mpich; do
    jobs="alone $mpi n0,n1 4 0.3 50000000 0"
    for run in $(seq $((runs + 1))); do
        for name in none fcfs; do
            it "a job alone ends as it should ($mpi, $name, run $run)" alone $name $mpi
        done
    done
    without=$(mean 1 <none.$mpi.times) with=$(mean 1 <fcfs.$mpi.times)
    it "a job alone hardly notices control ($mpi)" at_most 1.05 "$with" "$without"
    sed 's/^/# /' detail
    awk -v mpi=$mpi -v a="$without" -v b="$with" \
        'BEGIN { printf "| %s | %.2f | %.2f | %.3f |\n", mpi, a, b, b / a }' >>alone.md
done

for table in mix equal alone; do
    echo
    cat $table.md
done
echo
finish
