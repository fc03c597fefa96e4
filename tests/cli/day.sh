#!/bin/bash
# A researcher's day: workloads of one's own, strategies and pressures into a database, killed twice;
# intervals and a figure from it, the same from Python, and nothing simulated twice.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
export XDG_CACHE_HOME=$scratch/cache
mkdir -p "$XDG_CACHE_HOME"

cat >make.py <<'END'
#!/usr/bin/env python3
import argparse, random
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--pressure", type=float)
asked = parser.parse_args()
draw = random.Random(asked.seed)
open("drawn.log", "a").write(f"{asked.seed} {asked.pressure}\n")
print("platform: {nodes: 64, node_bandwidth: 1 GB/s, bandwidth: 10 GB/s}\napplications:")
for i in range(4):
    work = draw.uniform(60, 600)
    print(f"  - {{name: a{i}, nodes: 16, work: {work:.3f}, io: {asked.pressure * work * 2.5:.3f} GB, iterations: 6}}")
END
chmod +x make.py
cat >day.yaml <<'END'
generator: ./make.py --seed {seed} --pressure {pressure}
seeds: 10
sweep: {pressure: [0.5, 0.7, 0.9, 1.1]}
strategies: [fair-share, fcfs, greedy-yield, set-10, surplus]
END
runs=200
stored() { "$weir" query results.sqlite "SELECT count(*) FROM run" 2>/dev/null | tail -n 1 | tr -d ' '; }

# A campaign that is killed while it runs, wherever it is.
killed() {
    "$weir" campaign day.yaml --db results.sqlite --jobs 2 >/dev/null 2>&1 &
    local it=$!
    sleep "$1"
    kill -9 $it 2>/dev/null
    wait $it 2>/dev/null
    return 0
}
finishes() {
    killed 0.2 && killed 0.4 || return
    "$weir" campaign day.yaml --db results.sqlite >said || return
    [ "$(stored)" = $runs ] && "$weir" campaign day.yaml --db results.sqlite | grep -q "0 runs stored"
}
it "finishes a campaign that was killed twice" finishes

# Every workload was drawn, and what was drawn is kept: the next campaign draws none.
draws_once() {
    [ "$(sort -u drawn.log | wc -l)" = 40 ] || return
    cp drawn.log before.log
    "$weir" campaign day.yaml --db other.sqlite >/dev/null && cmp before.log drawn.log
}
it "keeps what a generator prints" draws_once

# The generator is part of what determines a result.
draws_again() {
    echo "# another" >>make.py
    "$weir" campaign day.yaml --db other.sqlite --dry-run | grep -q "^$runs runs to do"
    local status=$?
    sed -i '$d' make.py
    return $status
}
it "notices that a generator was changed" draws_again

compares() {
    "$weir" compare results.sqlite --metrics max_stretch --csv >stored.csv || return
    "$weir" compare './make.py --seed {seed} --pressure {pressure}' --seeds 10 \
        --sweep pressure=0.5,0.7,0.9,1.1 --policy fair-share --policy fcfs --policy greedy-yield \
        --policy set-10 --policy surplus --metrics max_stretch --csv >own.csv || return
    [ "$(wc -l <stored.csv)" = 21 ] && cmp stored.csv own.csv
}
it "compares stored runs as it compares its own" compares

simulates_nothing() {
    "$weir" compare './make.py --seed {seed} --pressure {pressure}' --seeds 10 \
        --sweep pressure=0.5,0.7,0.9,1.1 --policy fcfs --policy surplus --db results.sqlite \
        --metrics max_stretch >/dev/null && [ "$(stored)" = $runs ]
}
it "simulates nothing that a database has" simulates_nothing
adds() {
    "$weir" compare './make.py --seed {seed} --pressure {pressure}' --seeds 11 --first-seed 1 \
        --sweep pressure=0.5 --policy fcfs --db more.sqlite >/dev/null &&
        [ "$("$weir" query more.sqlite "SELECT count(*) FROM run" | tail -n 1 | tr -d ' ')" = 11 ]
}
it "keeps what it simulates" adds
it "asks a database for no other seeds" refuses "--seeds: the runs of a database are there already" \
    compare "$scratch/results.sqlite" --seeds 3

together() {
    mkdir -p set
    for seed in 1 2 3; do ./make.py --seed $seed --pressure 0.9 >set/w-$seed.yaml; done
    "$weir" compare set/w-*.yaml --together --policy fcfs --policy surplus --metrics max_stretch >said &&
        grep -q "^3 scenarios: 3 runs" said || return
    for seed in 1 2 3; do
        "$weir" simulate set/w-$seed.yaml --policy fcfs --metrics max_stretch --csv | sed 1d | cut -d, -f3
    done | awk '{sum += $1} END {printf "%.9f", sum / 3}' >mean
    "$weir" compare set/w-*.yaml --together --policy fcfs --metrics max_stretch --csv |
        awk -F, -v mean="$(cat mean)" 'NR == 2 {exit !($5 - mean < 1e-8 && mean - $5 < 1e-8)}'
}
it "takes files as a population" together
sets() {
    printf 'scenarios: [set]\nstrategies: [fcfs]\n' >set.yaml
    "$weir" campaign set.yaml --dry-run | grep -q "^set: 3 runs" || return
    printf 'scenarios: ["set/w-[12].yaml"]\nstrategies: [fcfs]\n' >set.yaml
    "$weir" campaign set.yaml --dry-run | grep -q "^set: 2 runs"
}
it "takes directories and patterns" sets
misses() {
    printf 'scenarios: ["set/none-*"]\nstrategies: [fcfs]\n' >none.yaml
    refuses "no file fits this pattern" campaign "$scratch/none.yaml" --dry-run
}
it "misses files that fit" misses

if command -v gnuplot >/dev/null; then
    draws() {
        "$weir" compare results.sqlite --metrics max_stretch,sys_efficiency --plot figure.svg \
            --title "A day" >/dev/null || return
        grep -q "I/O pressure W" figure.svg && grep -q "SysEfficiency" figure.svg && grep -q "A day" figure.svg &&
            "$weir" query results.sqlite --plot query.svg >/dev/null && grep -q "greedy-yield" query.svg
    }
    it "draws two columns from stored runs" draws
    it "knows ranges of axes" refuses "--range: '1' is not FROM:TO" compare "$scratch/results.sqlite" --plot x.svg --range 1
fi

library=$(dirname "$weir")/libweir.so
if [ -f "$library" ] && ! ldd "$weir" | grep -q 'lib[at]san'; then # Python has no sanitizer
    same_from_python() {
        WEIR_LIBRARY=$library PYTHONPATH=$root/python python3 - <<'END' || return
import json, weir
done = weir.campaign("day.yaml", "results.sqlite")
assert (done["stored"], done["before"]) == (0, 200), done
answer = weir.compare("results.sqlite")
means = {(case["sweep"]["pressure"], one["policy"]): one["metrics"]["max_stretch"]["mean"]
         for case in answer["cases"] for one in case["strategies"]}
lines = [line.strip().split(",") for line in open("stored.csv")][1:]
assert len(lines) == len(means) == 20
for line in lines:
    assert means[line[1], line[2]] == float(line[5]), line
END
    }
    it "is the same from Python" same_from_python
fi
finish
