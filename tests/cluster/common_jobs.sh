# Jobs of MPI that collide on the store, of both MPIs, and what is measured of them. A job is a line
# of $jobs:
#
#   NAME MPI NODES ITERATIONS WORK VOLUME RELEASE
#
# MPI is openmpi (with ROMIO), ompio (Open MPI's own MPI-IO) or mpich; NODES as srun -w has them;
# VOLUME in bytes, of an I/O of all ranks together. Needs common_slurm.sh and common_store.sh.

ranks=${WEIR_RANKS:-2}
rate=49.5 # MB/s of the store, of the 50 MB/s that its network passes
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_pml=ob1
# There are more ranks than processors, so those that wait should leave them to others.
export OMPI_MCA_mpi_yield_when_idle=${OMPI_MCA_mpi_yield_when_idle:-1}

jobs_build() {
    local mpi
    for mpi in openmpi mpich; do
        mpicc.$mpi -O2 -o alternate.$mpi "$root/tests/cluster/alternate.c" 2>cc.log ||
            skip "mpicc.$mpi does not work: $(head -n 1 cc.log)"
    done
}

# scenario: the jobs for the simulator.
scenario() {
    local name mpi nodes iterations work volume release count
    echo "platform: {bandwidth: $rate MB/s, nodes: $(jobs_nodes)}"
    echo "applications:"
    while read -r name mpi nodes iterations work volume release; do
        count=$(wc -w <<<"${nodes//,/ }")
        echo "  - {name: $name, nodes: $count, work: $work s, io: $volume B," \
            "iterations: $iterations, release: $release s}"
    done <<<"$jobs"
}
jobs_nodes() { cut -d ' ' -f 3 <<<"$jobs" | tr ',' '\n' | wc -l; }

