#!/bin/bash
# A campaign on a real Slurm: the tasks of an array make shards that join to the whole, and MPI ranks
# that srun starts store the same.
. "$(dirname "$0")/common_slurm.sh"
. "$(dirname "$0")/../cli/common_campaign.sh"
cluster_start

cat >grid.yaml <<'YAML'
families: [{name: general, noise: [0, 0.1]}, {name: jupiter, set: 1..10}]
seeds: 4
strategies: [fcfs, fair-share, floor]
YAML
"$weir" campaign grid.yaml --db whole.sqlite >/dev/null || exit 1

runs_array() {
    "$weir" campaign grid.yaml --db results.sqlite --slurm-array 6 -o array.sh || return
    timeout 60 sbatch --wait --output="$scratch/task-%a.log" array.sh >submitted 2>&1 ||
        { cat submitted task-*.log; return 1; }
    [ "$(ls results-*.sqlite | wc -l)" -eq 6 ] || { ls; return 1; }
    eval "$(sed -n 's|^#     weir|"$weir"|p' array.sh)" && same whole.sqlite results.sqlite
}
it "the tasks of an array make shards that join to the whole" runs_array

# A task that fails is run again by the same script.
continues_array() {
    rm -f results.sqlite results-3.sqlite
    timeout 60 sbatch --wait --output="$scratch/task-%a.log" array.sh >submitted 2>&1 ||
        { cat submitted task-*.log; return 1; }
    grep -q '0 runs stored .*there before' task-1.log && grep -q ' runs stored' task-3.log &&
        eval "$(sed -n 's|^#     weir|"$weir"|p' array.sh)" && same whole.sqlite results.sqlite
}
it "the same script continues" continues_array

runs_ranks() {
    timeout 60 srun --mpi=pmi2 -n 4 "$build/weir-mpi.mpich" campaign grid.yaml --db ranks.sqlite >printed 2>&1 &&
        same whole.sqlite ranks.sqlite || { cat printed; return 1; }
}
[ ! -x "$build/weir-mpi.mpich" ] || it "ranks of srun store the same" runs_ranks

finish
