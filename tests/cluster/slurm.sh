#!/bin/bash
# Jobs of a real Slurm are under control without a change to them: each one is one application, with
# exactly the bytes that it moves; and none fails or waits for want of control.
. "$(dirname "$0")/common_slurm.sh"

mkdir -m 777 store
store=$scratch/store
control journal
cluster_start

# task.sh NAME [NUMBER [COUNT]]: writes 1 MB to a file of its own, NAME.NUMBER, and waits until there
# are COUNT files: Slurm may take longer to start a task elsewhere than this one needs.
cat >task.sh <<'SH'
#!/bin/sh
dd if=/dev/zero of="$1.${2:-$SLURM_PROCID}" bs=100000 count=10 2>/dev/null || exit
for _ in $(seq 200); do
    [ "$(ls "$1".* | wc -l)" -ge "${3:-1}" ] && exit
    sleep 0.05
done
SH
chmod +x task.sh
task=$scratch/task.sh

cat >rank.c <<'C'
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    static char data[100000];
    char path[4096];
    int rank, done = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", argv[1], rank);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    while (done < 10 && write(fd, data, sizeof data) == sizeof data)
        done++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return done < 10;
}
C

# batch NAME OPTION... <SCRIPT: submits a job, and leaves its exit code in NAME.code at its end.
waiting=
batch() {
    local name=$1
    shift
    { echo '#!/bin/bash'; cat; } >"$name.sh"
    (timeout 40 sbatch --wait -J "$name" -o "$scratch/$name.out" "$@" "$name.sh" >"$name.log" 2>&1
        echo $? >"$name.code") &
    waiting="$waiting $!"
}

# wrote BYTES FILE...
wrote() {
    local bytes
    bytes=$(cat "${@:2}" | wc -c)
    [ "$bytes" -eq "$1" ] || { echo "$bytes bytes in ${*:2}"; return 1; }
}

# is_one NAME BYTES NODES: the jobs of this name were one application each, of so many bytes and nodes.
is_one() {
    local count jobs
    accounts "$1"
    cat "$1.out" "$1.log" 2>/dev/null
    count=$(accounts "$1" | wc -l)
    jobs=$(accounts "$1" | key job | sort -u | wc -l)
    [ "$count" -eq "${4:-1}" ] && [ "$jobs" -eq "$count" ] &&
        [ "$(accounts "$1" | key moved | sort -u)" = "$2" ] &&
        [ "$(grep '"event":"join"' journal | grep -F "\"name\":\"$1\"" | key nodes | sort -u)" = "$3" ]
}
ended() { cat "$1.log" "$1.out" 2>/dev/null; [ "$(cat "$1.code")" = "${2:-0}" ]; }

# --- many jobs at once ----------------------------------------------------------------------------
batch shell -N2 -A physics <<SH
head -c 100000 /dev/zero >$store/shell.0
SLURM_JOB_ACCOUNT=chemistry SLURM_JOB_NUM_NODES=99 timeout 20 srun -N2 -n2 $task $store/shell.task || exit 1
timeout 20 srun -N1 -n1 sh -c 'exit 7'
SH
batch array --array=0-2 -N1 <<SH
$task $store/array \$SLURM_ARRAY_TASK_ID
SH
batch parts -N1 : -N2 <<SH
timeout 20 srun --het-group=0,1 $task $store/parts
SH
batch steps -N2 --weir-volume=1MB <<SH
timeout 20 srun --exact -N1 -n1 $task $store/steps a & timeout 20 srun --exact -N1 -n1 $task $store/steps b & 
timeout 20 srun --exact -N1 -n1 --weir=off $task $store/steps c &
wait
SH
batch outer -N1 <<SH
head -c 100000 /dev/zero >$store/outer.0
timeout 20 sbatch --wait -J inner -N1 -o $scratch/inner.out --wrap "$task $store/inner 0"
SH
batch none --weir=off -N1 <<SH
$task $store/none 0
timeout 20 srun -N1 -n1 $task $store/none 1
env | grep -E '^(WEIR_(SOCKET|TOKEN|JOB|STORES)|LD_PRELOAD)=' && exit 1
exit 0
SH
for mpi in openmpi mpich; do
    mpicc.$mpi -o rank.$mpi rank.c 2>cc.$mpi || { echo "# no $mpi: $(head -n 1 cc.$mpi)"; continue; }
    launcher=mpiexec.mpich
    [ $mpi = mpich ] || launcher="mpirun.openmpi --allow-run-as-root --oversubscribe"
    batch $mpi -N2 -n4 <<SH
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_pml=ob1
timeout 30 $launcher -n 4 $scratch/rank.$mpi $store/$mpi
SH
done
timeout 30 srun -J tasks -N4 -n4 "$task" "$store/tasks" "" 4 >tasks.log 2>&1
echo $? >tasks.code
timeout 30 srun -J parts2 -N1 -n1 "$task" "$store/parts2" 0 2 : -N1 -n1 "$task" "$store/parts2" 1 2 >parts2.log 2>&1
echo $? >parts2.code
timeout 30 srun -J other --uid=nobody -N1 "$task" "$store/other" >other.log 2>&1
echo $? >other.code
cat >static.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(int n, char **a)
{
    static char data[100000];
    int done = 0, fd = open(a[n - 1], O_CREAT | O_TRUNC | O_WRONLY, 0666);
    while (done < 10 && write(fd, data, sizeof data) == sizeof data)
        done++;
    return done < 10;
}
C
if ${CC:-cc} -static -o static static.c 2>cc.static; then
    timeout 30 srun -J static --weir=supervise -N2 -n2 sh -c \
        "$scratch/static $store/static.\$SLURM_PROCID; until [ -e $store/static.0 -a -e $store/static.1 ]; do
            sleep 0.05; done; exit 5" >static.log 2>&1
    echo $? >static.code
