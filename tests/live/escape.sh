#!/bin/bash
# What the preload cannot see is seen by the controller, with the reason, and said at the end; and
# programs that move much elsewhere are not suspected.
. "$(dirname "$0")/../cli/common.sh"

mkdir store
($weir serve --bandwidth 4GB/s --socket "$scratch/socket" --store "$scratch/store" \
    --journal "$scratch/journal" 2>serve.log & echo $! >serve.pid; wait) &
trap 'kill "$(cat "$scratch/serve.pid")"; wait; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

# Writes 40 MiB within some 0.4 s, by libc, or by instructions of its own; then it stays for a while,
# longer where what is missing counts only after several looks.
cat >writer.c <<'EOF'
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
static char data[1 << 20];
#ifndef REST
#define REST 800 /* ms */
#endif
#if defined(RAW) && defined(__x86_64__)
static long put(int fd)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(1L), "D"((long)fd), "S"(data), "d"(sizeof data)
                     : "rcx", "r11", "memory");
    return result;
}
#else
static long put(int fd) { return write(fd, data, sizeof data); }
#endif
static void rest(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, 0);
}
int work(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0666);
    for (int i = 0; i < 40; i++, rest(10))
        if (put(fd) != sizeof data)
            return 1;
    rest(REST);
    return close(fd);
}
#ifndef PLUGIN
int main(int n, char **list) { return n == 2 ? work(list[1]) : 2; }
#endif
EOF
cat >host.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
int main(int n, char **list)
{
    void *plugin = n == 3 ? dlopen(list[1], RTLD_NOW | RTLD_DEEPBIND) : 0;
    int (*work)(const char *) = plugin ? (int (*)(const char *))dlsym(plugin, "work") : 0;
    return work ? work(list[2]) : 2;
}
EOF
cc=${CC:-cc}
chmod 755 . store
$cc -O1 -o writer writer.c

controlled() { "$weir" exec --socket "$scratch/socket" -- "$@" 2>errors; }

# says WORDS COMMAND...: at its end, 40 MiB (within a percent) are said to have escaped, for this
# reason, and the journal has it too. What is moved before the first look at an attached process, and
# after the last one, is missing: then `least` is less.
least=41
says() {
    local reason=$1
    shift
    controlled "$@" || { echo "exit code $?: $(cat errors)" >&2; return 1; }
    awk -v reason="$reason" -v least="$least" '
        / escaped control / { if ($3 >= least && $3 <= 42.4 && $4 == "MB" && index($0, reason)) seen = 1 }
        END { exit !seen }' errors || { echo "said: $(cat errors)" >&2; return 1; }
    sleep 0.2
    tail -n 20 journal | grep -q '"event":"leave".*"escaped":[0-9]'
}

# quiet COMMAND...: nothing is said.
quiet() {
    controlled "$@" >output || { echo "exit code $?: $(cat errors)" >&2; return 1; }
    ! grep escaped errors >&2
}

# --- what escapes -------------------------------------------------------------------------------
it "what libc writes does not escape" quiet ./writer store/a
it "a program without its environment is seen" says "without its environment" \
    env -i ./writer store/a
it "so is the child of a child" says "without its environment" \
    sh -c 'sh -c "env -i ./writer store/a; true"; true'
if $cc -static -o static writer.c 2>/dev/null; then
    it "a static program is seen" says "statically linked" ./static store/a
    it "so is one that a controlled program starts" says "statically linked" \
        sh -c './static store/a; true'
    it "so is one that its parent has left" says "statically linked" \
        sh -c '(./static store/a &); sleep 2'
    it "one that writes elsewhere is not suspected" quiet ./static elsewhere
fi
if command -v musl-gcc >/dev/null && musl-gcc -o musl writer.c 2>/dev/null; then
    it "a program of another C library is seen" says "another C library" \
        env -u LD_PRELOAD ./musl store/a
fi
if [ "$(uname -m)" = x86_64 ]; then
    $cc -O1 -DRAW -DREST=1600 -o raw writer.c
    least=25 it "system calls by instructions are seen" says "system calls of its own" ./raw store/a
