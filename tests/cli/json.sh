#!/bin/bash
# docs/reference/json.md has every member of every JSON output: those that the program writes are those that the
# tables list, and only members that the page marks as such are absent.
. "$(dirname "$0")/common.sh"
page=$root/docs/reference/json.md

# members: the path of each member of a pretty JSON text, without names of measures.
"$weir" man | sed 's/\\-/-/g' | awk '/^\.SH /{ on = /MEASURES/ } on && /^\\fB/ { gsub(/\\f[BR]/, ""); print }' >app_measures
members() {
    awk '
        FNR == NR { measure[$0] = 1; next }
        { match($0, /^ */); depth = RLENGTH / 2; line = substr($0, RLENGTH + 1) }
        line ~ /^"[^"]*": / {
            key = substr(line, 2, index(line, "\":") - 2)
            stack[depth] = key
            path = parent = ""
            for (i = 0; i <= depth; i++) {
                if (stack[i] == "") continue
                if (i == depth && parent ~ /^(bound|metrics|simulated|measured|without|sweep)$/) stack[i] = "*"
                if (i == depth && path ~ /^runs\[\]\.(applications|users|accounts)\[\]$/ && measure[key]) stack[i] = "*"
                path = path (stack[i] == "[]" ? "[]" : (path == "" ? "" : ".") stack[i])
                parent = stack[i]
            }
            if (path != "platform") print path
        }
        line ~ /^[{[]/ { stack[depth] = depth ? "[]" : "" }' app_measures "$1"
}

# listed SECTION: the members of its table, as the page writes them.
listed() { awk -v heading="## $1" '/^## /{ on = $0 == heading } on && /^\| `/' "$page"; }
names() { sed 's/^| `\([^`]*\)`.*/\1/'; }

# documents SECTION FILE...: the files together have the members of the common table and of this one.
documents() {
    local section=$1 file
    shift
    for file; do members "$file"; done | sort -u >written
    { case $section in
      *status* | *ctl* | *policies | *calibrate | *compare | *reproduce | *DATABASE) echo weir ;;
      *) listed Common | names ;;
      esac
      listed "$section" | names; } | sort >in_page
    listed "$section" | grep -F '*maybe*' | names | sort >maybe
    [ -s written ] && listed "$section" | grep -q . || { echo "nothing to compare"; return 1; }
    comm -23 written in_page | sed 's/^/not in the page: /' >differences
    comm -13 written in_page | comm -23 - maybe | sed 's/^/not written: /' >>differences
    cat differences
    [ ! -s differences ]
}

# shows SECTION ARGUMENT...: what the command prints is documented.
shows() {
    exits 0 "${@:2}" --json && cp out printed && documents "$1" printed
}
examples=$root/examples
it "simulate is documented" shows "weir simulate" simulate "$examples/group-user-size-fair.yaml"
it "simulate is documented with bounds" \
    shows "weir simulate" simulate "$examples/group-user-size-fair.yaml" --bounds
it "bound is documented" \
    shows "weir bound" bound "$examples/quickstart.yaml" --window auto --min-yield 0.9
it "bound is documented with a search" \
    shows "weir bound" bound "$examples/user-fair.yaml" --search 100
it "blame is documented" shows "weir blame" blame "$examples/quickstart.yaml"
it "checkpoint is documented" \
    shows "weir checkpoint" checkpoint "$examples/quickstart.yaml" --application climate --mtbf 2h
it "checkpoint is documented for all" \
    shows "weir checkpoint" checkpoint "$examples/quickstart.yaml" --all --node-mtbf 30d
it "recommend is documented" shows "weir recommend" recommend "$examples/quickstart.yaml" --seeds 3
stored() { exits 0 campaign "$examples/campaign/bandwidth.yaml" --db "$scratch/stored.sqlite"; }
it "recommend of a database has one to read" stored
it "recommend of a database is documented" \
    shows "weir recommend DATABASE" recommend "$scratch/stored.sqlite"
it "describe is documented" shows "weir describe" describe "$examples/traced.yaml"
it "reproduce is documented" shows "weir reproduce" reproduce aupy-table-3 aupy-table-4 --quick
it "partition is documented" shows "weir partition" partition "$examples/traced.yaml"
it "map is documented" shows "weir map" map "$examples/jobs.yaml"
it "capacity is documented" \
    shows "weir capacity" capacity "$examples/quickstart.yaml" --application analysis --max-stretch 1.3 --policy fcfs
it "compare is documented" \
    shows "weir compare" compare "$examples/quickstart.yaml" --ensemble 2 --policy fcfs --sweep bandwidth=1x,2x
it "plan is documented" shows "weir plan" plan "$examples/jupiter1.yaml"
plan_file() { exits 0 plan "$examples/jupiter1.yaml" -o p.json && cp work/p.json . && documents "weir plan" p.json; }
it "the plan file is documented" plan_file
it "policies is documented" shows "weir policies" policies
it "calibrate is documented" shows "weir calibrate" calibrate --dir "$scratch" --time 20ms --writers 2
it "replay is documented" \
    shows "weir replay" replay "$examples/quickstart.yaml" --duration 1s --without

# The seed and the platform are those that were used.
says_how() {
    exits 0 simulate "$examples/noisy.yaml" --policy fcfs --seed 77 --bandwidth 3GB/s --json &&
        grep -q '^  "seed": 77,$' out && grep -q '^    "bandwidth": 3000000000$' out &&
        grep -q "^  \"weir\": \"$("$weir" --version | sed 's/weir //')\",$" out
}
it "says which version, seed and platform made it" says_how
reads_plan() {
    exits 0 plan "$examples/jupiter1.yaml" -o p.json && cp work/p.json . &&
        exits 0 plan "$examples/jupiter1.yaml" --check "$scratch/p.json"
}
it "reads a plan that says so" reads_plan

# --- a running controller ------------------------------------------------------------------------
export WEIR_SOCKET=$scratch/s
"$weir" serve --socket "$WEIR_SOCKET" --bandwidth 50MB/s >served 2>&1 &
server=$!
soon answers "$WEIR_SOCKET"
(exec "$weir" exec --name napper sleep 30) &
napper=$!
lists_napper() { "$weir" status "$@" | grep napper; }
soon lists_napper
it "status is documented" shows "weir status" status
"$weir" ctl set limit 1MB/s --application other && "$weir" ctl set weight 2 --user root
it "ctl show is documented" shows "weir ctl show" ctl show
kill "$napper" && wait "$napper"
soon lists_napper --finished
it "status --finished is documented" shows "weir status --finished" status --finished

"$weir" agent --controller 127.0.0.1:1 --name here --socket "$scratch/agent.sock" 2>/dev/null & agent=$!
soon answers "$scratch/agent.sock"
it "status at an agent is documented" \
    shows "weir status, at an agent" status --socket "$scratch/agent.sock"
kill $agent
kill "$server" && wait "$server"

finish
