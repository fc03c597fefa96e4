#!/bin/bash
# Every example runs, obeys the rules of the model, and does what its comments say.
. "$(dirname "$0")/common.sh"

in_root() { (cd "$root" && "$weir" "$@"); }

for example in "$root"/examples/*.yaml; do
    it "runs $(basename "$example") under every strategy" \
        exits 0 simulate "$example" --policy all --check
    # A comment that shows a command is a promise.
    while read -r line; do
        it "$(basename "$example") says: weir $line" in_root $line
    done < <(sed -n 's/^#   weir //p' "$example" | sed "s/--gantt .*/--gantt \/dev\/null/")
done

same_as_generated() {
    run generate jupiter --set 1
    cp out generated.yaml
    run simulate "$scratch/generated.yaml" --policy all --csv --metrics makespan,dilation
    cut -d, -f2- out >first
    run simulate "$root/examples/jupiter1.yaml" --policy all --csv --metrics makespan,dilation
    cut -d, -f2- out | diff first -
}
it "jupiter1.yaml is what 'generate jupiter --set 1' writes" same_as_generated

finish
