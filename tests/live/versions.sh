#!/bin/bash
# Programs keep the library that they were started with: those of earlier versions are served, and
# those that cannot be are refused in words that they, and people, can read.
. "$(dirname "$0")/../cli/common.sh"

daemons=
stop_all() {
    local pid
    for pid in $daemons; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
}
trap 'stop_all; rm -rf "$scratch"' EXIT
mkdir store
start_controller() {
    "$weir" serve --bandwidth 20MB/s --store "$scratch/store" --socket "$scratch/s" 2>log &
    controller=$!
    daemons="$daemons $controller"
    soon test -S s
}
start_controller

# --- programs of earlier versions -----------------------------------------------------------------
# preload COMMIT: builds its library as old.so, without its own build system, which needs more.
preload() {
    rm -rf old
    mkdir old
    git -C "$root" archive "$1" src include | tar -x -C old
    (
        cd old || exit
        {
            echo "{ global: weir_client_*; weir_io_*; MPI_*; mpi_*_;"
            sed -n 's/^    X([^,]*, \([A-Za-z0-9_]*\).*/\1;/p' src/preload/hooks.h
            echo "local: *; };"
        } >map
        "${CC:-cc}" -std=gnu17 -O1 -fPIC -shared -D_GNU_SOURCE -U_FORTIFY_SOURCE -D__NO_INLINE__=1 \
            -ffp-contract=off -Isrc -Iinclude -o ../old.so src/wire/*.c src/client/*.c \
            src/preload/*.c -Wl,--version-script=map -Wl,-z,now -lm -ldl -lpthread
    )
}
now() { echo "${EPOCHREALTIME/./}"; } # microseconds

# controlled MEGABYTES: at 20 MB/s they take a second.
controlled() {
    local start took
    rm -f store/*
    start=$(now)
    "$weir" exec --socket "$scratch/s" --name old -- env LD_PRELOAD="$scratch/old.so" \
        dd if=/dev/zero of=store/a bs=1M count=$1 status=none || return
    took=$(($(now) - start))
    echo "took $took us"
    "$weir" status --finished --json --socket "$scratch/s" >finished
    grep '"moved"' finished
    [ $took -gt 800000 ] && grep -q "\"moved\": $(($1 << 20))" finished
}
# The last commits with their versions of messages and pages: 3 and 3; 4 and 3.
megabytes=20
for commit in 7a4b82830fd5 8ea9f4e2d4a8; do
    if git -C "$root" cat-file -e "$commit:src/preload/hooks.h" 2>/dev/null; then
        it "builds the library of $commit" preload $commit
        it "controls a program with it" controlled $((megabytes++))
    else
        echo "# $commit is not in this history; tests/wire has messages recorded from it"
    fi
done

# --- programs that cannot be served ---------------------------------------------------------------
python3 - "$scratch/s" >answer <<'PYTHON'
import socket, struct, sys
peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
peer.connect(sys.argv[1])
peer.send(struct.pack("<IHH", 0x72696577, 1, 0) + bytes(64)) # ATTACH of version 1
answer = peer.recv(4096)
magic, version, kind = struct.unpack("<IHH", answer[:8])
print(version, kind, answer[8:].split(b"\0")[0].decode())
PYTHON
it "answers a program that is too old in its own version" \
    grep -q "^1 6 the program is too old" answer
it "logs it" soon grep -q "process .* of user .* runs without control: the program is too old" log
it "counts it" eval '"$weir" status --json --socket s | grep -q "\"refused\": 1"'
it "shows it" eval '"$weir" status --socket s | grep -q ", 1 refused,"'

# --- control is lost ------------------------------------------------------------------------------
"$weir" exec --socket "$scratch/s" -- sh -c 'touch began; while [ ! -e end ]; do sleep 0.1; done' 2>err &
job=$!
soon test -e began
kill $controller
wait $controller
touch end
wait $job
it "says at the end of a program that control was lost" grep -q "exec: control was lost for the last" err
finish
