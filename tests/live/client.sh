#!/bin/bash
# The example of the client library under a real controller, by itself and under `weir exec`: three
# checkpoints of 16 MiB at 50 MB/s take 1.007 s, and the work between them 0.15 s.
. "$(dirname "$0")/../cli/common.sh"

mkdir store
("$weir" serve --bandwidth 50MB/s --socket "$scratch/socket" --store "$scratch/store" 2>serve.log &
    echo $! >serve.pid
    wait) &
trap 'kill "$(cat "$scratch/serve.pid")"; wait; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# takes MOST COMMAND...: it runs, scheduled, for at least 1.15 s and at most MOST milliseconds.
takes() {
    local most=$1 begin time
    shift
    begin=$(date +%s%N)
    "$@" "$WEIR_EXAMPLE_DIR/checkpoint" store/saved >said || return
    time=$((($(date +%s%N) - begin) / 1000000))
    echo "$time ms"
    cat said
    [ "$(grep -c 'scheduled by weir' said)" -eq 3 ] && [ "$time" -ge 1150 ] && [ "$time" -le "$most" ]
}
it "a program that announces its I/O gets the bandwidth, and no more" \
    takes 1700 env WEIR_SOCKET="$scratch/socket"
# Twice the time of the I/O would be 2.16 s.
it "under weir exec it does not pay twice" takes 1900 "$weir" exec --socket "$scratch/socket" --

passes() {
    WEIR_SOCKET=$scratch/nowhere "$WEIR_EXAMPLE_DIR/checkpoint" store/saved >said &&
        [ "$(grep -c 'no controller' said)" -eq 3 ]
}
it "without a controller it runs all the same" passes

finish
