#!/bin/bash
# weir reproduce as a command; what it finds is tested in tests/paper.
. "$(dirname "$0")/common.sh"
quick=(reproduce vidal-V.1 --quick)

it "lists results with the time they take" prints "vidal-II.4" reproduce --list
it "lists in 80 columns" fits reproduce --list
it "lists what there is, and how to run it, without a name" prints "all -o DIR" reproduce
it "prints one result in full" prints "| they say |" "${quick[@]}"
sums_up() { exits 0 "${quick[@]}" vidal-theorem-4 && grep -q "^vidal-theorem-4 .* Vidal 2022" out; }
it "sums up several" sums_up
it "refuses an unknown result, and suggests one" \
    refuses "unknown result 'vidal-V.2', did you mean 'vidal-V.1'?" reproduce vidal-V.2
it "refuses no threads" refuses "--jobs: 0, expected 1 to 256" "${quick[@]}" --jobs 0
it "refuses to judge a strategy where there is no place for it" \
    refuses "--policy: 'vidal-V.1' has no place for another strategy, expected 'league'" \
    "${quick[@]}" --policy fcfs
it "refuses to judge an unknown strategy" \
    refuses "unknown strategy 'fcs', did you mean 'fcfs'?" reproduce league --quick --policy fcs
judges() { # fcfs is in the league: it must have the same numbers under its own name
    exits 0 reproduce league --quick --policy fcfs || return
    sed -n 's/^| fcfs |//p' out >one && sed -n 's/^| yours |//p' out >other
    [ "$(wc -l <one)" -ge 4 ] && cmp one other
}
it "judges a strategy by the league" judges
touch file
it "refuses a directory that cannot be made" \
    refuses "cannot create directory '$scratch/file/made'" "${quick[@]}" -o "$scratch/file/made"
it "refuses a place that is not a directory" refuses "$scratch/file" "${quick[@]}" -o "$scratch/file"

gives() { # FILE...: in the directory
    local file
    for file; do [ -s "work/made/$file" ] || { echo "no $file"; ls work/made; return 1; }; done
}
writes_files() {
    exits 0 "${quick[@]}" -o made && gives report.md vidal-V.1.csv
}
it "writes a report and its numbers" writes_files
if command -v gnuplot >/dev/null; then
    draws() { exits 0 "${quick[@]}" -o made && gives vidal-V.1.svg; }
    it "draws a figure" draws
fi
leaves_out_what_is_empty() {
    exits 0 reproduce vidal-IV.5 --quick -o made && gives report.md || return
    [ ! -e work/made/vidal-IV.5.svg ] && ! grep -q '!\[' work/made/report.md || { echo "draws"; return 1; }
    grep -q "^load 0.2: only the full run has samples of this" work/made/report.md
}
it "leaves out a figure without samples, and says so" leaves_out_what_is_empty
writes_findings() {
    exits 0 reproduce findings-strategies vidal-V.1 --quick -o made && gives report.md findings.md || return
    grep -q '^## vidal-V.1' work/made/report.md && ! grep -q '^## findings' work/made/report.md &&
        grep -q '^## findings-strategies' work/made/findings.md && ! grep -q '^## vidal' work/made/findings.md
}
it "writes findings of our own into a file of their own" writes_findings
tells_what_is_done() {
    exits 0 "${quick[@]}" vidal-theorem-4 && grep -q "^weir: vidal-V.1: runs done, . of 2 results$" err
}
it "tells a log which results are done" tells_what_is_done
without_gnuplot() {
    rm -rf work && mkdir work
    (cd work && PATH=/nowhere exec "$weir" "${quick[@]}" -o made) >out 2>err || return
    [ ! -e work/made/vidal-V.1.svg ] || { echo "draws"; return 1; }
    gives report.md vidal-V.1.csv && grep -q "gnuplot" err && ! grep -q '!\[' work/made/report.md
}
it "writes the tables without gnuplot, and tells so" without_gnuplot

same_with_threads() {
    "$weir" "${quick[@]}" --jobs 1 >one && "$weir" "${quick[@]}" --jobs 4 >four && cmp one four
}
it "prints the same with one thread and with four" same_with_threads

finish
