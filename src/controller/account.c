#include "controller/account.h"
#include "base/maths.h"
#include "controller/application.h"
#include <string.h>

void account_settle(const struct application *app, double now, struct wire_done *done)
{
    double age = now - app->facts.release, waited = application_lost(app, now);
    double ideal = maths_max(0, age - waited);
    bool interrupted = app->phase != PHASE_IDLE && app->io_moved > 0;
    *done = (struct wire_done){
        .uid = app->uid,
        .pid = app->pid,
        .phases = app->phases + interrupted,
        .started = app->facts.release,
        .ended = now,
        .moved = app->moved,
        .escaped = app->escaped,
        .io_time = maths_max(0, age - application_work(app, now)),
        .waited = waited,
        .ideal = ideal,
        .stretch = ideal > 0 ? age / ideal : 1,
    };
    memcpy(done->name, app->name, sizeof done->name);
    memcpy(done->job, app->job, sizeof done->job);
    memcpy(done->account, app->account, sizeof done->account);
    memcpy(done->partition, app->partition, sizeof done->partition);
}

void account_write(struct json *json, const struct wire_done *done)
{
    json_integer(json, "ios", done->phases);
    json_number(json, "moved", done->moved);
    json_number(json, "escaped", done->escaped);
    json_number(json, "io_time", done->io_time);
    json_number(json, "waited", done->waited);
    json_number(json, "ideal", done->ideal);
    json_number(json, "stretch", done->stretch);
}

void accounts_add(struct accounts *accounts, const struct wire_done *done)
{
    accounts->list[accounts->count++ % ACCOUNTS_KEPT] = *done;
}

uint64_t accounts_first(const struct accounts *accounts, uint32_t most)
{
    uint64_t kept = accounts->count < ACCOUNTS_KEPT ? accounts->count : ACCOUNTS_KEPT;
    return accounts->count - (most < kept ? most : kept);
}

const struct wire_done *accounts_find(const struct accounts *accounts, uint64_t number)
{
    if (number >= accounts->count || accounts->count - number > ACCOUNTS_KEPT)
        return NULL;
    return &accounts->list[number % ACCOUNTS_KEPT];
}
