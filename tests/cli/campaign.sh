#!/bin/bash
# Campaigns: what is stored is the same however they are run, killed and continued.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/common_campaign.sh"
example=$root/examples/campaign/bandwidth.yaml

cat >small.yaml <<'YAML'
families: [{name: general, noise: [0, 0.1]}]
seeds: 100
strategies: [fcfs, fair-share, floor]
YAML

campaign() { "$weir" campaign "$@" >printed 2>&1 || { cat printed; return 1; }; }

# --- what a campaign stores ----------------------------------------------------------------------
stores_every_run() {
    campaign "$example" --db example.sqlite --jobs 1 && [ "$(count example.sqlite)" = 180 ] &&
        [ "$(count example.sqlite "error IS NULL AND family = 'general' AND seed = 7")" = 9 ] &&
        grep -qx 'bandwidth: 180 runs stored in example.sqlite' printed
}
it "stores every run of the example" stores_every_run
same_with_four() { campaign "$example" --db four.sqlite --jobs 4 && same example.sqlite four.sqlite; }
it "stores the same with one worker and with four" same_with_four
ends_as_one_file() { [ "$(echo example.sqlite*)" = example.sqlite ]; }
it "leaves one file" ends_as_one_file
does_nothing_twice() {
    campaign "$example" --db example.sqlite &&
        grep -qx 'bandwidth: 0 runs stored in example.sqlite, 180 there before' printed
}
it "does nothing twice" does_nothing_twice

# The measures of a run are those of simulate: the scenario as it is, and with twice the bandwidth.
agrees_with_simulate() {
    local rate
    for rate in 1x:"$1" 2x:"$2"; do
        "$weir" query example.sqlite --csv "SELECT min_yield, mean_yield, efficiency FROM run
            WHERE scenario = 'noisy' AND seed = 3 AND parameters ->> 'bandwidth' = '${rate%:*}'
            ORDER BY strategy" | sed 1d >stored
        "$weir" simulate "$root/examples/noisy.yaml" --seed 3 --policy fair-share --policy fcfs \
            --policy floor --bandwidth "${rate#*:}" --csv --metrics min_yield,mean_yield,efficiency |
            sed 1d | cut -d, -f3- >simulated
        [ -s stored ] && diff stored simulated || return
    done
}
bandwidth=$("$weir" simulate "$root/examples/noisy.yaml" --policy fcfs --json |
    sed -n 's/.*"bandwidth": \([0-9.e+]*\).*/\1/p' | head -n 1)
it "agrees with simulate" agrees_with_simulate "$bandwidth" "$(awk "BEGIN { print 2 * $bandwidth }")"

# What strategies know is swept like the rest, and agrees with simulate.
sweeps_knowledge() {
    local known
    cat >knows.yaml <<YAML
scenarios: [$root/examples/noisy.yaml]
sweep: {knowledge: [exact, 30%, mean], progress_age: [0 s, 1 min]}
seeds: [3]
strategies: [critical-yield, fcfs]
YAML
    campaign knows.yaml --db knows.sqlite && [ "$(count knows.sqlite)" = 12 ] || return
    for known in exact 30% mean; do
        "$weir" query knows.sqlite --csv "SELECT min_yield, efficiency FROM run
            WHERE parameters ->> 'knowledge' = '$known' AND parameters ->> 'progress_age' = '1 min'
            ORDER BY strategy" | sed 1d >stored
        "$weir" simulate "$root/examples/noisy.yaml" --seed 3 --policy critical-yield --policy fcfs \
            --knowledge $known --progress-age 1min --csv --metrics min_yield,efficiency |
            sed 1d | cut -d, -f3- >simulated
        [ -s stored ] && diff stored simulated || return
    done
    [ "$("$weir" query knows.sqlite --csv "SELECT count(DISTINCT min_yield) FROM run
        WHERE strategy = 'critical-yield'" | sed 1d)" -ge 3 ]
}
it "sweeps what strategies know" sweeps_knowledge

