#!/bin/bash
# `weir exec` is transparent: scripts, signals, job control, filters of system calls, small stacks and
# the last descriptor are as without it.
. "$(dirname "$0")/common_programs.sh"

cc=${CC:-cc}
mkdir plain
serve
leader() { exec "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"; } # in a subshell
code_of() { "$@" >/dev/null 2>&1; echo $?; }

# --- what is run --------------------------------------------------------------------------------
printf 'echo "$# $1"; exit 5\n' >unmarked && chmod +x unmarked
plain_script() {
    controlled ./unmarked 'a b' c >out 2>err
    [ $? -eq 5 ] && [ "$(cat out)" = "2 a b" ] && [ ! -s err ] || { cat out err; return 1; }
    [ "$(PATH=$PATH:$scratch code_of controlled unmarked)" -eq 5 ]
}
it "a script without an interpreter is run by the shell" plain_script

# --- signals ------------------------------------------------------------------------------------
cat >catch.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
/* Prints the signals and values that come, until SIGTERM. */
int main(void)
{
    sigset_t all;
    siginfo_t info;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    printf("ready\n");
    fflush(stdout);
    for (int signal; (signal = sigwaitinfo(&all, &info)) != SIGTERM; fflush(stdout))
        printf("%d %d\n", signal, info.si_code == SI_QUEUE ? info.si_value.sival_int : -1);
    return 0;
}
END
cat >queue.c <<'END'
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    return argc == 4 ? sigqueue(atoi(argv[1]), atoi(argv[2]), (union sigval){atoi(argv[3])}) : 2;
}
END
"$cc" -o catch catch.c && "$cc" -o queue queue.c
await() { soon grep "$1" "$2"; }
passes_all() {
    local signal value=100
    leader ./catch >caught 2>err &
    await ready caught || return
    for signal in 1 2 3 6 8 10 11 12 13 14 16 20 21 22 23 24 25 26 27 28 29 30 31 34 40 64; do
        if [ "$signal" -ge 34 ]; then
            ./queue $! "$signal" $((++value)) && await "^$signal $value$" caught
        else
            kill -"$signal" $! && await "^$signal -1$" caught
        fi || { echo "signal $signal was not passed on"; cat caught; kill -KILL $!; return 1; }
    done
    kill -TERM $!
    wait $!
}
it "every signal is passed on, with its value" passes_all

dies_by() {
    leader sleep 10 &
    sleep 0.1
    kill -"$1" $!
    wait $! 2>/dev/null
    [ $? -eq $((128 + $1)) ]
}
for signal in 24 27 29 30 34; do # XCPU, PROF, IO, PWR, RTMIN
    it "signal $signal ends the program, and weir exec likewise" dies_by $signal
done

cat >dispositions.c <<'END'
#include <signal.h>
#include <stdio.h>
int main(void)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int signal = 1; signal < 32; signal++) {
        struct sigaction action;
        if (sigaction(signal, NULL, &action) == 0)
            printf("%d%s%s ", signal, action.sa_handler == SIG_IGN ? "i" : "",
                   sigismember(&mask, signal) ? "b" : "");
    }
    printf("\n");
}
END
cat >around.py <<'END'
import os, signal, sys
for name in ("SIGHUP", "SIGPIPE", "SIGCHLD", "SIGTSTP", "SIGUSR2"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGUSR1, signal.SIGCHLD])
os.execvp(sys.argv[1], sys.argv[1:])
END
"$cc" -o dispositions dispositions.c
if command -v python3 >/dev/null; then
    same_dispositions() {
        python3 around.py ./dispositions >expected &&
            python3 around.py "$weir" exec --socket "$scratch/socket" -- ./dispositions >out &&
            cat expected && grep -q '1i' expected && diff expected out
    }
    it "the program has the caller's mask and dispositions" same_dispositions
fi

