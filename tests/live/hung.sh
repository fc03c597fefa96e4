#!/bin/bash
# A store that hangs holds up nobody who does not use it. It is a FUSE file system (pacer.c) whose
# process is stopped.
. "$(dirname "$0")/common_fuse.sh"

mkdir -p backing/one/two store
ln -s mounted/one/two link
mkfifo go
mount_store 1e9 mounted
"$weir" serve --socket "$scratch/socket" --bandwidth 1GB/s --store "$scratch/mounted/one" \
    --store "$scratch/link" --store "$scratch/store" --journal "$scratch/journal" 2>serve.log &
server=$!
trap 'kill $server; leave_store; wait' EXIT
soon answers "$scratch/socket"
"$weir" ctl --socket "$scratch/socket" set ops 1000 --application other >/dev/null

# Nothing here takes a second. What touches the store never ends.
controlled() { timeout -k 5 30 "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"; }
writes() { dd if=/dev/zero of="$1" bs=1000 count="$2" status=none; }
export -f writes
name=job
controlled bash -c 'writes mounted/one/a 1; echo begun; read -r <go; writes store/b 100; /bin/true;
    perl -e 1; exec /bin/echo ended' >job.out 2>&1 &
job=$!
it "a job has begun" soon grep begun job.out

kill -STOP $store_pid
name=other
it "a program starts while a store hangs" controlled true
it "one that looks at files elsewhere under a limit of operations does" controlled \
    sh -c 'ls ./store .. >/dev/null'
it "one that writes to another store does" controlled bash -c 'writes store/c 100'
timeout 30 sh -c 'echo >go'
goes_on() { wait $job; code=$?; cat job.out; [ $code -eq 0 ] && grep ended job.out; }
it "a job that runs already starts further programs" goes_on

kill -CONT $store_pid
# moved NAME BYTES: its account says so.
moved() {
    grep "\"event\":\"done\"" journal | grep "\"name\":\"$1\"" | grep "\"moved\":$2[,}]"
}
it "what it wrote to the other store is counted" soon moved job 101000
name=through
it "once the store goes on, a program uses it" controlled bash -c 'writes link/d 50; writes mounted/one/e 50'
it "its bytes count by all its names" soon moved through 100000
finish
