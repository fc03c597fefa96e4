#!/bin/bash
# How the command line behaves when it is used well.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml

# --- help --------------------------------------------------------------------------------------
it "prints its version" prints "weir 0." --version
it "prints help" prints "usage: weir COMMAND" --help
for command in simulate compare plan partition map capacity describe policies generate import export serve exec status top ctl replay calibrate demo reproduce help man completion; do
    it "explains $command with an example" prints "example:" "$command" --help
    it "explains $command in 80 columns" fits "$command" --help
    it "explains $command when asked otherwise" prints "usage: weir $command" help "$command"
done
names_every_command() {
    exits 0 --help && for name in simulate top man; do grep -q "^  $name  " out || return; done
}
it "lists its commands, the manual too" names_every_command
right_sizes() {
    local family set count
    for family in jupiter apio; do
        grep -A1 "^$family$" families | grep -q "sets of 2 to 10 applications" || return
        for set in 1 2 3 4 5 6 7 8 9 10; do
            exits 0 generate "$family" --set "$set" && grep -q . out || return
            "$weir" describe --json - <out 2>/dev/null | sed -n 's/.*"application_count": \([0-9]*\),/\1/p'
        done >sizes || return
        [ "$(sort -n sizes | sed -n '1p;$p' | xargs)" = "2 10" ] || { xargs <sizes; return 1; }
    done
}
"$weir" generate --list >families
it "lists how large the published sets are" right_sizes
it "lists the strategies in 80 columns" fits policies
it "lists the families in 80 columns" fits generate --list

says_usage_on_stderr() { exits 2 && [ ! -s out ] && grep -q usage err; }
it "says how to use it when called with nothing" says_usage_on_stderr

manual_is_clean() {
    exits 0 man && man -l --warnings=w,mac -Tutf8 out 2>&1 >/dev/null | { ! grep . ; }
}
if command -v man >/dev/null; then
    it "prints a manual page without a warning" manual_is_clean
fi

# --- tables ------------------------------------------------------------------------------------
it "shows a few strategies by default" prints "look-ahead-greedy-yield" simulate "$good"
it "marks the best" prints "*" simulate "$good"
marks_nothing() {
    exits 0 simulate "$good" --policy fcfs --policy fcfs && ! grep -qF '*' out
}
it "explains no mark where there is none" marks_nothing
it "stays within 80 columns with all strategies" fits simulate "$good" --policy all
it "stays within 80 columns with applications" fits simulate "$good" --per-app
no_colour() { exits 0 simulate "$good" && ! grep -q $'\033' out; }
it "does not colour a file" no_colour
it "shows the measures asked for" \
    prints "decisions" simulate "$good" --policy fcfs --metrics events,decisions
it "runs every strategy without breaking a rule" exits 0 simulate "$good" --policy all --check

# --- options -----------------------------------------------------------------------------------
same() {
    run simulate "$good" --policy fcfs --csv --bandwidth "1 GB/s"
    cp out first
    run simulate --csv --bandwidth=1e9 --policy=fcfs -- "$good"
    [ "$code" -eq 0 ] && diff first out
}
it "takes options in any order and spelling" same
seeds_differ() {
    run simulate "$root/examples/noisy.yaml" --policy fcfs --csv --seed 1
    cp out first
    run simulate "$root/examples/noisy.yaml" --policy fcfs --csv --seed 2
    [ "$code" -eq 0 ] && ! diff first out >/dev/null
}
it "draws other numbers with another seed" seeds_differ
reads_stdin() {
    "$weir" simulate - --policy fcfs --csv <"$good" >out 2>err && grep -q ',fcfs,' out
}
it "reads standard input" reads_stdin
it "measures in a window" prints "window 1 min to 20 min" simulate "$good" --window 60:20min
it "measures to the end although the file has a window" \
    prints "makespan" simulate "$root/examples/noisy.yaml" --window none
full() { "$weir" simulate "$good" --policy fcfs >/dev/full 2>err; [ $? -eq 1 ] && grep -q 'weir: ' err; }
if [ -c /dev/full ]; then
    it "fails when its output cannot be written" full
fi

