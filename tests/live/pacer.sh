#!/bin/bash
# The store of the tests moves what it says, and shares it evenly among calls of any size.
. "$(dirname "$0")/common_fuse.sh"
mount_store 50e6 store

moves_its_rate() {
    local begin=$EPOCHREALTIME
    dd if=/dev/zero of=store/alone bs=10M count=5 status=none || return
    awk -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN {
        time = end - begin; print time; exit !(time > 1 && time < 1.3) }'
}
it "a program alone has all of it" moves_its_rate

# A large call is in the store all the time. Half of 150 MB in 3 s would be fair, but the program needs
# some time between its calls, in which the large call has all.
shares_evenly() {
    local large
    dd if=/dev/zero of=store/large bs=60M count=20 status=none &
    large=$!
    soon [ -s store/large ]
    timeout 3 dd if=/dev/zero of=store/small bs=256k status=none
    kill $large
    wait $large 2>/dev/null
    stat -c %s store/small
    [ "$(stat -c %s store/small)" -gt 52000000 ]
}
it "small calls have their part beside large ones" shares_evenly
finish
