#!/bin/bash
# A program of MPICH, whose library UCX replaces libc's functions for mappings in memory, is
# controlled and counted like any other.
. "$(dirname "$0")/../cli/common.sh"

skip() {
    echo "skipped: $1"
    exit 77
}
command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null ||
    skip "MPICH is missing (packages mpich and libmpich-dev)"

cat >collective.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { SIZE = 1 << 20 };
int main(int argc, char **argv)
{
    int rank, rounds = atoi(argv[2]);
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *data = malloc(SIZE);
    memset(data, 'a' + rank, SIZE);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        MPI_File_write_at_all(file, (2 * i + rank) * (MPI_Offset)SIZE, data, SIZE, MPI_BYTE,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (rank == 0)
        printf("%.3f\n", MPI_Wtime() - start);
    return MPI_Finalize();
}
C
mpicc.mpich -o collective collective.c 2>mpi.log || skip "mpicc.mpich does not work: $(head -n 1 mpi.log)"
timeout 20 mpiexec.mpich -n 2 true 2>mpi.log || skip "mpiexec.mpich does not run: $(head -n 1 mpi.log)"
ldd ./collective | grep -q libucm || echo "# this MPICH has no UCX"

mkdir store plain
"$weir" serve --bandwidth 20MB/s --socket "$scratch/socket" --store "$scratch/store" 2>serve.log &
pid=$!
trap 'kill $pid; wait $pid; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# What the status says of it while it runs, in its middle and near its end: moved and state.
watch() {
    while sleep 0.1; do
        "$weir" status --socket "$scratch/socket" --json |
            sed -n 's/^ *"\(state\|moved\)": "\{0,1\}\([a-z0-9.e+]*\).*/\2/p' | paste -sd ' '
    done >seen 2>/dev/null
}

timeout 60 mpiexec.mpich -n 2 ./collective plain/a 20 >time.plain
watch & watcher=$!
timeout 60 "$weir" exec --socket "$scratch/socket" --name mpich -- \
    mpiexec.mpich -n 2 ./collective store/a 20 >time.controlled 2>err
code=$?
kill $watcher
wait $watcher 2>/dev/null

ends_well() { cat err; [ "$code" -eq 0 ] && [ ! -s err ]; }
it "it runs under control as without it" ends_well
it "it writes the same" cmp plain/a store/a
# 41.9 MB at 20 MB/s take 2.1 s; the first few come at once.
takes_its_time() {
    cat time.controlled
    awk '{ exit !($1 > 2.0 && $1 < 3.5) }' time.controlled
}
it "it gets the bandwidth that it is granted" takes_its_time
# A look within the last tenth of a second but one has seen 36 MB at least.
is_counted() {
    cat seen
    awk '$1 ~ /moving|waiting|paused/ && $2 > most { most = $2 } END { exit !(most > 36e6) }' seen &&
        ! grep uncontrolled seen
}
it "what it moves is counted" is_counted
finish
