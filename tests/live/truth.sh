#!/bin/bash
# Three programs of known demand on a store of 50 MB/s measure themselves how much longer their I/O takes
# than alone. The same follows from the controller's journal, and from a trace of each program.
. "$(dirname "$0")/../cli/common.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"

mkdir store
"$weir" serve --socket "$scratch/socket" --bandwidth 50MB/s --policy fair-share --store "$scratch/store" \
    --journal journal 2>serve.log &
server=$!
trap 'kill $server; wait; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# NAME TIMES SECONDS MEGABYTES: so many I/Os after work; prints what was lost, and writes a trace.
cat >writer.py <<'PYTHON'
import os, sys, time
name, times, work, megabytes = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
block, trace, lost = bytes(500000), [], 0.0
begin, epoch = time.monotonic(), time.time()
file = os.open("store/" + name, os.O_WRONLY | os.O_CREAT)
for _ in range(times):
    time.sleep(work)
    start = time.monotonic()
    for _ in range(2 * megabytes):
        before = time.monotonic()
        os.write(file, block)
        trace.append((before - begin, time.monotonic() - begin))
    lost += time.monotonic() - start - megabytes * 1e6 / 50e6
with open(name + ".log", "w") as out:
    out.write("# exe: /bin/%s\n# uid: 1\n# jobid: %d\n# start_time: %.6f\n# nprocs: 1\n# run time: %.6f\n"
              % (name, os.getpid(), epoch, time.monotonic() - begin))
    for start, end in trace:
        out.write(" X_POSIX 0 write 0 0 %d %.6f %.6f\n" % (len(block), start, end))
print(lost)
PYTHON
run() { timeout -k 5 100 "$weir" exec --socket "$scratch/socket" --name "$1" -- python3 writer.py "$@" >"$1.lost"; }
run a 8 0.5 20 &
a=$!
run b 5 0.9 35 &
b=$!
run c 12 0.25 12 &
wait $a $b $!
truth=$(cat a.lost b.lost c.lost | awk '{ sum += $1 } END { print sum }')
left() { [ "$(grep -c '"event":"leave"' journal)" -eq 3 ]; }
it "all have run" soon left

lost() { "$weir" blame "$@" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["lost"])'; }
near() {
    echo "$1 s, truth $truth s"
    awk -v found="$1" -v truth="$truth" 'BEGIN { exit !(truth > 5 && found > 0.95 * truth && found < 1.05 * truth) }'
}
by_journal() { near "$(lost --journal journal)"; }
it "blame finds from the journal what was lost, within 5 %" by_journal
by_traces() { "$weir" import darshan a.log b.log c.log $1 -o traces.yaml && near "$(lost traces.yaml)"; }
it "and from traces, if the bandwidth is given" by_traces "--bandwidth 50MB/s"
it "and if it is not" by_traces
fit() { "$weir" fit "$@" && "$weir" fit "$@" --json 2>/dev/null | grep -E '"median": 0(\.0[0-9]*)?,' | head -n 1 | grep .; }
it "the model explains the traces" fit a.log b.log c.log --bandwidth 50MB/s
it "the model explains the journal" fit journal
finish