state_of() { awk '{ sub(/.*\) /, ""); print $1 }' "/proc/$1/stat"; }
has_state() { [ "$(state_of "$1")" = "$2" ]; }
await_state() { soon has_state "$@"; }
stops_both() {
    set -m # a group of its own: the kernel does not stop those that no shell could continue
    leader sleep 30 &
    local leader=$! child
    set +m
    sleep 0.2
    child=$(cat /proc/$leader/task/$leader/children)
    kill -TSTP $leader
    await_state $leader T && await_state "${child% }" T || { echo "not stopped"; kill -9 $leader; return 1; }
    kill -CONT $leader
    await_state $leader S && await_state "${child% }" S || { echo "not continued"; kill -9 $leader; return 1; }
    kill -STOP "${child% }" # the program stops itself: a shell sees it
    await_state $leader T || { echo "not seen"; kill -9 $leader; return 1; }
    kill -CONT $leader
    await_state "${child% }" S && kill -TERM $leader
    wait $leader 2>/dev/null
    [ $? -eq 143 ]
}
# Somebody stops the program alone, and continues or kills it alone.
continues_alone() {
    local leader child
    leader sleep 1 >/dev/null 2>&1 &
    leader=$!
    sleep 0.3
    child=$(cat /proc/$leader/task/$leader/children) child=${child% }
    kill -STOP "$child" && sleep 0.3 && kill -CONT "$child" && wait $leader || return
    leader sleep 30 >/dev/null 2>&1 &
    leader=$!
    sleep 0.3
    child=$(cat /proc/$leader/task/$leader/children) child=${child% }
    kill -STOP "$child" && sleep 0.3 && kill -9 "$child"
    wait $leader
    [ $? -eq 137 ]
}
it "a program that is stopped and continued alone does not leave weir exec behind" continues_alone
it "stopping and continuing reach the program, and a stopped program stops weir exec" stops_both

# --- clocks -------------------------------------------------------------------------------------
# In a time namespace the controller's clock means nothing: the program runs unthrottled instead of waiting.
other_clock() {
    local start=$SECONDS
    controlled unshare -T --monotonic "$1" --fork dd if=/dev/zero of="$scratch/store/clock" bs=1M \
        count=20 status=none && [ $((SECONDS - start)) -lt 20 ]
}
# While it runs, it is shown as what it is.
shows_other_clock() {
    local leader status
    mkfifo until
    controlled unshare -T --monotonic "$1" --fork sh -c 'echo >store/clock; read -r word <until' &
    leader=$!
    soon is_displaced
    status=$?
    timeout 20 sh -c 'echo >until'
    wait "$leader" && rm until && return "$status"
}
is_displaced() {
    "$weir" status --socket "$scratch/socket" --json >status.json
    grep '"state": "uncontrolled"' status.json && grep "its clock is not the controller's" status.json
}
if unshare -T --monotonic 5 true 2>/dev/null; then
    behind=-$(($(cut -d. -f1 /proc/uptime) / 2)) # no clock can be set to before the start of the machine
    it "a program whose clock is behind does not wait for ever" other_clock "$behind"
    it "nor does one whose clock is ahead" other_clock 100000
    it "weir status shows a program whose clock is behind" shows_other_clock "$behind"
    it "and one whose clock is ahead" shows_other_clock 100000
fi

