#include "format/traffic.h"
#include "base/maths.h"

static const double finest_part = 1e-3; /* s */
static const double hardly = 0.1;       /* by which a rate may change within a piece */

/* Makes the parts twice as long. */
static void traffic_fold(struct traffic *traffic)
{
    for (int i = 0; i < TRAFFIC_PARTS; i++) {
        double sum =
            2 * i + 1 < TRAFFIC_PARTS ? traffic->parts[2 * i] + traffic->parts[2 * i + 1] : 0;
        traffic->parts[i] = sum;
    }
    traffic->width *= 2;
}

void traffic_add(struct traffic *traffic, double start, double end, double volume)
{
    if (!(traffic->width > 0))
        traffic->width = finest_part;
    while (end >= traffic->width * TRAFFIC_PARTS)
        traffic_fold(traffic);
    int first = (int)(start / traffic->width), last = (int)(end / traffic->width);
    if (first == last) {
        traffic->parts[first] += volume;
        return;
    }
    double rate = volume / (end - start);
    for (int i = first; i <= last; i++) {
        double from = maths_max(start, i * traffic->width);
        double to = maths_min(end, (i + 1) * traffic->width);
        traffic->parts[i] += rate * maths_max(0, to - from);
    }
}

/* The part of the phase that lies in one part of the traffic. */
static struct burst traffic_cut(const struct traffic *traffic, const struct burst *phase, int part)
{
    double start = maths_max(phase->start, part * traffic->width);
    double end = maths_min(phase->end, (part + 1) * traffic->width);
    /* Of a part at an end of the phase, the bytes lie in what the phase covers. */
    return (struct burst){.start = start, .end = end, .volume = traffic->parts[part]};
}

static double traffic_rate(const struct burst *piece)
{
    return piece->volume / maths_max(piece->end - piece->start, 1e-9);
}

/* Whether the piece can go on with the next: alike, or too short to tell. */
static bool traffic_is_alike(const struct traffic *traffic, const struct burst *piece,
                             const struct burst *next)
{
    double one = traffic_rate(piece), other = traffic_rate(next);
    double change = one > other ? one - other : other - one;
    return change <= hardly * maths_max(one, other) ||
           next->end - next->start < 0.5 * traffic->width ||
           piece->end - piece->start < 0.5 * traffic->width;
}

/* Makes the pieces move what the phase moves, in the time in which it does. */
static void traffic_scale(const struct burst *phase, struct burst *pieces, size_t count)
{
    double volume = 0, moving = 0;
    for (size_t i = 0; i < count; i++) {
        pieces[i].busy = pieces[i].volume > 0 ? pieces[i].end - pieces[i].start : 0;
        volume += pieces[i].volume;
        moving += pieces[i].busy;
    }
    for (size_t i = 0; i < count && volume > 0; i++) {
        pieces[i].volume *= phase->volume / volume;
        pieces[i].busy *= phase->busy / moving;
    }
}

size_t traffic_divide(const struct traffic *traffic, const struct burst *phase,
                      struct burst *pieces, size_t most)
{
    size_t count = 0;
    pieces[0] = *phase;
    if (!(traffic->width > 0) || phase->end - phase->start < 3 * traffic->width)
        return 1;
    int first = (int)(phase->start / traffic->width), last = (int)(phase->end / traffic->width);
    for (int i = first; i <= last && i < TRAFFIC_PARTS; i++) {
        struct burst next = traffic_cut(traffic, phase, i);
        struct burst *piece = count ? &pieces[count - 1] : NULL;
        if (!(next.end > next.start))
            continue;
        if (piece && (count == most || traffic_is_alike(traffic, piece, &next))) {
            piece->end = next.end;
            piece->volume += next.volume;
        } else {
            pieces[count++] = next;
        }
    }
    traffic_scale(phase, pieces, count);
    return count;
}
