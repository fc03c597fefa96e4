#!/bin/bash
# Scenarios that are run for real, and stores that are measured. How well runs agree with their
# simulation is measured in tests/live.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml

# --- replay ------------------------------------------------------------------------------------
# small ARGUMENT...: a replay of 0.6 s.
small() { exits 0 replay "$good" --duration 0.6s --policy fcfs "$@"; }
shows_both() { small && grep -q '^simulated ' out && grep -q '^measured ' out && grep -q '^analysis ' out; }
it "shows what was simulated and what was measured" shows_both
says_error() { grep -qE '^mean error of the completion times: [0-9.]+ %' out; }
it "says how far they are apart" says_error
warns_of_short_io() { grep -q "the I/Os of 'analysis' take .* ms, too short" err; }
it "warns of I/Os that are too short to be controlled" warns_of_short_io
prints_every_run() { small --runs 3 && grep -qE '\(median of [0-9.]+, [0-9.]+, [0-9.]+\)' out; }
it "prints the errors of all runs" prints_every_run
runs_without() { small --without --store-limit 100MB/s && grep -q '^without control ' out; }
it "runs the same without control" runs_without
writes_there() { mkdir -p store && small --dir "$PWD/store" && [ -z "$(ls -A store)" ]; }
it "leaves nothing behind in the directory" writes_there
is_json() {
    small --json && grep -q '"median_error"' out && grep -q '"latest_wake"' out || return
    command -v jq >/dev/null || return 0
    [ "$(jq '.runs[0].applications | length' out)" -eq 4 ]
}
it "writes JSON" is_json
it "fits into 80 columns" fits replay "$good" --duration 0.5s --without --store-limit 100MB/s

it "refuses two ways to say how fast" \
    refuses "exclude each other" replay "$good" --time-scale 2 --duration 5s
it "refuses two stores" refuses "exclude each other" replay "$good" --dir . --store-limit 1MB/s
it "refuses pipes under the preload" \
    refuses "exclude each other" replay "$good" --preload --store-limit 1MB/s
it "refuses no runs at all" refuses "--runs: 0, expected 1" replay "$good" --runs 0
it "refuses a strategy that must know the future" \
    refuses "list needs to know the applications in advance" replay "$good" --policy list
it "refuses a strategy that is none" refuses "fsfc" replay "$good" --policy fsfc
it "refuses a file that is not there" refuses "nowhere.yaml" replay nowhere.yaml
cat >old.yaml <<'YAML'
platform: {bandwidth: 1 GB/s}
applications: [{name: old, nodes: 1, work: 1 s, io: 1 GB, release: -5 s}]
YAML
it "refuses what begins before time 0" refuses "begins before time 0" replay "$PWD/old.yaml"
it "fails where it cannot write" \
    refuses_with 1 "/nowhere" replay "$good" --dir /nowhere

ends_cleanly() {
    mkdir -p store
    TMPDIR=$PWD timeout -s INT 1 "$weir" replay "$good" --dir "$PWD/store" >out 2>err
    cat err
    grep -q 'interrupted' err && [ -z "$(ls -A store)" ] && ! ls -d weir-* 2>/dev/null
}
it "leaves nothing behind when it is interrupted" ends_cleanly

# --- release latency ---------------------------------------------------------------------------
late_is_slower() {
    run simulate "$good" --policy fcfs --csv --metrics makespan
    cp out first
    run simulate "$good" --policy fcfs --csv --metrics makespan --release-latency 5s
    [ "$code" -eq 0 ] && awk -F, 'FNR == 2 { span[NR > FNR] = $NF }
        END { exit !(span[1] > span[0]) }' first out
}
it "simulates a controller that learns of the end of an I/O late" late_is_slower

# --- calibrate ---------------------------------------------------------------------------------
measures_a_store() {
    exits 0 calibrate --dir . --time 0.1s --volume 20MB --writers 4 -o platform.yaml || return
    grep -qE '^4 ' out && ! grep -qE '^8 ' out && grep -q '^bandwidth ' out &&
        grep -q '^platform: {bandwidth: [0-9]*, node_bandwidth: [0-9]*}$' work/platform.yaml &&
        [ "$(ls -A work)" = platform.yaml ]
}
it "measures a store, and leaves nothing but the platform" measures_a_store
platform_is_read() {
    { cat work/platform.yaml
      echo 'applications: [{name: a, nodes: 1, work: 1 s, io: 1 MB}]'; } >measured.yaml
    exits 0 simulate "$PWD/measured.yaml"
}
it "writes a platform that a scenario may have" platform_is_read
calibrates_in_json() { exits 0 calibrate --dir . --time 0.05s --volume 5MB --json && grep -q '"degradation"' out; }
it "writes JSON of that" calibrates_in_json
it "asks which directory" refuses "--dir" calibrate
it "refuses too many writers" refuses "--writers: 1000, expected 1" calibrate --dir . --writers 1000
it "fails in a directory that is not there" refuses_with 1 "/nowhere" calibrate --dir /nowhere

finish
