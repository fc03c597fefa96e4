#!/bin/bash
# A store that hangs holds up neither the controller nor an agent, whatever they have there. It is a
# FUSE file system (tests/live/pacer.c) whose process is stopped.
. "$(dirname "$0")/common_agents.sh"
pacer=${WEIR_BUILD_DIR:?the build directory}/pacer
[ -x "$pacer" ] || skip "the pacer was not built (libfuse3-dev is missing)"
[ -w /dev/fuse ] || skip "/dev/fuse cannot be opened (run as root, with the fuse module)"
command -v fusermount3 >/dev/null || skip "fusermount3 is missing (package fuse3)"
start_munged || skip "munged does not start here"

mkdir backing mounted
"$pacer" 1e9 backing mounted 2>pacer.log &
pacer=$!
trap 'kill -CONT $pacer; fusermount3 -u -z "$scratch/mounted"; cluster_stop; rm -rf "$scratch"' EXIT
soon mountpoint -q mounted || skip "the store could not be mounted: $(cat pacer.log)"
cat >cluster.yaml <<YAML
platform: {bandwidth: 1 GB/s}
stores: [$scratch/mounted, $scratch/store]
cluster: {lease: 1 s, munge_socket: $scratch/munge.sock}
YAML

# What touches the store never ends; all else takes less than a second on a quiet machine.
at_once() { timeout -k 1 15 "$@"; }
ends() { kill "$1" && within 15 eval "! kill -0 $1 2>/dev/null"; }
asks() { at_once "$weir" "$1" --socket "$scratch/$2.sock" "${@:3}"; }

# --- what hangs at the start ----------------------------------------------------------------------
kill -STOP $pacer
it "a controller starts while a store hangs" start_controller
it "it tells which" grep -q "store '$scratch/mounted' does not answer" head.log
start_agent n1
it "an agent serves such stores" soon is_connected n1
it "the controller answers" asks status head
it "the agent answers" asks status n1
kill -HUP $head
it "the controller reads its configuration again" soon grep -q "reloaded" head.log
it "goes on after that" asks ctl head set limit 10MB/s --application a
it "an agent ends while a store hangs" ends "$(cat n1.pid)"
it "a controller ends while a store hangs" ends $head
kill -CONT $pacer

# --- what hangs later -----------------------------------------------------------------------------
start_controller --state "$scratch/mounted/state"
start_agent n2
soon is_connected n2
# A program with an open file there, at which the agent looks now and then.
"$weir" exec --socket "$scratch/n2.sock" --name holder -- \
    bash -c 'exec 5>mounted/held; echo begun >begun; exec sleep 60' &
holder=$!
soon test -s begun
it "the agent has seen the program" soon eval 'asks status n2 | grep -q holder'
kill -STOP $pacer
for i in 1 2 3; do
    it "a setting that cannot be saved is told at once ($i)" eval \
        '! asks ctl head set limit ${i}0MB/s --application a 2>err && grep -q "is saved as soon as" err'
done
it "it holds" eval 'asks ctl head show | grep -q "^limit .*30 MB/s"'
it "the controller answers then" asks status head
it "the agent answers then" asks status n2
kill -CONT $pacer
it "the last one is saved when the store answers" soon grep -q "^limit 30000000 application a" mounted/state
kill -STOP $pacer
it "an agent with a program there ends" ends "$(cat n2.pid)"
it "the controller ends" ends $head
kill -CONT $pacer
kill $holder 2>/dev/null
wait $holder 2>/dev/null

# --- the journal ----------------------------------------------------------------------------------
start_controller --journal "$scratch/mounted/journal"
kill -STOP $pacer
kill -HUP $head
it "a journal that hangs is told" soon grep -q "the journal .* does not answer" head.log
it "the controller goes on" asks status head
kill -CONT $pacer
it "ends when the store answers" ends $head
finish