fi
wait $waiting
settled >settled.log

it "srun ends as its tasks do" ended tasks
it "its tasks write what they should" wrote 4000000 "$store"/tasks.*
it "its tasks on four nodes are one application" is_one tasks 4000000 4
it "a batch shell ends as it should" ended shell 7
it "it and its steps write what they should" wrote 2100000 "$store"/shell.*
it "they are one application, of the nodes of the job" is_one shell 2100000 2
belongs() { accounts "$1" && [ "$(accounts "$1" | key account)" = "$2" ] && [ "$(accounts "$1" | key partition)" = main ]; }
it "its account and partition are what Slurm says, not the environment" belongs shell physics
it "an array of jobs ends as it should" ended array
it "each of its jobs is an application" is_one array 1000000 1 3
it "a heterogeneous job ends as it should" ended parts
it "it is one application" is_one parts 3000000 3
it "a heterogeneous srun ends as it should" ended parts2
it "it is one application, too" is_one parts2 2000000 2
it "steps at the same time end as they should" ended steps
it "they are one application, but for what is off" is_one steps 2000000 2
it "what is off writes the same" wrote 3000000 "$store"/steps.*
hinted() { grep '"event":"post"' journal | grep -F '"source":"hint"' | grep -F '"volume":1000000,'; }
it "a job says how much its I/Os move" hinted
it "a job that is submitted by another ends as it should" ended outer
it "the other one is an application" is_one outer 100000 1
it "and so is it" is_one inner 1000000 1
it "a job that is off ends as it should" ended none
it "it writes the same" wrote 2000000 "$store"/none.*
it "it is no application" test -z "$(accounts none)"
for mpi in openmpi mpich; do
    [ -e rank.$mpi ] || continue
    it "a job of $mpi ends as it should" ended $mpi
    it "its ranks write what they should" wrote 4000000 "$store"/$mpi.*
    it "its ranks are one application" is_one $mpi 4000000 2
done
if [ -e static ]; then
    it "a supervised job ends as it should" ended static 5
    it "its tasks write what they should" wrote 2000000 "$store"/static.*
    it "its tasks, statically linked, are one application" is_one static 2000000 2
fi
it "a job of another user ends as it should" ended other
of_nobody() { is_one other 1000000 1 && [ "$(accounts other | key uid)" = "$(id -u nobody)" ]; }
it "its application is that user's" of_nobody
bad_option() { ! timeout 10 srun --weir=maybe true 2>err && cat err && grep -q "'maybe' is none of 'on', 'off' and 'supervise'" err; }
it "an option that makes no sense is refused" bad_option

by_job() {
    exits 0 status --socket "$scratch/socket" --finished --by job --json && cat out &&
        [ "$(grep -c '"job": "[0-9]*"' out)" -eq "$(grep '"event":"done"' journal | key job | sort -u | wc -l)" ]
}
it "what jobs did is told by job" by_job
by_account() {
    exits 0 status --socket "$scratch/socket" --finished --by account && cat out &&
        grep -qE '^physics +1 .* 2.1 MB' out
}
it "... and by account" by_account

