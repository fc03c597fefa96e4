#!/bin/bash
# What escapes control is limited by the kernel, where it has cgroup v2 with the controller io. Needs
# a mount namespace of its own, for a hierarchy and a disk.
if [ -z "$WEIR_TEST_UNSHARED" ]; then
    unshare -m true 2>/dev/null || { echo "skipped: may not make a mount namespace"; exit 77; }
    WEIR_TEST_UNSHARED=1 exec unshare -m --propagation private bash "$0"
fi
. "$(dirname "$0")/../cli/common.sh"
skipped() { echo "skipped: $*"; exit 77; }

mkdir hierarchy store
hierarchy=$scratch/hierarchy groups=$scratch/hierarchy/weir-test-$$
mount -t cgroup2 none "$hierarchy" 2>/dev/null || skipped "no cgroup v2 can be mounted"
clean() {
    exec 2>/dev/null
    kill -9 "$(cat serve.pid)" $(cat "$groups"/*-*/cgroup.procs)
    wait
    for _ in $(seq 50); do rmdir "$groups"/*-* "$groups"; [ -d "$groups" ] || break; sleep 0.1; done
    [ -z "$enabled" ] || echo -io >"$hierarchy/cgroup.subtree_control"
    cd /
    umount "$scratch/store" "$hierarchy"
    rm -rf "$scratch"
}
trap clean EXIT
grep -qw io "$hierarchy/cgroup.controllers" ||
    skipped "cgroup v2 has no io controller here$(
        grep -qw blkio /proc/self/cgroup && echo ": it belongs to cgroup v1")"
if ! grep -qw io "$hierarchy/cgroup.subtree_control"; then
    echo +io 2>/dev/null >"$hierarchy/cgroup.subtree_control" || skipped "io cannot be handed down"
    enabled=1
fi
mkdir "$groups" 2>/dev/null || skipped "may not make a cgroup"
[ -e "$groups/io.max" ] || skipped "the kernel has no io.max"
truncate -s 128M disk && mkfs.ext4 -q disk && mount -o loop disk store ||
    skipped "no disk can be made of a file"

# Writes 20 MiB past the page cache, or into it and then to the disk.
cat >writer.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
static char data[1 << 20] __attribute__((aligned(4096)));
int main(int n, char **list)
{
    int fd = open(list[1], O_CREAT | O_WRONLY | O_TRUNC | (n == 2 ? O_DIRECT : 0), 0666);
    for (int i = 0; i < 20; i++)
        if (write(fd, data, sizeof data) != sizeof data)
            return 1;
    return fsync(fd) || close(fd);
}
C
"${CC:-cc}" -static -o writer writer.c 2>cc.log || skipped "no static programs can be made"

milliseconds() {
    local start=${EPOCHREALTIME/./}
    "$@" || return
    elapsed=$(((${EPOCHREALTIME/./} - start) / 1000))
    echo "$elapsed ms"
}
milliseconds ./writer store/a && milliseconds ./writer store/a || exit 1
[ "$elapsed" -lt 1000 ] || skipped "the disk is too slow: 20 MiB take $elapsed ms"

start() {
    rm -f socket
    "$weir" serve --bandwidth 10MB/s --socket "$scratch/socket" --store "$scratch/store" \
        --cgroup "$groups" 2>serve.log &
    echo $! >serve.pid
    soon answers "$scratch/socket" || { cat serve.log; return 1; }
}
controlled() { "$weir" exec --socket "$scratch/socket" -- "$@" 2>errors; }
ctl() { "$weir" ctl --socket "$scratch/socket" "$@" >/dev/null && sleep 0.2; }

# takes LEAST MOST COMMAND...: milliseconds.
takes() {
    local least=$1 most=$2
    shift 2
    milliseconds controlled "$@" || { cat errors serve.log; return 1; }
    [ "$elapsed" -ge "$least" ] && [ "$elapsed" -le "$most" ]
}
none_left() {
    for _ in $(seq 60); do ls -d "$groups"/*-* >/dev/null 2>&1 || return 0; sleep 0.05; done
    ls -d "$groups"/*-*
    return 1
}
silent() { cat serve.log; [ "$(wc -l <serve.log)" -eq 1 ]; }

it "such a configuration can start" exits 0 serve --bandwidth 10MB/s --store "$scratch/store" \
    --cgroup "$groups" --check-config
it "a controller starts with it" start
# 21 MB at 10 MB/s.
it "a static program keeps to the bandwidth" takes 1700 4000 ./writer store/a
it "so does one that the program starts" takes 1700 4000 sh -c './writer store/a; true'
if grep -qw memory "$hierarchy/cgroup.controllers"; then # a new file: others have written the old one
    it "so do buffered writes, on their way to the disk" takes 1500 6000 ./writer store/b buffered
fi
it "its group goes with it" none_left

controlled sleep 60 &
for _ in $(seq 60); do ls -d "$groups"/*-* >/dev/null 2>&1 && break; sleep 0.05; done
limits() { # TEXT: the one group has it in its limits
    for _ in $(seq 60); do grep -q "$1" "$groups"/*-*/io.max && return; sleep 0.05; done
    grep . "$groups"/*-*/io.max
    return 1
}
lifted() { ! grep wbps=10000000 "$groups"/*-*/io.max; }
it "the limit is the bandwidth" limits "rbps=10000000 wbps=10000000"
ctl set limit 5MB/s
it "it follows the limit of the application" limits "rbps=5000000 wbps=5000000"
ctl off
it "it is lifted with control" lifted
ctl on
ctl unset limit
it "it is back with control" limits "rbps=10000000 wbps=10000000"
it "nothing was complained about" silent

kill -9 "$(cat serve.pid)"
wait "$(cat serve.pid)" 2>/dev/null
group=$(ls -d "$groups"/*-*)
it "another controller starts in the same place" start
same_group() { limits "wbps=10000000" && [ "$(ls -d "$groups"/*-*)" = "$group" ]; }
it "a program that attaches again goes on in its group" same_group
kill "$(cat serve.pid)"
wait "$(cat serve.pid)" 2>/dev/null
it "a controller that ends lets it go" lifted
finish
