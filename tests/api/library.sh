#!/bin/bash
# The shared libraries, as other programs see them. (Their functions themselves: test_simulate.c,
# tests/client.)
. "$(dirname "$0")/../cli/common.sh"

# declared HEADER: every function that it declares, in lines that begin with its type or, if that is
# long, its name.
declared() {
    sed -n 's/^[a-z].*[ *]\(weir_[a-z_]*\)(.*/\1/p' "$root/include/weir/$1" | sort
}

# exports_what_it_declares LIBRARY HEADER
exports_what_it_declares() {
    nm -D --defined-only "$WEIR_BUILD_DIR/$1" | awk '{ print $3 }' | sort >exported
    [ -s exported ] && declared "$2" | diff - exported
}
it "libweir exports the functions of its header and nothing else" \
    exports_what_it_declares libweir.so simulate.h
it "libweir-client exports the functions of its header and nothing else" \
    exports_what_it_declares libweir-client.so client.h

# The same numbers as the program prints for the same scenario.
agrees() {
    "$WEIR_EXAMPLE_DIR/embed" >embedded || return
    cat embedded
    run simulate "$root/examples/quickstart.yaml" --policy "$1" --csv --metrics makespan,max_stretch
    line=$(tail -n 1 out | awk -F, '{ printf "%-12s %8.1f s %12.4f", $2, $3, $4 }')
    grep -qxF "$line" embedded || { echo "not there: $line"; return 1; }
}
it "gives the numbers of the program for fair-share" agrees fair-share
it "gives the numbers of the program for fcfs" agrees fcfs

runs_its_own() { "$WEIR_EXAMPLE_DIR/embed" | grep '^nearest-end  *2800.0 s'; }
it "runs a strategy that is inside the calling program" runs_its_own

finish
