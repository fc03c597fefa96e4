#!/bin/bash
# Plans: made, written, read again, verified, drawn and exported; and what is said of bad ones.
. "$(dirname "$0")/common.sh"

good=$root/examples/jupiter1.yaml
quick=(--search paper --min-period 900)

# A plan file of the good scenario, outside the directory that `run` empties.
"$weir" plan "$good" "${quick[@]}" -o "$scratch/plan.json" >/dev/null || exit 1
plan=$scratch/plan.json

# --- making ------------------------------------------------------------------------------------
it "prints the published SysEfficiency" prints "0.0973471" plan "$good" "${quick[@]}"
it "prints the bound of the bandwidth" prints "0.0977099" plan "$good" "${quick[@]}"
it "stays within 80 columns" fits plan "$good" "${quick[@]}"
it "plans for Dilation" prints "for dilation" plan "$good" "${quick[@]}" --objective dilation
it "takes units" prints "0.0973471" plan "$good" --search paper --min-period 15min

efficiency() { sed -n 's/^  "sys_efficiency": \(.*\),$/\1/p' "$1"; }
better() {
    exits 0 plan "$good" "${quick[@]}" --json && cp out first
    exits 0 plan "$good" --time-limit 20 --json || return
    echo "$(efficiency first) $(efficiency out)"
    awk "BEGIN { exit !($(efficiency out) >= $(efficiency first)) }"
}
it "searches better than published by default, in a limited time" better
same_for_any_jobs() {
    exits 0 plan "$root/examples/quickstart.yaml" "${quick[@]}" --jobs 1 --export csv && cp out first
    exits 0 plan "$root/examples/quickstart.yaml" "${quick[@]}" --jobs 3 --export csv && diff first out
}
it "plans the same with any number of threads" same_for_any_jobs
# Periods of 0.1 s grow by less than the published program's rounding to a millisecond.
cat >short.yaml <<'END'
platform: {nodes: 4, node_bandwidth: 1 GB/s, bandwidth: 2 GB/s}
applications:
  - {name: a, nodes: 2, work: 0.09 s, io: 0.02 GB, iterations: 100}
  - {name: b, nodes: 2, work: 0.095 s, io: 0.01 GB, iterations: 100}
END
ends() { timeout 60 "$weir" plan short.yaml --search paper --epsilon 0.001 >out && grep -q sys out; }
it "comes to an end with steps that are too small to be rounded" ends
# A period of the sweep has one instance more of app4 than the shortened one.
cat >shortened.yaml <<END
platform: {nodes: 640, node_bandwidth: 0.01 GB/s, bandwidth: 3 GB/s}
applications:
  - {name: app1, nodes: 384, work: 355953.248, io: 30072.838 GB, iterations: 100}
  - {name: app2, nodes: 64, work: 423785.0048, io: 4030.21 GB, iterations: 100}
  - {name: app3, nodes: 128, work: 384829.3952, io: 12319.785 GB, iterations: 100}
  - {name: app4, nodes: 64, work: 605.9264, io: 9279.242 GB, iterations: 100}
END
claims() {
    exits 0 plan "$scratch/shortened.yaml" --search paper --min-period 430082.2079 &&
        grep -q "SysEfficiency  0.868333" out && grep -q "prints SysEfficiency 0.868348" err
}
it "says what the published program prints where its plan has less" claims
keeps_time() {
    local before=$SECONDS
    exits 0 plan "$good" --epsilon 0.0001 --max-period-factor 1000 --time-limit 1s --json &&
        [ $((SECONDS - before)) -le 6 ] && awk "BEGIN { exit !($(efficiency out) > 0) }"
}
it "ends about when the time limit is over, with a plan" keeps_time
it "refuses a time limit of the published search" \
    refuses "--search paper tries every period" plan "$good" --search paper --time-limit 1s
cat >apart.yaml <<END
platform: {nodes: 64, bandwidth: 1 GB/s}
applications:
  - {name: morning, nodes: 64, work: 1 min, io: 5 GB, iterations: 50}
  - {name: noon, nodes: 64, release: 2 h, work: 1 min, io: 5 GB, iterations: 50}
END
apart() { exits 0 plan "$scratch/apart.yaml" && grep -q "do not all run at the same time" err; }
it "says that applications which follow each other are planned together" apart
together() { exits 0 plan "$good" "${quick[@]}" && [ ! -s err ]; }
it "warns of nothing where all run at the same time" together
means() { exits 0 plan "$root/examples/noisy.yaml" --search paper && grep -q "their means" err; }
it "says that the means of varying phases are planned" means
it "reads other formats" \
    prints "1 application," plan --format set --bandwidth 3GB/s <(echo "10 20 4") --search paper

