# A store with a real limit: a brick of GlusterFS in a network of its own, whose only device passes
# so many bits per second. Needs common_slurm.sh and common_nodes.sh.

for program in glusterfsd:glusterfs-server glusterfs:glusterfs-client tc:iproute2; do
    command -v "${program%:*}" >/dev/null || skip "${program%:*} is missing (package ${program#*:})"
done
[ -w /dev/fuse ] || skip "/dev/fuse cannot be opened"

store=$scratch/store
network=weir-store-$$
store_daemons=

store_stop() {
    local pid
    umount "$store" 2>/dev/null || umount -l "$store" 2>/dev/null
    for pid in $store_daemons; do kill "$pid" 2>/dev/null; done
    for pid in $store_daemons; do
        for _ in $(seq 40); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
        kill -9 "$pid" 2>/dev/null
    done
    wait $store_daemons 2>/dev/null
    store_daemons=
    umount "$scratch/brick" 2>/dev/null
    ip netns del "$network" 2>/dev/null
}
trap 'cluster_stop; far_stop; store_stop; rm -rf "$scratch"' EXIT

# On a cluster the store has processors of its own: here it goes before all else.
store_daemon() {
    nice -n "${WEIR_STORE_NICE:--15}" nsenter --net="/run/netns/$network" "$@" &
    store_daemons="$store_daemons $!"
}

# store_start MBIT: in the directory $store; the bytes are in $scratch/brick as well.
store_start() {
    mkdir -m 777 "$store" brick
    mount -t tmpfs -o size=4g,mode=777 weir-brick brick 2>store.log ||
        skip "a tmpfs cannot be mounted: $(cat store.log)"
    ip netns add "$network" 2>store.log || skip "no network namespace can be made: $(cat store.log)"
    ip -n "$network" link set lo up
    tc -n "$network" qdisc add dev lo root tbf rate "$1mbit" burst 256kb latency 50ms 2>store.log ||
        skip "the kernel cannot limit a device: $(cat store.log)"
    cat >brick.vol <<VOL
volume posix
  type storage/posix
  option directory $scratch/brick
end-volume
volume locks
  type features/locks
  subvolumes posix
end-volume
volume brick
  type performance/io-threads
  subvolumes locks
end-volume
volume server
  type protocol/server
  option transport-type tcp
  option transport.socket.listen-port 24007
  option transport.socket.bind-address 127.0.0.1
  option auth.addr.brick.allow *
  subvolumes brick
end-volume
VOL
    cat >client.vol <<VOL
volume client
  type protocol/client
  option transport-type tcp
  option remote-host 127.0.0.1
  option remote-port 24007
  option remote-subvolume brick
end-volume
VOL
    store_daemon glusterfsd -N -f "$scratch/brick.vol" -l "$scratch/brick.log" -p "$scratch/brick.pid"
    for _ in $(seq 100); do
        nsenter --net="/run/netns/$network" bash -c ': </dev/tcp/127.0.0.1/24007' 2>/dev/null && break
        sleep 0.05
    done
    store_daemon glusterfs -N -f "$scratch/client.vol" -l "$scratch/client.log" "$store"
    soon mountpoint -q "$store" || skip "the store cannot be mounted: $(tail -n 1 client.log)"
    chmod 777 "$store"
}
