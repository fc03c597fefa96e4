#!/bin/bash
# How the command line behaves when it is used well.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml

# --- help --------------------------------------------------------------------------------------
it "prints its version" prints "weir 0." --version
it "prints help" prints "usage: weir COMMAND" --help
for command in simulate plan partition describe policies generate demo reproduce help; do
    it "explains $command with an example" prints "example:" "$command" --help
    it "explains $command in 80 columns" fits "$command" --help
    it "explains $command when asked otherwise" prints "usage: weir $command" help "$command"
done
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
many_pictures() {
    exits 0 simulate "$good" --policy fcfs --policy list:order=fifo --gantt p.svg &&
        [ "$(ls work)" = "$(printf 'p-fcfs.svg\np-list-order-fifo.svg')" ] &&
        grep -q 'p-fcfs.svg' err
}
it "names pictures after their strategies" many_pictures
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
numbered() {
    exits 0 generate synthetic --count 3 --param horizon=1e4 -o g.yaml &&
        [ "$(ls work)" = "$(printf 'g-1.yaml\ng-2.yaml\ng-3.yaml')" ] &&
        ! cmp -s work/g-1.yaml work/g-2.yaml
}
it "numbers the scenarios it generates" numbered
tells() {
    text=$1
    shift
    exits 0 generate "$@" -o g.yaml && [ ! -s out ] && [ "$(cat err)" = "weir: $text" ]
}
it "tells the pressure that it reached" tells "jupiter-3: I/O pressure 1.0772" jupiter --set 3
it "tells the load of a batch" \
    tells "packs-2-1: I/O load 1.7292" packs --param load=2 --param applications=100

# --- partition ---------------------------------------------------------------------------------
it "divides in 80 columns" fits partition "$good"
divides_without_io() {
    printf '%s\n' 'platform: {bandwidth: 1 GB/s}' 'applications:' \
        '  - {name: a, bandwidth: 1 GB/s, work: 9 s, io: 1 GB}' \
        '  - {name: b, bandwidth: 1 GB/s, work: 9 s}' >idle.yaml
    exits 0 partition "$scratch/idle.yaml" && grep -q 'in no group: 1' out
}
it "divides without those that have no I/O" divides_without_io

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
        grep -q 'not simulated: they do not fit on the nodes' out && grep -q 'nodes in total' err
}
it "does not simulate what cannot run at the same time" described_batch
twice_the_bandwidth() {
    exits 0 describe "$good" --bandwidth 8GB/s && grep -q '^congestion *never' out
}
it "describes another machine" twice_the_bandwidth

# --- demo --------------------------------------------------------------------------------------
it "demonstrates itself in 80 columns" fits demo
demo_draws() { exits 0 demo --gantt d.svg && [ -s work/d.svg ] && grep -qF 'd.svg' out; }
it "draws a picture of the demonstration and says where" demo_draws

finish
