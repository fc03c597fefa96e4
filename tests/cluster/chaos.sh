#!/bin/bash
# Everything at once, for $WEIR_CHAOS_SECONDS: controllers and agents that are killed, stopped and
# started again, floods of connections, a store that hangs, programs of all kinds and with all
# allocators. Every byte is right, none is counted twice, and no call waits for two leases.
. "$(dirname "$0")/common_agents.sh"
build=${WEIR_BUILD_DIR:?the build directory}
seconds=${WEIR_CHAOS_SECONDS:-24}
round=8   # seconds: in each, either controllers or agents fail
length=20 # of its programs: longer, so that a controller has heard of them at their end
lease=2

# --- a store that hangs, if there can be one ------------------------------------------------------
pacer=
mkdir backing mounted
if [ -x "$build/pacer" ] && [ -w /dev/fuse ] && command -v fusermount3 >/dev/null; then
    "$build/pacer" 1e9 backing mounted 2>pacer.log &
    pacer=$!
    soon mountpoint -q mounted || pacer=
fi
leave() {
    [ -z "$pacer" ] || { kill -CONT $pacer; fusermount3 -u -z "$scratch/mounted"; }
    cluster_stop
    rm -rf "$scratch"
}
trap leave EXIT
hang() { [ -z "$pacer" ] || kill "-$1" $pacer; }

# --- the cluster ----------------------------------------------------------------------------------
write_cluster "200 MB/s" "$lease s"
sed -i "s|^stores: .*|stores: [$scratch/store, $scratch/mounted]|" cluster.yaml
start_controller --journal "$scratch/journal"
for node in n1 n2; do start_agent $node; done
connected() { is_connected n1 && is_connected n2; }
it "connects every agent" soon connected

# --- programs -------------------------------------------------------------------------------------
# Writes parts of 64 KiB in two processes, and prints the bytes and the longest call.
cat >parts.pl <<'PERL'
use Time::HiRes qw(time sleep);
my ($file, $until, $log) = @ARGV;
my ($child, $bytes, $longest) = (fork(), 0, 0);
open(my $out, '>', "$file.$$") or die;
while (time() < $until) {
    my $start = time();
    syswrite($out, "\0" x 65536) == 65536 or die;
    my $took = time() - $start;
    $longest = $took if $took > $longest;
    $bytes += 65536;
    seek($out, 0, 0) if $bytes % (64 << 20) == 0;
    sleep(0.005);
}
close($out);
unlink("$file.$$");
if ($child) { wait(); exit 1 if $?; }
open(my $told, '>>', $log) or die;
print $told "$bytes $longest\n";
PERL
# Connections without end, and garbage on them.
cat >flood.pl <<'PERL'
use Socket;
my ($until, @sockets) = @ARGV;
my @open;
$SIG{PIPE} = 'IGNORE';
while (time() < $until) {
    socket(my $end, AF_UNIX, SOCK_SEQPACKET, 0) or next;
    next unless connect($end, sockaddr_un($sockets[rand @sockets]));
    syswrite($end, "x" x (1 + rand 900));
    push @open, $end;
    splice(@open, 0, 100) if @open > 300;
    select(undef, undef, undef, 0.001);
}
PERL
allocators=("")
for library in jemalloc.so.2 mimalloc.so.2 tbbmalloc_proxy.so.2 tcmalloc.so.4; do
    library=$(ldconfig -p | sed -n "s|.*lib$library .*=> ||p" | head -n 1)
    [ -z "$library" ] || allocators+=("$library")
done

# ledgers ROUND: programs whose bytes are known, on each node, one with each allocator.
ledgers() {
    local number=0 allocator node
    for allocator in "${allocators[@]}"; do
        node=n$((1 + number % 2))
        (LD_PRELOAD=$allocator timeout -k 5 $((length + 90)) "$weir" exec --socket "$scratch/$node.sock" \
            --name "ledger$1.$number" -- perl parts.pl "$scratch/store/ledger$1.$number" \
            $((EPOCHSECONDS + length)) "ledger$1.$number.log" 2>>"ledger.err" || echo "ledger$1.$number: $?" >>ledger.bad) &
        pids+=($!)
        number=$((number + 1))
    done
}