# --- several files -----------------------------------------------------------------------------
one_object() {
    exits 0 simulate "$good" --policy fcfs --json && [ "$(head -c1 out)" = "{" ]
}
it "writes one object for one file" one_object
an_array() {
    exits 0 simulate "$good" "$root/examples/traced.yaml" --policy fcfs --json &&
        [ "$(head -c1 out)" = "[" ] && [ "$(grep -c '"scenario"' out)" -eq 2 ]
}
it "writes an array for several files" an_array
one_header() {
    exits 0 simulate "$good" "$root/examples/traced.yaml" --policy fcfs --policy floor --csv &&
        [ "$(grep -c '^scenario,' out)" -eq 1 ] && [ "$(wc -l <out)" -eq 5 ]
}
it "writes one CSV for several files" one_header

# --- pictures and traces -----------------------------------------------------------------------
one_picture() {
    exits 0 simulate "$good" --policy fcfs --gantt p.svg --trace t.json && [ ! -s err ] &&
        [ "$(ls work)" = "$(printf 'p.svg\nt.json')" ] && tail -n1 work/p.svg | grep -q '</svg>'
}
it "writes one picture for one run" one_picture
picture_on_stdout() {
    exits 0 simulate "$good" --policy fcfs --gantt - && tail -n1 out | grep -q '^</svg>$'
}
it "writes a picture and nothing else to standard output" picture_on_stdout
several=(--policy fcfs --policy list:order=fifo)
all_in_one() {
    exits 0 simulate "$good" "${several[@]}" --gantt p.svg && [ "$(ls work)" = p.svg ] && [ ! -s err ] &&
        grep -q '>fcfs</text>' work/p.svg && grep -q '>list:order=fifo</text>' work/p.svg
}
it "draws several strategies in one picture" all_in_one
all_on_stdout() { exits 0 simulate "$good" "${several[@]}" --gantt - && [ "$(grep -c '>yield</text>' out)" -eq 2 ]; }
it "and writes that to standard output too" all_on_stdout
many_pictures() {
    exits 0 simulate "$good" "$root/examples/traced.yaml" --policy fcfs --gantt p.svg &&
        [ "$(ls work)" = "$(printf 'p-quickstart.svg\np-traced.svg')" ] && grep -q 'p-traced.svg' err
}
it "names pictures after their scenarios" many_pictures
many_traces() {
    exits 0 simulate "$good" "${several[@]}" --trace t.json &&
        [ "$(ls work)" = "$(printf 't-fcfs.json\nt-list-order-fifo.json')" ] && grep -q 't-fcfs.json' err
}
it "names traces after their strategies" many_traces
draws_all() {
    "$weir" generate synthetic --param applications=600 --param horizon=2000 -o "$scratch/600.yaml" 2>/dev/null &&
        exits 0 simulate "$scratch/600.yaml" --policy fcfs --gantt p.svg &&
        grep -q '>big598</text>' work/p.svg && [ "$(grep -c '^<path class="work"' work/p.svg)" -eq 600 ]
}
it "draws every one of 600 applications" draws_all
looks_like() { exits 0 "${@:2}" && [ "$(head -c 4 work/p.* | tr -d '\211')" = "$1" ]; }
if command -v rsvg-convert >/dev/null; then
    it "draws PNG" looks_like PNG simulate "$good" --policy fcfs --gantt p.png
    it "draws PDF" looks_like %PDF simulate "$good" --policy fcfs --gantt p.pdf
    it "draws a plan as PNG" looks_like PNG plan "$root/examples/jupiter1.yaml" --gantt p.png
    it "draws jobs as PDF" looks_like %PDF map "$root/examples/jobs.yaml" --method list --gantt p.pdf
    it "draws a picture of a hundred strategies as PNG" \
        looks_like PNG simulate "$good" --policy all --policy all --policy all --gantt p.png
fi
if command -v python3 >/dev/null; then
    valid_json() {
        exits 0 simulate "$good" --policy all --json --trace t.json &&
            cat out work/t-fcfs.json >/dev/null &&
            python3 -m json.tool out >/dev/null && python3 -m json.tool work/t-fcfs.json >/dev/null
    }
    it "writes valid JSON" valid_json
    valid_xml() {
        exits 0 simulate "$good" --policy fcfs --gantt p.svg &&
            python3 -c 'import sys, xml.dom.minidom as m; m.parse("work/p.svg")'
    }
    it "writes valid SVG" valid_xml
fi

