#!/bin/bash
# Programs of other people under `weir exec`: they write the same bytes as without it, and the
# controller counts them all.
. "$(dirname "$0")/common_programs.sh"

serve
mkdir plain data
head -c 20000000 /dev/urandom >data/large
for i in $(seq 50); do head -c 30000 /dev/urandom >"data/small$i"; done

# same EXPECTED-BYTES COMMAND...: the command, in which DIR stands for a directory, fills the
# directory plain without control and the directory store under it alike.
same() {
    local expected=$1
    shift
    rm -rf plain/* store/*
    "${@//DIR/plain}" >/dev/null || return
    counts "$expected" "${@//DIR/store}" >/dev/null || return
    diff -r plain store
}

# --- tools --------------------------------------------------------------------------------------
it "dd writes the same" same 20000000 dd if=data/large of=DIR/a bs=100k status=none
it "dd with large blocks does" same 20000000 dd if=data/large of=DIR/a bs=64M status=none
it "dd that syncs does" same 20000000 dd if=data/large of=DIR/a bs=1M conv=fsync status=none
it "cp writes the same" same 20000000 cp data/large DIR/a
it "cp of a directory does" same "$(bytes data/*)" cp -r data DIR/d
it "cp from store to store counts both ends" \
    same 60000000 sh -c 'cp data/large DIR/a && cp DIR/a DIR/b'
tar -cf size.tar data
it "tar writes the same" same "$(bytes size.tar)" tar --sort=name -cf DIR/a.tar data
it "tar that unpacks does" same "$(bytes data/*)" tar -C DIR -xf size.tar
it "a pipeline does" same 20000000 sh -c 'cat data/large | tee DIR/a | cmp - data/large'
redirects='for i in {1..5000}; do echo "line $i"; done >DIR/a; printf "%s\n" {1..999} >>DIR/a'
bash -c "${redirects//DIR/plain}"
it "bash redirects the same" same "$(bytes plain/a)" bash -c "$redirects"
it "a shell appends the same" \
    same 30000 sh -c 'for i in 1 2 3; do head -c 10000 data/large >>DIR/a; done'

if has python3; then
    cat >write.py <<'END'
import sys
with open(sys.argv[1] + "/a", "w") as out:
    for i in range(50000):
        out.write("line %d\n" % i)
with open(sys.argv[1] + "/b", "wb", buffering=0) as out:
    out.write(bytes(3000000))
END
    python3 write.py plain
    it "python3 writes the same" same "$(bytes plain/*)" python3 write.py DIR
fi

# --- fio ----------------------------------------------------------------------------------------
if has fio; then
    jobs=(fio --name=j --rw=write --bs=64k --size=4M --numjobs=4 --directory=DIR --fallocate=none)
    for engine in psync sync vsync pvsync2 posixaio libaio; do
        it "fio's $engine writes the same" \
            same 16777216 "${jobs[@]}" --ioengine=$engine --buffer_pattern=0x5a5a
    done
    verifies() {
        rm -rf store/*
        counts 33554432 "${jobs[@]//DIR/store}" --ioengine=psync --verify=crc32c \
            --verify_state_save=0 --verify_fatal=1
    }
    it "fio reads back what it wrote" verifies
else
    echo "# no fio: skipped"
fi

# --- MPI-IO -------------------------------------------------------------------------------------
mpirun=(mpirun --oversubscribe -n 4 --mca btl self,tcp --mca btl_tcp_if_include lo)
[ "$(id -u)" -ne 0 ] || mpirun+=(--allow-run-as-root)
if has mpirun && has mpicc; then
    cat >collective.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
enum { SIZE = 1 << 20 };
int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *data = malloc(SIZE);
    memset(data, 'a' + rank, SIZE);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < 3; i++)
        MPI_File_write_at_all(file, (4 * i + rank) * (MPI_Offset)SIZE, data, SIZE, MPI_BYTE,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return MPI_Finalize();
}
END
    if mpicc -o collective collective.c 2>mpi.log && "${mpirun[@]}" true 2>>mpi.log; then
        for io in ompio romio321; do
            it "an MPI program writes the same with $io" \
                same 12582912 "${mpirun[@]}" --mca io $io ./collective DIR/a
        done
    else
        echo "# MPI does not run: skipped"
    fi
else
    echo "# no MPI: skipped"
fi

# --- how programs are built ---------------------------------------------------------------------
cat >writer.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
    FILE *out = fopen(argv[argc - 1], "w");
    for (int i = 0; i < 10000; i++)
        fprintf(out, "%09d\n", i);
    return 0; /* the C library closes it */
}
END
cc=${CC:-cc}
"$cc" -o writer writer.c && it "a program that does not close its file writes the same" \
    same 100000 ./writer DIR/a
if "$cc" -fsanitize=address -o writer_asan writer.c 2>/dev/null; then
    it "a program with AddressSanitizer writes the same" same 100000 ./writer_asan DIR/a
fi
if "$cc" -fsanitize=thread -o writer_tsan writer.c 2>/dev/null && ./writer_tsan probe 2>/dev/null; then
    it "a program with ThreadSanitizer writes the same" same 100000 ./writer_tsan DIR/a