# --- faults ---------------------------------------------------------------------------------------
fault_of_controller() {
    case $((RANDOM % 3)) in
    0) kill -KILL $head; wait $head 2>/dev/null; start_controller --journal "$scratch/journal" ;;
    1) kill -TERM $head; wait $head 2>/dev/null; start_controller --journal "$scratch/journal" ;;
    2) kill -STOP $head; sleep $((1 + RANDOM % 3)); kill -CONT $head ;;
    esac
}
fault_of_agent() {
    local node=n$((1 + RANDOM % 2)) pid
    pid=$(cat $node.pid)
    case $((RANDOM % 3)) in
    0) kill -KILL "$pid"; wait "$pid" 2>/dev/null; start_agent $node ;;
    1) kill -STOP "$pid"; sleep $((1 + RANDOM % 3)); kill -CONT "$pid" ;;
    2) timeout 5 "$weir" ctl --socket head.sock set bandwidth $((100 + RANDOM % 200))MB/s >/dev/null ;;
    esac
}

# moved NAME: all that the accounts of this application have, once the last one is closed.
moved() {
    grep '"event":"done"' journal | grep "\"name\":\"$1\"" |
        sed 's/.*"moved":\([0-9]*\).*/\1/' | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}
wrote() { awk '{ sum += $1 } END { printf "%.0f\n", sum }' "$1.log"; }
# is_right NAME: its bytes are counted, each once.
is_right() { [ "$(moved "$1")" = "$(wrote "$1")" ]; }

knows_all() {
    local number
    status_of head >status.json
    for ((number = 0; number < ${#allocators[@]}; number++)); do
        grep -q "\"name\": \"ledger$i.$number\"" status.json || return
    done
}

# run_round NUMBER KIND: all programs of a round, and faults of this kind under them.
run_round() {
    local pids=() end=$((SECONDS + round)) log name
    ledgers "$1"
    hang STOP
    while [ $SECONDS -lt $end ]; do
        sleep 1
        "fault_of_$2"
    done
    hang CONT
    # What ends while there is no controller is in no account of one that never heard of it.
    soon connected && soon knows_all || return
    wait "${pids[@]}"
    for log in ledger"$1".*.log; do
        name=${log%.log}
        # The account of a part that is absent stays open for a minute.
        within 80 is_right "$name" ||
            { echo "$name: wrote $(wrote "$name"), counted $(moved "$name")"; return 1; }
    done
}

flooder=(perl flood.pl $((EPOCHSECONDS + seconds)) n1.sock n2.sock head.sock)
"${flooder[@]}" & flood=$!
chaos=()
for node in n1 n2; do
    timeout -k 5 $((seconds + 90)) "$weir" exec --socket "$scratch/$node.sock" --name "chaos.$node" -- \
        "$build/chaos" "$scratch/store" "$seconds" 1 2>>chaos.err &
    chaos+=($!)
done
timeout -k 5 $((seconds + 90)) "$weir" exec --socket "$scratch/n1.sock" --name hung -- \
    bash -c 'end=$((SECONDS + '"$seconds"')); while [ $SECONDS -lt $end ]; do
        echo a >>mounted/a || exit 1; sleep 0.1; done' 2>>hung.err & hung=$!
for ((i = 0; SECONDS < seconds; i++)); do
    kind=$([ $((i % 2)) -eq 0 ] && echo controller || echo agent)
    it "counts every byte once, round $i: the $kind fails" run_round $i $kind
done

all_end_well() {
    local status=0
    wait "${chaos[@]}" || status=1
    wait $hung || status=1
    wait $flood
    cat chaos.err hung.err
    [ ! -e ledger.bad ] || { cat ledger.bad ledger.err; status=1; }
    return $status
}
it "every byte is right, and every program ends" all_end_well
longest() { cat ledger*.log | awk '$2 > most { most = $2 } END { print most + 0 }'; }
waits_for_no_two_leases() {
    longest
    awk -v longest="$(longest)" -v lease=$lease 'BEGIN { exit !(longest < 2 * lease) }'
}
it "no call waits for two leases" waits_for_no_two_leases
echo "# $i rounds; the longest call took $(longest) s"
finish
