#!/bin/bash
# A program that uses a part of its bandwidth in short gaps leaves the rest to others, under every
# kind of strategy, and loses nothing by that.
. "$(dirname "$0")/../cli/common.sh"

cat >gaps.c <<'C'
/* gaps FILE BYTES MICROSECONDS SECONDS: computes between its writes. It prints the seconds that its
 * slowest write took, and the bytes that it wrote in a second. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
int main(int argc, char **argv)
{
    static char block[1 << 20];
    size_t bytes = argc == 5 ? (size_t)atol(argv[2]) : 0;
    double begin = seconds(), slowest = 0, all = 0, now;
    int file = open(argv[1], O_WRONLY | O_CREAT, 0600);
    while ((now = seconds()) < begin + atof(argv[4])) {
        if (pwrite(file, block, bytes, 0) != (ssize_t)bytes)
            return 1;
        slowest = seconds() - now > slowest ? seconds() - now : slowest;
        all += (double)bytes;
        if (atol(argv[3]) > 0)
            usleep((useconds_t)atol(argv[3]));
    }
    printf("%.4f %.0f\n", slowest, all / (seconds() - begin));
    return 0;
}
C
"${CC:-cc}" -O2 -D_GNU_SOURCE -o gaps gaps.c 2>cc.log || { echo "skipped: no compiler: $(head -n 1 cc.log)"; exit 77; }

mkdir store
"$weir" serve --socket "$scratch/socket" --bandwidth 20MB/s --store "$scratch/store" 2>serve.log &
server=$!
trap 'kill $server; wait; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"
controlled() { timeout -k 5 60 "$weir" exec --socket "$scratch/socket" --name "$1" -- "${@:2}"; }

# Half a second is enough to see how much it uses.
uses() {
    "$weir" status --socket "$scratch/socket" --json |
        python3 -c 'import json, sys
apps = [a for a in json.load(sys.stdin)["applications"] if a["name"] == "gaps"]
sys.exit(not any(a["moved"] > 2e6 for a in apps))'
}
lends() { # STRATEGY: a second program beside the one with gaps
    "$weir" ctl --socket "$scratch/socket" policy "$1" >/dev/null || return
    controlled gaps ./gaps store/a 20000 800 6 >first &
    local first=$!
    soon uses
    controlled second ./gaps store/b 20000 0 2 >second
    wait $first
    echo "$1: slowest write and bytes/s of the second: $(cat second), of the first: $(cat first)"
    awk 'NR == 1 { slowest = $1; second = $2 }
         NR == 2 { exit !(slowest < 0.5 && second >= 6e6 && second + $2 >= 12e6) }' second first
}
for policy in fcfs fair-share greedy-com list:order=fifo; do
    it "under $policy what a program does not use goes to another at once" lends $policy
done
finish
