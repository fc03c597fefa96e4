#include "supervise/notice.h"
#include "supervise/facts.h"
#include "supervise/stores.h"
#include <limits.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <string.h>

enum {
    NOTICE_MOST = 0x7ffff000, /* bytes; no call moves more */
    NOTICE_VECTORS = 1024,    /* of a call; the kernel refuses more */
    NOTICE_REQUESTS = 256     /* of io_submit: further ones are not seen */
};

/* A descriptor that it reads from or writes to. */
struct notice_file {
    int fd;
    bool writes;
};

static size_t notice_files(const struct notice *notice, struct notice_file files[2])
{
    const uint64_t *a = notice->arguments;
    switch (notice->kind) {
    case FILTER_SEND:
        files[0] = (struct notice_file){(int)a[1], false};
        files[1] = (struct notice_file){(int)a[0], true};
        return 2;
    case FILTER_COPY:
    case FILTER_SPLICE:
        files[0] = (struct notice_file){(int)a[0], false};
        files[1] = (struct notice_file){(int)a[2], true};
        return 2;
    case FILTER_MAP:
        files[0] = (struct notice_file){(int)a[4], false};
        return 1;
    case FILTER_SUBMIT:
    case FILTER_GROW:
    case FILTER_NONE:
        return 0;
    default:
        files[0] = (struct notice_file){(int)a[0], notice->kind == FILTER_WRITE ||
                                                       notice->kind == FILTER_WRITE_AT ||
                                                       notice->kind == FILTER_WRITE_VECTOR ||
                                                       notice->kind == FILTER_WRITE_VECTOR_AT};
        return 1;
    }
}

void notice_init(struct notice *notice, const struct seccomp_notif *call)
{
    *notice = (struct notice){.thread = (pid_t)call->pid,
                              .number = call->data.nr,
                              .arguments = (const uint64_t *)call->data.args};
    notice->kind = filter_judge(call->data.arch, call->data.nr, &notice->small);
}

static size_t notice_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- how much --------------------------------------------------------------------------------- */

/* The sum of the lengths of a vector, whose parts have 16 bytes, or 8 in a 32-bit program. */
static size_t notice_vector(const struct notice *notice)
{
    union {
        uint64_t wide[2 * NOTICE_VECTORS];
        uint32_t narrow[2 * NOTICE_VECTORS];
    } parts;
    size_t count = (size_t)notice->arguments[2], sum = 0;
    size_t size = count * (notice->small ? 8 : 16);
    if (count == 0 || count > NOTICE_VECTORS ||
        !target_read(notice->thread, notice->arguments[1], &parts, size))
        return 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t length = notice->small ? parts.narrow[2 * i + 1] : parts.wide[2 * i + 1];
        sum += length < NOTICE_MOST ? (size_t)length : NOTICE_MOST;
    }
    return sum;
}

static size_t notice_asks(const struct notice *notice)
{
    const uint64_t *a = notice->arguments;
    switch (notice->kind) {
    case FILTER_READ_VECTOR:
    case FILTER_WRITE_VECTOR:
    case FILTER_READ_VECTOR_AT:
    case FILTER_WRITE_VECTOR_AT:
        return notice_vector(notice);
    case FILTER_SEND:
        return (size_t)a[3];
    case FILTER_COPY:
    case FILTER_SPLICE:
        return (size_t)a[4];
    case FILTER_MAP:
        return (size_t)a[1];
    default:
        return (size_t)a[2];
    }
}

/* Where the first byte is read. */
static uint64_t notice_begins(const struct notice *notice, int fd)
{
    const uint64_t *a = notice->arguments;
    bool given = notice->kind == FILTER_READ_AT || notice->kind == FILTER_READ_VECTOR_AT;
    uint64_t at = notice->small ? a[3] | a[4] << 32 : a[3], other = 0;
    if (given && at != UINT64_MAX) /* preadv2 takes -1 for the offset of the descriptor */
        return at;
    uint64_t pointer = notice->kind == FILTER_SEND                                    ? a[2]
                       : notice->kind == FILTER_COPY || notice->kind == FILTER_SPLICE ? a[1]
                                                                                      : 0;
    if (pointer && target_read(notice->thread, pointer, &other, sizeof other))
        return other;
    return target_offset(notice->thread, fd);
}

/* --- where ------------------------------------------------------------------------------------ */

/* What is known of a descriptor's file, or is found out. False if that would take a look and none
 * is allowed. */
