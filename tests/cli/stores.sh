#!/bin/bash
# Stores, limits and the controller's configuration in simulations; what is wrong about them in a line.
. "$(dirname "$0")/common.sh"

cat >serve.yaml <<'END'
platform: {nodes: 8, bandwidth: 10 B/s}
policy: fcfs
socket: /run/weir.sock
journal: /var/log/weir.jsonl
stores:
  - /one
  - {path: /two, bandwidth: 5 B/s}
limits: [{user: no-such-user, bandwidth: 2 B/s}, {name: many, ops: 100}]
soft_release: 0
END
cat >workload.yaml <<'END'
applications:
  - {name: a, count: 2, nodes: 1, phases: [{work: 4}, {write: 20}, {read: 10, store: /two}]}
  - {name: b, nodes: 1, user: no-such-user, io: 20, store: /two}
END

# b moves at its user's 2 of the 5 on /two until 10. a.1 comes there at 6 and has 3: 6 + 10 / 3. a.2 comes at
# 8, has 3 from then on, so 2 until 10, and 5 for the other 8: 11.6.
configured() {
    exits 0 simulate --config ../serve.yaml ../workload.yaml --csv --per-app --check &&
        awk -F, '$2 == "fcfs" && $3 == "a.1" && int($5 * 1e6) == 9333333 { n++ } $3 == "a.2" && $5 == 11.6 { n++ }
                 $3 == "b" && $5 == 10 { n++ } END { exit n != 3 }' out || { cat out; return 1; }
}
it "a configuration is simulated with its strategy, stores and limits" configured
told() { exits 0 simulate --config ../serve.yaml ../workload.yaml && grep -qx 'weir: ../serve.yaml: not simulated: limits of ops, max_wait (30 s)' err; }
it "what is left out is said in one line" told
other() { exits 0 simulate --config ../serve.yaml ../workload.yaml --policy fair-share --csv && ! grep -q fcfs out; }
it "--policy replaces the strategy of the configuration" other
per_store() { exits 0 simulate --config ../serve.yaml ../workload.yaml --per-store && grep -q '^/two ' out; }
it "stores have measures of their own" per_store
json() { exits 0 simulate --config ../serve.yaml ../workload.yaml --json && python3 -c '
import json; run = json.load(open("out"))["runs"][0]
assert [s["name"] for s in run["stores"]] == ["/one", "/two"], run["stores"]
assert run["stores"][0]["bytes"] == 40 and run["stores"][1]["bytes"] == 40'; }
it "and JSON has them" json
bounds() { exits 0 simulate --config ../serve.yaml ../workload.yaml --bounds --csv --metrics makespan && awk -F, '/bound/ { exit !($NF <= 11.6 && $NF >= 10) }' out; }
it "bounds are those of all stores" bounds

printf 'platform: {bandwidth: 10}\nstores: [/a]\napplications: [{nodes: 1, io: 1, store: /b}]\n' >unknown.yaml
it "an unknown store is refused" refuses "unknown store '/b', expected one such as '/a'" simulate ../unknown.yaml
printf 'platform: {bandwidth: 10}\napplications: [{nodes: 1, io: 1, store: /b}]\n' >none.yaml
it "a store without a list of stores is refused" refuses "unknown store '/b': there is no list of stores" simulate ../none.yaml
printf 'platform: {bandwidth: 10}\nstores: [/a, /b]\napplications: [{nodes: 1, phases: [{io: 1, store: [/a, /b]}]}]\n' >two.yaml
it "an I/O on two stores is refused" refuses 'two.yaml:3: an I/O goes to one store' simulate ../two.yaml
printf 'platform: {bandwidth: 10}\napplications: [{nodes: 1, phases: [{read: 1, write: 1}]}]\n' >both.yaml
it "a phase that reads and writes is refused" refuses 'a phase has only one of io, read and write' simulate ../both.yaml
printf 'stores: [{path: /a, bandwidth: 1, policy: nonsense}, {path: /b, bandwidth: 1}]\napplications: [{nodes: 1, io: 1}]\n' >strategy.yaml
it "an unknown strategy of a store is refused" refuses "store '/a': unknown" simulate ../strategy.yaml
it "a configuration with applications is refused with a hint" \
    refuses 'weir simulate --config CONFIGURATION FILE' serve --config ../unknown.yaml
plan() { exits 2 simulate --config ../serve.yaml ../workload.yaml --policy plan && grep -q 'expected a single store' err; }
it "a plan for several stores is refused" plan
printf 'stores: [{path: /a, read: 1}]\napplications: [{nodes: 1, io: 1}]\n' >half.yaml
it "half of a split store is refused" refuses "both, 'read' and 'write'" simulate ../half.yaml

finish
