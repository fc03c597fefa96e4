#!/bin/bash
# Programs with an allocator of their own run under control as without it. Allocators open, read and
# map files at their first use, under their locks: a hook that allocated there would wait for itself.
. "$(dirname "$0")/common_programs.sh"

build=$(dirname "$weir")
cc=${CC:-cc}
serve

# What fails hangs.
bounded() {
    controlled timeout -k 5 60 "$@"
    local code=$?
    [ $code -eq 0 ] || { echo "$*: exit code $code"; return 1; }
}

# --- a program ----------------------------------------------------------------------------------
# Each of four threads writes 1 MB in 100 calls, maps it and reads it, with allocations in between.
cat >worker.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { THREADS = 4, CALLS = 100, SIZE = 10000 };
static const char *directory;
static void *work(void *number)
{
    char *name = NULL, *data = malloc(SIZE), *blocks[CALLS];
    if (asprintf(&name, "%s/%zu", directory, (size_t)number) < 0 || !data)
        return "asprintf";
    memset(data, 'a', SIZE);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < CALLS; i++) {
        blocks[i] = malloc((size_t)i * 1000 + 1);
        blocks[i][0] = 'b';
        if (write(fd, data, SIZE) != SIZE)
            return "write";
    }
    char *map = mmap(NULL, CALLS * SIZE, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || map[CALLS * SIZE - 1] != 'a' || munmap(map, CALLS * SIZE) != 0)
        return "mmap";
    for (int i = 0; i < CALLS; i++) {
        if (pread(fd, data, SIZE, (off_t)i * SIZE) != SIZE || blocks[i][0] != 'b')
            return "pread";
        free(blocks[i]);
    }
    free(data);
    free(name);
    return close(fd) == 0 ? NULL : "close";
}
int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    directory = argc > 1 ? argv[1] : ".";
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            return 1;
    for (size_t i = 0; i < THREADS; i++) {
        void *fault = NULL;
        pthread_join(threads[i], &fault);
        if (fault)
            return fprintf(stderr, "%s\n", (char *)fault), 2;
    }
    FILE *file = fopen("/proc/self/status", "r");
    return !file || fclose(file) != 0;
}
C
"$cc" -O1 -pthread -o worker worker.c || { echo "skipped: no compiler"; exit 77; }
MOVED=8000000 # 4 MB written and as many read

preload=$build/libweir-preload.so
preloaded() { counts $MOVED timeout -k 5 60 env LD_PRELOAD="$1" ./worker store; }
linked() {
    "$cc" -O1 -pthread -Wl,--no-as-needed -o worker_linked worker.c "$@" &&
        counts $MOVED timeout -k 5 60 ./worker_linked store
}

# --- Debian's allocators ------------------------------------------------------------------------
# The library, and what it is linked with.
while read -r library more; do
    path=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
    [ -n "$path" ] || { echo "# no $library: skipped"; continue; }
    it "a program linked with $library runs, and all its bytes count" linked "$path" $more
    it "one with $library preloaded before does" preloaded "$path:$preload"
    it "one with $library preloaded behind does" preloaded "$preload:$path"
done <<'LIST'
libjemalloc.so.2
libtcmalloc.so.4
libtcmalloc_debug.so.4
libmimalloc.so.2
libtbbmalloc_proxy.so.2
LIST

