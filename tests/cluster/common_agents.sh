# A controller and agents of several nodes on this machine, all in the scratch directory and on
# loopback, with a munged of their own.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"

skip() {
    echo "skipped: $1"
    exit 77
}

command -v munged >/dev/null || skip "munged is missing (package munge)"
if ldd "$weir" | grep -qE 'lib[at]san|libubsan'; then
    skip "timing means nothing under a sanitizer"
fi
mkdir store

daemons=
cluster_stop() {
    local pid
    for pid in $daemons; do kill -CONT "$pid" 2>/dev/null; kill "$pid" 2>/dev/null; done
    for _ in $(seq 60); do kill -0 $daemons 2>/dev/null || break; sleep 0.05; done
    for pid in $daemons; do kill -9 "$pid" 2>/dev/null; done
    wait 2>/dev/null
}
trap 'cluster_stop; rm -rf "$scratch"' EXIT

start_munged() {
    head -c 128 /dev/urandom >munge.key
    chmod 600 munge.key
    chmod 755 "$scratch"
    munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.sock" \
        --pid-file="$scratch/munged.pid" --log-file="$scratch/munged.log" \
        --seed-file="$scratch/seed" >/dev/null 2>&1 &
    daemons="$daemons $!"
    soon test -S munge.sock
}

# controller OPTION...: starts it, with cluster.yaml and at the same port as before; $head is its
# process.
port=0
start_controller() {
    : >head.log
    "$weir" serve --config cluster.yaml --listen "127.0.0.1:$port" --socket "$scratch/head.sock" \
        "$@" 2>head.log &
    head=$!
    daemons="$daemons $head"
    soon grep -q head.sock head.log || { cat head.log; return 1; }
    port=$(sed -n 's/.*agents connect to port //p' head.log)
}

# start_cluster BANDWIDTH LEASE [OPTION...]: munged, and a controller with these options.
# write_cluster BANDWIDTH LEASE: munged, and the configuration alone.
write_cluster() {
    cat >cluster.yaml <<YAML
platform: {bandwidth: $1}
stores: [$scratch/store]
cluster: {lease: $2, munge_socket: $scratch/munge.sock}
YAML
    start_munged || skip "munged does not start here"
}
start_cluster() {
    write_cluster "$1" "$2"
    start_controller "${@:3}"
}

# agent NAME OPTION...: starts one, of $controllers or the only one; its process is in NAME.pid.
start_agent() {
    local name=$1
    shift
    "$weir" agent --controller "${controllers:-127.0.0.1:$port}" --name "$name" --config cluster.yaml \
        --socket "$scratch/$name.sock" "$@" 2>"$name.log" &
    echo $! >"$name.pid"
    daemons="$daemons $!"
}

# on NAME APPLICATION COMMAND...: runs it on that node.
on() { "$weir" exec --socket "$scratch/$1.sock" --name "$2" -- "${@:3}"; }

# write FILE MEGABYTES: in large calls; prints nothing.
write() { dd if=/dev/zero of="store/$1" bs=1M count="$2" status=none; }
export -f write

status_of() { "$weir" status --json --socket "$scratch/$1.sock"; }
is_connected() { status_of "$1" | grep -q '"connected": true'; }

# is_at NODE NAME: its agent is connected to the controller of this name, whose port is in NAME.port.
is_at() {
    status_of "$1" | tr -d '\n ' |
        grep -q "\"controller\":\"127.0.0.1:$(cat "$2.port")\",\"connected\":true"
}

# waits NODE LIMIT: a program there writes 1 MB within so many microseconds.
waits() {
    local start took
    start=$(now)
    on "$1" short bash -c "write short 1" || return
    took=$(($(now) - start))
    echo "took $took us"
    [ $took -lt "$2" ]
}

now() { echo "${EPOCHREALTIME/./}"; } # microseconds
