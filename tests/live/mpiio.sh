#!/bin/bash
# Each I/O through MPI is announced with its volume, begins and ends when its call does, and its
# bytes are counted once: in C and Fortran, of Open MPI and MPICH, and by libraries on top of MPI.
. "$(dirname "$0")/../cli/common.sh"

skip() {
    echo "skipped: $1"
    exit 77
}
command -v mpicc.openmpi >/dev/null || command -v mpicc.mpich >/dev/null ||
    skip "there is no MPI (packages openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev)"
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_pml=ob1

# Each kind of call once, 1 MB per rank, after some work that none leaves before the other has come.
cat >kinds.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { SIZE = 1000000 };
#define SAME MPI_STATUS_IGNORE
static int rank;
static char *data;
static void work(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(120000);
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Request one, two[2];
    int flag = 0, index, done, which[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Offset at = (MPI_Offset)rank * SIZE;
    data = malloc(SIZE);
    memset(data, 'a' + rank, SIZE);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    work();
    MPI_File_write_at(file, at, data, SIZE, MPI_BYTE, SAME);
    work();
    MPI_File_write_at_all(file, at, data, SIZE / 4, MPI_INT, SAME);
    work();
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_write_all(file, data, SIZE, MPI_BYTE, SAME);
    work();
    MPI_File_iwrite_at(file, at, data, SIZE, MPI_BYTE, &one);
    while (!flag)
        MPI_Test(&one, &flag, SAME);
    work();
    MPI_File_iwrite_at(file, at, data, SIZE / 2, MPI_BYTE, &two[0]);
    MPI_File_iwrite_at(file, at + SIZE / 2, data, SIZE / 2, MPI_BYTE, &two[1]);
    if (rank == 0) {
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    } else {
        MPI_Waitany(2, two, &index, SAME);
        MPI_Waitsome(2, two, &done, which, MPI_STATUSES_IGNORE);
    }
    work();
    MPI_File_write_at_all_begin(file, at, data, SIZE, MPI_BYTE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at_all_end(file, data, SAME);
    work();
    MPI_File_write_ordered(file, data, SIZE, MPI_BYTE, SAME);
    work();
    MPI_File_read_at_all(file, at, data, SIZE, MPI_BYTE, SAME);
    work();
#if MPI_VERSION >= 4
    MPI_File_write_at_all_c(file, at, data, SIZE, MPI_BYTE, SAME);
#else
    MPI_File_write_at_all(file, at, data, SIZE, MPI_BYTE, SAME);
#endif
    work();
    MPI_File_close(&file);
    return MPI_Finalize();
}
C

cat >kinds.f90 <<'F'
program kinds
  use mpi
  implicit none
  integer :: file, request, status(MPI_STATUS_SIZE)
  integer :: rank, fault
  integer, parameter :: n = 250000
  integer :: numbers(n)
  integer(kind=MPI_OFFSET_KIND) :: at
  character(len=200) :: path
  call MPI_Init(fault)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, fault)
  call get_command_argument(1, path)
  numbers = rank
  at = int(rank, MPI_OFFSET_KIND) * n * 4
  call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, &
                     fault)
  call work()
  call MPI_File_write_at_all(file, at, numbers, n, MPI_INTEGER, status, fault)
  call work()
  call MPI_File_iwrite_at(file, at, numbers, n, MPI_INTEGER, request, fault)
  call MPI_Wait(request, status, fault)
  call work()
  call MPI_File_write_at_all_begin(file, at, numbers, n, MPI_INTEGER, fault)
  call MPI_Barrier(MPI_COMM_WORLD, fault)
  call MPI_File_write_at_all_end(file, numbers, status, fault)
  call work()
  call MPI_File_close(file, fault)
  call MPI_Finalize(fault)
contains
  subroutine work()
    call MPI_Barrier(MPI_COMM_WORLD, fault)
    call sleep(1)
    call MPI_Barrier(MPI_COMM_WORLD, fault)
  end subroutine
end program
F
sed -e 's/use mpi$/use mpi_f08/' -e 's/integer :: file, request, status(MPI_STATUS_SIZE)/type(MPI_File) :: file\
  type(MPI_Request) :: request\
  type(MPI_Status) :: status/' kinds.f90 >kinds08.f90

# A collective write of 1 MB per rank to a data set.
cat >sets.c <<'C'
#include <hdf5.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size;
    hsize_t whole, part = 1000000, first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    whole = part * (hsize_t)size;
    first = part * (hsize_t)rank;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(1, &whole, NULL), memory = H5Screate_simple(1, &part, NULL);
    hid_t set = H5Dcreate2(file, "a", H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &part, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(300000);
    MPI_Barrier(MPI_COMM_WORLD);
    int fault = H5Dwrite(set, H5T_NATIVE_CHAR, memory, space, transfer, calloc(part, 1)) < 0;
    H5Dclose(set);
    H5Fclose(file);
    MPI_Finalize();
    return fault;
}
C

# The same to a variable of NetCDF.
cat >variables.c <<'C'
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, file, dimension, variable;
    size_t part = 1000000, first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = part * (size_t)rank;
    int fault = nc_create_par(argv[1], NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file) ||
                nc_def_dim(file, "x", part * (size_t)size, &dimension) ||
                nc_def_var(file, "a", NC_BYTE, 1, &dimension, &variable) ||
                nc_def_var_fill(file, variable, NC_NOFILL, NULL) || nc_enddef(file) ||
                nc_var_par_access(file, variable, NC_COLLECTIVE);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(300000);
    MPI_Barrier(MPI_COMM_WORLD);
    fault = fault || nc_put_vara_schar(file, variable, &first, &part, calloc(part, 1));
    nc_close(file);
    MPI_Finalize();
    return fault;
}
C
libraries=$(pkg-config --variable=libdir netcdf-mpi 2>/dev/null)