# --- an allocator that does I/O under its lock --------------------------------------------------
# A lock that its owner cannot take twice. At first use, and at every 1000th, it appends to a file
# of the store, reads it and maps it.
cat >heap.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char heap[64 << 20];
static size_t used, count;
static _Atomic pid_t owner;
static void fail(const char *text)
{
    _exit(write(2, text, strlen(text)) > 0 ? 9 : 10);
}
static void record(void)
{
    char data[64] = "a line of the heap's\n";
    int fd = open("store/heap", O_RDWR | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || write(fd, data, sizeof data) != sizeof data ||
        pread(fd, data, sizeof data, 0) != sizeof data)
        fail("the heap's file\n");
    char *map = mmap(NULL, sizeof data, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || map[0] != 'a' || munmap(map, sizeof data) != 0 || close(fd) != 0)
        fail("the heap's map\n");
}
void *malloc(size_t size)
{
    pid_t free_lock = 0, self = gettid();
    if (atomic_load(&owner) == self)
        fail("malloc inside malloc\n");
    while (!atomic_compare_exchange_weak(&owner, &free_lock, self)) {
        free_lock = 0;
        sched_yield();
    }
    if (count++ % 1000 == 0)
        record();
    size_t *block = (size_t *)(heap + used);
    used += (size + 31) / 16 * 16;
    atomic_store(&owner, 0);
    if (used > sizeof heap)
        return NULL;
    *block = size;
    return block + 2;
}
void free(void *block)
{
    (void)block;
}
void *calloc(size_t n, size_t size)
{
    return malloc(n * size); /* nothing is used twice */
}
void *realloc(void *block, size_t size)
{
    void *copy = malloc(size);
    size_t before = block ? ((size_t *)block)[-2] : 0;
    return copy ? memcpy(copy, block ? block : copy, before < size ? before : size) : NULL;
}
void *memalign(size_t align, size_t size)
{
    uintptr_t at = (uintptr_t)malloc(size + align);
    return (void *)((at + align - 1) / align * align);
}
void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}
int posix_memalign(void **at, size_t align, size_t size)
{
    return !(*at = memalign(align, size));
}
C
cat >busy.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
/* With more keys than glibc keeps in a thread, and its constructors before ours. */
static pthread_key_t keys[40];
__attribute__((constructor)) static void early(void)
{
    for (int i = 0; i < 40; i++)
        pthread_key_create(&keys[i], NULL);
    free(malloc(10));
}
static void *run(void *unused)
{
    for (int i = 0; i < 3000; i++)
        if (!malloc(100))
            return "";
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    void *fault = NULL;
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, run, NULL) != 0)
            return 1;
    for (int i = 0; i < 3; i++)
        if (pthread_join(threads[i], &fault) != 0 || fault)
            return 2;
    return 0;
}
C
"$cc" -O1 -fno-builtin -fPIC -shared -o libheap.so heap.c &&
    "$cc" -O1 -fno-builtin -pthread -o heap_inside busy.c heap.c &&
    "$cc" -O1 -fno-builtin -pthread -fPIC -shared -o libbusy.so busy.c &&
    "$cc" -O1 -fno-builtin -pthread -o heap_linked -Wl,--no-as-needed busy.c ./libheap.so &&
    "$cc" -O1 -fno-builtin -pthread -o heap_preloaded busy.c
own() { # COMMAND...: ten lines or more
    rm -f store/heap
    bounded "$@" && [ "$(wc -c <store/heap)" -ge 576 ]
}
export LD_LIBRARY_PATH=$scratch
it "an allocator in the program may use the store under its lock" own ./heap_inside
it "an allocator in a library may" own ./heap_linked
it "one preloaded before may" own env LD_PRELOAD="$scratch/libheap.so:$preload" ./heap_preloaded
it "one preloaded behind may" own env LD_PRELOAD="$preload:$scratch/libheap.so" ./heap_preloaded
it "one under keys of a library that starts first may" own env \
    LD_PRELOAD="$preload:$scratch/libbusy.so:$scratch/libheap.so" ./heap_preloaded
unset LD_LIBRARY_PATH

# --- a server -----------------------------------------------------------------------------------
redis() { redis-cli -s "$scratch/redis.sock" "$@"; }
saves() {
    bounded redis-server --port 0 --unixsocket "$scratch/redis.sock" --dir "$scratch/store" \
        --save '' --rdbcompression no --enable-debug-command yes >redis.log 2>&1 &
    local server=$!
    soon redis ping && redis debug populate 10000 key 100 && redis save && redis shutdown nosave
    wait $server || { cat redis.log; return 1; }
    [ "$(wc -c <store/dump.rdb)" -gt 1000000 ]
}
if has redis-server && has redis-cli; then
    it "redis-server says its version" bounded redis-server --version
    it "redis-server saves to a store" saves
else
    echo "# no redis: skipped"
fi
finish
