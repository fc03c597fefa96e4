#!/bin/bash
# Plans while programs run: made by replan from what they repeat, and loaded by 'weir ctl plan'.
. "$(dirname "$0")/../cli/common.sh"

# --- replan --------------------------------------------------------------------------------------
# Three that all move at the same time, if they share evenly: 18 s for 10 s of work and I/O. In turn
# an iteration takes 12 s.
cat >three.yaml <<'YAML'
platform: {nodes: 3, bandwidth: 1 GB/s}
applications:
  - {name: a, count: 3, nodes: 1, work: 6 s, io: 4 GB, iterations: 25}
YAML

# stretch ROW: the mean stretch in a row of the table of measures.
stretch() { sed -n "s/^$1 *//p" out | tr -d '*' | awk 'NF > 3 { print $3 }'; }
plans() {
    exits 0 replay "$scratch/three.yaml" --policy replan:online=best-effort --time-scale 40 || return
    cat out
    awk -v simulated="$(stretch simulated)" -v measured="$(stretch measured)" 'BEGIN {
        exit !(simulated < 1.35 && measured < 1.5) }'
}
if ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    runs() { exits 0 replay "$scratch/three.yaml" --policy replan --time-scale 40; }
    it "plans what repeats itself, under a sanitizer without regard to time" runs
else
    it "plans what repeats itself: stretch 1.3 instead of 1.8" patiently plans
fi

# --- ctl plan ------------------------------------------------------------------------------------
export WEIR_SOCKET=$scratch/socket
mkdir store
serve() {
    : >serve.log
    "$weir" serve --bandwidth 100MB/s --policy fcfs --socket "$WEIR_SOCKET" --store "$scratch/store" \
        --state "$scratch/state" 2>serve.log &
    controller=$!
    soon grep "fcfs at" serve.log
}
serve
trap 'kill -9 $controller 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

cat >pair.yaml <<'YAML'
platform: {nodes: 2, bandwidth: 100 MB/s}
applications:
  - {name: even, nodes: 1, work: 0.5 s, io: 20 MB, iterations: 10}
  - {name: odd, nodes: 1, work: 0.3 s, io: 20 MB, iterations: 10}
YAML
"$weir" plan pair.yaml --search paper -o pair.json >/dev/null
sed 's/100 MB/900 MB/; s/20 MB/200 MB/' pair.yaml >fast.yaml
"$weir" plan fast.yaml --search paper -o fast.json >/dev/null

write() { "$weir" exec --name "$1" -- dd if=/dev/zero of="$scratch/store/$1" bs=1M count=20 2>/dev/null; }
policy() { "$weir" status --json | sed -n 's/^ *"policy": "\(.*\)",*$/\1/p'; }
loads() {
    exits 0 ctl plan "$scratch/pair.json" && [[ "$(policy)" == "plan:file=$scratch/state.plan."* ]] &&
        grep -q "^plan" out
}
it "loads a plan" loads
it "shows settings in columns" \
    eval '[ "$("$weir" ctl show | awk "{ print length(\$0) - length(\$NF) }" | sort -u | wc -l)" -eq 1 ]'
follow() { write even && write odd && write other; }
it "serves programs that the plan names, and others" follow
keeps() {
    exits 2 ctl plan "$scratch/fast.json" && grep -q "the application can take" err && [ "$(policy)" != fcfs ]
}
it "keeps its plan when another one does not fit the store" keeps
it "refuses a plan that is not there" refuses "cannot read 'nowhere.json'" ctl plan nowhere.json
it "refuses what is no plan" exits 2 ctl plan "$scratch/pair.yaml"
restarts() {
    kill "$controller" && wait "$controller"
    rm "$scratch/pair.json" # the controller has its own
    serve
    [[ "$(policy)" == "plan:file=$scratch/state.plan."* ]] && write odd
}
it "has its plan after a restart" restarts
it "keeps one plan" [ "$(ls "$scratch"/state.plan.* | wc -l)" -eq 1 ]
head -c 600000 /dev/zero | tr '\0' ' ' >"$scratch/long.json"
it "refuses a plan that is too long" refuses "expected 1 byte to 512 KiB" ctl plan "$scratch/long.json"
unloads() { exits 0 ctl unset policy && [ "$(policy)" = fcfs ] && ! ls "$scratch"/state.plan.* 2>/dev/null; }
it "returns to the configured strategy" unloads
# A file of that name that a crash has cut is written again.
"$weir" plan pair.yaml --search paper -o pair.json >/dev/null
mends() {
    exits 0 ctl plan "$scratch/pair.json" && exits 0 ctl unset policy || return
    : >"$(cat kept)" && exits 0 ctl plan "$scratch/pair.json" && [ -s "$(cat kept)" ]
}
"$weir" ctl plan pair.json >/dev/null && ls "$scratch"/state.plan.* >kept
it "mends a damaged copy of a plan" mends
# What is in force is kept, whether it can be saved or not.
unsaved() {
    exits 0 ctl unset policy && mkdir "$scratch/state.new" || return
    exits 1 ctl plan "$scratch/pair.json" && grep -q 'cannot be saved' err && [ "$(policy)" != fcfs ] &&
        [ -s "$(cat kept)" ] && rmdir "$scratch/state.new" && exits 0 ctl set bandwidth 60MB/s || return
    kill "$controller" && wait "$controller"
    serve
    [ "$(policy)" != fcfs ]
}
it "keeps the plan of a setting that cannot be saved" unsaved
finish
