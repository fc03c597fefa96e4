#!/bin/bash
# Accounts say what really happened: a program that is alone waits for nobody, however small its
# files, and one that waits for another for three seconds has waited that long.
. "$(dirname "$0")/../cli/common.sh"

mkdir store
"$weir" serve --socket "$scratch/socket" --bandwidth 20MB/s --policy fcfs --store "$scratch/store" \
    --journal journal 2>serve.log &
server=$!
trap 'kill $server; wait; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"
controlled() { timeout -k 5 60 "$weir" exec --socket "$scratch/socket" --name "$1" -- "${@:2}"; }

# account NAME MEMBER: of the application that has left, the same in the list and in the journal.
account() {
    "$weir" status --socket "$scratch/socket" --finished --json >finished || return
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
name, member = sys.argv[1:]
told = [a[member] for a in json.load(open("finished"))["finished"] if a["name"] == name]
lines = [json.loads(line) for line in open("journal")]
done = [a[member] for a in lines if a["event"] == "done" and a["name"] == name]
assert len(told) == len(done) == 1 and abs(told[0] - done[0]) <= 1e-3 * abs(done[0]) + 1e-6, (told, done)
print(done[0])
PYTHON
}
is_between() { # LEAST NUMBER MOST
    awk -v least="$1" -v is="$2" -v most="$3" 'BEGIN { exit !(is >= least && is <= most) }'
}

small_files() {
    local stretch
    controlled small python3 -c '
for i in range(20000):
    with open(f"store/{i % 100}", "w") as file:
        file.write("x" * 100)' || return
    soon account small stretch >/dev/null
    stretch=$(account small stretch) && echo "stretch $stretch" && is_between 1 "$stretch" 1.02
}
it "20,000 small files, alone, have a stretch of 1" small_files

# 60 MB at 20 MB/s before it; how long it really waits depends on the machine.
waits() {
    local waited stretch elapsed
    controlled first dd if=/dev/zero of=store/first bs=100k count=600 2>/dev/null &
    local first=$!
    soon moves first
    controlled second dd if=/dev/zero of=store/second bs=100k count=10 2>dd.log
    wait $first
    soon account second waited >/dev/null
    waited=$(account second waited) && stretch=$(account second stretch) || return
    elapsed=$(sed -n 's/.* copied, \([0-9.]*\) s.*/\1/p' dd.log)
    echo "waited $waited of $elapsed s, stretch $stretch"
    is_between 1 "$waited" "$elapsed" && is_between 0.7 "$(awk "BEGIN { print $waited / ($elapsed - 0.05) }")" 1.01
}
moves() {
    "$weir" status --socket "$scratch/socket" --json |
        python3 -c 'import json, sys
apps = json.load(sys.stdin)["applications"]
sys.exit(not any(a["name"] == sys.argv[1] and a["moved"] > 1e6 for a in apps))' "$1"
}
it "three seconds of waiting for another program are in the account" waits
finish