static bool notice_find(pid_t thread, int fd, bool waits, struct file_fact *fact)
{
    char path[PATH_MAX];
    struct target_file file = {.path = path};
    *fact = (struct file_fact){.regular = false};
    if (!target_name(thread, fd, path, sizeof path) || !stores_may_hold(path))
        return true;
    if (!waits)
        return facts_get(path, fact);
    fact->regular = target_file(thread, fd, &file);
    fact->size = file.size;
    fact->terms = fact->regular ? stores_terms(&file) : NULL;
    facts_put(path, fact);
    return true;
}

/* Bounds a read by the end of the file. False if that may have moved since it was looked at. */
static bool notice_bound(struct notice *notice, const struct notice_file *at, uint64_t size,
                         bool waits)
{
    uint64_t begins = notice_begins(notice, at->fd);
    uint64_t left = begins < size ? size - begins : 0;
    if (left < notice->likely && !waits)
        return false;
    notice->likely = left < notice->likely ? (size_t)left : notice->likely;
    return true;
}

/* One descriptor: whether it is on a store, and how much it has. */
static bool notice_look(struct notice *notice, const struct notice_file *at, bool waits)
{
    struct file_fact fact;
    if (!notice_find(notice->thread, at->fd, waits, &fact))
        return false;
    if (!fact.regular && notice->kind == FILTER_SPLICE)
        notice->likely = notice_least(notice->likely, target_pipe(notice->thread, at->fd));
    if (fact.regular && !at->writes && notice->kind != FILTER_MAP &&
        !notice_bound(notice, at, fact.size, waits))
        return false;
    if (fact.terms)
        notice->ends[notice->count++] =
            (struct notice_end){at->writes, at->writes ? fact.terms->writes : fact.terms->reads};
    return true;
}

/* The requests of io_submit, all as if they were of the first one's store. */
static void notice_look_at_requests(struct notice *notice)
{
    uint64_t list[NOTICE_REQUESTS];
    size_t count = notice_least((size_t)notice->arguments[1], NOTICE_REQUESTS), sum = 0;
    if (notice->small || count == 0 ||
        !target_read(notice->thread, notice->arguments[2], list, count * sizeof *list))
        return;
    for (size_t i = 0; i < count; i++) {
        struct iocb request;
        if (!target_read(notice->thread, list[i], &request, sizeof request))
            continue;
        uint16_t code = request.aio_lio_opcode;
        bool writes = code == IOCB_CMD_PWRITE || code == IOCB_CMD_PWRITEV;
        if (!writes && code != IOCB_CMD_PREAD && code != IOCB_CMD_PREADV)
            continue;
        uint64_t vector[3] = {request.aio_fildes, request.aio_buf, request.aio_nbytes};
        struct notice one = {.thread = notice->thread, .arguments = vector, .likely = SIZE_MAX};
        notice_look(&one, &(struct notice_file){(int)request.aio_fildes, true}, true);
        bool plain = code == IOCB_CMD_PWRITE || code == IOCB_CMD_PREAD;
        sum += one.count == 0 ? 0 : plain ? (size_t)request.aio_nbytes : notice_vector(&one);
        if (one.count > 0 && notice->count == 0)
            notice->ends[notice->count++] = (struct notice_end){writes, one.ends[0].channel};
    }
    notice->bytes = notice->likely = notice_least(sum, NOTICE_MOST);
}

/* A mapping counts with what it grows by. */
static void notice_look_at_mapping(struct notice *notice)
{
    const uint64_t *a = notice->arguments;
    struct target_file file;
    char path[PATH_MAX];
    if (a[2] <= a[1] || !target_mapping(notice->thread, a[0], &file, path, sizeof path))
        return;
    const struct wire_terms *terms = stores_may_hold(path) ? stores_terms(&file) : NULL;
    notice->bytes = (size_t)(a[2] - a[1]);
    if (terms)
        notice->ends[notice->count++] = (struct notice_end){true, terms->writes};
}

bool notice_complete(struct notice *notice, bool waits)
{
    struct notice_file files[2];
    if (notice->kind == FILTER_SUBMIT && waits)
        notice_look_at_requests(notice);
    if (notice->kind == FILTER_GROW && waits)
        notice_look_at_mapping(notice);
    if (notice->kind == FILTER_SUBMIT || notice->kind == FILTER_GROW)
        return waits;
    size_t count = notice_files(notice, files), bytes = notice_asks(notice);
    notice->bytes = notice->kind == FILTER_MAP ? bytes : notice_least(bytes, NOTICE_MOST);
    notice->likely = notice->bytes;
    notice->count = 0;
    for (size_t i = 0; i < count; i++)
        if (!notice_look(notice, &files[i], waits))
            return false;
    return true;
}