# One rank writes 60 MB by one call: at 100 MB/s, 0.6 s. Another file tells how many are there halfway.
cat >large.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size = 60000000;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_SELF, argv[1 + rank], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_write_at(file, 0, calloc(size, 1), size, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
C

mkdir store
"$weir" serve --bandwidth 100MB/s --socket "$scratch/socket" --store "$scratch/store" \
    --journal journal 2>serve.log &
pid=$!
trap 'kill $pid; wait $pid; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# controlled MPI COMMAND...: one application of two ranks; its lines of the journal are in `events`.
controlled() {
    local launcher=(mpiexec.mpich -n 2) lines
    [ "$1" = openmpi ] && launcher=(mpirun.openmpi --allow-run-as-root --oversubscribe -n 2)
    lines=$(wc -l <journal)
    timeout 60 "$weir" exec --socket "$scratch/socket" -- "${launcher[@]}" "${@:2}" ||
        { echo "exit code $?"; return 1; }
    for _ in $(seq 40); do
        tail -n "+$((lines + 1))" journal >events
        grep -q '"event":"done"' events && break
        sleep 0.05
    done
}

announced() { sed -n 's/.*"event":"\(post\|grow\)".*"volume":\([0-9.e+]*\).*/\1 \2/p' events; }

# exactly BYTES IOS MPI COMMAND...: so many bytes are announced and moved, in so many I/Os, or more
# where a rank came to one after the other had left it.
exactly() {
    local posts moved sum
    controlled "${@:3}" || return 1
    posts=$(grep -c '"event":"post"' events)
    moved=$(sed -n 's/.*"event":"done".*"moved":\([0-9]*\).*/\1/p' events)
    ! grep -q '"source":"\(guess\|mean\)"' events || { grep '"event":"post"' events; return 1; }
    # The last volume that was heard of each I/O is the sum of both ranks'.
    sum=$(announced | awk '$1 == "post" { sum += last; last = $2 } $1 == "grow" { last = $2 }
        END { printf "%d", sum + last }')
    # Where MPI keeps the shared pointer, in a file beside it, counts as well.
    [ "$posts" -ge "$2" ] && [ "$posts" -le "$((2 * $2))" ] && [ "$((moved / 1000))" -eq "$(($1 / 1000))" ] && [ "$sum" -eq "$1" ] ||
        { echo "$posts I/Os, $moved bytes moved, $sum announced"; return 1; }
}

for mpi in openmpi mpich; do
    mpicc.$mpi -w -o kinds.$mpi kinds.c 2>cc.log || { echo "# no $mpi: $(head -n 1 cc.log)"; continue; }
    it "each I/O of a program in C is announced ($mpi)" exactly 18000000 9 $mpi ./kinds.$mpi store/c
    it "what it wrote is there ($mpi)" cmp store/c <(head -c 1000000 /dev/zero | tr '\0' a
        head -c 1000000 /dev/zero | tr '\0' b)
    for program in kinds kinds08; do
        mpif90.$mpi -o $program.$mpi $program.f90 2>cc.log ||
            { echo "# no Fortran of $mpi: $(head -n 1 cc.log)"; continue; }
        it "... and of one in Fortran, $program.f90 ($mpi)" exactly 6000000 3 $mpi \
            ./$program.$mpi store/f
    done
    if h5pcc.$mpi -w -o sets.$mpi sets.c 2>cc.log; then
        set_is_announced() {
            controlled $mpi ./sets.$mpi store/h && announced | grep -q ' 2000000$'
        }
        it "... and of a program that uses HDF5 ($mpi)" set_is_announced
    else
        echo "# no HDF5 of $mpi: $(head -n 1 cc.log)"
    fi
    # Debian has it for Open MPI only.
    if [ $mpi = openmpi ] && mpicc.openmpi -w -I"$libraries/netcdf/mpi/include" -o variables \
        variables.c -lnetcdf_mpi 2>cc.log; then
        variable_is_announced() {
            controlled openmpi ./variables store/n && announced | grep -q ' 2000000$'
        }
        it "... and of a program that uses NetCDF ($mpi)" variable_is_announced
    else
        echo "# no NetCDF of $mpi: $([ $mpi = openmpi ] && head -n 1 cc.log || echo "no package")"
    fi
    mpicc.$mpi -w -o large.$mpi large.c
    in_pieces() {
        rm -f store/large
        (while sleep 0.02; do stat -c %s store/large; done) >sizes 2>&1 &
        local watcher=$!
        controlled $mpi ./large.$mpi store/large store/other
        kill $watcher
        wait $watcher 2>/dev/null
        sort -n -u sizes | tail -n 20
        [ "$(stat -c %s store/large)" -eq 60000000 ] && [ "$(grep -cE '^[1-5]?[0-9]{7}$' sizes)" -gt 3 ]
    }
    it "a large write of MPI is made in pieces ($mpi)" in_pieces
    elsewhere() { controlled $mpi ./kinds.$mpi elsewhere && ! grep '"event":"post"' events; }
    it "a file that is not on a store is not announced ($mpi)" elsewhere
done
finish
