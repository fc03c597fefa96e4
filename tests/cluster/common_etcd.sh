# A real etcd on loopback, and controllers that stand for election.
command -v etcd >/dev/null || skip "etcd is missing (package etcd-server)"

# The same ports and data each time.
etcd_port=$((20000 + RANDOM % 20000))
start_etcd() {
    local url=http://127.0.0.1:$etcd_port peer=http://127.0.0.1:$((etcd_port + 1))
    etcd --data-dir "$scratch/etcd" --listen-client-urls $url --advertise-client-urls $url \
        --listen-peer-urls $peer --initial-advertise-peer-urls $peer \
        --initial-cluster default=$peer >>etcd.log 2>&1 &
    etcd=$!
    daemons="$daemons $etcd"
    soon eval "grep -q true <(exec 3<>/dev/tcp/127.0.0.1/$etcd_port && \
        printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && cat <&3)"
}
stop_etcd() {
    kill $etcd
    wait $etcd 2>/dev/null
}

# start_candidate NAME: a controller; its process is in NAME.pid, its port in NAME.port.
start_candidate() {
    : >"$1.log"
    "$weir" serve --config cluster.yaml --listen "127.0.0.1:$(cat "$1.port" 2>/dev/null || echo 0)" \
        --leader "etcd://127.0.0.1:1,127.0.0.1:$etcd_port/test" --socket "$scratch/$1.sock" 2>"$1.log" &
    echo $! >"$1.pid"
    daemons="$daemons $!"
    soon grep -q "$1.sock" "$1.log" || { cat "$1.log"; return 1; }
    sed -n 's/.*agents connect to port //p' "$1.log" >"$1.port"
}

# What the logs of a and b say last.
is_leader() {
    grep -E "leader of|no longer" "$1.log" | tail -1 | grep -q "leader of" &&
        kill -0 "$(cat "$1.pid")" 2>/dev/null
}
leaders() {
    local name count=0
    for name in a b; do is_leader $name && count=$((count + 1)); done
    echo $count
}
find_leader() { # $leader and $other
    if is_leader a; then leader=a other=b; else leader=b other=a; fi
}

epoch_of() { status_of "$1" | sed -n 's/.*"epoch": \([0-9]*\).*/\1/p'; }