# --- filters of system calls --------------------------------------------------------------------
cat >strict.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static char data[300000];
int main(int argc, char **argv)
{
    struct sock_filter allowed[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_writev, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof allowed / sizeof *allowed, allowed};
    struct iovec vector = {data, sizeof data};
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (argc < 3 || write(fd, data, sizeof data) != sizeof data)
        return 1;
    if (strcmp(argv[2], "strict") == 0) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
            return 2;
        for (int i = 0; i < 5; i++)
            if (write(fd, data, sizeof data) != sizeof data)
                syscall(SYS_exit, 3);
        syscall(SYS_exit, 0);
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (strcmp(argv[2], "filter") == 0
            ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0
            : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return 4;
    for (int i = 0; i < 5; i++)
        if (writev(fd, &vector, 1) != sizeof data)
            _exit(5);
    _exit(0);
}
END
if "$cc" -o strict strict.c 2>/dev/null && ./strict plain/a strict && ./strict plain/a filter; then
    sealed() {
        controlled ./strict store/a "$1" || { echo "exit code $?"; return 1; }
        [ "$(wc -c <store/a)" -eq 1800000 ]
    }
    "$weir" ctl --socket "$scratch/socket" set limit 3MB/s --application "$name" >/dev/null
    it "a program under strict seccomp goes on" sealed strict
    it "a program under a filter goes on" sealed filter
    it "a filter set by system call is seen" sealed call
    "$weir" ctl --socket "$scratch/socket" set limit none --application "$name" >/dev/null
else
    echo "# no seccomp: skipped"
fi

# A filter that is set by instructions: the library cannot know, until the controller has seen it.
cat >instructions.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { CALLS = 20 };
static char data[300000];
static long call(long number, long a, long b, long c)
{
    long result;
    register long fourth __asm__("r10") = 0;
    register long fifth __asm__("r8") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
}
/* FILE kill GATE: waits at the gate once the filter is set. FILE refuse. */
int main(int argc, char **argv)
{
    unsigned otherwise =
        strcmp(argv[2], "kill") == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | 1;
    struct sock_filter allowed[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pread64, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrusage, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, otherwise),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof allowed / sizeof *allowed, allowed};
    int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600), gate = -1;
    if (write(fd, data, sizeof data) != sizeof data)
        return 1;
    if (argc > 3 && (gate = open(argv[3], O_RDONLY)) < 0)
        return 2;
    if (call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) != 0 ||
        call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program) != 0)
        return 3;
    if (gate >= 0)
        call(SYS_read, gate, (long)data, 1);
    for (int i = 1; i < CALLS; i++)
        if (write(fd, data, sizeof data) != sizeof data ||
            pread(fd, data, sizeof data, 0) != sizeof data)
            _exit(4);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    /* Its calls take 10 ms of a processor; at 3 MB/s they would wait for four seconds. */
    long us = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    _exit(us + 1000000 * (used.ru_utime.tv_sec + used.ru_stime.tv_sec) > 300000 ? 5 : 0);
}
END
mkfifo gate
is_seen() {
    "$weir" status --socket "$scratch/socket" --json |
        grep '"uncontrolled": *1' | grep "forbidden itself system calls"
}
survives() {
    controlled ./instructions store/a kill gate &
    exec 8>gate
    soon is_seen >/dev/null
    exec 8>&-
    wait $! || { echo "exit code $?"; return 1; }
    [ "$(wc -c <store/a)" -eq 6000000 ]
}
refused() {
    controlled ./instructions store/a refuse || { echo "exit code $?"; return 1; }
    [ "$(wc -c <store/a)" -eq 6000000 ]
}
if [ "$(uname -m)" = x86_64 ] && "$cc" -o instructions instructions.c &&
    ./instructions plain/a refuse; then
    "$weir" ctl --socket "$scratch/socket" set limit 3MB/s --application "$name" >/dev/null
    it "a filter set by instructions is seen, and ends no program" survives
    it "nothing waits, or spins, where a filter refuses to let it sleep" refused
    "$weir" ctl --socket "$scratch/socket" set limit none --application "$name" >/dev/null
fi

