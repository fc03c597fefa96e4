#!/bin/bash
# What a terminal shows: colours, progress, and numbers in every locale.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml
command -v script >/dev/null || { echo "no script(1) to make a terminal"; finish; }

# on_terminal VARIABLE=VALUE... -- ARGUMENT...: weir's screen is in the file screen.
on_terminal() {
    local settings=()
    while [ "$1" != -- ]; do settings+=("$1"); shift; done
    shift
    env TERM=xterm "${settings[@]}" timeout 60 script -qec "'$weir' $*" /dev/null </dev/null >screen
}
escape=$'\033'

colours() { on_terminal "$1" -- simulate "$good" && grep -qF "$escape" screen; }
plain() { on_terminal "$1" -- simulate "$good" && [ -s screen ] && ! grep -qF "$escape" screen; }
it "colours a terminal" colours NO_COLOR=
it "does not colour a dumb terminal" plain TERM=dumb
it "does not colour a terminal of no kind" plain TERM=
it "does not colour where that is not wanted" plain NO_COLOR=1

# A search of a few seconds.
long="plan '$root/examples/jupiter1.yaml' --epsilon 0.0005 --max-period-factor 100"
shows_progress() { on_terminal NO_COLOR= -- "$long" && grep -q 'jupiter1  planning  1 s' screen; }
it "shows what it is doing" shows_progress
clears_progress() {
    tr '\r' '\n' <screen | sed -n '/planning/!{/^.\[K/p}' | grep -q . &&
        grep -q '^planned in' screen
}
it "clears that line before the result" clears_progress
no_progress() { on_terminal TERM=dumb -- "$long" && ! grep -q 'planning' screen; }
it "shows no progress on a dumb terminal" no_progress

# --- numbers ------------------------------------------------------------------------------------
# A locale that writes one and a half as 1,5.
speaks_in_c() { # glibc itself loses the memory of LOCPATH
    local server code
    "$weir" serve --socket "$scratch/s" --bandwidth 1.5GB/s >served 2>&1 &
    server=$!
    soon answers "$scratch/s"
    (for _ in $(seq 20); do sleep 0.5; printf q; done) 2>/dev/null | LC_ALL=comma LOCPATH=$scratch/locales TERM=xterm ASAN_OPTIONS=detect_leaks=0 timeout 20 \
        script -qec "'$weir' top --socket '$scratch/s'" /dev/null >screen
    code=$?
    kill "$server" && wait "$server"
    grep -q '1\.5 GB/s' screen || { cat -v screen; return 1; }
    [ "$code" -eq 0 ]
}
mkdir locales
if localedef -i de_DE -f UTF-8 locales/comma 2>localedef.err; then
    it "prints numbers with a point in every locale" speaks_in_c
fi

finish
