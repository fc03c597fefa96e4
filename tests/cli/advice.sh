#!/bin/bash
# What recommend, bound, blame and checkpoint tell.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml

it "recommends nothing where strategies do not matter" \
    prints "Keep fair-share" recommend synthetic:pressure=0.05,horizon=100000 --seeds 5
it "recommends a strategy where one helps" \
    prints "Use " recommend synthetic:pressure=0.9,horizon=100000 --seeds 5 --objective fairness
says_why_not() {
    exits 0 recommend synthetic:pressure=0.05,horizon=100000 --seeds 5 &&
        grep -q 'needs 5 % of the bandwidth: strategies do not matter' out
}
it "says why strategies do not matter where the file system is hardly used" says_why_not
# A small application that waits for a large one, on a file system that is nearly idle.
cat >probe.yaml <<'YAML'
platform: {nodes: 64, bandwidth: 1 GB/s}
applications:
  - {name: big, nodes: 32, work: 1000, io: 190 GB, iterations: 5}
  - {name: probe, nodes: 32, work: 1, io: 10 MB, iterations: 100, release: 1000}
YAML
not_idle() {
    exits 0 recommend "$scratch/probe.yaml" --policy fcfs --policy set-10 && ! grep 'do not matter' out
}
it "does not say that strategies do not matter where one would hurt" not_idle
# MinYield is 0 under fcfs: no percentage, but a gain.
cat >starved.yaml <<'YAML'
platform: {nodes: 64, bandwidth: 1 GB/s}
window: {start: 0, end: 100}
applications:
  - {name: hog, nodes: 32, work: 1 s, io: 200 GB, iterations: 3, noise: {io: 20 %}}
  - {name: small, nodes: 32, phases: [{io: 20 GB}, {work: 10}], release: 2}
YAML
from_nothing() {
    exits 0 recommend "$scratch/starved.yaml" --now fcfs --seeds 5 &&
        grep -q 'min_yield goes from 0.0000 to 0.8000, +0.8000 (' out && ! grep -E 'inf|nan' out
}
it "recommends what lifts a measure from 0" from_nothing
needs_no_volumes() {
    exits 0 recommend "$scratch/starved.yaml" --now greedy-com --policy fair-share --policy greedy-yield \
        --seeds 3 --objective fairness && { ! grep -q '^Use' out || grep -q 'need not know the volumes' out; }
}
it "tells what the strategy needs, not what the present one does" needs_no_volumes
it "recommends what helps fairness if nothing is the price of it" \
    prints "Use fcfs" recommend uniform --seeds 5
it "shows no gain of what is already there" \
    prints "Keep surplus" recommend "$good" --now surplus --policy surplus --policy fcfs
it "measures what is left if volumes are known roughly" \
    prints "max_stretch by +2.9 %" recommend "$good" --policy greedy-com
it "says that others are better if volumes are known roughly" \
    prints "Then surplus is better" recommend "$good"
it "does not call a strategy no control" \
    prints "twice as fast under fcfs" recommend "$good" --now fcfs --seeds 2
it "refuses to recommend among one strategy" \
    refuses "no strategy is left to compare with 'fcfs'" recommend "$good" --now fcfs --policy fcfs
it "refuses a window in which nothing runs" \
    refuses "no application runs in the window" recommend "$good" --window 1e7:2e7

printf 'SQLite format 3\0' >other.db
# A campaign's database, under a name that does not tell.
stored() {
    cat >stored.yaml && exits 0 campaign "$scratch/stored.yaml" --db "$scratch/$1"
}
it "stores a campaign" stored both.yaml <<'YAML'
families: [{name: uniform}]
platforms: [slow, {name: fast, bandwidth: 1 TB/s}]
seeds: 6
strategies: [fair-share, fcfs]
YAML
it "stores a campaign of one strategy" stored one.db <<'YAML'
families: [{name: uniform}]
strategies: [fair-share]
YAML
recommends_stored() {
    exits 0 recommend "$scratch/both.yaml" || return
    cat out
    grep -q '^uniform, on slow: use fcfs' out && grep -q '^uniform, on fast: keep fair-share' out &&
        grep -q 'better in 100 % of 6 runs' out && grep -q 'fcfs in 1 of 2 cases' out
}
it "recommends by what a database holds" recommends_stored
it "refuses a strategy that the database lacks, and lists those it has" \
    refuses "no run of 'surplus', only of fair-share, fcfs" recommend "$scratch/both.yaml" --now surplus
