#!/bin/bash
# `weir exec --supervise` controls what the preload cannot: programs that are statically linked, have
# another C library, or make system calls by instructions of their own. It changes no result, and no
# call fails when its processes are killed.
. "$(dirname "$0")/../cli/common.sh"

cc=${CC:-cc}
cat >mover.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
enum { SIZE = 1 << 18 };
static char data[SIZE], back[SIZE];
static volatile int alarms;
static void ring(int signal) { alarms += signal == SIGALRM; }
#ifdef RAW
static long put(int fd, const void *from, size_t size)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(1L), "D"((long)fd), "S"(from), "d"(size)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(NARROW) /* as in a 32-bit program; the addresses of this one are small */
static long put(int fd, const void *from, size_t size)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(4L), "b"((long)fd), "c"(from), "d"(size)
                     : "r8", "r9", "r10", "r11", "memory");
    return result;
}
#else
static long put(int fd, const void *from, size_t size) { return write(fd, from, size); }
#endif
static int make(const char *path) { return open(path, O_CREAT | O_RDWR | O_TRUNC, 0666); }
/* PATH N: writes N times SIZE, and says how long it took. */
static int writes(char **a)
{
    struct timeval t0, t1;
    int fd = make(a[2]);
    gettimeofday(&t0, 0);
    for (int i = 0; i < atoi(a[3]); i++)
        if (put(fd, data, SIZE) != SIZE)
            return 1;
    gettimeofday(&t1, 0);
    printf("%.3f\n", (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_usec - t0.tv_usec) / 1e6);
    return close(fd);
}
/* IN OUT: copies 1 MiB or what is there in every way, one after the other. */
static int copies(char **a)
{
    int in = open(a[2], O_RDONLY), out = make(a[3]), ends[2];
    struct iovec parts[2] = {{back, 1000}, {back + 1000, SIZE - 1000}};
    ssize_t n = read(in, back, SIZE);
    if (write(out, back, (size_t)n) != n || readv(in, parts, 2) != SIZE ||
        writev(out, parts, 2) != SIZE || pread(in, back, SIZE, SIZE) != SIZE ||
        pwrite(out, back, SIZE, SIZE) != SIZE || preadv(in, parts, 2, 0) != SIZE ||
        pwritev(out, parts, 2, 0) != SIZE || lseek(out, 2 * SIZE, SEEK_SET) != 2 * SIZE ||
        lseek(in, 2 * SIZE, SEEK_SET) != 2 * SIZE || sendfile(out, in, 0, SIZE) != SIZE ||
        copy_file_range(in, 0, out, 0, SIZE / 2, 0) != SIZE / 2 || pipe(ends) != 0)
        return 1;
    for (size_t left = SIZE / 2; left > 0; left -= (size_t)n)
        if ((n = splice(in, 0, ends[1], 0, left, 0)) <= 0 ||
            splice(ends[0], 0, out, 0, (size_t)n, 0) != n)
            return 2;
    return read(in, back, SIZE) != 0;
}
static void *part(void *at)
{
    long *place = at;
    for (int i = 0; i < 10; i++)
        if (pwrite((int)place[0], data, SIZE, (place[1] * 10 + i) * SIZE) != SIZE)
            return at;
    return NULL;
}
/* PATH N: N threads write ten times SIZE each. */
static int threads(char **a)
{
    long n = atoi(a[3]), places[64][2];
    pthread_t list[64];
    int bad = 0, fd = make(a[2]);
    for (long i = 0; i < n; i++) {
        places[i][0] = fd, places[i][1] = i;
        bad |= pthread_create(&list[i], 0, part, places[i]);
    }
    for (long i = 0; i < n; i++) {
        void *result;
        bad |= pthread_join(list[i], &result) || result;
    }
    return bad;
}
/* PATH N: one thread writes to the store, and another one meanwhile N times to a pipe. */
static int beside(char **a)
{
    long place[2] = {make(a[2]), 0};
    int ends[2], first = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    pthread_t other;
    if (pipe(ends) || pthread_create(&other, 0, part, place))
        return 1;
    for (int i = 0; i < atoi(a[3]); i++)
        if (write(ends[1], "x", 1) != 1 || read(ends[0], back, 10) != 1)
            return 2;
    if (write(first, "done\n", 5) != 5)
        return 3;
    return pthread_join(other, 0);
}
/* PATH N: as writes, with a signal every 2 ms; and one that restarts no call, and that may come
 * from outside. */
