#!/bin/bash
# Mapping jobs to nodes: by hand, on generated and imported workloads; and what is said of bad ones.
. "$(dirname "$0")/common.sh"

# Two nodes and 1 byte/s. a and b work 2 s, then move 2 bytes; both post at 2, a is served until 4
# and b until 6. c has both nodes for 3 s: from 6 on, whatever the method.
cat >jobs.yaml <<END
platform: {nodes: 2, bandwidth: 1}
applications:
  - {name: a, nodes: 1, work: 2, io: 2}
  - {name: b, nodes: 1, work: 2, io: 2}
  - {name: c, nodes: 2, work: 3, io: 0}
END
jobs=$scratch/jobs.yaml

# --- results -----------------------------------------------------------------------------------
all_methods() {
    exits 0 map "$jobs" && [ ! -s err ] &&
        [ "$(grep -cE '^(packs|first-fit|list) +9 ' out)" -eq 3 ] || { cat out; return 1; }
}
it "compares all methods by default" all_methods
it "stays within 80 columns" fits map "$jobs"
it "runs one method" prints "list " map "$jobs" --method list
it "runs those that are named" prints "first-fit" map "$jobs" --method list --method first-fit
it "takes a strategy for the I/O" prints "I/O by fair-share" map "$jobs" --policy fair-share
it "takes I/O nodes" prints "2 I/O nodes of 1 B/s with 2 nodes each" map "$jobs" --io-nodes 2
it "takes every order" \
    eval 'for order in max char arrival random; do prints "packs" map "$jobs" --order $order || exit 1; done'
it "takes the I/O load as sensitivity" prints "packs" map "$jobs" --method packs --sensitivity alpha
it "takes a sensitivity in percent" prints "packs" map "$jobs" --method packs --sensitivity "50 %"
it "reads standard input" \
    eval '"$weir" map - <"$jobs" >out 2>err && grep -q "^packs " out && [ ! -s err ]'

# json KEY: its value, the first time
json() { sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}\$/\1/p" out | head -n 1; }
as_json() {
    exits 0 map "$jobs" --method packs --json || return
    # Useful per node (2 + 2 + 2 + 2 + 2 * 3) / 2 = 7, delayed 2 / 2, idle 2 / 2.
    [ "$(json makespan) $(json packs) $(json pack_stretch)" = "9 2 1.25" ] &&
        [ "$(json useful) $(json delayed) $(json idle)" = "7 1 1" ] || { cat out; return 1; }
}
it "writes the measures as JSON" as_json
valid_json() {
    command -v jq >/dev/null || return 0
    exits 0 map "$jobs" --backfill --json &&
        jq -e '.runs | length == 3 and all(.jobs | length == 3) and
               all(.usage.work | length > 0) and .[2].metrics.packs == null' out
}
it "writes valid JSON" valid_json

pictures() {
    exits 0 map "$jobs" --gantt p.svg && [ "$(ls work | tr '\n' ' ')" = "p-first-fit.svg p-list.svg p-packs.svg " ] &&
        tail -n 1 work/p-list.svg | grep -q '</svg>' && [ "$(wc -l <err)" -eq 3 ]
}
it "draws a picture per method" pictures
one_picture() {
    exits 0 map "$jobs" --method list --gantt p.svg && [ "$(ls work)" = p.svg ] && [ ! -s err ]
}
it "draws one picture under its own name" one_picture
well_formed() {
    command -v xmllint >/dev/null || return 0
    exits 0 map "$jobs" --method packs --io-nodes 2 --gantt - && xmllint --noout out
}
it "draws well-formed pictures" well_formed

# --- workloads of others -----------------------------------------------------------------------
for family in packs mira-normal mira-binormal uniform-normal uniform-binormal; do
    "$weir" generate $family --param applications=8 -o "$scratch/$family.yaml" 2>/dev/null || exit 1
    it "maps jobs of $family, without a warning" prints "list" map "$scratch/$family.yaml" --method list
done
same_twice() {
    exits 0 map "$scratch/packs.yaml" --order random --json && cp out first &&
        exits 0 map "$scratch/packs.yaml" --order random --json && diff first out &&
        exits 0 map "$scratch/packs.yaml" --order random --seed 7 --json && ! cmp -s first out
}
it "gives the same for the same seed" same_twice
printf '%s\n' '; MaxProcs: 4' '1 0 -1 100 2 -1 -1 2 -1 -1 1 7 7 -1 -1 -1 -1 -1' \
    '2 30 -1 100 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1' >log.swf
