# What the tests of the command line share. A test is one line:
#
#   it "is a sentence" COMMAND ARGUMENT...
#
# where the command succeeds if the sentence is true. Finish with `finish`.

weir=${WEIR:?the program under test}
root=${WEIR_SOURCE_DIR:?the source tree}
unset NO_COLOR DISPLAY WAYLAND_DISPLAY
export LC_ALL=C

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir work

tests=0
failures=0

it() {
    sentence=$1
    shift
    tests=$((tests + 1))
    if "$@" >detail 2>&1; then
        echo "ok $tests - $sentence"
    else
        failures=$((failures + 1))
        echo "not ok $tests - $sentence"
        sed 's/^/    /' detail
    fi
}

# patiently COMMAND ARGUMENT...: a replay that fails is tried again, twice, but only if it says that others
# used the machine meanwhile.
patiently() {
    local attempt
    for attempt in 1 2 3; do
        "$@" && return
        echo "attempt $attempt failed"
        grep '^Others used the machine' out || return 1
    done
    return 1
}

# within SECONDS COMMAND ARGUMENT...: the command succeeds in time. Otherwise shows its last words.
within() {
    local end
    end=$(awk -v seconds="$1" -v now="$EPOCHREALTIME" 'BEGIN { printf "%.0f", 1e6 * (now + seconds) }')
    shift
    until "$@" >"$scratch/words" 2>&1; do
        [ "${EPOCHREALTIME/./}" -lt "$end" ] || { cat "$scratch/words"; return 1; }
        sleep 0.05
    done
}

# soon COMMAND ARGUMENT...: within a time that a busy machine keeps too.
soon() { within 20 "$@"; }

# answers SOCKET: a controller or an agent accepts connections there. Its socket appears earlier.
answers() { "$weir" status --socket "$1"; }

finish() {
    echo "1..$tests"
    [ "$failures" -eq 0 ]
    exit
}

# Runs weir in the empty directory work; leaves its streams in out and err, its exit code in code.
run() {
    rm -rf work && mkdir work
    code=0
    (cd work && exec "$weir" "$@") >out 2>err </dev/null || code=$?
}

# exits CODE ARGUMENT...
exits() {
    expected=$1
    shift
    run "$@"
    [ "$code" -eq "$expected" ] && return
    echo "weir $*: exit code $code, not $expected"
    cat err
    return 1
}

# refuses_with CODE TEXT ARGUMENT...: ends with the code, prints nothing, says TEXT in one line on
# stderr, and leaves no file behind.
refuses_with() {
    expected=$1 text=$2
    shift 2
    exits "$expected" "$@" || return
    cat err
    [ ! -s out ] || { echo "something on stdout"; return 1; }
    [ "$(wc -l <err)" -eq 1 ] || { echo "not one line on stderr"; return 1; }
    grep -q '^weir: ' err || { echo "does not begin with 'weir: '"; return 1; }
    grep -qF -e "$text" err || { echo "does not say: $text"; return 1; }
    [ -z "$(ls -A work)" ] || { echo "left behind: $(ls -A work)"; return 1; }
}

# refuses TEXT ARGUMENT...: because usage or input is bad.
refuses() {
    refuses_with 2 "$@"
}

# prints TEXT ARGUMENT...: succeeds, is silent on stderr, and TEXT stands in its output.
prints() {
    text=$1
    shift
    exits 0 "$@" || return
    [ ! -s err ] || { cat err; return 1; }
    grep -qF -e "$text" out || { cat out; echo "does not print: $text"; return 1; }
}

# fits ARGUMENT...: succeeds, and no line is longer than 80 columns.
fits() {
    exits 0 "$@" || return
    ! LC_ALL=C.UTF-8 grep -nE '^.{81,}' out
}