# --- small stacks -------------------------------------------------------------------------------
cat >stack.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { STACK = 32768 };
static int fd, result = 1;
static char data[100000];
static const char *mode;
static void handle(int signal)
{
    (void)signal;
    if (strcmp(mode, "write") == 0 && write(fd, data, sizeof data) == sizeof data)
        result = 0;
    if (strcmp(mode, "read") == 0 && pread(fd, data, sizeof data, 0) >= 0)
        result = 0;
    if (strcmp(mode, "open") == 0 && open("./a", O_RDONLY) >= 0)
        result = 0;
}
int main(int argc, char **argv)
{
    char *memory = mmap(NULL, 65536 + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc < 3 || mprotect(memory + 65536, STACK, PROT_READ | PROT_WRITE) != 0)
        return 2;
    stack_t stack = {.ss_sp = memory + 65536, .ss_size = STACK};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    mode = argv[2];
    if (chdir(argv[1]) != 0 || (fd = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600)) < 0 ||
        sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 3;
    memset(stack.ss_sp, 'x', STACK);
    raise(SIGUSR1);
    int left = 0;
    while (memory[65536 + left] == 'x')
        left++;
    printf("%d\n", STACK - left);
    return result;
}
END
"$cc" -Wl,-z,now -o stack stack.c
# How much of it the frame of a signal takes depends on the processor. A handler that was given the
# least and a kibibyte has room for a call.
small_stack() {
    local without with
    without=$(./stack plain "$1") && with=$(controlled ./stack store "$1") || return
    echo "$without bytes without control, $with with it"
    [ $((with - without)) -le 900 ]
}
"$weir" ctl --socket "$scratch/socket" set ops 100 --application "$name" >/dev/null
it "a first write fits a small signal stack" small_stack write
it "a first read does" small_stack read
it "opening a relative path under a limit of operations does" small_stack open
"$weir" ctl --socket "$scratch/socket" set ops none --application "$name" >/dev/null

# --- descriptors --------------------------------------------------------------------------------
cat >all.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
/* Prints how many descriptors can be made, of some kind, after a first write to a store. */
int main(int argc, char **argv)
{
    int n = 0, made = 0, ends[2];
    int fd = open(argv[1], O_WRONLY | O_CREAT, 0600);
    if (argc < 3 || write(fd, "a", 1) != 1)
        return 1;
    do {
        switch (n % 4) {
        case 0: made = open(argv[1], O_RDONLY); break;
        case 1: made = dup(fd); break;
        case 2: made = socket(AF_UNIX, SOCK_STREAM, 0); break;
        case 3: made = pipe(ends) == 0 ? close(ends[0]) : -1; break;
        }
        if (n % 100 == 0 && write(fd, "a", 1) != 1)
            return 2;
    } while (made >= 0 && ++n);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("%d %lu %lu\n", n, (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
    return write(fd, "a", 1) == 1 ? 0 : 3;
}
END
"$cc" -o all all.c
same_number() { # ULIMIT-OPTIONS: as many as without control, and the limits stay as they are
    (ulimit "$1" 300 && ./all plain/a x && controlled ./all store/a x) >out
    cat out
    [ "$(wc -l <out)" -eq 2 ] && [ "$(uniq out | wc -l)" -eq 1 ]
}
it "a program can have as many descriptors as without control" same_number -Sn
it "it can when the limit cannot be raised" same_number -n

# --- --strict -----------------------------------------------------------------------------------
strictly() {
    local expected=$1
    shift
    "$weir" exec --strict --socket "$scratch/socket" -- "$@" >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep -- "--strict: '$1' would run without control: $expected" err
}
it "--strict runs what can be controlled" "$weir" exec --strict --socket "$scratch/socket" -- true
if printf 'int main(void) { return 0; }' | "$cc" -static -x c -o still - 2>/dev/null; then
    it "--strict refuses a static program" strictly 'is statically linked' ./still
fi
if command -v musl-gcc >/dev/null && printf 'int main(void) { return 0; }' | musl-gcc -x c -o other -; then
    it "--strict refuses a musl program" strictly 'uses another C library (musl)' ./other
fi
no_controller() {
    "$weir" exec --strict --socket "$scratch/none" -- echo ran >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep 'neither a controller nor an agent listens there' err
}
it "--strict refuses to run without a controller" no_controller
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    chmod 755 . && cp "$(type -P true)" with_id && cp with_id with_capability && chmod 4755 with_id
    as_user() {
        setpriv --reuid=65534 --regid=65534 --clear-groups "$weir" exec --strict \
            --socket "$scratch/socket" -- "$scratch/$2" >out 2>err
        [ $? -eq 2 ] && grep "would run without control: $1" err || { cat err; return 1; }
    }
    it "--strict refuses a set-uid program" as_user 'runs as another user' with_id
    if command -v setcap >/dev/null && setcap cap_net_raw+ep with_capability 2>/dev/null; then
        it "--strict refuses a program with file capabilities" as_user 'has file capabilities' \
            with_capability
    fi
fi
finish
