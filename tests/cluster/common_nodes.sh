# A controller, and an agent for each node of Slurm. Agents of n0 and n1 reach it over loopback; those
# of n2 and n3 are in a network of their own, which can be cut. Needs common_slurm.sh.

for program in ip:iproute2 nsenter:util-linux; do
    command -v "${program%:*}" >/dev/null || skip "${program%:*} is missing (package ${program#*:})"
done

bandwidth=50MB/s # a little more than the store moves, so that a job alone has all of it
lease='2 s'
far=weir-far-$$
address=10.$((200 + $$ / 250 % 50)).$(($$ % 250))
port=0

far_start() {
    ip netns add "$far" 2>net.log && ip link add "weir$$" type veth peer name inner netns "$far" 2>>net.log &&
        ip addr add "$address.1/30" dev "weir$$" && ip link set "weir$$" up &&
        ip -n "$far" addr add "$address.2/30" dev inner && ip -n "$far" link set inner up ||
        skip "no network namespace can be made: $(cat net.log)"
}
far_stop() { ip netns del "$far" 2>/dev/null; }

leader= # where it is elected, if at all

# head_start: the controller, at the same port as before; on a cluster it has a processor of its own.
head_start() {
    cat >cluster.yaml <<YAML
platform: {bandwidth: $bandwidth}
stores: [$scratch/store]
journal: $scratch/journal
state: $scratch/state.weir
cluster: {lease: $lease, munge_socket: $scratch/munge.sock}
YAML
    nice -n -10 "$weir" serve --config cluster.yaml --listen "0.0.0.0:$port" --socket "$scratch/socket" \
        ${leader:+--leader "$leader"} 2>>serve.log &
    controller=$!
    soon grep 'agents connect to port' serve.log
    port=$(sed -n 's/.*agents connect to port //p' serve.log | tail -n 1)
    [ -n "$port" ] || { cat serve.log; return 1; }
}

# agent_start NODE: its process is in NODE.agent.
agent_start() {
    local host=127.0.0.1 inside=()
    case $1 in n2 | n3) host=$address.1 inside=(nsenter --net="/run/netns/$far") ;; esac
    nice -n -10 "${inside[@]}" "$weir" agent --controller "$host:$port" --name "$1" --config cluster.yaml \
        --socket "$scratch/$1.sock" 2>>"$1.log" &
    echo $! >"$1.agent"
    daemons="$daemons $!"
}
connected() {
    local node
    for node; do
        "$weir" status --json --socket "$scratch/$node.sock" 2>/dev/null | grep -q '"connected": true' || return 1
    done
}

# nodes_start: after cluster_start, for its munged. A new controller raises nothing for a lease.
nodes_start() {
    local node
    far_start
    head_start || skip "the controller does not start: $(tail -n 1 serve.log)"
    for node in $nodes; do agent_start "$node"; done
    within 10 connected $nodes || { cat n*.log serve.log; skip "agents do not reach the controller"; }
    plugged "socket=$scratch/%n.sock"
    sleep "$(awk -v lease="$lease" 'BEGIN { print 1.05 * lease }')"
}