fi
$cc -shared -fPIC -DPLUGIN -DREST=1600 -o plugin.so writer.c && $cc -o host host.c -ldl
least=25 it "a plug-in that is bound to libc is seen" says "system calls of its own" \
    ./host ./plugin.so store/a
if [ "$(id -u)" = 0 ]; then
    cp writer setid && chown 65534 setid && chmod 4755 setid && chmod 777 store
    it "a program with more rights than its user is seen" says "more rights than its user" \
        env LD_LIBRARY_PATH= sh -c 'rm -f store/a; ./setid store/a; true'
fi
if fio --enghelp 2>/dev/null | grep -q io_uring && [ "$(stat -fc %T store)" != tmpfs ]; then
    cp "$(command -v fio)" fio
    least=15 it "io_uring is seen on a disk" says "uses io_uring" fio --name=f --filename=store/a \
        --size=50m --bs=1m --rw=write --ioengine=io_uring --direct=1 --rate=20m \
        --output=/dev/null --fallocate=none
fi

# --- what does not ------------------------------------------------------------------------------
head -c 50000000 /dev/zero >plain
it "bytes through pipes are not suspected" quiet sh -c \
    'exec 5>store/log; cat plain | tr a b | sort -z -T . >/dev/null; sleep 0.6; echo done >&5'
it "nor are copies elsewhere" quiet sh -c \
    'exec 5>store/log; dd if=plain of=copy bs=64k status=none; cp copy other; sleep 0.6; rm copy'
it "nor is what a script does elsewhere while it has a file of the store open" quiet python3 -c '
import os, subprocess, time
log = open("store/log", "w"); log.write("begin\n"); log.flush()
for i in range(20):
    os.write(os.open("copy", os.O_WRONLY | os.O_CREAT), bytes(5 << 20))
    len(open("plain", "rb").read(5 << 20)); time.sleep(0.05)
with subprocess.Popen(["cat", "plain"], stdout=subprocess.PIPE) as cat:
    while cat.stdout.read(1 << 20): time.sleep(0.01)
time.sleep(0.6); log.write("end\n")'
cat >streams.c <<'EOF'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char line[1000];
int main(void)
{
    FILE *log = fopen("store/log", "w"), *out = fopen("copy", "w"), *in = fopen("plain", "r");
    memset(line, 'x', sizeof line - 2);
    fprintf(log, "begin\n");
    fflush(log);
    for (int i = 0; i < 20; i++, usleep(40000))
        for (int k = 0; k < 1000; k++) {
            fputs(line, out);
            fprintf(out, "%s %d\n", line, k);
            fread(line, 1, 998, in);
            memset(line, 'x', sizeof line - 2);
            for (int c = 0; c < 1000; c++)
                putc(getc(in) & 127, out);
        }
    sleep(1);
    return fclose(log);
}
EOF
$cc -O1 -o streams streams.c
it "nor are streams" quiet ./streams
# What reaches a file long after it was put: 4 MB in one buffer, filled over several looks.
cat >buffers.c <<'EOF'
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>
static char line[1000], buffer[8 << 20];
int main(void)
{
    FILE *log = fopen("store/log", "w"), *out = fopen("copy", "w"), *wide = fopen("other", "w");
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    fprintf(log, "begin\n");
    fflush(log);
    for (int i = 0; i < 20; i++, usleep(50000))
        for (int k = 0; k < 200; k++)
            fwrite(line, 1, sizeof line, out);
    fflush(out);
    sleep(2);
    for (int i = 0; i < 30000; i++)
        fputws(L"wide characters, of which there are some eighty in each of these lines\n", wide);
    fclose(wide);
    sleep(2);
    setvbuf(out, buffer, _IOFBF, 65536);
    for (int i = 0; i < 3000000; i++)
        putc_unlocked('x', out);
    sleep(2);
    return fclose(log);
}
EOF
$cc -O2 -o buffers buffers.c
it "nor are buffers and wide characters" quiet ./buffers
it "nor is a compiler" quiet sh -c "exec 5>store/log; for i in 1 2 3; do $cc -O2 -o c writer.c; done"
finish
