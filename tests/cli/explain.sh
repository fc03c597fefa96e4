#!/bin/bash
# Why a strategy did what it did.
. "$(dirname "$0")/common.sh"
quick=$root/examples/quickstart.yaml

# At 320 s the I/Os of combustion.1 and analysis need 20 and 10 s alone, that of combustion.2 28.3 s: they
# share 2 GB/s in this order, and nothing is left for climate.
orders_by_its_key() {
    exits 0 explain "$quick" --policy greedy-com --at 320s --json && jq -e '
        .at == 320 and .granted == 2e9 and (.list | length) == 4 and
        ([.list[] | {name, granted}] == [{"name": "combustion.1", "granted": 960000000},
            {"name": "analysis", "granted": 640000000}, {"name": "combustion.2", "granted": 400000000},
            {"name": "climate", "granted": 0}]) and
        .list[0].key == 20 and .list[1].key == 10 and .list[3].key == 59.2' out
}
keeps_what_is_in_force() { # nothing is decided at 325 s
    exits 0 explain "$quick" --policy greedy-com --at 325s --json && jq -e '.at == 320 and .next == 330' out
}
finds_the_hardest() {
    exits 0 explain "$quick" --policy surplus --json &&
        jq -e '(.list | length) == 4 and .list[0].key == null' out
}
writes_every_decision() {
    exits 0 explain "$quick" --policy fcfs -o "$scratch/all.jsonl" --json &&
        [ "$(jq .decisions out)" = "$(wc -l <all.jsonl)" ] &&
        jq -es 'all(([.active[].granted] | add) <= .bandwidth * (1 + 1e-9)) and length > 50' all.jsonl
}
if command -v jq >/dev/null; then
    it "shows the order, the keys and the grants of a decision" orders_by_its_key
    it "shows the decision in force when nothing is decided" keeps_what_is_in_force
    it "shows the decision with most I/Os unless it is told a time" finds_the_hardest
    it "writes every decision as a line of JSON, none above the bandwidth" writes_every_decision
fi
it "says when nothing was decided" refuses "nothing was decided up to then" explain "$quick" --at 1s
finish