"$weir" import swf log.swf --bandwidth 1GB/s --io-ratio 0.1 -o "$scratch/swf.yaml" 2>/dev/null || exit 1
# The second job comes at 30 and starts at 100; in a batch the pack with the most nodes goes first.
starts() { exits 0 map "$scratch/swf.yaml" --method "$1" --json "${@:3}" && grep '"start"' out | tr -d ' ,\n' | grep -qF "$2"; }
it "maps the jobs of a log as they come" starts list '"start":0"start":100'
it "maps them as a batch" starts packs '"start":100"start":0' --batch

real=$root/../shared/data/swf/KTH-SP2-1996-2.1-cln.swf
if [ -f "$real" ]; then
    "$weir" import swf "$real" --bandwidth 1GB/s --io-ratio 0.1 --release submit -o "$scratch/kth.yaml" 2>/dev/null || exit 1
    it "maps a real log" prints "28467 jobs" map "$scratch/kth.yaml" --backfill
    it "refuses more I/O nodes than there is memory for" \
        refuses "at most 3512" map "$scratch/kth.yaml" --io-nodes 4000
fi

# --- what is refused ---------------------------------------------------------------------------
it "names a job that has too many nodes" refuses "'c'" map "$jobs" --nodes 1 --gantt p.svg
it "names a job above the limit of a list" \
    refuses "job 'a' fits nowhere: it moves 0.5 B/s on average, a list may use 0.3 B/s" map "$jobs" --method list --sensitivity 0.3
it "names a missing file" refuses "nowhere.yaml" map nowhere.yaml
it "wants a workload" refuses "WORKLOAD" map
it "lists the methods" refuses "did you mean 'packs'" map "$jobs" --method pack
it "lists the orders" refuses "expected arrival, max, char or random" map "$jobs" --order longest
it "refuses a sensitivity of 0" refuses "above 0" map "$jobs" --sensitivity 0
it "refuses a sensitivity below 0" refuses "above 0" map "$jobs" --sensitivity=-1
it "refuses a sensitivity that is no number" refuses "--sensitivity" map "$jobs" --sensitivity nan
it "refuses a sensitivity of first-fit" \
    refuses "no effect on first-fit" map "$jobs" --method first-fit --sensitivity 1
it "refuses no I/O node" refuses "expected 1 to 4096" map "$jobs" --io-nodes 0
it "refuses too many I/O nodes" refuses "expected 1 to 4096" map "$jobs" --io-nodes 4097
it "refuses an unknown strategy" refuses "fcfs" map "$jobs" --policy fcfss
it "refuses a strategy that follows a plan" refuses "follows a plan" map "$jobs" --policy plan
it "refuses several pictures on standard output" refuses "only one picture" map "$jobs" --gantt -
it "does not mix a picture and JSON" refuses "only one picture" map "$jobs" --method list --gantt - --json
it "refuses a picture that cannot be written" refuses "nowhere/p-packs.svg" map "$jobs" --gantt nowhere/p.svg
echo 'platform: {bandwidth: 1}
applications: [{name: a, nodes: 1, work: 1, io: 1}]' >nodeless.yaml
it "wants to know the nodes" refuses "missing --nodes N" map "$scratch/nodeless.yaml"
it "takes them from the command line" prints "with 3 nodes" map "$scratch/nodeless.yaml" --nodes 3
echo 'platform: {nodes: 4, bandwidth: 1}
applications: [{name: old, nodes: 1, work: 9, io: 1, release: -5}]' >old.yaml
it "names a job that already runs" refuses "job 'old' already runs" map "$scratch/old.yaml"

# The idle year before the first job is no part of the run.
late() {
    for release in 0 '365 d'; do
        echo "platform: {nodes: 4, bandwidth: 1}
applications: [{name: a, count: 3, nodes: 2, work: 900, io: 100, release: $release}]" >"$scratch/late.yaml"
        exits 0 map "$scratch/late.yaml" --method list --gantt p.svg || return
        sed -n '/^list .*-/s/.* //p; /^list  *[0-9]/{/-/!p}' out | sort >"lasts $release"
        grep -c '<text class="mid"' work/p.svg >>"lasts $release"
    done
    cat lasts*
    diff 'lasts 0' 'lasts 365 d' && grep -q '>525600 min<' work/p.svg
}
it "measures and draws from the first arrival on" late

finish
