#!/bin/bash
# A program that loads the preload but cannot be controlled runs, and `weir status` says so.
. "$(dirname "$0")/../cli/common.sh"

cat >forbid.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Runs a command that may not move mappings, as a container might. */
int main(int argc, char **argv)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, steps};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter))
        return 77;
    execvp(argv[1], argv + 1);
    return 1;
}
C
cat >writer.c <<'C'
#include <fcntl.h>
#include <unistd.h>
static char data[1 << 20];
/* Writes 4 MiB, and waits for a line. */
int main(int argc, char **argv)
{
    int fd = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 4; i++)
        if (write(fd, data, sizeof data) != sizeof data)
            return 1;
    write(1, "written\n", 8);
    return read(0, data, 1) < 0;
}
C
"${CC:-cc}" -o forbid forbid.c 2>cc.log && "${CC:-cc}" -o writer writer.c 2>cc.log ||
    { echo "skipped: no compiler"; exit 77; }
./forbid true
[ $? -ne 77 ] || { echo "skipped: no system call can be forbidden here"; exit 77; }

mkdir store
mkfifo hold
"$weir" serve --bandwidth 100kB/s --socket "$scratch/socket" --store "$scratch/store" 2>serve.log &
pid=$!
trap 'kill $pid; wait $pid; rm -rf "$scratch"' EXIT
soon answers "$scratch/socket"

./forbid "$weir" exec --socket "$scratch/socket" --name forbidden -- \
    ./writer store/a <hold >said 2>err &
runner=$!
exec 3>hold
writes() { # 4 MiB at 100 kB/s would take 40 s
    soon grep written said
}
it "it writes as if there were no controller" writes
it "the status says that it is uncontrolled" prints uncontrolled status --socket "$scratch/socket"
it "and how many of its processes" prints '"uncontrolled": 1' status --json --socket "$scratch/socket"
it "and why" prints 'may not map the pages' status --json --socket "$scratch/socket"
echo >&3
exec 3>&-
ends_well() { cat err; wait $runner && [ "$(stat -c %s store/a)" -eq 4194304 ]; }
it "it ends as without control" ends_well

# Writes 1 kB, forbids itself nearly all system calls, writes 4 MB, and waits for a line.
cat >seal.c <<'C'
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static char data[1000000];
int main(int argc, char **argv)
{
    int fd = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(fd, data, 1000) != 1000 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return 1;
    for (int i = 0; i < 4; i++)
        if (write(fd, data, sizeof data) != sizeof data)
            syscall(SYS_exit, 2);
    write(1, "written\n", 8);
    read(0, data, 1);
    syscall(SYS_exit, 0);
    return 0;
}
C
"${CC:-cc}" -o seal seal.c
rm said
"$weir" exec --socket "$scratch/socket" --name sealed -- ./seal store/b <hold >said 2>err &
runner=$!
exec 3>hold
it "a program that forbids itself system calls writes on" writes
it "the status says why it is uncontrolled" prints 'forbidden itself system calls' status --json \
    --socket "$scratch/socket"
echo >&3
exec 3>&-
ends_too() { cat err; wait $runner && [ "$(stat -c %s store/b)" -eq 4001000 ]; }
it "it ends as without control, too" ends_too
finish
