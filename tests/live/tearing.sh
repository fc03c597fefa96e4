#!/bin/bash
# A call is one call under control too: records of several applications at one place do not mix, a
# signal handler's write does not land inside another one, and results are the same.
. "$(dirname "$0")/../cli/common.sh"

cat >records.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
enum { RECORD = 1 << 20, LARGE = 4 << 20, TIMES = 3 };
static char data[LARGE];
static int fd;
static volatile int strays;

/* Writes records at the begin of the file, from that second of the clock on. */
static int put(const char *path, char letter, double date)
{
    struct timespec now;
    memset(data, letter, RECORD);
    fd = open(path, O_WRONLY);
    do
        clock_gettime(CLOCK_REALTIME, &now);
    while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < date);
    for (int i = 0; i < TIMES; i++)
        if (pwrite(fd, data, RECORD, 0) != RECORD)
            return 1;
    return 0;
}

static int append(const char *path, char letter)
{
    memset(data, letter, RECORD);
    fd = open(path, O_WRONLY | O_APPEND);
    for (int i = 0; i < 2 * TIMES; i++)
        if (write(fd, data, RECORD) != RECORD)
            return 1;
    return 0;
}

static void stray(int number)
{
    int fault = errno;
    (void)number;
    if (write(fd, "!", 1) == 1)
        strays++;
    errno = fault;
}

/* Prints how many strays there were; the file shows where. */
static int disturb(const char *path)
{
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0}};
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = stray, .sa_flags = SA_RESTART}, NULL);
    memset(data, 'a', LARGE);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < TIMES; i++)
        if (write(fd, data, LARGE) != LARGE)
            return 1;
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%d\n", strays);
    return 0;
}

/* Whether all runs of a letter are of whole records. */
static int whole(const char *path, long record)
{
    FILE *in = fopen(path, "r");
    long run = 0, bad = 0;
    int before = EOF, next;
    do {
        next = getc(in);
        if (next != before) {
            bad += before != EOF && before != '!' && run % record != 0;
            run = 0;
        }
        run++;
        before = next;
    } while (next != EOF);
    return bad > 0;
}

static void say(const char *what, ssize_t result)
{
    printf("%s: %zd %s, at %ld\n", what, result, result < 0 ? strerror(errno) : "",
           (long)lseek(fd, 0, SEEK_CUR));
}

/* Prints what calls near a limit return. */
static int limits(const char *path)
{
    struct rlimit most = {3 << 20, RLIM_INFINITY};
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &most);
    say("past the limit", write(fd, data, LARGE));
    say("at the limit", write(fd, data, LARGE));
    say("up to it", pwrite(fd, data, RECORD, 2 << 20));
    say("across it", pwrite(fd, data, 2 * RECORD, 2 << 20));
    say("behind it", pwrite(fd, data, 1, 4 << 20));
    say("at no offset", pwrite(fd, data, LARGE, -1));
    say("from nowhere", pwrite(fd, (void *)16, LARGE, 0));
    lseek(fd, 0, SEEK_SET);
    say("reading", read(fd, data, LARGE));
    say("reading on", read(fd, data, LARGE));
    close(fd);
    fd = open(path, O_WRONLY | O_APPEND);
    ftruncate(fd, 100);
    say("appending", write(fd, data, 2 * RECORD));
    say("appending more", write(fd, data, 2 * RECORD));
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = argv[2];
    switch (argc > 2 ? argv[1][0] : 0) {
    case 'p':
        return put(path, argv[3][0], atof(argv[4]));
    case 'a':
        return append(path, argv[3][0]);
    case 'd':
        return disturb(path);
    case 'w':
        return whole(path, atol(argv[3]));
    default:
        return limits(path);
    }
}
C
"${CC:-cc}" -O2 -o records records.c 2>cc.log || { echo "skipped: no compiler: $(head -n 1 cc.log)"; exit 77; }

mkdir store
"$weir" serve --bandwidth 40MB/s --policy greedy-yield --socket "$scratch/socket" \
    --store "$scratch/store" 2>serve.log &
pid=$!
trap 'kill $pid; wait $pid; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

natively() { shift; "$@"; }
controlled() { "$weir" exec --socket "$scratch/socket" --name "$1" -- "${@:2}"; }

# mixed HOW: in how many of 10 rounds do records of three applications leave a mixture?
mixed() {
    local how=$1 count=0 date letter writers
    for _ in $(seq 10); do
        : >store/a
        date=$(awk -v now="$EPOCHREALTIME" 'BEGIN { printf "%.6f", now + 0.08 }')
        writers=()
        for letter in a b c; do
            $how "$letter" ./records put store/a "$letter" "$date" & writers+=($!)
        done
        wait "${writers[@]}"
        ./records whole store/a 1048576 || count=$((count + 1))
    done
    echo "$count of 10 rounds left a mixture"
    [ "$count" -eq 0 ]
}

# appended HOW: three applications append records.
appended() {
    local letter writers=()
    : >store/b
    for letter in a b c; do
        $1 "$letter" ./records append store/b "$letter" & writers+=($!)
    done
    wait "${writers[@]}"
    [ "$(stat -c %s store/b)" -eq $((18 << 20)) ] && ./records whole store/b 1048576
}

# undisturbed HOW: every write of 4 MiB is in one piece, and nothing is lost.
undisturbed() {
    local strays
    strays=$($1 d ./records disturb store/c) || return
    echo "$strays strays"
    [ "$strays" -gt 0 ] && [ "$(stat -c %s store/c)" -eq $(((12 << 20) + strays)) ] &&
        ./records whole store/c 4194304
}

same_results() {
    ./records limits store/d >plain && controlled l ./records limits store/d >results &&
        diff plain results
}

if mixed natively >detail; then
    it "records of three applications at one place do not mix" mixed controlled
    "$weir" ctl --socket "$scratch/socket" set policy fair-share >/dev/null
    it "nor do they while all three move" mixed controlled
else
    echo "# this file system mixes records by itself: $(cat detail)"
fi
it "records that are appended do not mix" appended controlled
it "a signal handler's write does not land inside another" undisturbed controlled
it "short results and errors are the same" same_results
"$weir" ctl --socket "$scratch/socket" set limit 15MB/s >/dev/null
it "nor does it under a limit" undisturbed controlled
it "short results and errors are the same under a limit" same_results
finish
