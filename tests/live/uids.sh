#!/bin/bash
# What another user can and cannot do to a controller and to the applications of others.
. "$(dirname "$0")/../cli/common.sh"
announcer=${WEIR_BUILD_DIR:?the build directory}/announcer

skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "needs root, to be another user"
command -v setpriv >/dev/null || skip "setpriv is missing (package util-linux)"
other=(setpriv --reuid 61234 --regid 61234 --clear-groups)
"${other[@]}" test -x "$weir" || skip "another user cannot run $weir"

chmod 755 "$scratch"
mkdir store
chmod 777 store
"$weir" serve --bandwidth 20MB/s --socket "$scratch/socket" --store "$scratch/store" 2>serve.log &
pid=$!
trap 'kill $pid; wait $pid; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# Of the one application of this name: a number of its status.
number() {
    "$weir" status --socket "$scratch/socket" --json | tr -d ' ,"' |
        awk -F: -v name="$1" -v key="$2" '$1 == "name" { here = $2 == name }
            here && $1 == key { print $2; exit }'
}

# refused TEXT COMMAND...: by the controller, to the other user.
refused() {
    local text=$1
    shift
    if "${other[@]}" "$weir" "$@" --socket "$scratch/socket" >said 2>&1; then
        echo "it was let"
        return 1
    fi
    cat said
    grep -qF "$text" said
}
only="only root and the user of the controller may change its settings"
it "another user cannot set the strategy" refused "$only" ctl set policy fcfs
it "nor the bandwidth" refused "$only" ctl set bandwidth 1GB/s
it "nor a limit of all" refused "$only" ctl set limit 1MB/s
it "nor one of an application" refused "$only" ctl set limit 1MB/s --application mine
it "nor its operations" refused "$only" ctl set ops 1 --application mine
it "nor its weight" refused "$only" ctl set weight 9 --application mine
sees() { "${other[@]}" "$weir" status --socket "$scratch/socket" | grep 'fair-share'; }
it "another user can look, and nothing was changed" sees

# A program says its token to whom it likes; that is of no use to others.
mkfifo hold
"$weir" exec --socket "$scratch/socket" --name mine -- \
    sh -c 'echo "$WEIR_TOKEN" >token; read -r line <hold' &
holder=$!
soon [ -s token ]
joins_nothing() {
    "${other[@]}" "$weir" exec --socket "$scratch/socket" --name theirs -- \
        sh -c "WEIR_TOKEN=$(cat token) WEIR_NAME=stolen dd if=/dev/zero of=store/t bs=100k count=5 \
            status=none; echo done >store/done; sleep 1" &
    local thief=$! moved processes
    soon [ -e store/done ]
    moved=$(number mine moved) processes=$(number mine processes)
    kill $thief
    wait $thief
    echo "mine moved $moved with $processes processes"
    [ "$moved" = 0 ] && [ "$processes" = 1 ]
}
it "another user's process with the token does not join an application" joins_nothing
echo >hold
wait $holder

# announced CLAIM: a connection of another user that announces and moves nothing is let in, and is
# another user's.
announced() {
    "${other[@]}" "$announcer" "$scratch/socket" 3 20 "$1" 0.5 >ready &
    local neighbour=$!
    sleep 0.2
    local uid
    uid=$(number announcer uid)
    wait $neighbour || return
    echo "uid $uid"
    [ "$uid" = 61234 ]
}
for claim in nothing calls busy tickets moved begin again; do
    it "one that announces and claims '$claim' does not end the controller" announced $claim
done
# writes: the seconds in which a program writes 20 MB.
writes() {
    local begin=$EPOCHREALTIME
    "$weir" exec --socket "$scratch/socket" -- dd if=/dev/zero of=store/v bs=200k count=100 \
        status=none || return
    awk -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { print end - begin }'
}
# leaves CLAIM: with such neighbours it takes hardly longer than the second that it takes alone, or what
# a busy machine makes of it. The best of five counts.
leaves() {
    local alone time
    for _ in 1 2 3 4 5; do
        alone=$(writes) || return
        "${other[@]}" "$announcer" "$scratch/socket" 3 20 "$1" 1.6 >ready &
        local neighbour=$!
        sleep 0.3
        time=$(writes) || return
        wait $neighbour
        echo "$time s for 20 MB at 20 MB/s, $alone s alone"
        awk -v time="$time" -v alone="$alone" 'BEGIN { exit !(time < 1.1 * alone) }' && return
    done
    return 1
}
"$weir" ctl --socket "$scratch/socket" policy greedy-yield >said
for claim in nothing calls busy tickets again; do
    it "neighbours that claim '$claim' and move nothing take nothing" leaves $claim
done
left() { [ -z "$(number announcer uid)" ] && kill -0 $pid; }
it "nothing of it is left" left
finish
