# Plug-ins through the command line.
. "$(dirname "$0")/../cli/common.sh"

plugins=${WEIR_PLUGIN_DIR:?where the plug-ins are built}
example=$root/examples/quickstart.yaml

runs() {
    "$weir" simulate "$example" --check --csv --policy "$plugins/smallest_first.so" \
        --policy "$plugins/smallest_first.so:largest" >out 2>err && [ ! -s err ] &&
        [ "$(grep -c smallest_first.so out)" -eq 2 ] && grep -q 'smallest_first.so:largest' out
}

# refuses PLUGIN TEXT: exit code 2, nothing on stdout, one line on stderr that says the text.
refuses() {
    "$weir" simulate "$example" --policy "$1" >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$2" err
}

# Exit code 1, nothing on stdout; who, when and what.
stops() {
    "$weir" simulate "$example" --policy "$plugins/double.so" >out 2>err
    [ $? -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q "double.so: at [0-9.]* s: application '.*': granted .* bytes/s, can take" err
}

# In a mapping, too, the error names the strategy.
names_mapped() {
    "$weir" map "$root/examples/jobs.yaml" --method list --policy "$plugins/double.so" >out 2>err
    [ $? -eq 1 ] && grep -q "jobs: list: .*double.so: at [0-9.]* s: application" err
}

# Nor does a mapping take the word of one that changes what it is shown; one that does not is mapped.
finds_meddling() {
    for what in 1 2 3 4 5; do
        "$weir" map "$root/examples/jobs.yaml" --policy "$plugins/meddles.so:what=$what" \
            >out 2>err
        [ $? -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || return 1
    done
    grep -q "meddles.so:what=5: application '.*': the strategy has changed what it is shown" err &&
        "$weir" map "$root/examples/jobs.yaml" --policy "$plugins/meddles.so" >out
}

# fails WAY TEXT: one clear line, exit code 1, with --check and without.
fails() {
    local check
    for check in "" --check; do
        "$weir" simulate "$example" $check --policy fcfs --policy "$plugins/crashes.so:way=$1" >out 2>err
        [ $? -eq 1 ] && cat err && [ "$(wc -l <err)" -eq 1 ] && grep -q "crashes.so.*$2" err || return
    done
}

# In a campaign each is a row with its error; the others are as they would be.
stores_faults() {
    cp "$example" s.yaml && cp "$plugins/crashes.so" . && cat >faults.yaml <<'YAML'
scenarios: [s.yaml]
sweep: {bandwidth: [1x, 2x]}
strategies: [./crashes.so, "./crashes.so:way=crash", "./crashes.so:way=timers", "./crashes.so:way=recurse",
             "./crashes.so:way=end", fcfs]
YAML
    "$weir" campaign faults.yaml --db faults.sqlite --jobs 2 >out 2>err || { cat err; return 1; }
    cat out err
    grep -q '^faults: 12 runs stored' out && grep -q '8 of 12 runs failed' err || return
    "$weir" query faults.sqlite --csv 'SELECT strategy, error, count(*) FROM run GROUP BY 1, 2 ORDER BY 1' >rows
    cat rows
    grep -q '^./crashes.so,,2$' rows && grep -q '^fcfs,,2$' rows &&
        grep -q '^./crashes.so:way=crash,the plug-in crashed (Segmentation fault),2$' rows &&
        grep -q '^./crashes.so:way=recurse,the plug-in crashed (Segmentation fault),2$' rows &&
        grep -q '^./crashes.so:way=end,the plug-in ended its process,2$' rows &&
        grep -q '^./crashes.so:way=timers,.*100000 timers in' rows || return
    "$weir" campaign faults.yaml --db faults.sqlite >out 2>err && grep -q '^faults: 0 runs' out
}
agrees() {
    "$weir" simulate s.yaml --policy ./crashes.so --csv --metrics max_stretch | sed 1d | cut -d, -f3 >simulated
    "$weir" query faults.sqlite --csv "SELECT max_stretch FROM run WHERE strategy = './crashes.so'
        AND parameters ->> 'bandwidth' = '1x'" | sed 1d | diff simulated - && [ -s simulated ]
}
# A sanitizer has its own words for a crash.
if ! ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    it "tells that a plug-in crashed" fails crash 'the plug-in crashed (Segmentation fault)'
    it "tells that a plug-in used up its stack" fails recurse 'the plug-in crashed (Segmentation fault)'
    it "tells that a plug-in asks for timers without end" fails timers 'at [0-9.]* s: 100000 timers in'
    it "stores a crash in a campaign as the error of its run" stores_faults
    it "gives the same numbers in a process of its own" agrees
fi
shows_parameters() {
    "$weir" policies "$plugins/crashes.so" >out 2>err && cat out && grep -qx crashes out &&
        grep -q 'parameter *way=nothing | crash | loop' out &&
        "$weir" policies fcfs "$plugins/crashes.so" --json >out && [ "$(grep -c '"summary"' out)" = 2 ] &&
        grep -q '"way"' out
}
it "shows the parameters of a plug-in" shows_parameters

it "runs the example plug-in, with and without its parameter" runs
it "stops a plug-in that breaks a rule, without --check" stops
it "stops it in a mapping, too" names_mapped
it "finds a plug-in out that changes what it is shown in a mapping" finds_meddling
it "refuses a plug-in for another version" refuses "$plugins/old_abi.so" 'version 7 .* not 6'
it "refuses a library that is no plug-in" refuses "$plugins/no_symbol.so" weir_policy
it "refuses a plug-in that cannot decide" refuses "$plugins/no_decide.so" decide
it "refuses a plug-in that is not there" refuses ./none.so 'cannot be loaded'
it "refuses a parameter the plug-in does not have" refuses "$plugins/smallest_first.so:x" "'x'"
finish
