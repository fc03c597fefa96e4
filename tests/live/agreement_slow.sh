#!/bin/bash
# Tucan in 20 s, and three random scenarios, under five strategies agree with their simulation: with
# I/O that is announced, and with I/O that is recognised from the calls.
. "$(dirname "$0")/common_agreement.sh"

# both NAME ARGUMENT...: in both ways, under each strategy.
both() {
    local name=$1 policy
    shift
    for policy in fair-share fcfs greedy-yield set-10 best-effort; do
        agree 3 "$name agrees under $policy" "$@" --policy $policy
        agree 5 "$name agrees under $policy when I/O is recognised" "$@" --policy $policy --preload
    done
}

both "Tucan" "$live/tucan.yaml" --duration 20s
for seed in 1 2 3; do
    both "random scenario $seed" "$live/random.yaml" --seed $seed --time-scale 1.5
done
finish