cat >uniform.yaml <<END
platform: {nodes: 10, bandwidth: 1 GB/s}
applications:
  - {name: big, nodes: 4, work: 10, io: 4 GB, iterations: 3}
  - {name: small, count: 2, nodes: 3, work: 10, io: 4 GB, iterations: 2}
END
# a = 10, b = 4, n = 3, l = 1, q = (7 - 1) / 2 = 3: 10 + 4 + 2 max(14, 12) = 42.
it "plans uniform jobs by hrr" prints "42 s" plan "$scratch/uniform.yaml" --method hrr
it "says which job is not uniform" \
    refuses "combustion.1" plan "$root/examples/quickstart.yaml" --method hrr

# --- files -------------------------------------------------------------------------------------
verifies() {
    name=$1
    shift
    exits 0 plan "$@" -o p.json --gantt p.svg && cp work/p.json . &&
        [ "$(ls work)" = "$(printf 'p.json\np.svg')" ] && tail -n1 work/p.svg | grep -q '</svg>' &&
        prints "valid: $scratch/p.json" plan "$name" --check "$scratch/p.json"
}
it "verifies a plan of the default search" \
    verifies "$root/examples/quickstart.yaml" "$root/examples/quickstart.yaml" --time-limit 0.2
it "verifies a plan of hrr" verifies "$scratch/uniform.yaml" "$scratch/uniform.yaml" --method hrr
same_export() {
    exits 0 plan "$good" "${quick[@]}" --export ior && cp out first &&
        exits 0 plan "$good" --check "$plan" --export ior && diff first out
}
it "exports the same from a file" same_export
sections() {
    exits 0 plan "$good" --check "$plan" --export ior && [ "$(grep -c '^\[turbulence2' out)" -eq 10 ]
}
it "exports a list for every application" sections
table() {
    exits 0 plan "$good" --check "$plan" --export csv &&
        [ "$(head -n1 out)" = "application,start,end,bandwidth" ] &&
        [ "$(tail -n +2 out | cut -d, -f1 | sort -u | wc -l)" -eq 10 ]
}
it "exports one table for all" table
on_stdout() {
    exits 0 plan "$good" "${quick[@]}" -o - && grep -v seconds out >first &&
        grep -v seconds "$plan" | diff - first
}
it "writes the plan and nothing else to standard output" on_stdout
from_stdin() { "$weir" plan "$good" --check - <"$plan" >out 2>err && grep -q valid out; }
it "reads a plan from standard input" from_stdin
if command -v python3 >/dev/null; then
    valid_json() {
        python3 - "$plan" <<'END'
import json, sys
plan = json.load(open(sys.argv[1]))
apps = plan["applications"]
assert [a["instances"] for a in apps] == [len(a["schedule"]) for a in apps]
assert set(plan["bounds"]) == {"sys_efficiency", "sys_efficiency_bandwidth", "dilation_bandwidth"}
END
    }
    it "writes JSON that others read" valid_json
fi

# --- bad plans ---------------------------------------------------------------------------------
# spoil NAME SCRIPT: an edited copy of the plan; $file is its path.
spoil() {
    file=$scratch/$1
    sed "$2" "$plan" >"$file"
    ! cmp -s "$plan" "$file" || echo "not spoilt: $1" >&2
}
it "names a missing plan" refuses "nowhere.json" plan "$good" --check nowhere.json
it "refuses a plan for another scenario" \
    refuses "another scenario" plan "$root/examples/quickstart.yaml" --check "$plan"
it "refuses a plan for a faster file system" \
    refuses "the file system has 2e+09" plan "$good" --bandwidth 2GB/s --check "$plan"
head -n 40 "$plan" >short.json
it "says where a truncated plan ends" refuses "short.json:" plan "$good" --check "$scratch/short.json"
head -c 0 "$plan" >empty.json
it "refuses an empty plan" refuses "empty.json" plan "$good" --check "$scratch/empty.json"
spoil period.json 's/"period": .*/"period": 8000,/'
it "says what a shorter period violates" refuses "turbulence2.1" plan "$good" --check "$file"
spoil volume.json '0,/640000000/s//630000000/'
it "says which instance moves too little" refuses "instance 1: it moves" plan "$good" --check "$file"
spoil measure.json '0,/"sys_efficiency": .*/s//"sys_efficiency": 0.5,/'
it "refuses a measure that is not that of the schedule" \
    refuses "sys_efficiency is 0.5" plan "$good" --check "$file" --gantt out.svg
