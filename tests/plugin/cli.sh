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
