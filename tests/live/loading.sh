#!/bin/bash
# The preload loads wherever it is seen, or is not seen: programs of an older C library, of another
# one and of another word size run under `weir exec`, and below a controlled shell, as without it.
. "$(dirname "$0")/common_programs.sh"

build=$(dirname "$weir")
cc=${CC:-cc}
mkdir plain
serve

# --- symbols ------------------------------------------------------------------------------------
# The versions of libc that a library needs, none above 2.17.
old_symbols() {
    objdump -p "$build/$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV >versions
    cat versions
    [ -s versions ] && [ "$(printf '%s\nGLIBC_2.17\n' "$(tail -1 versions)" | sort -V | tail -1)" \
        = GLIBC_2.17 ]
}
for library in libweir-preload.so libweir-client.so; do
    it "$library needs no symbol above GLIBC_2.17" old_symbols $library
done

# --- the program --------------------------------------------------------------------------------
cat >writer.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char line[64], data[10000];
    FILE *file = fopen(argv[1], "w+");
    for (int i = 0; i < 10000; i++)
        fprintf(file, "%09d\n", i);
    rewind(file);
    if (!fgets(line, sizeof line, file) || strcmp(line, "000000000\n") != 0)
        return 1;
    fclose(file);
    int fd = open(argv[1], O_WRONLY | O_APPEND);
    memset(data, 'x', sizeof data);
    if (fd < 0 || write(fd, data, sizeof data) != sizeof data || close(fd) != 0)
        return 2;
    printf("%d arguments\n", argc);
    fprintf(stderr, "to stderr\n");
    return 42;
}
END

