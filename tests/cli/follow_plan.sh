#!/bin/bash
# Strategies that follow a plan, beside the others in one table.
. "$(dirname "$0")/common.sh"

good=$root/examples/jupiter1.yaml
"$weir" plan "$good" --search paper --min-period 900 -o "$scratch/plan.json" >/dev/null || exit 1
plan=$scratch/plan.json

it "makes a plan and follows it" \
    prints "plan  " simulate "$good" --policy plan --policy floor --check
it "follows a plan from a file" \
    prints "plan:file=" simulate "$good" --policy "plan:file=$plan" --check
it "adjusts a plan from a file" \
    prints "apio:file=" simulate "$good" --policy "apio:file=$plan,barrier" --check

# The plan promises a SysEfficiency of .09735 and a Dilation of 1.896. Nothing is reserved for later, so
# the Dilation may well be smaller.
near_the_plan() {
    exits 0 simulate "$good" --policy "plan:file=$plan" --csv --metrics sys_efficiency,dilation || return
    awk -F, 'END { print; exit !($(NF - 1) >= .99 * .09735 && $NF <= 1.01 * 1.896) }' out
}
it "keeps the promise of the plan" near_the_plan

one_plan_each() {
    exits 0 simulate "$good" "$root/examples/quickstart.yaml" --policy apio --policy plan --csv &&
        [ "$(grep -c 'apio\|plan' out)" -eq 4 ]
}
it "makes one plan for each scenario" one_plan_each

says_means() {
    exits 0 simulate "$root/examples/noisy.yaml" --policy "$1" || return
    grep -c "their means are planned" err | grep -qx "$2"
}
it "says that a plan is of mean lengths" says_means plan 1
it "does not say so of apio, which is made for that" says_means apio 0

it "refuses a plan for another scenario" \
    refuses "plan.json" simulate "$root/examples/quickstart.yaml" --policy "plan:file=$plan"
head -c 400 "$plan" >"$scratch/cut.json"
it "refuses a truncated plan" refuses "cut.json" simulate "$good" --policy "plan:file=$scratch/cut.json"
it "refuses a file that is not there" refuses "none.json" simulate "$good" --policy plan:file=none.json
cat >idle.yaml <<END
platform: {nodes: 10, bandwidth: 1 GB/s}
applications:
  - {name: idle, nodes: 4, work: 10, iterations: 3}
END
it "refuses to plan an application without I/O" \
    refuses "application 'idle' has no I/O" simulate "$scratch/idle.yaml" --policy plan
it "refuses an objective that does not exist" \
    refuses "unknown choice 'dilatation', did you mean 'dilation'" simulate "$good" \
    --policy plan:objective=dilatation

finish