stores_failures() {
    cat >fails.yaml <<'YAML'
scenarios: [shared.yaml]
strategies: [fcfs, plan]
YAML
    cp "$root/examples/user-fair.yaml" shared.yaml
    campaign fails.yaml --db fails.sqlite && grep -q 'warning: 1 of 2 runs failed' printed &&
        [ "$(count fails.sqlite "strategy = 'plan' AND error LIKE '%plan%' AND min_yield IS NULL AND hash IS NOT NULL")" = 1 ] &&
        [ "$(count fails.sqlite "strategy = 'fcfs' AND error IS NULL")" = 1 ] &&
        campaign fails.yaml --db fails.sqlite && grep -q '^fails: 0 runs' printed &&
        grep -q 'warning: 1 of 2 runs failed; see: weir query fails.sqlite "SELECT' printed &&
        "$weir" campaign fails.yaml --db fails.sqlite --dry-run | grep -qx '0 runs to do' &&
        "$weir" campaign fails.yaml --db fails.sqlite --dry-run --retry | grep -qx '1 run to do' &&
        campaign fails.yaml --db fails.sqlite --retry && grep -q '^fails: 1 run ' printed
}
it "stores a run that fails with its error, and tries it again when asked to" stores_failures

# A retry replaces rows one by one: what it does not reach stays.
retries_a_shard() {
    cat >shards.yaml <<'YAML'
scenarios: [shared.yaml]
platforms: [a, b, c, d, e, f]
strategies: [fcfs, plan]
YAML
    campaign shards.yaml --db shards.sqlite && [ "$(count shards.sqlite)" = 12 ] &&
        campaign shards.yaml --db shards.sqlite --retry --shard 2/3 &&
        grep -qx 'shards: 2 runs stored in shards.sqlite, 2 there before' printed &&
        [ "$(count shards.sqlite)" = 12 ] && [ "$(count shards.sqlite "error IS NOT NULL")" = 6 ]
}
it "keeps what a retry does not reach" retries_a_shard
takes_a_short_range() {
    printf 'families: [{name: jupiter, set: 1..1}]\nstrategies: fcfs\n' >short.yaml
    campaign short.yaml --db short.sqlite && [ "$(count short.sqlite)" = 1 ]
}
it "takes a range of one" takes_a_short_range
warns_of_files() {
    sed '/^platform/,/^app/s/^  nodes: [0-9]*/  nodes: 300/' "$root/examples/quickstart.yaml" >tight.yaml
    printf 'scenarios: [tight.yaml]\nstrategies: fcfs\n' >warns.yaml
    campaign warns.yaml --db warns.sqlite && grep -q 'warning: .*: the applications use' printed
}
it "warns of a scenario file" warns_of_files

fails_if_all_do() {
    printf 'scenarios: [shared.yaml]\nplatforms: [a, b]\nstrategies: plan\n' >all.yaml
    local status=0
    "$weir" campaign all.yaml --db "it's.sqlite" >printed 2>&1 || status=$?
    cat printed
    [ "$status" -eq 1 ] && grep -q '^all: 2 runs stored' printed &&
        grep -qF "weir: all runs failed; see: weir query 'it'\\''s.sqlite' \"SELECT" printed
}
it "fails if all runs do" fails_if_all_do