# same PROGRAM COMMAND...: the command, in which DIR is a directory, gives the same output, errors,
# code and file under control, but for what weir itself says.
same() {
    local code
    rm -f plain/* store/*
    "${@//DIR/plain}" >plain.out 2>plain.err
    code=$?
    controlled "${@//DIR/store}" >out 2>err
    [ $? -eq $code ] && [ $code -eq 42 ] || { cat out err; return 1; }
    grep -v '^weir: ' err >err.program
    cmp plain.out out && cmp plain.err err.program && cmp plain/a store/a
}

# everywhere WHAT PROGRAM: by itself and started by others.
cat >spawn.py <<'END'
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
everywhere() {
    it "$1 runs the same under weir exec" same "$2" DIR/a
    it "$1 started by a shell does" same sh -c "$2 DIR/a; exit \$?"
    it "$1 that replaces a shell does" same bash -c "exec $2 DIR/a"
    it "$1 started by env does" same env A=b "$2" DIR/a
    it "$1 found in PATH does" same env PATH="$scratch:$PATH" "$(basename "$2")" DIR/a
    it "$1 started by a script does" same ./"$(basename "$2")".script DIR/a
    command -v python3 >/dev/null || return 0
    it "$1 spawned by python3 does" same python3 spawn.py "$2" DIR/a
    it "$1 started by python3's subprocess does" same python3 -c \
        'import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)' "$2" DIR/a
}
script_of() {
    printf '#!/bin/sh\n%s "$@"\n' "$1" >"$(basename "$1").script"
    chmod +x "$(basename "$1").script"
}
says() { controlled "$2" store/a 2>&1 | grep "runs without control: $1"; }

# --- musl ---------------------------------------------------------------------------------------
if command -v musl-gcc >/dev/null && musl-gcc -o writer_musl writer.c 2>/dev/null; then
    script_of "$scratch/writer_musl"
    everywhere "a musl program" "$scratch/writer_musl"
    it "of a musl program it is said" says 'uses another C library (musl)' "$scratch/writer_musl"
    loads() { # as when a program starts it that no hook sees
        LD_PRELOAD=$build/libweir-preload.so WEIR_SOCKET=$scratch/socket ./writer_musl plain/a
        [ $? -eq 42 ]
    }
    it "a musl program that sees the library runs all the same" loads
else
    echo "# no musl-gcc: skipped"
fi

# --- another word size --------------------------------------------------------------------------
if "$cc" -m32 -o writer_32 writer.c 2>/dev/null && ./writer_32 plain/a >/dev/null 2>&1; [ $? -eq 42 ]; then
    script_of "$scratch/writer_32"
    everywhere "a 32-bit program" "$scratch/writer_32"
    it "of a 32-bit program it is said" says 'is of another word size' "$scratch/writer_32"
else
    echo "# no 32-bit programs: skipped"
fi

# --- an older glibc -----------------------------------------------------------------------------
old=$build/old-libc
if "$WEIR_SOURCE_DIR/tools/old-libc" "$old" 2>old.log; then
    lib=$old/lib/x86_64-linux-gnu
    "$cc" -O1 -U_FORTIFY_SOURCE -nodefaultlibs -o writer_old writer.c "$lib/libc.so.6" \
        -Wl,--dynamic-linker="$lib/ld-linux-x86-64.so.2" -Wl,-rpath,"$lib" \
        -Wl,--allow-shlib-undefined
    script_of "$scratch/writer_old"
    everywhere "a program of glibc 2.31" "$scratch/writer_old"
    # One that has the dynamic linker's functions and threads, which were libraries of their own.
    "$cc" -O1 -U_FORTIFY_SOURCE -nodefaultlibs -o writer_old_dl writer.c -Wl,--no-as-needed \
        "$lib/libdl.so.2" "$lib/libpthread.so.0" "$lib/libc.so.6" -Wl,-rpath,"$lib" \
        -Wl,--dynamic-linker="$lib/ld-linux-x86-64.so.2" -Wl,--allow-shlib-undefined
    it "one with libdl and libpthread does" same ./writer_old_dl DIR/a
    counted() {
        controlled ./writer_old store/a >/dev/null 2>err
        cat err
        ! grep 'without control' err
    }
    it "a program of glibc 2.31 is controlled" counted
    paced() { # 110,000 bytes at 200 kB/s take about half a second
        local start=${EPOCHREALTIME/./} time
        "$weir" ctl --socket "$scratch/socket" set limit 200kB/s --application "$name"
        controlled ./writer_old store/a >/dev/null 2>&1
        time=$((${EPOCHREALTIME/./} - start))
        "$weir" ctl --socket "$scratch/socket" set limit none --application "$name"
        echo "110 kB took $time us" && [ "$time" -ge 400000 ]
    }
    it "a program of glibc 2.31 is paced" paced
else
    echo "# an older C library cannot be had ($(head -1 old.log)): skipped"
fi

# --- other ways to link and start ---------------------------------------------------------------
# Functions are found in the dynamic linker's list: also in a program at a fixed address, in one that
# the dynamic linker was asked to start, and in a library with the older kind of hash table only.
"$cc" -no-pie -o writer_fixed writer.c && "$cc" -o writer_plain writer.c &&
    "$cc" -Wl,--hash-style=sysv -o writer_sysv writer.c
linker=$(readelf -l writer_plain | sed -n 's/.*interpreter: \(.*\)]/\1/p')
it "a program at a fixed address runs the same" same ./writer_fixed DIR/a
it "one with the older hash table does" same ./writer_sysv DIR/a
it "one started through the dynamic linker does" same "$linker" ./writer_plain DIR/a
# Its write is behind the preload's, and in front of libc's.
cat >between.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>
ssize_t write(int fd, const void *data, size_t n)
{
    ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (n == 10000)
        next(1, "between\n", 8);
    return next(fd, data, n);
}
END
"$cc" -shared -fPIC -Wl,--hash-style=sysv -o between.so between.c
finds_between() {
    controlled env LD_PRELOAD="$build/libweir-preload.so:$scratch/between.so" \
        ./writer_plain store/a >out
    cat out
    [ "$(head -1 out)" = between ] && [ "$(bytes store/a)" -eq 110000 ]
}
it "a library behind it with the older hash table is found" finds_between

# --- where the library is not -------------------------------------------------------------------
moved_away() { # for a shell that has loaded it, as after a chroot
    mkdir -p away && cp "$build/libweir-preload.so" away/libweir-preload.so
    env LD_PRELOAD="$scratch/away/libweir-preload.so" bash -c \
        'mv away gone; /bin/true; echo $?; exec /bin/echo done' >out 2>err
    cat out err
    [ ! -s err ] && [ "$(cat out)" = "0
done" ]
}
it "a library that is not there any more is not asked for" moved_away

finish