# --- programs that cannot be controlled -----------------------------------------------------------
printf '#include <stdlib.h>\nint main(void) { return getenv("LD_PRELOAD") ? 4 : 3; }\n' >musl.c
musl-gcc -o musl musl.c 2>/dev/null && ./musl
if [ $? -eq 3 ]; then
    runs_musl() {
        timeout 10 srun ./musl 2>err
        local code=$?
        cat err
        [ $code -eq 3 ] && ! grep -v 'exit code 3' err
    }
    it "a program of another C library runs without the library" runs_musl
fi

# --- where jobs are off unless they say so --------------------------------------------------------
plugged "socket=$scratch/socket" default=off
chooses() {
    timeout 20 srun -J silent -N1 -n1 "$task" "$store/silent" &&
        timeout 20 srun -J willing --weir=on -N1 -n1 "$task" "$store/willing" && settled >/dev/null &&
        [ -z "$(accounts silent)" ] && is_one willing 1000000 1
}
it "where jobs are off by default, one can be on" chooses

# --- without control ------------------------------------------------------------------------------
# runs NAME TEXT: a job runs as always, and the log has one more line, which says TEXT.
lines() { cat slurmd.n*.log | grep -c 'runs without control'; }
runs() {
    local before
    before=$(lines)
    timeout 20 srun -J "$1" -N1 -n1 "$task" "$store/$1" 2>err || { cat err; return 1; }
    for _ in $(seq 40); do [ "$(lines)" -gt "$before" ] && break; sleep 0.05; done
    grep -h 'runs without control' slurmd.n*.log | tail -n 3
    [ ! -s err ] && wrote 1000000 "$store/$1".0 && [ "$(lines)" -eq $((before + 1)) ] &&
        grep -h 'runs without control' slurmd.n*.log | grep -qF "$2"
}
plugged "socket=$scratch/socket" preload=/nowhere/libweir-preload.so
it "a job runs without the library" runs bare "needs libweir-preload.so, which is not installed"
plugged "sock=$scratch/socket"
it "a job runs if the plug-in has wrong arguments" runs wrong "invalid argument 'sock="
plugged "socket=$scratch/socket"
kill -STOP $controller
it "a job runs while the controller hangs" runs hangs "the controller does not answer"
kill -CONT $controller

# --- a controller that is killed and started again ------------------------------------------------
batch through -N1 <<SH
head -c 100000 /dev/zero >$store/through.0
touch $scratch/begun
while ! [ -e $scratch/again ]; do sleep 0.05; done
head -c 300000 /dev/zero >$store/through.1
SH
soon [ -e begun ]
{ kill -9 $controller; wait $controller; } 2>/dev/null
it "a job runs while there is no controller" runs alone "neither a controller nor an agent listens there"
rm -f journal
control journal
taken_back() {
    for _ in $(seq 60); do
        "$weir" status --socket "$scratch/socket" --by job --json >out && grep -q '"job": "[0-9]' out && return
        sleep 0.05
    done
    cat out
    return 1
}
it "a controller that was restarted hears of running jobs" taken_back
touch again
wait $waiting
settled >settled.log
it "such a job ends as it should" ended through
it "it writes what it should" wrote 400000 "$store"/through.*
it "it is controlled again" is_one through 300000 1

# --- the end of a job -----------------------------------------------------------------------------
batch cut -N2 <<SH
timeout 30 srun -N2 -n2 dd if=/dev/zero of=$store/cut bs=1000000 count=100000
SH
# Slurm's three processes on the two nodes, and the two that write.
for _ in $(seq 200); do
    "$weir" status --socket "$scratch/socket" --json | grep -q '"processes": [5-9]' && break
    sleep 0.05
done
leaves() {
    timeout 10 scancel --name=cut && settled && accounts cut && [ "$(accounts cut | wc -l)" -eq 1 ]
}
it "a job that is cancelled leaves at once" leaves
wait $waiting
# Processes of jobs in the scratch directory.
remains() {
    local place name
    for place in /proc/[0-9]*; do
        read -r name 2>/dev/null <"$place/comm" || continue
        case $name in slurmstepd | srun | sbatch | dd | head | sleep | bash | sh) ;; *) continue ;; esac
        [[ $(readlink "$place/cwd") = "$scratch"* ]] || continue
        case ${place#/proc/} in $$ | $BASHPID) continue ;; esac
        echo "$place $name $(cut -d ' ' -f 3 "$place/stat")"
    done 2>/dev/null | grep -v ' Z$'
}
nothing_left() {
    for _ in $(seq 60); do remains >left || return 0; sleep 0.05; done
    cat left
    return 1
}
it "nothing is left of the jobs" nothing_left
finish
