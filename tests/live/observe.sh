#!/bin/bash
# A controller that observes: nothing waits, and every byte is in the journal.
. "$(dirname "$0")/../cli/common.sh"
export WEIR_SOCKET=$scratch/socket
store=$scratch/store
mkdir "$store"

cat >serve.yaml <<YAML
platform: {bandwidth: 1 MB/s}
control: observe
socket: $WEIR_SOCKET
stores: [$store]
journal: $scratch/journal
state: $scratch/state
limits: [{bandwidth: 100 kB/s, ops: 1}]
YAML
start() {
    "$weir" serve --config serve.yaml --policy fcfs "$@" 2>serve.log &
    controller=$!
    soon answers "$WEIR_SOCKET"
}
trap 'kill -9 $controller 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT
start

it "says that it observes" grep -qF "observes, nothing waits" serve.log
it "shows it in its settings" prints "control    observe" ctl show
it "shows it in its state" prints "control is off" status
warns() { exits 1 status --health && grep -q "^warning  control  *off: it observes" out && grep -q "not all is well" err; }
it "warns that control is off" warns

# One second of grants would be 1 MB, or 100 kB by the limit, or one operation.
write() { # NAME BYTES BLOCK: buffered, in bursts with pauses that end an I/O
    "$weir" exec --name "$1" -- bash -c '
        for i in 1 2 3 4 5; do
            head -c '"$2"' /dev/zero | dd of='"$store/$1"'.$i bs='"$3"' iflag=fullblock 2>/dev/null
            sleep 0.12
        done'
}
nothing_waits() {
    local begun=$EPOCHREALTIME
    write large 20000000 1M
    awk -v begun="$begun" -v now="$EPOCHREALTIME" 'BEGIN { exit !(now - begun < 60) }'
}
it "lets 100 MB pass in seconds, though the bandwidth is 1 MB/s" nothing_waits
write tiny 777 7 &
write odd 1234567 4099 &
"$weir" exec --name last -- dd if=/dev/zero of="$store/last" bs=64K count=100 2>/dev/null
wait -n; wait -n

# sum NAME: bytes of its I/Os in the journal, and of what came after the last one; and of its account.
sum() {
    python3 - "$scratch/journal" "$1" <<'PY'
import json, sys
ids, moved, done = {}, 0, 0
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["event"] == "join":
        ids[e["id"]] = e["name"]
    if ids.get(e.get("id")) == sys.argv[2]:
        moved += e["moved"] if e["event"] in ("complete", "leave") else 0
        done += e["moved"] if e["event"] == "done" else 0
print(int(moved), int(done))
PY
}
journal_has() { [ "$(sum "$1")" = "$2 $2" ] || { sum "$1"; false; }; }
it "has every byte of large buffered writes in the journal" soon journal_has large 100000000
it "has every byte of tiny writes" soon journal_has tiny 3885
it "has every byte of odd writes" soon journal_has odd 6172835
it "has every byte of a program that ends with its write" soon journal_has last 6553600
imports_all() {
    exits 0 advise "$scratch/journal" --json && python3 -c '
import json, sys
sys.exit(round(json.load(open("out"))["moved"]) != 100000000 + 3885 + 6172835 + 6553600)'
}
it "is imported with every byte" imports_all
separates() { python3 - "$scratch/journal" <<'PY'
import json, sys
ids, count = {}, 0
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["event"] == "join":
        ids[e["id"]] = e["name"]
    count += e["event"] == "complete" and ids[e["id"]] == "large"
sys.exit(not 4 <= count <= 5) # the last one may end with the program
PY
}
it "recognises the phases" separates
it "advises what a strategy would have brought" prints "as it was" advise "$scratch/journal" --policy fcfs

controls() {
    exits 0 ctl on && ! grep -q "control is off" out && prints "control    on" ctl show &&
        kill $controller && wait $controller && start && ! prints "control is off" status
}
it "controls when told to, also after a restart" controls
observes_again() { exits 0 ctl unset control && prints "control is off" status; }
it "observes again when that is taken back" observes_again
observes_by_option() {
    kill $controller && wait $controller && sed -i /control:/d serve.yaml && start --observe &&
        prints "control is off" status
}
it "observes by an option too" observes_by_option
refuses_other() {
    echo "control: maybe" >>serve.yaml
    exits 2 serve --config ../serve.yaml --check-config && grep -q "control is 'on' or 'observe', not 'maybe'" err
}
it "knows no other word" refuses_other
finish