static int signals(char **a)
{
    struct itimerval each = {{0, 2000}, {0, 2000}};
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = ring, .sa_flags = SA_RESTART}, 0);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = ring}, 0);
    setitimer(ITIMER_REAL, &each, 0);
    int bad = writes(a);
    return bad ? bad : alarms == 0 ? 3 : 0;
}
/* PATH N: as writes, under a filter of its own that forbids getppid. */
static int filters(char **a)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter))
        return 1;
    return syscall(SYS_getppid) != -1 || errno != EXDEV ? 2 : writes(a);
}
static int rings(char **a)
{
    (void)a;
    return syscall(425, 8, back) != -1 || errno != ENOSYS;
}
/* PATH: maps it, and reads it. */
static int maps(char **a)
{
    int fd = open(a[2], O_RDONLY);
    const char *at = mmap(0, 1 << 20, PROT_READ, MAP_SHARED, fd, 0);
    return at == MAP_FAILED || at[12345] != (char)(12345 * 7 + 1);
}
int main(int n, char **a)
{
    static const struct { const char *name; int (*run)(char **); } list[] = {
        {"writes", writes}, {"copies", copies}, {"threads", threads}, {"beside", beside},
        {"signals", signals}, {"filters", filters}, {"rings", rings}, {"maps", maps}};
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 7 + 1);
    for (size_t i = 0; n > 1 && i < sizeof list / sizeof *list; i++)
        if (strcmp(a[1], list[i].name) == 0)
            return list[i].run(a);
    return 99;
}
C
sed -i 's/#include <sys\/prctl.h>/#include <sys\/mman.h>\n&/' mover.c
$cc -O1 -w -static -pthread -o static mover.c 2>cc.log || { echo "skipped: nothing can be linked statically"; exit 77; }
$cc -O1 -w -pthread -o dynamic mover.c
programs="static dynamic"
command -v musl-gcc >/dev/null && musl-gcc -idirafter /usr/include \
    -idirafter "/usr/include/$(uname -m)-linux-gnu" -O1 -w -static -pthread -o musl mover.c 2>cc.log &&
    programs="$programs musl"
[ "$(uname -m)" != x86_64 ] || { $cc -O1 -w -DRAW -pthread -o raw mover.c; programs="$programs raw"; }
[ "$(uname -m)" != x86_64 ] || { $cc -O1 -w -DNARROW -static -no-pie -pthread -o narrow mover.c; ./narrow writes narrowly 1 >took && programs="$programs narrow"; }
./static writes reference 80 >/dev/null
head -c 1048576 reference >in
./static copies in plain_copy || exit 1

mkdir store
serve() { # BANDWIDTH
    "$weir" serve --bandwidth "$1" --socket "$scratch/socket" --store "$scratch/store" \
        --journal "$scratch/journal" 2>>serve.log &
    server=$!
    soon answers "$scratch/socket"
}
stop() { kill $server; wait $server; }
trap 'kill $server 2>kill.log; rm -rf "$scratch"' EXIT
supervised() { "$weir" exec --socket "$scratch/socket" --supervise -- "$@" 2>errors; }

./static rings 2>rings.log # whatever this says, it must not hang
"$weir" exec --supervise --strict --socket "$scratch/none" -- true 2>errors
grep -q 'cannot be supervised' errors && { echo "skipped: $(cat errors)"; exit 77; }

# --- rates, bytes and accounts ------------------------------------------------------------------
serve 20MB/s
# 80 calls of 256 KiB at 20 MB/s take 1.05 s; the last is not waited for.
is_paced() {
    supervised "./$1" writes store/a 80 >took || { echo "exit $?: $(cat errors)"; return 1; }
    cmp store/a reference && awk '{ print } $1 < 0.95 { exit 1 }' took
}
# moved BYTES: the last account has them, and nothing escaped.
moved() {
    soon accounted "$1"
}
accounted() { grep '"event":"done"' journal | tail -n 1 | grep "\"moved\":$1,\"escaped\":0,"; }
for program in $programs; do
    it "a program is paced, and writes the same ($program)" is_paced "$program"
    it "its bytes are counted, and none escaped ($program)" moved 20971520
done
cp in store/in
copies_alike() { supervised "./$1" copies store/in store/out && cmp store/out plain_copy; }
for program in $programs; do
    it "all kinds of calls have the same results ($program)" copies_alike "$program"