# --- generate ----------------------------------------------------------------------------------
round_trip() {
    exits 0 generate "$@" -o g.yaml && cp work/g.yaml . &&
        exits 0 simulate "$scratch/g.yaml" --policy fcfs --csv
}
it "reads what it generates of jupiter" round_trip jupiter --set 3
it "reads what it generates of intrepid" round_trip intrepid --seed 2
it "reads what it generates of mira" round_trip mira --seed 3
it "reads what it generates of apio" round_trip apio --set 7 --param distribution=normal
it "reads what it generates of tucan" round_trip tucan --param batches=2
it "reads what it generates of general" round_trip general --param noise=0.2
it "reads what it generates of uniform" round_trip uniform --param noise=0.5
for family in packs uniform-normal uniform-binormal mira-normal mira-binormal; do
    it "reads what it generates of $family" round_trip $family --param applications=3
done
it "reads what it generates of io-sets" round_trip io-sets --param stress=0.2
it "reads what it generates of synthetic" round_trip synthetic --param horizon=1e5
it "reads what it generates of apex-trilab" round_trip apex-trilab --set 20 --param machine=10
it "reads what it generates of apex-nersc" round_trip apex-nersc --param data=paper
windows() {
    exits 0 generate apex-trilab --count 22 --seed 5 -o g.yaml --gantt s.svg &&
        cp -r work all && exits 0 generate apex-trilab --set 2 --seed 6 -o g.yaml --gantt s.svg &&
        [ "$(ls all | wc -l)" -eq 24 ] && cmp work/g.yaml all/g-22.yaml && cmp work/s.svg all/s-2.svg
}
it "writes all windows of a schedule before those of the next" windows
it "draws no schedule of what has none" \
    refuses "'jupiter' has no schedule" generate jupiter --gantt s.svg -o g.yaml
it "sums up by what there is" refuses "--by: unknown value 'node'" status --by node
it "does not mix a scenario and a picture" refuses "only one" generate apex-trilab --gantt -
numbered() {
    exits 0 generate synthetic --count 3 --param horizon=1e4 -o g.yaml &&
        [ "$(ls work)" = "$(printf 'g-1.yaml\ng-2.yaml\ng-3.yaml')" ] &&
        ! cmp -s work/g-1.yaml work/g-2.yaml
}
it "numbers the scenarios it generates" numbered
in_a_directory() {
    mkdir -p many && exits 0 generate general --count 2 --seed 4 -o "$scratch/many" &&
        exits 0 generate jupiter --set 3 -o "$scratch/many/" &&
        [ "$(ls many)" = "$(printf 'general-0-4.yaml\ngeneral-0-5.yaml\njupiter-3.yaml')" ]
}
it "names them after themselves in a directory" in_a_directory
it "wants the directory to be there" refuses "nowhere/jupiter-1.yaml" generate jupiter -o nowhere/
tells() {
    text=$1
    shift
    exits 0 generate "$@" -o g.yaml && [ ! -s out ] && [ "$(cat err)" = "weir: $text" ]
}
it "tells the pressure that it reached" tells "jupiter-3: I/O pressure 1.0772" jupiter --set 3
it "tells the load of a batch" \
    tells "packs-2-1: I/O load 1.5790, 2 wanted" packs --param load=2 --param applications=100

# --- unknown options ---------------------------------------------------------------------------
it "suggests an option that is nearly the same" \
    refuses "unknown option '--polcy', did you mean '--policy'?" simulate "$good" --polcy fcfs
it "suggests no option that only has the dashes in common" \
    refuses "unknown option '--period'; 'weir plan --help' lists them" plan "$good" --period 3

# --- delays ------------------------------------------------------------------------------------
same_without_delays() {
    exits 0 simulate "$good" --progress-age 0 --release-latency 0s && mv out delayed &&
        exits 0 simulate "$good" && cmp out delayed
}
it "takes a delay of 0" same_without_delays
it "takes a delay once" refuses "--progress-age is given twice" simulate "$good" \
    --progress-age 0 --progress-age 1
it "refuses a delay below 0" refuses "--release-latency: '-1 s' is below 0" simulate "$good" \
    --release-latency '-1 s'