it "refuses a candidate that the database lacks" \
    refuses "--policy: the database has no run of 'floor'" recommend "$scratch/both.yaml" --policy floor
it "refuses a database of one strategy" \
    refuses "'fair-share' is the only strategy" recommend "$scratch/one.db"
it "refuses another window for a database" \
    refuses "--window" recommend "$scratch/both.yaml" --window auto

# A scenario that is edited between two campaigns, and a platform of the same name with another
# bandwidth: experiments are told apart by content, and strategies of different ones are not paired.
edited() { # GB
    cat >edited.yaml <<YAML
platform: {nodes: 64, bandwidth: 1 GB/s}
applications:
  - {name: a, nodes: 32, work: 100, io: $1 GB, iterations: 5, noise: {work: 20 %}}
  - {name: b, nodes: 32, work: 100, io: $1 GB, iterations: 5, noise: {work: 20 %}}
YAML
}
run_edited() { # STRATEGY BANDWIDTH
    stored edited.db <<YAML
scenarios: [edited.yaml]
platforms: [{name: here, bandwidth: $2}]
seeds: 10
strategies: [$1]
YAML
}
told_apart() { # WHAT
    exits 0 recommend "$scratch/edited.db" || return
    cat out
    grep -q '3 cases, 2 strategies' out && ! grep -q 'better in' out &&
        [ "$(grep -c "$1.*: no run of fair-share to compare with" out)" = "$2" ]
}
edited 50 && run_edited fair-share '4 GB/s' && edited 5 && run_edited fcfs '4 GB/s' &&
    run_edited fcfs '40 GB/s'
it "does not pair runs of experiments that differ in content" told_apart 'edited, on here' 2
it "says what tells experiments of the same names apart" told_apart 'platform.bandwidth=4e+10, hash=' 1

# Pairs of 5,000 seeds and of 20,000: four times as many take about four times as long, not sixteen.
it "stores many seeds" stored many.db <<'YAML'
families: [{name: uniform}]
seeds: 200
strategies: [fair-share, fcfs]
YAML
multiply() { # FILE TIMES: the runs of many.db so often, under other seeds
    python3 - "$scratch" "$1" "$2" <<'PY'
import shutil, sqlite3, sys
place, name, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
shutil.copy(f"{place}/many.db", f"{place}/{name}")
db = sqlite3.connect(f"{place}/{name}")
columns = [row[1] for row in db.execute("PRAGMA table_info(run)") if row[1] not in ("id", "identity", "seed")]
names = ", ".join(f'"{column}"' for column in columns)
for i in range(1, times):
    db.execute(f"INSERT INTO run (identity, seed, {names}) "
               f"SELECT identity + {i}, seed + {200 * i}, {names} FROM run WHERE seed <= 200")
db.commit()
PY
}
multiply few.db 25 && multiply more.db 100
recommends_many() { # FILE: prints the seconds of processor time
    local TIMEFORMAT=%U
    { time "$weir" recommend "$scratch/$1" >out; } 2>spent && cat spent
}
linear() {
    local few more
    few=$(recommends_many few.db) && more=$(recommends_many more.db) || return
    grep -q 'of 20000 runs' out && echo "$few s, $more s" &&
        awk "BEGIN { exit !($more < 8 * $few + 0.4) }"
}
it "recommends from many runs in a time that grows with them" linear

# What is relative stays so: 100 times as many idle nodes make efficiency 100 times as small.
idle_nodes() { # NODES
    cat >nodes.yaml <<YAML
platform: {nodes: $1, bandwidth: 1 GB/s}
applications:
  - {name: a, nodes: 4, work: 100, io: 40 GB, iterations: 5, noise: {work: 20 %}}
  - {name: b, nodes: 32, work: 30, io: 60 GB, iterations: 5, noise: {work: 20 %}}
  - {name: c, nodes: 28, work: 50, io: 50 GB, iterations: 5, noise: {work: 20 %}}
YAML
    exits 0 recommend "$scratch/nodes.yaml" --objective efficiency --seeds 5 && grep -E '^(Use|Keep)|efficiency goes' out |
        sed 's/from .*, \([-+]\)/\1/'
}
same_advice() { idle_nodes 64 >few && idle_nodes 6400 >many && cat few many && grep -q '^Use' few && cmp few many; }
it "recommends the same whatever the number of idle nodes" same_advice

