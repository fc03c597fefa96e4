#include "policy/partition.h"
#include "base/maths.h"

void partition_place(struct partition *partition, void *room, uint32_t capacity)
{
    partition->apps = room;
    partition->groups = (struct partition_group *)(partition->apps + capacity);
    partition->steps = (struct partition_step *)(partition->groups + capacity);
    partition->count = partition->group_count = 0;
}

bool partition_add(struct partition *partition, const struct weir_app *facts, uint32_t id)
{
    if (!(facts->total_io > 0))
        return false;
    double bytes = facts->total_io * facts->bmax;
    double count = facts->iterations > 0 ? facts->iterations : 1;
    partition->apps[partition->count++] = (struct partition_app){
        .volume = bytes / count, .load = bytes / (facts->total_work + facts->total_io), .id = id};
    return true;
}

/* By volume, then load, then id: the same input has one order, and so one answer. */
static bool partition_before(const struct partition_app *a, const struct partition_app *b)
{
    if (a->volume != b->volume)
        return a->volume < b->volume;
    return a->load != b->load ? a->load < b->load : a->id < b->id;
}

static void partition_sift(struct partition_app *apps, uint32_t at, uint32_t count)
{
    struct partition_app moved = apps[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && partition_before(&apps[child], &apps[child + 1]))
            child++;
        if (!partition_before(&moved, &apps[child]))
            break;
        apps[at] = apps[child];
    }
    apps[at] = moved;
}

/* A heap sort: the C library's qsort may allocate, which a decision must not. */
static void partition_sort(struct partition_app *apps, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        partition_sift(apps, i, count);
    for (uint32_t end = count; end-- > 1;) {
        struct partition_app largest = apps[0];
        apps[0] = apps[end];
        apps[end] = largest;
        partition_sift(apps, 0, end);
    }
}

/* What a group needs: its load (constraint 2 of thesis V.B.2), and its ratio times B / z for a
 * stretch of z (eq. V.1). Here and below `unit` stands for B / z, the share per unit of ratio. */
static double partition_need(double load, double ratio, double unit)
{
    return maths_max(load, ratio * unit);
}

/* The cheapest way is best. Of those that cost the same, the one whose loads allow for the smallest
 * stretch, which matters where loads alone decide the shares; then the one with fewer groups. */
static bool partition_improves(const struct partition_step *step, const struct partition_step *best)
{
    if (weir_less(step->cost, best->cost) || weir_less(best->cost, step->cost))
        return step->cost < best->cost;
    return !weir_less(step->unit, best->unit);
}

/* The cheapest contiguous groups for a stretch of B / unit, by dynamic programming over where the
 * last group begins; `weight` 0 ignores the loads. Returns what they need. */
static double partition_divide(struct partition *partition, double unit, double weight)
{
    struct partition_step *steps = partition->steps;
    const struct partition_app *apps = partition->apps;
    steps[0] = (struct partition_step){.cost = 0, .unit = INFINITY};
    for (uint32_t end = 1; end <= partition->count; end++) {
        struct partition_step best = {.cost = INFINITY};
        double load = 0;
        for (uint32_t first = end; first-- > 0;) {
            load += weight * apps[first].load;
            double ratio = apps[end - 1].volume / apps[first].volume;
            double last = partition_need(load, ratio, unit);
            if (weir_less(best.cost, last))
                break; /* alone it costs more than the best way, and a longer group needs no less */
            struct partition_step step = {.cost = steps[first].cost + last,
                                          .unit = maths_min(steps[first].unit, load / ratio),
                                          .last = first};
            if (partition_improves(&step, &best))
                best = step;
        }
        steps[end] = best;
    }
    return steps[partition->count].cost;
}

/* Makes the groups that partition_divide found, from the last one to the first. */
static void partition_gather(struct partition *partition)
{
    const struct partition_app *apps = partition->apps;
    uint32_t count = 0, end;
    for (end = partition->count; end > 0; end = partition->steps[end].last)
        count++;
    partition->group_count = count;
    for (end = partition->count; end > 0; end = partition->steps[end].last) {
        uint32_t first = partition->steps[end].last;
        struct partition_group *group = &partition->groups[--count];
        *group = (struct partition_group){.ratio = apps[end - 1].volume / apps[first].volume,
                                          .first = first,
                                          .count = end - first};
        for (uint32_t i = first; i < end; i++)
            group->load += apps[i].load;
    }
}

/* The largest unit that the groups can have, with which they need B in all. Groups whose load
 * exceeds their part get the load, and the others divide the rest by their ratios. The unit falls
 * from one round to the next, so such a group stays one. */
static double partition_afford(const struct partition *partition)
{
    double unit = INFINITY, next = INFINITY;
    do {
        double left = partition->bandwidth, ratios = 0;
        double tightest = INFINITY; /* if no share can be chosen */
        unit = next;
        for (uint32_t i = 0; i < partition->group_count; i++) {
            const struct partition_group *group = &partition->groups[i];
            tightest = maths_min(tightest, group->load / group->ratio);
            if (unit < INFINITY && group->load >= group->ratio * unit)
                left -= group->load;
            else
                ratios += group->ratio;
        }
        next = ratios > 0 ? left / ratios : tightest;
    } while (next < unit);
    return unit;
}

static void partition_share(struct partition *partition, double unit)
{
    partition->stretch = 0;
    for (uint32_t i = 0; i < partition->group_count; i++) {
        struct partition_group *group = &partition->groups[i];
        group->share = partition_need(group->load, group->ratio, unit);
        double stretch = group->ratio * partition->bandwidth / group->share;
        partition->stretch = maths_max(partition->stretch, stretch);
    }
}

static void partition_unite(struct partition *partition)
{
    partition->steps[partition->count].last = 0;
    partition_gather(partition);
    partition->groups[0].share = partition->bandwidth;
    partition->stretch = partition->groups[0].ratio;
}

bool partition_solve(struct partition *partition)
{
    partition_sort(partition->apps, partition->count);
    partition->load = 0;
    for (uint32_t i = 0; i < partition->count; i++)
        partition->load += partition->apps[i].load;
    /* Without loads z is the smallest sum of ratios, since B_I = B ratio / z; loads only add to it.
     */
    partition->bound = partition_divide(partition, 1, 0);
    partition_unite(partition);
    if (weir_less(partition->bandwidth, partition->load))
        return false;
    /* From a stretch that can be reached, which is that of one group at first: the cheapest groups
     * for it leave bandwidth over unless it is the best, and that buys a smaller stretch. Newton's
     * way, so a few rounds are enough; each is exact, and the last one changes nothing. */
    double unit, better = partition->bandwidth / partition->stretch;
    do {
        unit = better;
        partition_divide(partition, unit, 1);
        partition_gather(partition);
        better = partition_afford(partition);
        partition_share(partition, better);
    } while (weir_less(unit, better));
    return true;
}
