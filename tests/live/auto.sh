#!/bin/bash
# The controller finds out what a store can do, and follows it when that changes. The store is a FUSE file
# system whose limit is in a file (pacer.c); three programs write past the page cache all the time.
. "$(dirname "$0")/common_fuse.sh"

! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"
echo 60000000 >rate
mount_store "$scratch/rate" store
cat >serve.yaml <<YAML
platform: {bandwidth: {auto: [1 MB/s, 400 MB/s]}}
policy: fair-share
socket: $scratch/weir.sock
journal: $scratch/journal
stores: [$scratch/store]
YAML
"$weir" serve --config serve.yaml >serve.out 2>&1 &
controller=$!
soon answers weir.sock

writers=()
for name in red green blue; do
    "$weir" exec --socket weir.sock --name $name -- sh -c "while :; do dd if=/dev/zero of=store/$name bs=128k count=4000 conv=notrunc 2>/dev/null || exit; done" &
    writers+=($!)
done
end() {
    kill "${writers[@]}" 2>/dev/null
    kill $controller
    wait $controller
    leave_store
}
trap end EXIT

# estimates RATE: the estimate is at most a quarter away.
estimates() {
    "$weir" status --socket weir.sock --json >status || return
    python3 -c 'import json, sys
found = json.load(open("status"))["bandwidth"]
print(found)
sys.exit(not 0.75 * float(sys.argv[1]) < found < 1.25 * float(sys.argv[1]))' "$1"
}
changes() { # RATE
    echo "$1" >rate.new && mv rate.new rate && within 60 estimates "$1"
}
it "it finds the bandwidth of a store that it knows nothing of" within 60 estimates 60000000
it "a store that gets slower is noticed" changes 15000000
it "and one that gets faster" changes 90000000
it "the journal has the estimates" sh -c '[ "$(grep -c "\"event\":\"estimate\"" journal)" -ge 3 ]'
finish
