#include "blame/blame.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>

/* An application with an I/O, which holds a rate. */
struct blame_holder {
    double rate;
    double weight; /* charged to others per byte/s that they hold, in this interval */
    uint32_t app;
};

struct blame {
    struct blame_task question;
    uint32_t group_count;
    struct blame_account *accounts; /* of the groups in the first part, then in the next, ... */
    struct blame_holder *holders;
    uint32_t holding;
    uint32_t *places; /* of each application among the holders, + 1; 0 = none */
    double *weights;  /* of each group, the sum of those of its holders; 0 between intervals */
    double now;       /* all until then is charged */
    struct blame_pairs pairs;
    bool failed; /* to add a pair */
};

static uint32_t blame_group(const struct blame *blame, uint32_t app)
{
    return blame->question.groups ? blame->question.groups[app] : app;
}

/* --- one interval ----------------------------------------------------------------------------- */

/* What one holder loses: charges its account, and notes what each byte/s of the others is charged.
 */
static void blame_suffer(struct blame *blame, struct blame_account *accounts,
                         struct blame_holder *holder, double seconds, double held)
{
    const struct workload *workload = blame->question.workload;
    uint32_t group = blame_group(blame, holder->app);
    struct blame_account *account = &accounts[group];
    double bmax = workload->apps[holder->app].facts.bmax, wanted = bmax - holder->rate;
    double others = held - holder->rate, free = workload->platform.bandwidth - held;
    holder->weight = 0;
    if (!(wanted > 0))
        return;
    double lost = seconds * (wanted / bmax);
    double idle = others > 0 ? maths_min(1, maths_max(0, free) / wanted) : 1;
    account->suffered += lost;
    account->idle += lost * idle;
    holder->weight = others > 0 ? lost * (1 - idle) / others : 0;
    blame->weights[group] += holder->weight;
}

/* Charges each holder for what each other loses, after their weights were found. */
static void blame_pair_up(struct blame *blame, double seconds)
{
    for (uint32_t i = 0; i < blame->holding; i++) {
        const struct blame_holder *one = &blame->holders[i];
        for (uint32_t k = 0; k < blame->holding; k++) {
            const struct blame_holder *other = &blame->holders[k];
            struct blame_pair *pair = i == k
                                          ? NULL
                                          : pairs_get(&blame->pairs, blame_group(blame, one->app),
                                                      blame_group(blame, other->app));
            blame->failed |= i != k && !pair;
            if (!pair)
                continue;
            pair->lost += one->weight * other->rate;
            pair->together += seconds;
        }
    }
}

/* An application begins an I/O: it meets all others that have one. */
static void blame_meet(struct blame *blame, uint32_t app)
{
    for (uint32_t i = 0; i < blame->holding; i++) {
        uint32_t one = blame_group(blame, app), other = blame_group(blame, blame->holders[i].app);
        for (int turn = 0; turn < 1 + (one != other); turn++) {
            struct blame_pair *pair =
                pairs_get(&blame->pairs, turn ? other : one, turn ? one : other);
            blame->failed |= !pair;
            if (pair)
                pair->met++;
        }
    }
}

/* The rates are constant for some seconds, all in one part of the time. */
static void blame_interval(struct blame *blame, struct blame_account *accounts, double seconds)
{
    double held = 0, weight = 0;
    for (uint32_t i = 0; i < blame->holding; i++)
        held += blame->holders[i].rate;
    for (uint32_t i = 0; i < blame->holding; i++) {
        blame_suffer(blame, accounts, &blame->holders[i], seconds, held);
        weight += blame->holders[i].weight;
    }
    if (blame->question.pairs)
        blame_pair_up(blame, seconds);
    for (uint32_t i = 0; i < blame->holding; i++) {
        const struct blame_holder *holder = &blame->holders[i];
        uint32_t group = blame_group(blame, holder->app);
        double inside = blame->weights[group];
        accounts[group].caused += holder->rate * (weight - inside);
        accounts[group].own += holder->rate * (inside - holder->weight);
    }
    for (uint32_t i = 0; i < blame->holding; i++)
        blame->weights[blame_group(blame, blame->holders[i].app)] = 0;
}

/* Charges what happened since the last change, part by part. */
static void blame_elapse(struct blame *blame, double now)
{
    const struct blame_task *question = &blame->question;
    double to = maths_min(now, question->end);
    uint32_t last = question->parts - 1;
    while (blame->now < to) {
        double length = (question->end - question->start) / question->parts;
        double number = (blame->now - question->start) / length;
        uint32_t part = number < last ? (uint32_t)number : last;
        /* At the end of a part, rounding may find the time still in it. */
        part += part < last && question->start + (part + 1) * length <= blame->now;
        double until = part < last ? question->start + (part + 1) * length : to;
        until = maths_min(until > blame->now ? until : to, to);
        if (blame->holding > 0)
            blame_interval(blame, blame->accounts + (size_t)part * blame->group_count,
                           until - blame->now);
        blame->now = until;
    }
}

/* --- what changes ----------------------------------------------------------------------------- */

static void blame_leave(void *context, double now, uint32_t app)
{
    struct blame *blame = context;
    blame_elapse(blame, now);
    uint32_t place = blame->places[app];
    if (place == 0)
        return;
    blame->holders[place - 1] = blame->holders[--blame->holding];
    blame->places[blame->holders[place - 1].app] = place;
    blame->places[app] = 0;
}

static void blame_enter(void *context, double now, struct segment next)
{
    struct blame *blame = context;
    if (next.kind == SEGMENT_WORK) {
        blame_leave(blame, now, next.app);
        return;
    }
    blame_elapse(blame, now);
    uint32_t *place = &blame->places[next.app];
    bool inside = now >= blame->question.start && now < blame->question.end;
    if (*place == 0 && blame->question.pairs && inside)
        blame_meet(blame, next.app);
    if (*place == 0)
        *place = ++blame->holding;
    blame->holders[*place - 1] =
        (struct blame_holder){.rate = next.kind == SEGMENT_IO ? next.rate : 0, .app = next.app};
}

struct watcher blame_watcher(struct blame *blame)
{
    return (struct watcher){.enter = blame_enter, .leave = blame_leave, .context = blame};
}

const struct blame_account *blame_accounts(const struct blame *blame, uint32_t part)
{
    return blame->accounts + (size_t)part * blame->group_count;
}

const struct blame_pairs *blame_pairs(const struct blame *blame)
{
    return blame->failed ? NULL : &blame->pairs;
}

struct blame *blame_new(const struct blame_task *question, struct err *err)
{
    uint32_t apps = question->workload->count;
    uint32_t groups = question->groups ? question->group_count : apps;
    struct blame *blame = mem_alloc(1, sizeof *blame);
    if (!blame) {
        err_memory(err);
        return NULL;
    }
    *blame = (struct blame){
        .question = *question,
        .group_count = groups,
        .accounts = mem_alloc((size_t)groups * question->parts, sizeof *blame->accounts),
        .holders = mem_alloc(apps, sizeof *blame->holders),
        .places = mem_alloc(apps, sizeof *blame->places),
        .weights = mem_alloc(groups, sizeof *blame->weights),
        .now = question->start};
    if (!blame->accounts || !blame->holders || !blame->places || !blame->weights) {
        err_memory(err);
        blame_free(blame);
        return NULL;
    }
    return blame;
}

void blame_free(struct blame *blame)
{
    if (!blame)
        return;
    free(blame->accounts);
    free(blame->holders);
    free(blame->places);
    free(blame->weights);
    pairs_fini(&blame->pairs);
    free(blame);
}