# Five seeds of a scenario without noise would be five equal rows. Knowledge within 30 % is drawn, and a
# sweep can bring noise, or take it away.
runs_once() {
    cat >fixed.yaml <<YAML
scenarios: [$root/examples/quickstart.yaml, $root/examples/noisy.yaml]
sweep: {knowledge: [exact, 30%]}
seeds: 5
strategies: [fair-share, fcfs]
YAML
    campaign fixed.yaml --db fixed.sqlite && cat printed &&
        grep -qx 'weir: note: 1 workload without randomness runs once, not with each of 5 seeds' printed &&
        grep -q '^fixed: 32 runs stored' printed && [ "$(count fixed.sqlite "scenario = 'quickstart'")" = 12 ] &&
        [ "$(count fixed.sqlite "seed = 1")" = 8 ] &&
        campaign fixed.yaml --db fixed.sqlite && grep -q '^fixed: 0 runs .* 32 there before' printed &&
        "$weir" campaign fixed.yaml --dry-run >printed && grep -q '^fixed: 32 runs' printed &&
        grep -q '^1 workload without randomness' printed && grep -qx '32 runs to do' printed &&
        "$weir" recommend fixed.sqlite --json >advice && [ "$(grep -c '"runs": 5' advice)" = 6 ] &&
        [ "$(grep -c '"runs": 1' advice)" = 2 ]
}
it "runs once what has no randomness, and says so" runs_once
sweeps_noise() {
    cat >noise.yaml <<YAML
scenarios: [$root/examples/quickstart.yaml]
sweep: {"applications.*.noise.work": [0, 10 %]}
seeds: 5
strategies: [fcfs]
YAML
    campaign noise.yaml --db noise.sqlite && grep -q '^noise: 6 runs' printed
}
it "runs every seed where a sweep brings noise" sweeps_noise