# One application alone, and one without I/O.
cat >alone.yaml <<'YAML'
platform: {bandwidth: 1 GB/s}
applications: [{name: a, nodes: 1, work: 10 s, io: 5 GB, iterations: 3}]
YAML
cat >idle.yaml <<'YAML'
platform: {bandwidth: 1 GB/s}
applications: [{name: a, nodes: 1, work: 10 s, iterations: 3}]
YAML
# --- bounds
it "refuses a bound in a window in which nothing runs" \
    refuses "no application runs in the window" bound "$good" --window 1e7:2e7
it "refuses a min_yield above 1" \
    refuses "bound: --min-yield: '2' is not above 0 and at most 1" bound "$good" --min-yield 2
it "refuses a bound without I/O" refuses "no application has I/O" bound "$scratch/idle.yaml"
bounds_nothing() { exits 0 bound "$1" && grep -qE '^bound +[0-9]+ +0 +1 +0 +[0-9.]+ +0[.0]*$' out; }
it "finds the bound of one application" bounds_nothing "$scratch/alone.yaml"
it "refuses to recommend a strategy for one application" \
    refuses "one application delays no other" recommend "$scratch/alone.yaml"
it "refuses to recommend a strategy without I/O" \
    refuses "no application has I/O" recommend "$scratch/idle.yaml"
it "refuses checkpoints of an application without I/O" \
    refuses "'a' has no I/O" checkpoint "$scratch/idle.yaml" --application a --mtbf 1h

# --- blame
it "blames nothing where an application is alone" \
    refuses "one application delays no other" blame "$scratch/alone.yaml"
it "blames nothing where there is no I/O" refuses "no application has I/O" blame "$scratch/idle.yaml"
long=$(printf 'a-name-of-many-words-%.0s' 1 2 3 4)
cat >long.yaml <<YAML
platform: {nodes: 64, bandwidth: 1 GB/s}
applications:
  - {name: ${long}1, nodes: 32, work: 100, io: 50 GB, iterations: 5}
  - {name: ${long}2, nodes: 32, work: 100, io: 50 GB, iterations: 5}
YAML
names_in_full() {
    exits 0 blame "$scratch/long.yaml" --json && grep -q "\"${long}1\"" out && grep -q "\"${long}2\"" out &&
        exits 0 checkpoint "$scratch/long.yaml" --application "${long}2" --mtbf 24h
}
it "knows long names" names_in_full
plans_cannot() {
    exits 2 "$1" "$root/examples/user-fair.yaml" --policy plan && grep -q 'cannot keep the shares' err
}
it "blames nothing under a plan that cannot be made" plans_cannot blame
it "bounds nothing under a plan that cannot be made" plans_cannot bound
it "refuses a search of no decisions" refuses "--search: expected at least 1" bound "$good" --search 0
it "refuses to show none" refuses "--top: expected at least 1" blame "$good" --top 0
it "refuses to blame in a window in which nothing runs" \
    refuses "no application runs in the window" blame "$good" --window 1e7:2e7
it "refuses a file that only begins as a database" \
    refuses "other.db: " recommend "$scratch/other.db"
it "blames under a plan" prints "quickstart under plan" blame "$good" --policy plan
it "tells how to name users" refuses "add it to the scenario, or import a log" blame "$good" --by user
cat >jobs.swf <<'SWF'
; MaxProcs: 8
1 0 0 100 4 -1 -1 4 -1 -1 1 7 3 -1 -1 -1 -1 -1
2 0 0 100 4 -1 -1 4 -1 -1 1 7 3 -1 -1 -1 -1 -1
3 0 0 100 4 -1 -1 4 -1 -1 1 8 4 -1 -1 -1 -1 -1
SWF
# Three jobs share evenly, so each third of what is lost is because of one; those of user 7 do half of
# theirs to each other.
blames_users() {
    exits 0 import swf "$scratch/jobs.swf" --io-ratio 0.5 --bandwidth 1GB/s -o jobs.yaml &&
        cp work/jobs.yaml . && exits 0 blame "$scratch/jobs.yaml" --by "$1" || return
    cat out
    grep -qE "^$2 +[0-9.]+ +[0-9.]+ +66\.7 " out && grep -qE "^$3 +[0-9.]+ +0(\.0*)? +33\.3 " out &&
        grep -q "of it because of $1 [0-9]" out
}
it "blames the users of a job log, in shares that add up to all" blames_users user 7 8
it "blames its accounts" blames_users account 3 4
# 800 jobs that all do I/O at the same time change each other's rates a million times.
blames_a_crowd() {
    { echo "platform: {bandwidth: 10 GB/s}"; echo "applications:"
      for i in $(seq 800); do
          echo "  - {name: j$i, bandwidth: 1 GB/s, release: $((i % 97)) s, work: $((i % 13 + 1)) s, io: $((i % 7 + 1)) GB, iterations: 10}"
      done; } >crowd.yaml
    (ulimit -v 100000 && "$weir" blame crowd.yaml --by application --top 1 >work/crowd) &&
        grep -q '799 more' work/crowd
}
ldd "$weir" | grep -qE 'lib[at]san|libubsan' ||
    it "blames a crowd of jobs within 100 MB" blames_a_crowd
