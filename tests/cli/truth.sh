#!/bin/bash
# Logs of applications whose truth is known: what they lost to each other follows from the logs alone.
. "$(dirname "$0")/common.sh"
type python3 >/dev/null || skip "needs python3"

# Draws scenarios by a seed: programs with bandwidths of their own and random phases.
cat >draw.py <<'PYTHON'
import random, sys
seed = int(sys.argv[1])
random.seed(seed)
print("platform: {bandwidth: 1 GB/s}\napplications:")
for i in range(random.randint(3, 7)):
    own = random.choice([0.2, 0.35, 0.5, 0.8, 1.0])
    phases = ", ".join("{work: %.3f, io: %.0f}" % (random.uniform(2, 30), 1e9 * random.uniform(0.5, 8))
                       for _ in range(random.randint(8, 25)))
    print("  - {name: p%d, nodes: 1, bandwidth: %.0f, release: %d, phases: [%s]}"
          % (i, own * 1e9, random.randint(0, 60), phases))
PYTHON
# Turns what the simulator says of every I/O into the text of a trace: a log per application.
cat >log.py <<'PYTHON'
import json, sys, collections
names, accesses, ends = {}, collections.defaultdict(list), collections.defaultdict(float)
for event in json.load(open(sys.argv[1]))["traceEvents"]:
    if event.get("ph") == "M" and event["name"] == "thread_name":
        names[event["pid"], event["tid"]] = event["args"]["name"]
    if event.get("ph") == "X":
        app, start, end = (event["pid"], event["tid"]), event["ts"] / 1e6, (event["ts"] + event["dur"]) / 1e6
        ends[app] = max(ends[app], end)
        accesses[app].append((start, end, event["name"], event.get("args", {})))
for app, name in names.items():
    if app not in accesses:
        continue
    release = min(a[0] for a in accesses[app])
    with open(name + ".txt", "w") as out:
        out.write("# darshan log version: 3.41\n# exe: /bin/%s\n# uid: 1\n# jobid: %d\n# start_time: %.6f\n"
                  "# nprocs: 1\n# run time: %.6f\n" % (name, app[1] + 1, 1.7e9 + release, ends[app] - release))
        for start, end, kind, args in accesses[app]:
            if kind == "io":
                out.write(" X_POSIX 0 write 0 0 %.0f %.6f %.6f\n"
                          % (args["bandwidth"] * (end - start), start - release, end - release))
PYTHON
lost() { "$weir" blame "$@" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["lost"])'; }
near() { awk -v a="$1" -v b="$2" -v part="$3" 'BEGIN { exit !(a >= b * (1 - part) && a <= b * (1 + part)) }'; }
# truth SEED: imports with the bandwidth, and compares what is lost; finds the bandwidth without.
truth() {
    local true found
    rm -f p*.txt
    python3 draw.py "$1" >truth.yaml &&
        "$weir" simulate truth.yaml --policy fair-share --trace trace.json >/dev/null && python3 log.py trace.json || return
    true=$(lost truth.yaml)
    "$weir" import darshan p*.txt --bandwidth 1GB/s -o work/found.yaml 2>notes || { cat notes; return 1; }
    echo "seed $1: $(lost work/found.yaml) s, truth $true s"
    near "$(lost work/found.yaml)" "$true" 0.05 || { cat notes; return 1; }
    found=$("$weir" import darshan p*.txt 2>&1 | sed -n 's/^platform: {bandwidth: \([0-9.]*\)}$/\1/p')
    echo "bandwidth $found" && near "$found" 1e9 0.05
}
for seed in 1 2 3 4 5 6 7 8; do
    it "finds what was lost to within 5 %, seed $seed" truth $seed
done
fits() {
    "$weir" fit p*.txt --json 2>/dev/null | python3 -c '
import json, sys
fit = json.load(sys.stdin)
print(fit)
sys.exit(not (fit["error"]["p90"] < 0.05 and 0.95e9 < fit["best_bandwidth"] < 1.05e9))'
}
it "explains such logs by its model" fits

job() {
    printf '# exe: /x/%s\n# uid: 7\n# jobid: %s\n# start_time: %s\n# nprocs: 1\n# run time: 100\n X_POSIX 0 write 0 0 10000000000 %s %s\n' "$@"
}
job a 1 1600000000 30 50 >a.log
job b 2 1600000010 20 40 >b.log
shared() {
    "$weir" import darshan a.log b.log $1 -o work/two.yaml 2>notes &&
        grep -q '^weir: warning: what 2 of 2 applications can do alone is not in the logs' notes &&
        near "$(lost work/two.yaml)" 20 1e-9
}
it "two jobs that shared 1 GB/s for 20 s lost 20 s" shared
it "and if the bandwidth is given" shared "--bandwidth 1GB/s"
counters() { # of all I/O, without when
    local text=
    for name in a b; do
        text="# exe: /x/$name\n# jobid: 1\n# start_time: 1600000000\n# nprocs: 1\n# run time: 20\n"
        for counter in "BYTES_READ 0" "BYTES_WRITTEN 10000000000" "F_READ_TIME 0" "F_WRITE_TIME 20" "F_SLOWEST_RANK_TIME 20"; do
            text="${text}POSIX\t-1\t1\tPOSIX_${counter/ /\\t}\t/a\t/\tlustre\n"
        done
        printf '%b' "$text" >$name.counters
    done
    "$weir" import darshan a.counters b.counters -o work/two.yaml 2>notes && near "$(lost work/two.yaml)" 20 1e-9
}
it "and if only counters are known" counters
finish
