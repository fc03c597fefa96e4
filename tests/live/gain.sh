#!/bin/bash
# Programs whose I/O collides, on a store with a real limit, end sooner and wait less under control.
# The store is a FUSE file system that moves 62 MB/s (pacer.c), written past the page cache.
. "$(dirname "$0")/common_fuse.sh"

! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"
mount_store 62000000 store

# Alone, each would take 5 s. They come 50 ms apart, so that the order is not left to chance.
cat >three.yaml <<'YAML'
platform: {bandwidth: 58 MB/s}
applications:
  - {name: red, nodes: 1, work: 0.67 s, io: 19.14 MB, iterations: 5}
  - {name: green, nodes: 1, work: 0.67 s, io: 19.14 MB, iterations: 5, release: 50 ms}
  - {name: blue, nodes: 1, work: 0.67 s, io: 19.14 MB, iterations: 5, release: 100 ms}
YAML

# column ROW NUMBER: of the table of measures.
column() { sed -n "s/^$1 *//p" out | tr -d '*' | awk -v n="$2" 'NF > 3 { print $n }'; }

# gains ARGUMENT...: a tenth of the total time at least, and of what the worst stretch is above 1.
gains() {
    exits 0 replay "$scratch/three.yaml" --policy fcfs --bandwidth 58MB/s --time-scale 1 \
        --dir "$scratch/store" --without "$@" || return
    cat out
    awk -v with="$(column measured 1)" -v without="$(column 'without control' 1)" \
        -v worst="$(column measured 2)" -v before="$(column 'without control' 2)" 'BEGIN {
        printf "total %s s instead of %s s, worst stretch %s instead of %s\n", with, without, worst,
            before
        exit !(with > 0 && with <= 0.9 * without && worst > 0 && worst - 1 <= 0.9 * (before - 1))
    }'
}
report() { sed -n 's/^total/# total/p' detail; }

# A call of 1 MiB takes as long inside the store as its bytes had to wait for: neither may be lost.
cat >alone.yaml <<'YAML'
platform: {bandwidth: 58 MB/s}
applications: [{name: alone, nodes: 1, work: 0.2 s, io: 29 MB, iterations: 4}]
YAML
gets_it_all() {
    exits 0 replay "$scratch/alone.yaml" --bandwidth 58MB/s --time-scale 1 \
        --dir "$scratch/store" --preload --runs 3 || return
    cat out
    awk -v stretch="$(column measured 2)" 'BEGIN { exit !(stretch > 0.9 && stretch < 1.15) }'
}
it "a program alone gets nearly all of a store that is hardly faster" patiently gets_it_all

it "programs that know nothing of control gain" patiently gains --preload
report
it "programs that announce their I/O gain" patiently gains
report

# Four times as many busy processes as there are processors: a program that waits for one looks quiet.
costs_little() {
    local loops=() status=0
    for _ in $(seq $((4 * $(nproc)))); do
        (while :; do :; done) &
        loops+=($!)
    done
    exits 0 replay "$scratch/three.yaml" --policy fcfs --bandwidth 58MB/s --time-scale 1 \
        --dir "$scratch/store" --without "$@" || status=1
    kill "${loops[@]}"
    wait "${loops[@]}" 2>wait.log
    [ $status -eq 0 ] || return
    cat out
    awk -v with="$(column measured 1)" -v without="$(column 'without control' 1)" 'BEGIN {
        printf "total %s s instead of %s s\n", with, without
        exit !(with > 0 && with <= 1.03 * without)
    }'
}
it "on a machine full of busy programs control costs nothing" patiently costs_little --preload
report
it "nor does it to programs that announce their I/O" patiently costs_little
report
finish
