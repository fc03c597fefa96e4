#include "node/escape.h"

static uint64_t more(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

/* Bytes in the directions in which a file of a store is open. */
static double held_bytes(const struct escape_look *last, const struct escape_look *look,
                         unsigned holds)
{
    return (holds & ESCAPE_READS ? (double)more(look->read, last->read) : 0) +
           (holds & ESCAPE_WRITES ? (double)more(look->written, last->written) : 0);
}

static double escape_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Requests in a ring are not counted as reads and writes; on a disk they are seen there. */
static double disk_bytes(const struct escape_look *last, const struct escape_look *look)
{
    return look->ring && look->holds ? (double)more(look->block, last->block) : 0;
}

/* What the look before found, and why, in exchange for what this one did. */
static double confirm(struct escape_process *process, double bytes, enum wire_escape *why)
{
    double confirmed = process->unconfirmed;
    enum wire_escape reason = process->why;
    process->unconfirmed = bytes;
    process->why = *why;
    *why = reason;
    return confirmed;
}

/* Without a word from the process. Through descriptors that it inherited, one with the preload
 * would have been seen. */
static double judge_silent(struct escape_process *process, const struct escape_look *look,
                           enum wire_escape *why)
{
    const struct escape_look *last = &process->last;
    unsigned holds = look->preloaded ? look->own : look->holds;
    double calls = held_bytes(last, look, holds), disk = disk_bytes(last, look);
    *why = disk > calls       ? WIRE_ESCAPE_RING
           : !look->preloaded ? look->why
           : look->full       ? WIRE_ESCAPE_DESCRIPTORS
                              : WIRE_ESCAPE_CALLS;
    double bytes = escape_larger(calls, disk);
    return look->preloaded ? confirm(process, bytes, why) : bytes;
}

/* Notes what is surely missing now, and returns what was missing at every one of the last looks. */
static double missing_throughout(struct escape_process *process, double now)
{
    double least = now;
    for (size_t i = 0; i < ESCAPE_LOOKS - 1; i++) {
        double earlier = process->earlier[i];
        least = earlier < least ? earlier : least;
        process->earlier[i] = now;
        now = earlier;
    }
    return least;
}

/* What the calls that each thread may just have ended, and not yet counted, can have moved. A
 * process that waits for a processor stays there for as long as it waits, and is looked at then in
 * particular. */
static double escape_in_flight(struct escape_process *process, const struct escape_look *look,
                               double bytes)
{
    uint64_t calls = more(look->calls, process->last.calls);
    if (calls > 0)
        process->call = escape_larger(process->call, bytes / (double)calls);
    if (look->threads <= 1 && look->asleep)
        return 0;
    return process->call * (look->threads > 1 ? look->threads : 1);
}

/* What the process counted while it was looked at. */
static double escape_lead(struct escape_known known)
{
    return (double)more(known.bytes, known.before);
}

/* What an attached process does not know of. The kernel counts a call a moment before the process
 * does, which is longer where the process has to wait for a processor: so what is missing is said
 * when it is still missing some looks later. A process that counts too much, as for a read beyond
 * the end of a file, must not hide what escapes later: what a look finds too much makes up for the
 * next one only. But what the process counted during a look, which lasts long on a busy machine, is
 * not too much: the kernel's count may follow at any later look. A look at which nothing has
 * happened since the last one tells nothing about a process that does not sleep: it had no turn. */
static double judge_attached(struct escape_process *process, const struct escape_look *look,
                             struct escape_known now, enum wire_escape *why)
{
    const struct escape_look *last = &process->last;
    double calls =
        (double)more(look->read, last->read) + (double)more(look->written, last->written);
    double known = (double)(now.bytes - process->known.bytes);
    double disk = disk_bytes(last, look), moved = escape_larger(calls, disk),
           missing = moved - known;
    double flight = disk > calls ? 0 : escape_in_flight(process, look, calls);
    *why = process->why;
    if (moved == 0 && known == 0 && !look->asleep)
        return 0;
    if (missing > 0)
        process->why = disk > calls ? WIRE_ESCAPE_RING : WIRE_ESCAPE_CALLS;
    process->moved += moved;
    process->missing =
        escape_larger(process->missing + missing, (missing < 0 ? missing : 0) - escape_lead(now));
    double settled = missing_throughout(process, process->missing - flight);
    *why = process->why;
    if (settled < ESCAPE_LEAST || settled < ESCAPE_SHARE * process->moved)
        return 0;
    process->missing -= settled;
    for (size_t i = 0; i < ESCAPE_LOOKS - 1; i++)
        process->earlier[i] -= settled;
    return settled;
}

/* What the kernel had counted of an attached process when nothing was missing: taken for a look
 * before the first one. Only the sum of its reads and writes counts. */
static void escape_begin(struct escape_process *process, const struct escape_look *look,
                         struct escape_known known)
{
    uint64_t sum = known.bytes, all = look->read + look->written;
    if (sum > all) { /* its calls have said more than the kernel had counted at the look */
        process->missing = -(double)(sum - all);
        sum = all;
    }
    process->last = *look;
    process->last.read = sum < look->read ? sum : look->read;
    process->last.written = sum - process->last.read;
    process->known = known;
}

double escape_judge(struct escape_process *process, const struct escape_look *look,
                    struct escape_known known, enum wire_escape *why)
{
    const struct escape_look *last = &process->last;
    if (last->pid == 0 && known.attached && known.like_kernel)
        escape_begin(process, look, known);
    struct escape_known before = process->known;
    struct escape_look closest = *look;
    bool first = last->pid == 0, reaped = !first && look->reaped != last->reaped;
    bool said = known.attached && before.attached && known.bytes >= before.bytes;
    double escaped = 0;
    *why = WIRE_ESCAPE_NONE;
    if (known.attached)
        process->unconfirmed = 0;
    if (!look->close && !reaped && said == known.attached && !(said && process->missing > 0))
        return confirm(process, 0, why); /* too little so far: it stays to be looked at */
    if (!look->close) {
        closest.holds = last->holds;
        closest.preloaded = last->preloaded;
    }
    if (look->close && !reaped && !known.attached && !look->supervised)
        escaped = judge_silent(process, look, why);
    else if (!reaped && !first && said && closest.preloaded && closest.holds)
        escaped = judge_attached(process, &closest, known, why);
    if (known.attached && !said)
        process->missing = -escape_lead(known);
    process->last = closest;
    process->known = known;
    return escaped;
}
