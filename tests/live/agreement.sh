#!/bin/bash
# Short runs for real agree with their simulation; agreement_slow.sh has the long ones.
. "$(dirname "$0")/common_agreement.sh"

agree 3 "Tucan agrees under fcfs" "$live/tucan.yaml" --policy fcfs --duration 6s
agree 5 "Tucan agrees under fcfs when I/O is recognised" \
    "$live/tucan.yaml" --policy fcfs --duration 6s --preload
agree 3 "a random scenario agrees under fair-share" \
    "$live/random.yaml" --seed 1 --policy fair-share --time-scale 2
agree 5 "another agrees under set-10 when I/O is recognised" \
    "$live/random.yaml" --seed 2 --policy set-10 --time-scale 2 --preload
agree 3 "another agrees under best-effort" \
    "$live/random.yaml" --seed 3 --policy best-effort --time-scale 2
finish