fi
if "$cc" -static -o writer_static writer.c 2>/dev/null; then
    left_alone() {
        controlled ./writer_static store/a 2>err && [ "$(bytes store/a)" -eq 100000 ] &&
            grep 'runs without control: is statically linked' err
    }
    it "a statically linked program is left alone, and it is said" left_alone
fi
cat >other.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
static int calls;
__attribute__((constructor)) static void write_early(void)
{
    FILE *out = getenv("EARLY") ? fopen(getenv("EARLY"), "w") : NULL;
    if (out && (fprintf(out, "%01000d", 1) < 0 || fclose(out) != 0))
        abort();
}
ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*next)(int, const void *, size_t) =
        (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (calls++ == 0 && getenv("OTHER"))
        next(2, "other\n", 6);
    return next(fd, data, size);
}
END
if "$cc" -shared -fPIC -o other.so other.c 2>/dev/null; then
    second() {
        LD_PRELOAD=$scratch/other.so OTHER=1 \
            counts 20000000 dd if=data/large of=store/a bs=1M status=none 2>err &&
            grep other err && cmp data/large store/a
    }
    it "another preloaded library still sees its calls" second
    # With this library's own last it starts first, and the other way round.
    early() {
        EARLY=store/early counts 1000 env LD_PRELOAD="$1" true && [ "$(bytes store/early)" -eq 1000 ]
    }
    ours=$("$weir" exec --socket "$scratch/socket" -- sh -c 'echo "$LD_PRELOAD"')
    it "a constructor that runs after this library's may write" early "$scratch/other.so:$ours"
    it "a constructor that runs before it may" early "$ours:$scratch/other.so"
fi

# --- weir exec itself ---------------------------------------------------------------------------
code_of() { "$@" >/dev/null 2>&1; echo $?; }
passes_codes() {
    [ "$(code_of controlled true)" -eq 0 ] && [ "$(code_of controlled sh -c 'exit 42')" -eq 42 ] &&
        [ "$(code_of controlled sh -c 'kill -KILL $$')" -eq 137 ] &&
        [ "$(code_of controlled ./none)" -eq 127 ] && [ "$(code_of controlled ./data)" -eq 126 ]
}
it "the exit code is the program's" passes_codes
passes_signals() {
    "$weir" exec --socket "$scratch/socket" -- sh -c \
        'trap "echo caught >caught; exit 3" TERM; touch ready; while :; do sleep 0.05; done' &
    soon [ -e ready ]
    kill -TERM $!
    wait $!
    [ $? -eq 3 ] && grep caught caught
}
it "signals are passed on" passes_signals
unset_is_empty() {
    WEIR_NODES='' WEIR_TOKEN='' WEIR_STORES='' LD_PRELOAD='' \
        counts 20000000 dd if=data/large of=store/a bs=1M status=none
}
it "empty variables are as good as none" unset_is_empty
adds_only_its_own() {
    env -0 | sort -z >before
    "$weir" exec --socket "$scratch/socket" -- env -0 | sort -z >inside
    comm -z -3 before inside | tr '\0' '\n' | sed 's/^\t//; s/=.*//' >changed
    grep -q LD_PRELOAD changed && ! grep -v -e '^LD_PRELOAD$' -e '^WEIR_' -e '^_$' changed
}
it "only LD_PRELOAD and WEIR_* change in a job" adds_only_its_own
cat >watched.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    char *bytes = malloc(8);
    (void)argv;
    bytes[argc > 1 ? 8 : 7] = 1;
    free(bytes);
    return 0;
}
END
if "$cc" -fsanitize=address -o watched watched.c 2>/dev/null && ./watched; then
    watches() {
        controlled sh -c ./watched && ! controlled ./watched beyond 2>err && grep heap-buffer-overflow err
    }
    it "AddressSanitizer works in a job" watches
fi
no_variables() {
    counts 0 env -i "$(command -v cp)" data/large store/b && cmp data/large store/b
}
it "a program may start others without an environment" no_variables
alone() {
    "$weir" exec --socket "$scratch/none" -- cp data/large store/c 2>err &&
        grep "'cp' runs without control: neither a controller nor an agent listens there" err && cmp data/large store/c
}
it "without a controller it runs all the same, and it is said" alone
holds_the_limit() { # 20 MB at 200 MB/s take 0.1 s
    local start=${EPOCHREALTIME/./} time
    controlled dd if=data/large of=store/a bs=1M status=none
    time=$((${EPOCHREALTIME/./} - start))
    echo "20 MB took $time us" && [ "$time" -ge 90000 ]
}
it "the limit holds" holds_the_limit
holds_in_another_time() {
    local start=${EPOCHREALTIME/./} time
    counts 20000000 faketime '2001-02-03 04:05:06' dd if=data/large of=store/a bs=1M status=none
    time=$((${EPOCHREALTIME/./} - start))
    echo "20 MB took $time us" && [ "$time" -ge 90000 ]
}
if has faketime; then
    it "it holds for a program that sees another time" holds_in_another_time
else
    echo "# no faketime: skipped"
fi

finish