# --- partition ---------------------------------------------------------------------------------
it "divides in 80 columns" fits partition "$good"
divides_without_io() {
    printf '%s\n' 'platform: {bandwidth: 1 GB/s}' 'applications:' \
        '  - {name: a, bandwidth: 1 GB/s, work: 9 s, io: 1 GB}' \
        '  - {name: b, bandwidth: 1 GB/s, work: 9 s}' >idle.yaml
    exits 0 partition "$scratch/idle.yaml" && grep -q 'in no group: 1' out
}
it "divides without those that have no I/O" divides_without_io
# Alone, a and b run for 10 min each, c and d together from 1 h on: 2 * 500 MB in 10.5 s are more
# than 1 GB in 12 s.
divides_those_present() {
    printf '%s\n' 'platform: {bandwidth: 1 GB/s}' 'applications:' \
        '  - {name: a, nodes: 1, work: 11 s, io: 1 GB, iterations: 50}' \
        '  - {name: b, nodes: 1, release: 2 h, work: 11 s, io: 1 GB, iterations: 50}' \
        '  - {name: c, nodes: 1, release: 1 h, work: 10 s, io: 500 MB, iterations: 50}' \
        '  - {name: d, nodes: 1, release: 1 h, work: 10 s, io: 500 MB, iterations: 50}' >apart.yaml
    exits 0 partition "$scratch/apart.yaml" &&
        grep -q 'apart at 1 h: 2 applications, file system 1 GB/s, load 95.24 MB/s' out &&
        grep -q '^2 more are not there then' out && ! grep -q '^  [ab] ' out && [ ! -s err ]
}
it "divides those that are there when most is wanted" divides_those_present

# --- capacity ----------------------------------------------------------------------------------
many=(capacity "$good" --application analysis --nodes 2048 --policy fair-share)
it "tells how many run together in 80 columns" fits "${many[@]}" --policy all --max-stretch 1.5
# The values are those of the file with the number changed.
agrees_with_simulate() {
    exits 0 "${many[@]}" --max-stretch 1.2 --json || return
    local copies value count more
    copies=$(sed -n 's/.*"copies": \(.*\),/\1/p' out) value=$(sed -n 's/.*"value": \(.*\),/\1/p' out)
    more=$(sed -n 's/.*"with_one_more": \(.*\),/\1/p' out)
    [ "$copies" -gt 1 ] || return
    for count in "$copies $value" "$((copies + 1)) $more"; do
        sed "s/name: analysis/&, count: ${count% *}/" "$good" >changed.yaml
        exits 0 simulate "$scratch/changed.yaml" --nodes 2048 --policy fair-share --json &&
            grep -qF "\"max_stretch\": ${count#* }," out || return
    done
}
it "tells what simulate would tell" agrees_with_simulate
alone() {
    printf '%s\n' 'platform: {bandwidth: 1}' \
        'applications: [{name: a, bandwidth: 1, work: 9, io: 1}]' >alone.yaml
    exits 0 capacity "$scratch/alone.yaml" --max-stretch "$1" --policy fcfs --most 20 --json
}
one_need_not_be_named() { alone 150% && grep -qF '"copies": 6,' out; }
it "copies the only application without being told, and takes percentages" one_need_not_be_named
more_than_the_most() { alone 9 && grep -qF '"copies": 20,' out && grep -q '"most",$' out; }
it "says when it has not tried enough" more_than_the_most
it "measures a window" prints "window 0 s to" "${many[@]}" --min-yield 0.9 --window auto

# --- describe ----------------------------------------------------------------------------------
it "describes in 80 columns" fits describe "$root"/examples/*.yaml
it "describes what has no nodes" \
    prints "volume" describe "$root/data/reference/s01.txt" --format instance --bandwidth 1
described_apart() {
    exits 0 describe "$good" "$root/examples/traced.yaml" && [ "$(grep -c '^congestion' out)" -eq 2 ]
}
it "describes several scenarios" described_apart
described_together() {
    exits 0 describe "$good" "$root/examples/traced.yaml" --json &&
        [ "$(head -c1 out)" = "[" ] && [ "$(grep -c '"scenario"' out)" -eq 2 ]
}
it "describes several scenarios as an array" described_together
described_batch() {
    exits 0 generate packs -o g.yaml && cp work/g.yaml . && exits 0 describe "$scratch/g.yaml" &&
        grep -q 'not simulated: too few nodes' out && grep -q 'nodes at once' err
}
it "does not simulate what cannot run at the same time" described_batch
twice_the_bandwidth() {
    exits 0 describe "$good" --bandwidth 8GB/s && grep -q '^congestion *never' out
}
it "describes another machine" twice_the_bandwidth
it "describes a window" prints "10 min" describe "$good" --window 10min:30min

# --- demo --------------------------------------------------------------------------------------
it "demonstrates itself in 80 columns" fits demo --skip-live
demo_draws() { exits 0 demo --skip-live --gantt d.svg && [ -s work/d.svg ] && grep -qF 'd.svg' out; }
it "draws a picture of the demonstration and says where" demo_draws

finish