spoil key.json 's/"instances": 11/"instanzes": 11/'
it "says in which line a key is unknown" refuses "key.json:" plan "$good" --check "$file"
it "refuses a scenario instead of a plan" refuses "unknown key" plan "$good" --check "$good"

# --- bad usage ---------------------------------------------------------------------------------
it "names a missing scenario" refuses "nowhere.yaml" plan nowhere.yaml -o plan.json
it "wants a scenario" refuses "SCENARIO" plan
it "wants only one" refuses "unexpected" plan "$good" "$good"
it "refuses an unknown method" refuses "persched or hrr" plan "$good" --method magic
it "refuses an unknown objective" refuses "dilation" plan "$good" --objective makespan
it "refuses an unknown search" refuses "did you mean 'best'" plan "$good" --search bset
it "refuses an unknown export" refuses "csv or ior" plan "$good" --export xml
it "refuses --epsilon 0" refuses "--epsilon" plan "$good" --epsilon 0
it "refuses --epsilon nan" refuses "--epsilon" plan "$good" --epsilon nan
it "refuses a factor below 1" refuses "--max-period-factor" plan "$good" --max-period-factor 0.5
it "refuses no threads at all" refuses "--jobs" plan "$good" --jobs 0
it "refuses a thousand million threads" refuses "--jobs" plan "$good" --jobs 1000000000
it "refuses a search for a plan that is read" refuses "--check" plan "$good" --check "$plan" --jobs 2
it "refuses a search for hrr" refuses "hrr" plan "$good" --method hrr --search best
it "refuses two outputs at once" refuses "exclude" plan "$good" --json --export csv
it "refuses a plan and its summary on standard output" \
    refuses "only one of" plan "$good" -o - --json
it "refuses a plan and its picture on standard output" \
    refuses "only one of" plan "$good" -o - --gantt -
it "refuses steps too small to end" refuses "--epsilon" plan "$good" --epsilon 1e-9
it "refuses periods without end" refuses "1 to 1000" plan "$good" --max-period-factor 1e300
it "refuses patterns without end" refuses "instances" plan "$good" --min-period 1e300
interrupted() {
    run generate jupiter --set 4
    cp out four.yaml
    rm -rf work && mkdir work
    "$weir" plan four.yaml -o work/p.json --gantt work/p.svg >/dev/null 2>&1 &
    local pid=$! waits=0
    while [ "$(ls -A work | wc -l)" -lt 2 ] && [ $((waits += 1)) -lt 1000 ]; do sleep 0.01; done
    kill -TERM $pid
    wait $pid
    [ $? -eq 143 ] && [ -z "$(ls -A work)" ]
}
it "leaves no unfinished file behind when it is ended" interrupted

# --- periods of traces -------------------------------------------------------------------------
# 12 times four I/Os of 1 GB, 1 s each and 1 s apart, and 93 s of work: 97 s and 3 s of work, 4 GB.
burst='{work: 93 s, io: 1 GB}, {work: 1 s, io: 1 GB}, {work: 1 s, io: 1 GB}, {work: 1 s, io: 1 GB}'
bursts() {
    echo 'platform: {nodes: 2, bandwidth: 1 GB/s}'
    echo 'applications:'
    echo "  - {name: tide, nodes: 1, phases: [$(for k in $(seq 11); do echo "$burst, "; done) $burst]}"
}
bursts >tide.yaml
tide=$scratch/tide.yaml
detects() {
    exits 0 plan "$tide" --detect -o plan.json && cat err &&
        grep -q '"work": 96,' work/plan.json && grep -q '"volume": 4000000000,' work/plan.json &&
        grep -q "^weir: tide: I/O every 1.667 min, confidence 0.80: 1.6 min of work and 4 GB" err
}
it "plans the period that phases show" detects
means() { exits 0 plan "$tide" -o plan.json && grep -q '"volume": 1000000000,' work/plan.json; }
it "plans their means unless asked to" means
{ bursts; echo '  - {name: few, nodes: 1, phases: [{io: 1 GB}, {work: 9}, {io: 1 GB}]}'; } >few.yaml
it "says who has no period to plan" \
    refuses "few.yaml: application 'few' has too few I/Os" plan "$scratch/few.yaml" --detect

it "refuses a place that is none" refuses "nowhere/p.json" plan "$good" -o nowhere/p.json
echo 'platform: {nodes: 1, bandwidth: 1}
applications: [{name: idle, nodes: 1, work: 5}]' >idle.yaml
it "says who has nothing to plan" refuses "idle" plan "$scratch/idle.yaml"

finish
