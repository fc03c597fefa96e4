#!/bin/bash
# Outputs that must not change without a reason: tests/golden holds them. After a change that is
# meant, WEIR_UPDATE_GOLDEN=1 rewrites them.
. "$(dirname "$0")/common.sh"

# compare NAME FILE: but for the version of the program
compare() {
    sed -i 's/^  "weir": "[0-9.]*",$/  "weir": "VERSION",/' "$2"
    [ -z "${WEIR_UPDATE_GOLDEN:-}" ] || cp "$2" "$root/tests/golden/$1"
    diff -u "$root/tests/golden/$1" "$2"
}

# matches NAME ARGUMENT...: on standard output
matches() {
    name=$1
    shift
    (cd "$root" && "$weir" "$@") >out 2>err || { cat err; return 1; }
    compare "$name" out
}

# leaves NAME OPTION ARGUMENT...: in the file that the option names
leaves() {
    name=$1 option=$2
    shift 2
    (cd "$root" && "$weir" "$@" "$option" "$scratch/$name") >out 2>err || { cat err; return 1; }
    compare "$name" "$name"
}

# matches_timed NAME ARGUMENT...: the same, whatever the time it took
matches_timed() {
    name=$1
    shift
    (cd "$root" && "$weir" "$@") >out 2>err || { cat err; return 1; }
    sed -i 's/^planned in [0-9.]* s$/planned in TIME/; s/"seconds": [-0-9.e]*$/"seconds": TIME/' out
    compare "$name" out
}

some=(--policy fair-share --policy fcfs --policy greedy-yield --policy greedy-com
      --policy look-ahead-greedy-yield --policy set-10 --policy list:order=johnson)

it "prints the overview" matches help.txt --help
for command in simulate compare recommend bound blame fit checkpoint plan partition map capacity describe policies generate import export serve agent exec status top ctl replay calibrate demo campaign query merge reproduce help man completion; do
    it "explains $command" matches "help-$command.txt" help "$command"
done
it "lists the strategies" matches policies.txt policies
it "lists the strategies as JSON" matches policies.json policies --json
it "lists the families" matches families.txt generate --list
it "draws a general workload" matches general.yaml generate general --param noise=0.2
it "draws the workload of IO-Sets" matches io-sets.yaml generate io-sets
for family in packs uniform-normal uniform-binormal mira-normal mira-binormal; do
    it "draws jobs of $family" matches $family.yaml generate $family --param applications=4
done
for example in quickstart jupiter1 noisy traced; do
    file=examples/$example.yaml
    it "tabulates $example" matches "$example.txt" simulate "$file" "${some[@]}"
    it "writes $example as CSV" matches "$example.csv" simulate "$file" "${some[@]}" --csv
done
# Every strategy: where applications are equal, as many are there, a tie-break shows.
it "writes quickstart under all strategies as CSV" \
    matches quickstart-all.csv simulate examples/quickstart.yaml --policy all --policy plan --policy apio \
    --csv --per-app
it "writes jupiter1 under all strategies as CSV" \
    matches jupiter1-all.csv simulate examples/jupiter1.yaml --policy all --policy plan --policy apio --csv
it "writes quickstart as JSON" \
    matches quickstart.json simulate examples/quickstart.yaml --policy fcfs --policy set-10 --json
it "tabulates applications" \
    matches traced-apps.txt simulate examples/traced.yaml --policy fcfs --per-app
it "traces events" \
    leaves traced-trace.json --trace simulate examples/traced.yaml --policy fcfs
it "draws a picture" leaves traced.svg --gantt simulate examples/traced.yaml --policy fcfs

for example in quickstart noisy; do
    it "describes $example" matches "describe-$example.txt" describe "examples/$example.yaml"
done
it "describes traced as JSON" matches describe-traced.json describe examples/traced.yaml --json

for example in quickstart noisy; do
    it "divides $example" matches "partition-$example.txt" partition "examples/$example.yaml"
done
it "divides traced as JSON" matches partition-traced.json partition examples/traced.yaml --json

it "maps jobs" matches map-jobs.txt map examples/jobs.yaml
it "maps jobs to two I/O nodes as JSON" \
    matches map-jobs.json map examples/jobs.yaml --io-nodes 2 --backfill --order random --json
it "draws mapped jobs" leaves map-jobs.svg --gantt map examples/jobs.yaml --method packs --io-nodes 2

analysis=(capacity examples/quickstart.yaml --application analysis)
it "tells how many run together" \
    matches capacity-quickstart.txt "${analysis[@]}" --max-stretch 1.3 --nodes 2048 --policy all
it "tells when nodes are the limit" \
    matches capacity-nodes.txt capacity examples/noisy.yaml --application solver --min-yield 0.9
it "tells how many run together as JSON" \
    matches capacity-quickstart.json "${analysis[@]}" --max-dilation 1.1 --nodes 1024 --json

published=(plan examples/jupiter1.yaml --search paper --min-period 900)
it "plans jupiter1 as published" matches_timed plan.txt "${published[@]}"
it "writes the plan as JSON" matches_timed plan.json "${published[@]}" --json
it "exports the plan as one table" matches plan.csv plan examples/noisy.yaml --search paper --export csv
it "exports the plan for each application" \
    matches plan.ior plan examples/noisy.yaml --search paper --export ior
it "draws one period" leaves plan.svg --gantt plan examples/traced.yaml --search paper

finish
