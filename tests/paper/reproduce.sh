#!/bin/bash
# Every experiment of the papers in its quick form: the verdicts are as they are recorded in data/papers.
. "$(dirname "$0")/../cli/common.sh"

# A sanitizer makes the runs ten times as long: the short ones then.
names=(all)
if ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    names=(vidal-theorem-4 vidal-V.1 gainaru-moments benoit-table-2 aupy-table-3 aupy-7 zha-5)
fi
run=("${names[@]}")
"$weir" reproduce --list | sed '1d;/^ /d;/^$/,$d;/^all /d;/^findings /d;s/ .*//' >listed
[ "${names[0]}" != all ] || mapfile -t names <listed

it "lists all results" test "$(wc -l <listed)" -ge 40

finds_every_verdict_as_recorded() {
    exits 0 reproduce "${run[@]}" --quick -o made && mv work/made . && return
    grep -h 'not as recorded' work/made/*.md
    return 1
}
it "finds every verdict as recorded" finds_every_verdict_as_recorded

# A result that is left open as a whole has no runs in a quick form.
is_open() { awk -F' *[|] *' -v name="$1" '$2 == name { exit $3 + $4 > 0 }' made/*.md; }
writes_each() {
    local name
    for name in "${names[@]}"; do
        grep -q "^## $name: " made/*.md || { echo "$name: not in the report"; return 1; }
        [ "$(wc -l <"made/$name.csv")" -gt 1 ] || is_open "$name" || { echo "$name: no numbers"; return 1; }
        ! command -v gnuplot >found || [ -s "made/$name.svg" ] || is_open "$name" || { echo "$name: no figure"; return 1; }
    done
}
it "writes text, numbers and a figure for each" writes_each
gives_reasons() {
    ! grep -hE '^[|] .* [|] (differs|not comparable|open) [|]  [|]$' made/*.md
}
it "gives a reason for every verdict but agreement" gives_reasons
collects_statements() {
    [ "${run[0]}" = all ] || return 0
    [ "$(grep '| differs |' made/report.md | grep -vc '^| result ')" -eq "$(sed '1,/^## Where the papers/d' made/findings.md | grep -c '^| [a-z]*-')" ]
}
it "collects the contradictions, and nothing else" collects_statements

finish
