#!/bin/bash
# Control asks a store for nothing that the program does not ask for, and costs a call that waits no
# system call but its waits. The store is a FUSE file system that counts its requests (pacer.c).
. "$(dirname "$0")/common_fuse.sh"

mount_store 1e9 store count
"$weir" serve --socket "$scratch/socket" --bandwidth 10MB/s --store "$scratch/store" 2>serve.log &
server=$!
trap 'kill $server; leave_store; wait' EXIT
soon answers "$scratch/socket"
controlled() { timeout -k 5 60 "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"; }

# --- requests -----------------------------------------------------------------------------------
# A program's name is that of its file, so both runs look up names of the same length.
requests() { # COMMAND...: how many there are while it runs
    local before
    before=$(cat count)
    "$@" 2>/dev/null || return
    echo $(($(cat count) - before))
}
name=program
same() { # COMMAND...: in which FILE is a file on the store
    local plain paced
    plain=$(requests "${@//FILE/store/a}") && paced=$(requests controlled "${@//FILE/store/b}") || return
    echo "$plain requests without control, $paced with it"
    [ "$plain" -gt 0 ] && [ "$plain" -eq "$paced" ]
}
# The controller looks at its stores once, soon after the first program.
settled() {
    local before
    before=$(cat count)
    controlled sleep 0.6
    [ "$(cat count)" = "$before" ]
}
controlled true
soon settled
it "200 writes of 100 kB ask for nothing else" same dd if=/dev/zero of=FILE bs=100000 count=200
it "200 reads of 100 kB ask for nothing else" same dd if=FILE of=/dev/null bs=100000
it "small reads ask for nothing else" same dd if=FILE of=/dev/null bs=10000 count=200
it "writes in several files ask for nothing else" same sh -c '
    for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=FILE$i bs=50000 count=4; done'
it "streams ask for nothing else" same sed -n 3p FILE
it "copies ask for nothing else" same dd if=FILE of=FILE.copy bs=1M count=2

# --- system calls -------------------------------------------------------------------------------
# Between the 50th and the 250th write, each of which waits: what is neither a write, nor dd's read,
# nor a wait.
strange() {
    awk '{ sub(/^[0-9]+ +/, ""); sub(/\(.*/, "") }
         /^write$/ { writes++ }
         /^futex$/ { waits += writes >= 50 && writes < 250 }
         writes >= 50 && writes < 250 && !/^(write|read|futex)$/ { others[$0]++; sum++ }
         END { for (name in others) print others[name], name
               print waits + 0, "waits,", sum + 0, "others"
               exit !(writes >= 300 && waits >= 100 && sum <= 40) }' trace
}
only_waits() {
    controlled strace -f -o trace dd if=/dev/zero of=store/c bs=50000 count=300 2>/dev/null && strange
}
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
    it "a write that waits makes no system call but its waits" only_waits
else
    echo "# no strace: skipped"
fi
finish
