#!/bin/bash
# Plain programs with calls of any size, drawn at random, on a store with a real limit: under control they
# end when the simulator says, and under fair-share as soon as without control. About an hour; WEIR_MIXES:
# the seeds of the draws, WEIR_STRATEGIES: under which strategies, WEIR_RATE: bytes/s of the store.
. "$(dirname "$0")/common_mixes.sh"

# no_slower: fair-share against no control.
no_slower() {
    local attempt bad=0
    for attempt in 1 2 3; do
        undisturbed || { echo "others use the machine"; continue; }
        measured none >without && measured fair-share >found || return
        read -r _ ratio < <(differs without found)
        echo "total $ratio of that without control"
        awk -v r="$ratio" 'BEGIN { exit !(r <= 1.02) }' && return
        undisturbed && bad=$((bad + 1)) || echo "others used the machine"
    done
    [ $bad -lt 2 ]
}

for seed in ${WEIR_MIXES:-1 2 3 4 5 6 7 8 9 10}; do
    draw "$seed" 12 >jobs
    end_as_simulated "mix $seed" \
        ${WEIR_STRATEGIES:-fair-share fcfs greedy-com critical-yield surplus min-dilation}
    it "mix $seed ends under fair-share as soon as without control" no_slower
    sed 's/^/# /' detail
done
finish
