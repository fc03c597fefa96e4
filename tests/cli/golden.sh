#!/bin/bash
# Outputs that must not change without a reason: tests/golden holds them. After a change that is
# meant, WEIR_UPDATE_GOLDEN=1 writes them anew.
. "$(dirname "$0")/common.sh"

# compare NAME FILE
compare() {
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

some=(--policy fair-share --policy fcfs --policy greedy-yield --policy greedy-com
      --policy look-ahead-greedy-yield --policy set-10 --policy list:order=johnson)

it "prints the overview" matches help.txt --help
for command in simulate policies generate demo help; do
    it "explains $command" matches "help-$command.txt" help "$command"
done
it "lists the strategies" matches policies.txt policies
it "lists the strategies as JSON" matches policies.json policies --json
it "lists the families" matches families.txt generate --list
for example in quickstart jupiter1 noisy traced; do
    file=examples/$example.yaml
    it "tabulates $example" matches "$example.txt" simulate "$file" "${some[@]}"
    it "writes $example as CSV" matches "$example.csv" simulate "$file" "${some[@]}" --csv
done
it "writes quickstart as JSON" \
    matches quickstart.json simulate examples/quickstart.yaml --policy fcfs --policy set-10 --json
it "tabulates applications" \
    matches traced-apps.txt simulate examples/traced.yaml --policy fcfs --per-app
it "traces events" \
    leaves traced-trace.json --trace simulate examples/traced.yaml --policy fcfs
it "draws a picture" leaves traced.svg --gantt simulate examples/traced.yaml --policy fcfs

finish