done
# Read: four of SIZE, sendfile, copy_file_range and splice; as much is written.
it "a copy counts at both ends, and the end of the file as nothing" moved 3145728
children() {
    supervised sh -c './static writes store/b 40 & ./static writes store/c 40 & wait' >took &&
        cmp store/b store/c && cmp -n 10485760 store/b reference
}
it "children are paced" children
it "children count" moved 20971520
many_threads() { supervised ./static threads store/t 16 && [ "$(stat -c %s store/t)" = 41943040 ]; }
it "threads are paced" many_threads
it "threads count" moved 41943040
without_preload() { ! LD_PRELOAD=/x/libweir-preload.so supervised sh -c 'echo "$LD_PRELOAD"' | grep weir; }
it "the preload is not loaded as well" without_preload
with_signals() { supervised ./static signals store/a 40 >took && cmp -n 10485760 store/a reference; }
it "signals do not make calls fail" with_signals
it "nor does a filter of its own" supervised ./static filters store/a 4
it "io_uring is not there" supervised ./static rings
maps_count() {
    supervised ./static maps store/in && soon grep '"event":"done".*"escaped":1048576,' journal
}
it "mapped files are counted as escaped" maps_count

# --- ends ---------------------------------------------------------------------------------------
code_is() { local expected=$1; shift; supervised "$@"; [ $? = "$expected" ]; }
it "the exit code is the program's" code_is 7 sh -c 'exit 7'
it "so is the signal" code_is 143 sh -c 'kill -TERM $$'
it "a program that is not there is reported" code_is 127 ./nothing
it "one that cannot be run too" code_is 126 ./reference
nested() { supervised "$weir" exec --socket "$scratch/socket" --supervise -- ./static writes store/a 1; cat errors; grep 'is supervised already' errors; }
it "a program cannot be supervised twice" nested
within_strict() { ! supervised "$weir" exec --strict --socket "$scratch/socket" --supervise -- ./static writes store/a 1; }
it "with --strict it is not run then" within_strict
stop
free() { "$weir" exec --socket "$scratch/socket" --supervise -- ./static writes store/a 80 >took; }
it "without a controller it runs unthrottled" free
refused() { ! "$weir" exec --strict --socket "$scratch/socket" --supervise -- ./static writes store/a 80; }
it "with --strict it does not run then" refused

# --- nobody waits for others --------------------------------------------------------------------
serve 100kB/s
supervised ./static beside store/slow 500 &
runner=$!
it "a call that waits delays no others" soon grep done said
waits() { kill -0 $runner; }
it "meanwhile it waits" waits
supervised sh -c 'echo $$ >writer.pid; exec ./static signals store/z 2' >took &
writer=$!
# Once it is received, a call waits as at a device (D); then no signal makes it fail.
received() { [ "$(sed 's/.*) //' "/proc/$(cat writer.pid)/stat" | cut -c 1)" = D ]; }
it "so does another" soon received
kill -USR1 "$(cat writer.pid)"
it "a signal without SA_RESTART does not make it fail" wait $writer

# --- its processes are killed -------------------------------------------------------------------
helpers() { # NAME: the processes beside that program
    local process
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>helpers.log)" = "weir-$1" ] &&
            tr '\0' ' ' <"$process/cmdline" | grep -q "$scratch/socket" && echo "${process#/proc/}"
    done
}
is_there() { [ -n "$(helpers "$1")" ]; }
other_guardian() { local now; now=$(helpers guardian); [ -n "$now" ] && [ "$now" != "$guardian" ]; }
guardian=$(helpers guardian)
kill -9 $guardian
it "a guardian that is killed is replaced" soon other_guardian
it "its program waits on" waits
kill -9 $(helpers supervise)
ends() { wait $runner && [ "$(stat -c %s store/slow)" = 2621440 ]; }
it "when the supervisor is killed, the program runs unthrottled" ends
gone() { [ -z "$(helpers guardian)$(helpers supervise)" ]; }
it "with the program they end" soon gone
supervised sh -c './static writes store/x 2; until [ -e go ]; do sleep 0.05; done; ./static writes store/y 40' >took &
runner=$!
soon is_there supervise
kill -9 $(helpers supervise)
it "a guardian without a supervisor has a guardian" soon is_there guardian
for round in 1 2 3; do
    soon is_there guardian
    guardian=$(helpers guardian)
    kill -9 ${guardian%%[!0-9]*}
    it "so the program goes on when it is killed ($round)" soon other_guardian
done
touch go
ends_too() { wait $runner && cmp -n 10485760 store/y reference; }
it "and ends well" ends_too
escapes() { soon grep -q '"event":"done".*"escaped":[1-9]' journal; }
it "what ran unthrottled is seen to escape" escapes
it "with that program they end too" soon gone

# --- other users --------------------------------------------------------------------------------
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    stop
    serve 20MB/s
    chmod 755 . && chmod 777 store && rm -f store/u
    as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$weir" exec \
        --socket "$scratch/socket" --supervise -- ./static writes store/u 40 >took 2>errors; }
    it "any user can have it" as_user
    it "with the same accounts" moved 10485760
fi
stop
finish