draws_blame() { exits 0 blame "$good" --plot blame.svg && grep -q 'lost by all' work/blame.svg; }
command -v gnuplot >/dev/null && it "draws what makes others wait" draws_blame

# 100 d of work, then a minute of contention: the worst part of it is told apart.
cat >late.yaml <<'YAML'
platform: {bandwidth: 1 GB/s}
applications:
  - {name: a, nodes: 1, release: 100 d, work: 1 s, io: 60 GB}
  - {name: b, nodes: 1, release: 100 d, work: 1 s, io: 60 GB}
YAML
tells_worst_apart() {
    exits 0 blame "$scratch/late.yaml" --window 8639990s:8640200s && cat out &&
        ! grep -qE 'worst from ([0-9.]+ [a-z]+) to \1:' out && grep -q '^worst from 100\.' out
}
it "tells the ends of the worst part apart" tells_worst_apart
cat >short.journal <<'JOURNAL'
{"t":0,"event":"start","policy":"fcfs","bandwidth":100,"nodes":0}
{"t":1,"event":"join","id":0,"name":"a","uid":5,"nodes":4,"bmax":100,"weight":1,"period":0}
{"t":1,"event":"join","id":1,"name":"b","uid":6,"nodes":4,"bmax":100,"weight":1,"period":0}
{"t":2,"event":"post","id":0,"volume":700}
{"t":2,"event":"post","id":1,"volume":700}
{"t":9,"event":"complete","id":0,"ended":9,"moved":700}
{"t":16,"event":"complete","id":1,"ended":16,"moved":700}
{"t":20,"event":"leave","id":0,"moved":0}
{"t":20,"event":"leave","id":1,"moved":0}
JOURNAL
it "blames the users of a journal" prints "user" blame --journal "$scratch/short.journal" --by user
it "looks at a window of a journal" \
    prints "window 0 s to 5 s" blame --journal "$scratch/short.journal" --window 0:5
it "refuses a seed for a journal" \
    refuses "--seed: a journal has nothing random" blame --journal "$scratch/short.journal" --seed 2
it "refuses a format for a journal" \
    refuses "exclude each other" blame --journal "$scratch/short.journal" --format set

# --- checkpoints
checkpoint="checkpoint $good --application climate --mtbf"
it "finds that one checkpoint is enough for a short job" prints "best   30.000" $checkpoint 24h
it "judges intervals that are given" prints " 5.000  " $checkpoint 2h --interval 5min --interval 20min
it "refuses an interval that is shorter than a checkpoint" \
    refuses "--interval: '59s' is shorter than a checkpoint, which takes 1 min" $checkpoint 2h --interval 59s
it "refuses an interval that is longer than the work" \
    refuses "--interval: '5h' is longer than the work of 'climate', 30 min" $checkpoint 2h --interval 5h
it "refuses checkpoints that are longer than the time between failures" \
    refuses "a checkpoint takes 1 min alone, but a failure comes every 30 s" $checkpoint 30s
it "accepts a restart in no time" exits 0 $checkpoint 2h --restart 0s
it "refuses a restart before a failure" refuses "--restart: '-1s'" $checkpoint 2h --restart=-1s
it "takes one time between failures for all" \
    prints "node hours wasted" checkpoint "$good" --all --mtbf 5h
it "refuses checkpoints of all without I/O" \
    refuses "no application has I/O" checkpoint "$scratch/idle.yaml" --all --mtbf 5h
draws_curve() { exits 0 $checkpoint 2h --plot curve.svg && grep -q 'others delayed' work/curve.svg; }
command -v gnuplot >/dev/null && it "draws the curve" draws_curve
it "draws the curve of one application only" \
    refuses "--plot needs --application" checkpoint "$good" --all --mtbf 5h --plot curve.svg
cat >long.yaml <<'YAML'
platform: {bandwidth: 1 GB/s}
applications: [{name: a, nodes: 1, work: 10 d, io: 1 B, iterations: 10}]
YAML
it "leaves out intervals that make too many checkpoints" \
    prints "best" checkpoint "$scratch/long.yaml" --application a --mtbf 1d
finish
