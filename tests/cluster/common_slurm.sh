# A real Slurm of four nodes on this machine, all in the scratch directory and on loopback: munged,
# slurmctld, four slurmd, and a controller whose socket the four nodes share.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"

skip() {
    echo "skipped: $1"
    exit 77
}

build=${WEIR_BUILD_DIR:?the build directory}
[ "$(id -u)" -eq 0 ] || skip "needs root, to start Slurm's daemons"
for program in munged:munge slurmctld:slurm-wlm slurmd:slurm-wlm srun:slurm-wlm; do
    command -v "${program%:*}" >/dev/null || skip "${program%:*} is missing (package ${program#*:})"
done
[ -e "$build/spank_weir.so" ] || skip "the plug-in was not built (package libslurm-dev)"

daemons=
# Stops what was started, by its process; running jobs first. A daemon that does not stop is killed.
cluster_stop() {
    local pid
    [ -z "$daemons" ] || timeout 5 scancel --user=root --user=nobody 2>/dev/null
    for pid in $daemons $controller; do kill -CONT "$pid" 2>/dev/null; kill "$pid" 2>/dev/null; done
    for _ in $(seq 100); do
        kill -0 $daemons $controller 2>/dev/null || break
        sleep 0.05
    done
    for pid in $daemons $controller; do kill -9 "$pid" 2>/dev/null; done
    wait $daemons $controller 2>/dev/null
    daemons= controller=
}
trap 'cluster_stop; rm -rf "$scratch"' EXIT

# The first of eight ports that nobody listens at.
free_ports() {
    local base port
    for base in $(seq $((20000 + $$ % 1000 * 8)) 8 32000); do
        for port in $(seq "$base" $((base + 7))); do
            ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
        done
        echo "$base"
        return
    done
}

cluster_configure() {
    local ports host
    ports=$(free_ports)
    host=$(hostname)
    head -c 128 /dev/urandom >munge.key
    chmod 600 munge.key
    mkdir state spool.n{0..3} tmp.n{0..3}
    cat >slurm.conf <<CONF
ClusterName=weir
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$ports
SlurmdPort=$((ports + 1))
AuthInfo=socket=$scratch/munge.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=1,sched_min_interval=0,batch_sched_delay=0
ReturnToService=2
KillWait=2
StateSaveLocation=$scratch/state
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdSpoolDir=$scratch/spool.%n
SlurmdPidFile=$scratch/slurmd.%n.pid
SlurmdLogFile=$scratch/slurmd.%n.log
TmpFS=$scratch/tmp.%n
PlugStackConfig=$scratch/plugstack.conf
DebugFlags=NO_CONF_HASH
NodeName=n[0-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((ports + 2))-$((ports + 5))] CPUs=8
PartitionName=main Nodes=n[0-3] Default=YES State=UP
CONF
    for node in $nodes; do sed "s/plugstack.conf/plugstack.$node.conf/" slurm.conf >slurm.$node.conf; done
}

# plugged ARGUMENT...: the plug-in has these arguments from the next job on; %n is the name of the node.
nodes="n0 n1 n2 n3"
plugged() {
    local line="optional $build/spank_weir.so $*" node
    echo "$line" >plugstack.conf
    for node in $nodes; do echo "${line//%n/$node}" >plugstack.$node.conf; done
}

# slurmd_start NODE: its process is in NODE.slurmd.
slurmd_start() {
    slurmd -D -N "$1" -f "$scratch/slurm.$1.conf" >slurmd.out 2>&1 &
    echo $! >"$1.slurmd"
    daemons="$daemons $!"
}

cluster_start() {
    chmod 755 "$scratch"
    cluster_configure
    plugged "socket=$scratch/socket"
    export SLURM_CONF=$scratch/slurm.conf
    munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.sock" \
        --pid-file="$scratch/munged.pid" --log-file="$scratch/munged.log" \
        --seed-file="$scratch/seed" >munged.out 2>&1 &
    daemons=$!
    soon [ -S munge.sock ]
    slurmctld -D -i -f "$SLURM_CONF" >slurmctld.out 2>&1 &
    daemons="$daemons $!"
    for node in $nodes; do slurmd_start $node; done
    local end=$((SECONDS + 20)) # sinfo itself waits long where nothing answers
    while [ "$SECONDS" -lt "$end" ]; do
        [ "$(timeout 2 sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] && return
        sleep 0.1
    done
    tail -n 5 slurmctld.log slurmd.n0.log munged.out >&2
    skip "Slurm does not start here: $(grep -h -m 1 error slurmctld.log slurmd.n0.log | tail -n 1)"
}

# control JOURNAL: starts the controller.
controller=
control() {
    "$weir" serve --bandwidth 100MB/s --socket "$scratch/socket" --store "$scratch/store" \
        --journal "$1" 2>>serve.log &
    controller=$!
    soon answers "$scratch/socket"
}

# key KEY: its values in the lines of JSON on standard input.
key() { sed -n "s/.*\"$1\":\"\\{0,1\\}\\([^\",}]*\\).*/\\1/p"; }

# accounts NAME: those of the applications of this name that have left.
accounts() { grep '"event":"done"' journal | grep -F "\"name\":\"$1\""; }

# settled: every application has left, and the journal says so.
settled() {
    for _ in $(seq 100); do
        "$weir" status --socket "$scratch/socket" | grep -q ' 0 applications, 0 processes' && sleep 0.1 && return
        sleep 0.05
    done
    "$weir" status --socket "$scratch/socket"
    return 1
}
