# What the tests of agreement share: what happens under control is what the simulator predicted.
. "$(dirname "$0")/../cli/common.sh"
live=$root/tests/live

# Sanitizers take time that no simulation knows of.
if ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    echo "skipped: timing means nothing under a sanitizer"
    exit 77
fi

# agrees MOST ARGUMENT...: the error of a replay is at most MOST percent; if not, the median error of
# three more. Where others use the machine in every attempt (patiently), it is at most twice that.
agrees() {
    local allowed=$1 most=$1 runs error
    shift
    for runs in 1 3; do
        exits 0 replay "$@" --runs $runs || return
        error=$(sed -n 's/^mean error of the completion times: \([0-9.]*\) %.*/\1/p' out)
        cat out
        [ "$attempt" -lt 3 ] || ! grep -q '^Others used the machine' out || most=$((2 * allowed))
        awk -v error="$error" -v most="$most" 'BEGIN { exit !(error != "" && error <= most) }' &&
            return
    done
    return 1
}

# agree MOST SENTENCE ARGUMENT...: a test of that; all errors are printed in any case.
agree() {
    local most=$1 sentence=$2
    shift 2
    it "$sentence within $most %" patiently agrees "$most" "$@"
    sed -n '/^mean error/s/^/# /p' detail
    sed -n '/^mean error/,$p' out | sed '1d; s/^/# /'
}