# job_start RUN OPTION... <LINE of $jobs: its record is RUN.NAME, its exit code RUN.NAME.code.
job_start() {
    local run=$1 name mpi nodes iterations work volume release program=alternate.openmpi
    local settings=() options=(--mpi=pmix)
    read -r name mpi nodes iterations work volume release
    case $mpi in
    openmpi) settings=(OMPI_MCA_io=romio321) ;;
    ompio) settings=(OMPI_MCA_io=ompio "OMPI_MCA_io_ompio_num_aggregators=$ranks") ;;
    mpich) options=(--mpi=pmi2) program=alternate.mpich ;;
    esac
    options+=(-J "$name" -w "$nodes" -N "$(wc -w <<<"${nodes//,/ }")" -n "$ranks" "${@:2}")
    rm -f "$store/$name" "$run.$name".*
    (
        timeout 120 env "${settings[@]}" srun "${options[@]}" "$scratch/$program" "$store/$name" \
            "$scratch/$run.$name" "$iterations" "$work" "$volume" "$release" >"$run.$name.log" 2>&1 </dev/null
        echo $? >"$run.$name.code"
    ) &
    running="$running $!"
}

# jobs_ready RUN: all of them wait for the start, or one has failed.
jobs_ready() {
    local name
    for name in $(cut -d ' ' -f 1 <<<"$jobs"); do
        for _ in $(seq 400); do
            [ ! -e "$1.$name.code" ] || { cat "$1.$name.log"; return 1; }
            [ ! -e "$1.$name.ready" ] || continue 2
            sleep 0.05
        done
        return 1
    done
}

# jobs_go RUN OPTION...: starts the jobs together, with options of srun. Ranks of Open MPI sometimes
# crash when they start, whatever they do: then all start again, once.
running=
jobs_go() {
    local attempt line name zero
    for attempt in 1 2; do
        running=
        while read -r line; do job_start "$@" <<<"$line"; done <<<"$jobs"
        jobs_ready "$1" && break
        timeout 10 scancel --user=root
        wait $running
        [ $attempt = 1 ] || return 1
    done
    zero=$(date +%s.%N)
    for name in $(cut -d ' ' -f 1 <<<"$jobs"); do
        awk -v zero="$zero" 'BEGIN { printf "%.6f\n", zero + 0.3 }' >"$1.$name.part"
        mv "$1.$name.part" "$1.$name.go"
    done
}
jobs_run() { jobs_go "$@" && wait $running; }

# jobs_under STRATEGY RUN: runs them under it; what the journal has of them is in RUN.journal. 'none':
# without control.
jobs_under() {
    local lines
    [ "$1" != none ] || { jobs_run "$2" --weir=off; return; }
    lines=$(wc -l <journal)
    "$weir" ctl --socket "$scratch/socket" policy "$1" >ctl.log 2>&1 || { cat ctl.log; return 1; }
    jobs_run "$2" && settled >settled.log || return 1
    tail -n "+$((lines + 1))" journal >"$2.journal"
}

# jobs_stop RUN: their next I/O is the last one.
jobs_stop() {
    local name
    for name in $(cut -d ' ' -f 1 <<<"$jobs"); do touch "$1.$name.stop"; done
}

# jobs_fine RUN: all of them ended well, after all of their I/Os, with the right bytes in the brick.
jobs_fine() {
    local name mpi nodes iterations work volume release
    while read -r name mpi nodes iterations work volume release; do
        [ "$(cat "$1.$name.code")" = 0 ] || { cat "$1.$name.code" "$1.$name.log"; return 1; }
        [ ! -e "$1.$name.stop" ] || iterations=$(wc -l <"$1.$name")
        [ "$(wc -l <"$1.$name")" -eq "$iterations" ] || { cat "$1.$name"; return 1; }
        ./alternate.mpich check "brick/$name" $((iterations * volume)) || return 1
    done <<<"$jobs"
}

# jobs_exact JOURNAL: each job is one application, with as many I/Os and bytes as it has. (OMPIO writes
# its lock, of 8 bytes, beside the file: these are bytes too.)
jobs_exact() {
    local name mpi nodes iterations work volume release line ios moved more
    while read -r name mpi nodes iterations work volume release; do
        line=$(grep '"event":"done"' "$1" | grep -F "\"name\":\"$name\"" | tail -n 1)
        ios=$(key ios <<<"$line") moved=$(key moved <<<"$line") more=0
        echo "$name: $ios I/Os, $moved bytes"
        [ "$mpi" != ompio ] || more=16
        [ "$ios" = "$iterations" ] && [ "$moved" = $((iterations * volume + more)) ] || return 1
    done <<<"$jobs"
}

# completions RUN: a line 'NAME COMPLETION' for each job.
completions() {
    local name
    for name in $(cut -d ' ' -f 1 <<<"$jobs"); do
        echo "$name $(awk 'END { print $2 }' "$1.$name")"
    done
}

# predictions STRATEGY: the same, simulated.
predictions() {
    local strategy=$1
    [ "$1" != none ] || strategy=best-effort # what the store does by itself
    scenario >jobs.yaml
    "$weir" simulate jobs.yaml --policy "$strategy" --window none --per-app --csv |
        awk -F , 'NR > 1 { print $(NF - 6), $(NF - 4) }' # a strategy may have commas
}

# measures <COMPLETIONS: total time, mean and worst stretch, SysEfficiency: as docs/explanation/model.md defines
# them, of jobs that can use the whole bandwidth.
measures() {
    awk -v rate=$rate '
        NR == FNR { nodes = split($3, list, ","); p[$1] = nodes; all += nodes; work[$1] = $4 * $5
                    alone[$1] = $4 * ($5 + $6 / (1e6 * rate)); release[$1] = $7; next }
        { time = $2 - release[$1]; stretch = time / alone[$1]; n++; mean += stretch
          if (stretch > worst) worst = stretch
          if ($2 > total) total = $2
          efficiency += p[$1] * work[$1] / time }
        END { printf "%.3f %.4f %.4f %.4f\n", total, mean / n, worst, efficiency / all }' <(echo "$jobs") -
}

# error_of RUN STRATEGY: the mean error of the simulated completions, in percent.
error_of() {
    join <(completions "$1" | sort) <(predictions "$2" | sort) |
        awk '{ error = $2 / $3 - 1; sum += error < 0 ? -error : error } END { printf "%.1f\n", 100 * sum / NR }'
}
