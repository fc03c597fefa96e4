#!/bin/bash
# The experiments that take little in their full form too: what a quick run leaves open is as recorded.
. "$(dirname "$0")/../cli/common.sh"

names=(vidal-theorem-4 vidal-III.4 vidal-III.5 vidal-III.6 vidal-V.1 gainaru-moments gainaru-priority
    benoit-table-2 aupy-table-3 aupy-table-4 aupy-6 zha-5 zha-6 findings-limits findings-plans)

finds_every_verdict_as_recorded() {
    exits 0 reproduce "${names[@]}" -o made && mv work/made . && return
    grep -h 'not as recorded' work/made/*.md
    return 1
}
it "finds every verdict as recorded" finds_every_verdict_as_recorded
leaves_nothing_open() { ls made/*.md >/dev/null && ! grep -h '| open |' made/*.md | grep -v '^| result |'; }
it "leaves nothing open" leaves_nothing_open

finish