# A plug-in is found beside the campaign too, and is known by what it is, not by its name.
notices_plugins() {
    local plugins=${weir%/*}/plugins
    mkdir -p plugged && cp "$root/examples/quickstart.yaml" plugged/s.yaml &&
        cp "$plugins/smallest_first.so" plugged/mine.so &&
        printf 'scenarios: [s.yaml]\nstrategies: [./mine.so, fcfs]\n' >plugged/c.yaml || return
    campaign plugged/c.yaml --db plugged.sqlite && grep -q '^c: 2 runs stored' printed &&
        [ "$(count plugged.sqlite "strategy = './mine.so' AND error IS NULL")" = 1 ] &&
        campaign plugged/c.yaml --db plugged.sqlite && grep -q '^c: 0 runs' printed || return
    printf ' ' >>plugged/mine.so
    campaign plugged/c.yaml --db plugged.sqlite && cat printed && grep -q '^c: 1 run stored' printed &&
        (cd plugged && campaign c.yaml --db ../plugged.sqlite && grep -q '^c: 0 runs' printed) &&
        exits 0 recommend "$scratch/plugged.sqlite" --now fcfs && cat out && grep -q '3 strategies' out
}
# A sanitizer's memory may be locked for ever in the process that runs a plug-in: another thread can have
# the lock when it is forked.
ldd "$weir" | grep -qE 'lib[at]san' || it "notices that a plug-in was built again" notices_plugins

# The file of a strategy is found beside the campaign, and another content is another run.
notices_plans() {
    mkdir -p planned && cp "$root/examples/quickstart.yaml" planned/s.yaml &&
        printf 'scenarios: [s.yaml]\nstrategies: ["plan:file=plan.json"]\n' >planned/c.yaml || return
    "$weir" plan planned/s.yaml -o planned/plan.json >/dev/null &&
        campaign planned/c.yaml --db planned.sqlite && [ "$(count planned.sqlite "error IS NULL")" = 1 ] &&
        campaign planned/c.yaml --db planned.sqlite && grep -q '^c: 0 runs' printed || return
    echo >>planned/plan.json
    campaign planned/c.yaml --db planned.sqlite && grep -q '^c: 1 run stored' printed || return
    run query "$scratch/planned.sqlite" --metrics min_yield
    cat out
    [ "$(grep -c '^s .* plan:file=plan.json *1 ' out)" = 2 ]
}
it "takes the files of strategies from beside the campaign, and notices that they change" notices_plans

plans_only() {
    run campaign "$example" --db "$scratch/none.sqlite" --dry-run
    [ "$code" -eq 0 ] && [ ! -e none.sqlite ] && grep -qx '180 runs to do' out &&
        run campaign "$example" --db "$scratch/example.sqlite" --dry-run && grep -qx '0 runs to do' out
}
it "counts without running" plans_only

# --- it survives being killed --------------------------------------------------------------------
# The kernel sees the process end at any moment; what it had stored is there, and the rest follows.
survives() {
    local start end span interrupted=0 stored all=600 i rounds=20
    start=$(date +%s%N)
    campaign small.yaml --db whole.sqlite --jobs 2 || return
    end=$(date +%s%N)
    span=$(((end - start) / 1000))
    [ "$span" -lt 2000000 ] || rounds=6 # under a sanitizer
    for i in $(seq $rounds); do
        rm -f killed.sqlite*
        "$weir" campaign small.yaml --db killed.sqlite --jobs 2 >/dev/null 2>&1 &
        sleep "$(awk "BEGIN { srand($RANDOM); print rand() * $span / 1e6 }")"
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        stored=$(count killed.sqlite 2>/dev/null) || stored=0
        [ "${stored:-0}" -ge "$all" ] || interrupted=$((interrupted + 1))
        campaign small.yaml --db killed.sqlite --jobs 2 || return
        same whole.sqlite killed.sqlite || { echo "differs after kill $i at $stored runs"; return 1; }
    done
    echo "$interrupted of $rounds were interrupted"
    [ "$interrupted" -ge $((rounds / 4)) ]
}
it "is the same after a kill at any of twenty moments" survives

# By Ctrl-C or a batch system it ends at once, in order: one plain file, and one line that says how to go on.
cat >long.yaml <<'YAML'
families: [{name: synthetic, applications: 60}]
seeds: 100000
strategies: [fcfs]
YAML
stops() { # SIGNAL STATUS WORD
    rm -f stopped.sqlite*
    set -m # else background processes ignore SIGINT
    "$weir" campaign long.yaml --db stopped.sqlite --jobs 2 >said 2>&1 &
    local other=$! status=0 stored
    set +m
    soon has_rows stopped.sqlite
    kill -s "$1" $other
    wait $other || status=$?
    cat said
    stored=$(count stopped.sqlite)
    [ "$status" = "$2" ] && [ "$(echo stopped.sqlite*)" = stopped.sqlite ] && [ "$stored" -gt 0 ] &&
        grep -qx "weir: $3: $stored of 100000 runs are stored in stopped.sqlite; the same command continues the campaign" said
}
it "stops in order when interrupted" stops INT 130 interrupted
it "stops in order when terminated" stops TERM 143 interrupted

# --- one writer ----------------------------------------------------------------------------------
tells_which_runs() {
    "$weir" campaign long.yaml --db busy.sqlite --jobs 1 >/dev/null 2>&1 &
    local other=$! status=1
    soon [ -s busy.sqlite.lock ]
    refuses "busy.sqlite is in use by process $other on $(hostname)" \
        campaign "$example" --db "$scratch/busy.sqlite" && status=0
    # By another name as well.
    ln -sf busy.sqlite link.sqlite && ln -sf link.sqlite far.sqlite
    refuses "far.sqlite is in use by process $other" campaign "$example" --db "$scratch/far.sqlite" || status=1
    # Others can read meanwhile.
    soon has_rows busy.sqlite || status=1
    kill -9 $other
    wait $other 2>/dev/null
    return $status
}
it "tells which process runs a campaign on the same database" tells_which_runs
# The lock and SQLite's journal go by name.
refuses_hard_links() {
    cp example.sqlite one.sqlite && ln one.sqlite two.sqlite || return
    refuses "two.sqlite is one of 2 hard links to the same file" \
        campaign "$example" --db "$scratch/two.sqlite" && [ "$(echo two.sqlite*)" = two.sqlite ] &&
        [ "$(count two.sqlite)" = 180 ] && rm one.sqlite && campaign "$example" --db two.sqlite
}
it "writes to no database with hard links" refuses_hard_links

# --- shards --------------------------------------------------------------------------------------
joins_shards() {
    local k
    for k in 1 2 3; do campaign "$example" --db "part-$k.sqlite" --shard $k/3 || return; done
    run merge "$scratch/joined.sqlite" "$scratch"/part-{1,2,3}.sqlite
    [ "$code" -eq 0 ] && grep -q ': 180 runs$' out && same example.sqlite joined.sqlite &&
        run merge "$scratch/joined.sqlite" "$scratch/part-1.sqlite" && same example.sqlite joined.sqlite
}
it "joins shards to the whole" joins_shards

# A task of the array, as Slurm would start it.
writes_script() {
    mkdir -p "a b" && cp small.yaml "a b/" || return
    "$weir" campaign "a b/small.yaml" --db "a b/it's.sqlite" --slurm-array 2 -o array.sh || return
    grep -qx '#SBATCH --array=1-2' array.sh || return
    (cd / && SLURM_ARRAY_TASK_ID=1 sh "$scratch/array.sh" && SLURM_ARRAY_TASK_ID=2 sh "$scratch/array.sh") &&
        eval "$(sed -n 's|^#     weir|"$weir"|p' array.sh)" && same whole.sqlite "a b/it's.sqlite"
}
it "writes a script whose tasks make shards" writes_script
passes_on() {
    "$weir" campaign small.yaml --db x.sqlite --slurm-array 2 --retry --jobs 3 | tail -n 1 >last
    grep -qF -- '--jobs 3 --retry' last
}
it "passes --jobs and --retry on to the tasks" passes_on
it "has no array of a shard" refuses "--slurm-array and --shard exclude each other" \
    campaign "$example" --db x --slurm-array 2 --shard 1/2
it "has no array of nothing" refuses "--slurm-array and --dry-run exclude each other" \
    campaign "$example" --db x --slurm-array 2 --dry-run
it "has no array of standard input" refuses "--slurm-array: expected a campaign file" \
    campaign - --db x --slurm-array 2

# What cannot be merged is named, and nothing new is left.
merges_all_or_nothing() {
    cp example.sqlite torn.sqlite &&
        dd if=/dev/zero of=torn.sqlite bs=4096 seek=4 count=6 conv=notrunc status=none || return
    refuses "gone.sqlite: No such file" merge "$scratch/fresh.sqlite" "$scratch/part-1.sqlite" \
        "$scratch/gone.sqlite" && [ ! -e fresh.sqlite ] &&
        refuses_with 1 "torn.sqlite: damaged" merge "$scratch/fresh.sqlite" "$scratch/part-1.sqlite" \
            "$scratch/torn.sqlite" && [ ! -e fresh.sqlite ] &&
        refuses_with 1 "torn.sqlite: damaged" merge "$scratch/joined.sqlite" "$scratch/torn.sqlite" &&
        same example.sqlite joined.sqlite
}
it "names a shard that cannot be merged, and leaves no new database" merges_all_or_nothing

# An older schema lacks columns.
migrates() {
    command -v sqlite3 >/dev/null || return 0
    cp example.sqlite old.sqlite
    sqlite3 old.sqlite "ALTER TABLE run DROP COLUMN io_pressure; PRAGMA user_version = 0" || return
    refuses "old.sqlite: has schema 0 of an older weir, this one has 1; 'weir merge NEW" \
        campaign "$example" --db "$scratch/old.sqlite" || return
    rm -f new.sqlite
    run merge "$scratch/new.sqlite" "$scratch/old.sqlite"
    [ "$code" -eq 0 ] && [ "$(count new.sqlite "io_pressure IS NULL")" = 180 ] &&
        cmp <("$weir" query new.sqlite "SELECT identity, makespan, min_yield FROM run ORDER BY 1") \
            <("$weir" query example.sqlite "SELECT identity, makespan, min_yield FROM run ORDER BY 1")
}
it "refuses an older schema, and merges it into the present one" migrates

# --- queries -------------------------------------------------------------------------------------
summarises() {
    run query "$scratch/example.sqlite" --metrics min_yield
    [ "$(wc -l <out)" -eq 19 ] && grep -q '^workload *noise *bandwidth *strategy *runs *min_yield$' out &&
        grep -q '^noisy *- *4x *floor *10 ' out
}
it "summarises by workload, parameter and strategy" summarises
# The second campaign has an edited scenario, the third another file of the same name.
keeps_apart() {
    mkdir -p edited other && printf 'scenarios: [s.yaml]\nstrategies: [fcfs]\n' >edited/c.yaml &&
        printf 'scenarios: [s.yaml]\nseeds: 3\nstrategies: [fcfs]\n' >other/c.yaml || return
    cp "$root/examples/quickstart.yaml" edited/s.yaml && campaign edited/c.yaml --db edited.sqlite &&
        sed -i 's/iterations: [0-9]*/iterations: 7/' edited/s.yaml &&
        campaign edited/c.yaml --db edited.sqlite && cp "$root/examples/noisy.yaml" other/s.yaml &&
        campaign other/c.yaml --db edited.sqlite || return
    run query "$scratch/edited.sqlite" --metrics min_yield
    cat out
    [ "$(wc -l <out)" -eq 4 ] && grep -q '^workload .*hash *strategy *runs' out &&
        [ "$(awk '{ print $5 }' out | tr '\n' ' ')" = "runs 3 1 1 " ]
}
it "averages no different scenarios of the same name" keeps_apart
keeps_platforms_apart() {
    printf '%s\n' 'families: [general]' 'platforms: [{name: a, bandwidth: 1 GB/s}]' \
        'seeds: 2' 'strategies: [fcfs]' >platform.yaml
    campaign platform.yaml --db platform.sqlite || return
    run query "$scratch/platform.sqlite" --metrics makespan
    ! grep -q platform.bandwidth out && sed -i 's/1 GB/2 GB/' platform.yaml &&
        campaign platform.yaml --db platform.sqlite || return
    run query "$scratch/platform.sqlite" --metrics makespan
    grep -q '^general *a *1e+09 *fcfs *2 ' out && grep -q '^general *a *2e+09 *fcfs *2 ' out
}
it "averages no different platforms of the same name" keeps_platforms_apart
averages() { # as awk does
    "$weir" query example.sqlite --csv "SELECT min_yield FROM run WHERE scenario = 'noisy' AND
        strategy = 'fcfs' AND parameters ->> 'bandwidth' = '2x' ORDER BY identity" | sed 1d |
        awk '{ sum += $1 } END { printf "%.6g\n", sum / NR }' >mean
    "$weir" query example.sqlite --metrics min_yield | awk '/^noisy .* 2x .*fcfs/ { print $NF }' | diff mean -
}
it "prints means" averages
it "prints CSV" prints 'n,t' query "$scratch/example.sqlite" "SELECT 1 AS n, 'a' AS t" --csv
it "prints JSON" prints '"t": "a"' query "$scratch/example.sqlite" "SELECT 1 AS n, 'a' AS t" --json
for sql in "DROP TABLE run" "VACUUM INTO 'copy'" "ATTACH 'other' AS o" "UPDATE run SET seed = 1"; do
    it "changes nothing: $sql" refuses "only SELECT statements are allowed" query "$scratch/example.sqlite" "$sql"
done
it "prints nothing in front of an error" refuses 'near "SELEC": syntax error' \
    query "$scratch/example.sqlite" --json "SELEC"
it "prints nothing in front of an error at run time" refuses "integer overflow" \
    query "$scratch/example.sqlite" --csv "SELECT abs(-9223372036854775807 - 1)"
prints_json() { # as JSON has it: a text with a 0 byte, all digits, a blob
    run query "$scratch/example.sqlite" --json "SELECT 'a' || char(0) || 'b' AS t,
        -9007199254740993 AS n, x'00ff' AS b, NULL AS z"
    cat out
    grep -qF '"t": "a\u0000b"' out && grep -qF '"n": -9007199254740993' out &&
        grep -qF "\"b\": \"x'00ff'\"" out && grep -qF '"z": null' out
}
it "prints all that SQLite can hold as JSON" prints_json
# A cell that SQLite still has room for, and the table does not.
runs_out_of_memory() {
    (ulimit -v 200000 && "$weir" query example.sqlite "SELECT zeroblob(80000000)" >printed 2>said)
    local status=$?
    cat said
    [ $status -eq 1 ] && grep -qx 'weir: out of memory' said && [ ! -s printed ]
}
ldd "$weir" | grep -qE 'lib[at]san|libubsan' ||
    it "fails when memory is out, whatever the statement" runs_out_of_memory
it "takes one statement" refuses "only one statement" query "$scratch/example.sqlite" "SELECT 1; SELECT 2"
it "quotes SQLite on bad SQL" refuses "no such column: makspan" query "$scratch/example.sqlite" "SELECT makspan FROM run"
it "misses a database" refuses "none.sqlite: No such file" query "$scratch/none.sqlite"

# --- bad input: one clear line -------------------------------------------------------------------
# bad TEXT YAML: refused with this text, and nothing is created.
bad() {
    printf '%s\n' "$2" >bad.yaml
    refuses "$1" campaign "$scratch/bad.yaml" --db results.sqlite
}
it "misses a database to write to" refuses "missing --db FILE" campaign "$example"
it "knows its families" bad "bad.yaml:1: unknown family 'jupter', did you mean 'jupiter'?" \
    'families: [jupter]'
it "knows their parameters" bad "bad.yaml:1: jupiter has no parameter 'sets', did you mean 'set'?" \
    'families: [{name: jupiter, sets: 1}]'
it "knows the ranges of parameters" bad "bad.yaml:1: set: '11' is not a whole number from 1 to 10" \
    'families: [{name: jupiter, set: 1..11}]'
it "knows ranges" bad "bad.yaml:1: set: '3..1' is not a range such as 1..10" \
    'families: [{name: jupiter, set: 3..1}]'
it "runs no jobs that are to be mapped" bad "bad.yaml:1: packs: its jobs are still to be mapped" \
    'families: [packs]'
it "knows its strategies" bad "bad.yaml:2: unknown strategy 'fcsf', did you mean 'fcfs'?" \
    $'families: [jupiter]\nstrategies: [floor, fcsf]'
it "knows paths" bad "bad.yaml:2: unknown path 'bandwith', did you mean 'bandwidth'?" \
    $'families: [jupiter]\nsweep: {bandwith: [1x]}'
it "knows units" bad "bad.yaml:2: bandwidth: " $'families: [jupiter]\nsweep: {bandwidth: [3 h]}'
it "knows the applications of a file" bad \
    "bad.yaml:2: applications.cfx.work: quickstart has no application 'cfx'" \
    "scenarios: [$root/examples/quickstart.yaml]"$'\nsweep: {applications.cfx.work: 1 h}'
it "knows the values of platforms" bad "bad.yaml:2: unknown path 'speed'" \
    $'families: [jupiter]\nplatforms: [{name: a, speed: 1}]'
it "takes only a machine as a platform" bad "a platform has one value each of nodes, node_bandwidth" \
    $'families: [jupiter]\nplatforms: [{name: a, knowledge: mean}]'
it "knows what can be known" bad "bad.yaml:2: knowledge: " $'families: [jupiter]\nsweep: {knowledge: all}'
it "finds scenario files" bad "bad.yaml:1: " 'scenarios: [nowhere.yaml]'
it "wants something to run" bad "neither 'scenarios' nor 'families'" 'seeds: 3'
it "knows its keys" bad "bad.yaml:1: unknown key 'seed' in the campaign, did you mean 'seeds'?" 'seed: 1'
it "wants numbers as seeds" bad "bad.yaml:2: seeds: 'many' is not a number" $'families: [jupiter]\nseeds: many'
it "wants at least one seed" bad "bad.yaml:2: seeds: '0' stands for none, expected at least 1" \
    $'families: [jupiter]\nseeds: 0'
it "finds the files of strategies" bad "bad.yaml: plan:file=nowhere.json: " \
    "scenarios: [$root/examples/quickstart.yaml]"$'\nstrategies: [plan:file=nowhere.json]'
it "takes a strategy once" bad "bad.yaml: strategy 'fcfs' is listed twice" \
    $'families: [jupiter]\nstrategies: [fcfs, floor, fcfs]'
it "takes a seed once" bad "bad.yaml: seed 3 is listed twice" $'families: [jupiter]\nseeds: [1..3, 3]'
it "takes a value once" bad "bad.yaml: value '2x' of bandwidth is listed twice" \
    $'families: [jupiter]\nsweep: {bandwidth: [1x, 2x, 2x]}'
it "takes a family once" bad "bad.yaml: family 'jupiter' is listed twice with the same parameters" \
    'families: [jupiter, jupiter]'
it "has a bound" bad "more than 10000000 runs" $'families: [jupiter]\nseeds: 9000000\nstrategies: all'
it "wants a name of a family" bad "bad.yaml:1: missing key 'name'" 'families: [{set: 1}]'
it "reads shards" refuses "--shard: '4/3' is not K/N" campaign "$example" --db x --shard 4/3
it "bounds the array" refuses "--slurm-array: expected a number from 1 to 60" \
    campaign "$example" --db x --slurm-array 61

echo "not a database, but long enough to be taken for one at the first sight of it" >text.sqlite
it "refuses what is not a database" refuses "text.sqlite: not a database" \
    campaign "$example" --db "$scratch/text.sqlite"
refuses_others() {
    command -v sqlite3 >/dev/null || return 0
    sqlite3 other.sqlite "CREATE TABLE people (name)" || return
    refuses "other.sqlite: a database of something else" campaign "$example" --db "$scratch/other.sqlite" &&
        refuses "other.sqlite: a database of something else" query "$scratch/other.sqlite" &&
        refuses "other.sqlite: a database of something else" \
            merge "$scratch/example.sqlite" "$scratch/other.sqlite" && same example.sqlite four.sqlite
}
it "refuses a database of something else" refuses_others
for name in :memory: ''; do
    it "loses no results in '$name'" refuses "'$name' is not a file: results would be lost" \
        campaign "$example" --db "$name"
done
it "wants a file, not a directory" refuses "/ is a directory, expected a file" campaign "$example" --db /
it "wants a regular file" refuses "/dev/null is not a regular file" campaign "$example" --db /dev/null
takes_plain_names() {
    "$weir" campaign "$example" --db "file:plain.sqlite?mode=memory" >/dev/null &&
        [ "$(count "file:plain.sqlite?mode=memory")" = 180 ] && [ -s "file:plain.sqlite?mode=memory" ]
}
it "takes a name with 'file:' for that of a file" takes_plain_names
it "names a directory that is not there" refuses "nowhere/x.sqlite" campaign "$example" --db nowhere/x.sqlite

# disk SIZE: a small one of its own, if that is possible here.
disk() { mkdir -p disk && mount -t tmpfs -o "size=$1" none disk 2>/dev/null; }
tells_full() {
    disk 100k || { echo "no small disk here"; return 0; }
    local status=0
    refuses_with 1 "full.sqlite: disk full; what was stored before is safe" \
        campaign "$example" --db "$scratch/disk/full.sqlite" || status=1
    # With more space the same command ends.
    mount -o remount,size=10m disk && campaign "$example" --db disk/full.sqlite &&
        same example.sqlite disk/full.sqlite || status=1
    umount disk
    return $status
}
it "tells that the disk is full, and goes on later" tells_full
tells_read_only() {
    disk 10m || { echo "no disk of its own here"; return 0; }
    local status=0
    cp example.sqlite disk/ && mount -o remount,ro disk
    refuses "Read-only file system" campaign "$example" --db "$scratch/disk/example.sqlite" || status=1
    "$weir" query disk/example.sqlite >/dev/null || status=1
    umount disk
    return $status
}
it "tells that the disk is read-only, and reads there" tells_read_only

finish
