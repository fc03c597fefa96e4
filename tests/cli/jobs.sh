#!/bin/bash
# Jobs that do not run together, as in logs of weeks: the measures respect which are there when.
. "$(dirname "$0")/common.sh"

# scenario NAME NODES APPLICATION...: writes NAME.yaml, with a file system of 1 GB/s
scenario() {
    local file=$scratch/$1.yaml nodes=$2
    shift 2
    { echo "platform: {nodes: $nodes, bandwidth: 1 GB/s}"; echo "applications:"
      printf '  - {%s}\n' "$@"; } >"$file"
}

# simulated NAME ARGUMENT...: under several strategies
simulated() {
    local file=$scratch/$1.yaml
    shift
    exits 0 simulate "$file" --policy fair-share --policy fcfs --policy greedy-yield "$@"
}
silently_simulated() { simulated "$@" && [ ! -s err ]; }

# measures NAME "MEASURE=VALUE..." ARGUMENT...: under every strategy
measures() {
    local name=$1 pair names=() values=() IFS=,
    for pair in ${2// /,}; do names+=("${pair%=*}"); values+=("${pair#*=}"); done
    shift 2
    simulated "$name" --csv --metrics "${names[*]}" "$@" &&
        [ "$(sed 1d out | cut -d, -f3- | sort -u)" = "${values[*]}" ] || { cat out; return 1; }
}

# Alone, 5 * (600 + 20) = 3100 s, of which 3000 s are work: 0.9677 of it.
job="nodes: 64, work: 10 min, io: 20 GB, iterations: 5"
scenario apart 64 "name: a, $job" "name: b, $job, release: 3 h"
# 2 * 3100 s of progress in 13900 s; 200 GB while 6200 GB could have been moved.
it "counts jobs that run apart once" measures apart \
    "sys_efficiency=0.967741935483871 efficiency=0.4460431654676259 io_pressure=0.03225806451612903"
it "does not warn of nodes that jobs use one after the other" silently_simulated apart
it "describes them by a simulation" prints "congestion       never" describe "$scratch/apart.yaml"

# The first hour has all 5 I/Os of a job, 100 s.
it "shows the busiest hour" \
    prints "busiest hour     0.02778  bytes wanted / those of a full hour, from 0 s on" describe "$scratch/apart.yaml"
one_machine() { exits 0 plan "$scratch/apart.yaml" --search paper && grep -q '^SysEfficiency  0.967742' out; }
it "plans for one machine what it plans together" one_machine

scenario touching 64 "name: a, $job" "name: b, $job, release: 3100 s"
it "keeps jobs apart that touch" \
    measures touching "sys_efficiency=0.967741935483871 efficiency=1 io_pressure=0.03225806451612903"
it "does not warn of jobs that touch" silently_simulated touching

scenario overlapping 64 "name: a, $job" "name: b, $job, release: 3099 s"
warned() { simulated overlapping && grep -q 'use 128 nodes at once at 51.65 min' err; }
it "warns of nodes that are in use twice" warned

scenario alone 128 "name: a, $job, release: 400 d"
it "measures a job alone" measures alone \
    "sys_efficiency=0.4838709677419355 min_yield=1 max_stretch=1 io_pressure=0.03225806451612903"

# A work of 1e-30 s ends when it begins.
scenario tiny 64 "name: a, $job" "name: b, nodes: 64, work: 1e-30, release: 10 min"
it "leaves a job of no length out" measures tiny \
    "sys_efficiency=0.967741935483871 min_yield=1 max_stretch=1 dilation=1 io_pressure=0.03225806451612903"

# From 1 h to 2 h only b is there, for 20 min on half of the nodes, and moves 20 of 1200 GB.
scenario window 64 "name: a, $job" "name: c, $job, release: 3 h" \
    "name: b, nodes: 32, work: 590 s, io: 10 GB, iterations: 2, release: 80 min"
it "counts in a window what is there" measures window \
    "min_yield=1 sys_efficiency=0.49166666666666664 efficiency=0.3333333333333333 io_pressure=0.016666666666666666" \
    --window 1h:2h
# And no job from 55 to 75 min.
it "has no measure where no job is" measures window \
    "min_yield= sys_efficiency= efficiency= io_slowdown= io_pressure=0" --window 55min:75min

# 5,000 jobs over three weeks, about ten at a time, that want half of the file system.
log() {
    echo "platform: {nodes: 192, bandwidth: 1 GB/s}"
    echo "applications:"
    awk 'BEGIN { for (k = 0; k < 5000; k++)
        printf "  - {nodes: %d, release: %d, work: %d, io: %d GB, iterations: 10, weight: %d}\n",
            1 + k * 7 % 16, k * 360 + k * k % 300, 30 + k * 37 % 600, 10 + k * 13 % 20, 1 + k % 3 }'
}
log >log.yaml
sound() {
    silently_simulated log --json && python3 - out <<'PYTHON'
import json, sys
for run in json.load(open(sys.argv[1]))["runs"]:
    m = run["metrics"]
    for name in ("min_yield", "mean_yield", "efficiency", "utilization", "sys_efficiency",
                 "sys_efficiency_bound"):
        assert 0 < m[name] <= 1, (run["policy"], name, m[name])
    assert 0.4 < m["io_pressure"] < 0.6 and 1 < m["io_slowdown"] < 10, m
    assert m["utilization"] < m["efficiency"] and m["sys_efficiency"] < m["sys_efficiency_bound"]
    assert 0.5 < m["sys_efficiency_bound"]
    assert m["sys_efficiency"] < m["weighted_sys_efficiency"] < 3 * m["sys_efficiency"]
    assert m["max_stretch"] < m["weighted_stretch"] <= 3 * m["max_stretch"]
PYTHON
}
it "measures a log of three weeks" sound
busiest() {
    exits 0 describe "$scratch/log.yaml" --json && python3 - out <<'PYTHON'
import json, sys
d = json.load(open(sys.argv[1]))
hour = d["busiest_hour"]
assert d["io_pressure"] < hour["io_pressure"] < 3 and 0 <= hour["start"] <= 1.8e6, d
assert 0.4 < d["io_weight"] < 0.6, d["io_weight"]
assert d["congestion"]["policy"] == "fair-share" and 0 < d["congestion"]["share_of_time"] < 1
PYTHON
}
it "finds its busiest hour" busiest

finish
