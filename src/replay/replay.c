#include "replay/replay.h"
#include "base/maths.h"
#include "model/service.h"
#include "replay/actors.h"
#include "replay/ledger.h"
#include "replay/pipes.h"
#include "replay/place.h"
#include <stdio.h>
#include <stdlib.h>

/* How often a controller looks for a pause: on average it sees one half as late. */
#define SAMPLING 0.001

double replay_release_latency(const struct replay *replay)
{
    return replay->preload ? SERVICE_SOFT_RELEASE + SAMPLING / 2 : 0;
}

/* What the measures are computed from: for an application that ran to its end, the time is enough.
 */
static int replay_observe(const struct replay *replay, struct ledger *ledger,
                          struct replayed *replayed, struct err *err)
{
    struct outcome *outcome = replayed->outcome = outcome_new(ledger->count);
    if (!outcome || ledger_order(ledger, &replayed->order))
        return err_memory(err);
    outcome->start = INFINITY;
    for (uint32_t id = 0; id < ledger->count; id++) {
        const struct app *app = &replay->workload->apps[id];
        struct app_outcome *result = &outcome->apps[id];
        result->completion = ledger->apps[id].completion;
        result->lost = result->completion - app->facts.release - app_ideal(app);
        result->done_work = app->facts.total_work;
        outcome->spans[id] = (struct app_span){result->lost, result->done_work};
        result->done_ideal = app_ideal(app);
        outcome->start = maths_min(outcome->start, app->facts.release);
        outcome->end = maths_max(outcome->end, result->completion);
        replayed->late = maths_max(replayed->late, ledger->apps[id].late);
    }
    return 0;
}

/* Runs with everything in place. */
static int replay_replay_run(const struct replay *replay, struct ledger *ledger,
                             struct replayed *replayed, struct err *err)
{
    struct actors actors = {0};
    int status = 0;
    if (replay->store_limit > 0) {
        actors.store = pipes_start(ledger, replay->store_limit, err);
        status = actors.store < 0 ? -1 : 0;
    }
    if (status == 0 && replay->policy)
        status = actors_serve(&actors, replay, ledger, err);
    if (status == 0)
        status = actors_launch(&actors, replay, ledger, err);
    if (status == 0)
        status = actors_wait(&actors, replay, ledger, err);
    actors_fini(&actors);
    return status == 0 ? replay_observe(replay, ledger, replayed, err) : -1;
}

int replay_run(const struct replay *replay, struct replayed *replayed, struct err *err)
{
    const char *parent = replay->directory ? replay->directory : place_fast();
    char scratch[LEDGER_PATH - 16] = "";
    struct actors_signals signals;
    *replayed = (struct replayed){0};
    struct ledger *ledger = ledger_new(replay->workload, err);
    if (!ledger)
        return -1;
    actors_catch(&signals);
    ledger->silent = replay->preload;
    ledger->pipes = replay->store_limit > 0;
    int status = place_make(place_temporary(), scratch, sizeof scratch, err);
    if (status == 0)
        status = place_make(parent, ledger->directory, sizeof ledger->directory, err);
    if (status == 0) {
        if (replay->policy)
            snprintf(ledger->socket, sizeof ledger->socket, "%s/weir.sock", scratch);
        status = replay_replay_run(replay, ledger, replayed, err);
    }
    place_remove(ledger->directory);
    place_remove(scratch);
    ledger_free(ledger);
    actors_release(&signals);
    return status;
}

void replayed_fini(struct replayed *replayed)
{
    outcome_free(replayed->outcome);
    free(replayed->order.ids);
    *replayed = (struct replayed){0};
}
