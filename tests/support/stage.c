#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void stage_control(struct stage *stage, struct policy *policy)
{
    struct err err = {0};
    channel_close(&stage->channel);
    assert_int_equal(channel_open(&stage->channel, &stage->service, policy, stage->now, &err), 0);
}

void stage_open(struct stage *stage, const char *policy)
{
    struct err err = {0};
    *stage = (struct stage){
        .service = {.platform = {.node_bandwidth = INFINITY, .bandwidth = 100},
                    .policy = policy,
                    .soft_release = SERVICE_SOFT_RELEASE,
                    .phase_gap = SERVICE_PHASE_GAP,
                    .max_wait = SERVICE_MAX_WAIT},
        .now = 1000000000000u,
    };
    struct policy *opened = policy_open(policy, &err);
    assert_non_null(opened);
    stage_control(stage, opened);
    channel_settle(&stage->channel, stage->now);
}

void stage_close(struct stage *stage)
{
    channel_close(&stage->channel);
}

void stage_pass(struct stage *stage, double seconds)
{
    uint64_t end = stage->now + (uint64_t)llround(seconds * 1e9);
    channel_settle(&stage->channel, stage->now);
    for (uint64_t next; (next = channel_next(&stage->channel)) <= end;) {
        stage->now = next > stage->now ? next : stage->now + 1;
        channel_settle(&stage->channel, stage->now);
    }
    stage->now = end;
    channel_settle(&stage->channel, stage->now);
}

static struct seat stage_seat(struct stage *stage, uint32_t uid, const struct wire_attach *who)
{
    struct err err = {0};
    struct seat seat = {.uid = uid};
    assert_int_equal(channel_attach(&stage->channel, stage->now, &seat, who, &err), 0);
    return seat;
}

struct seat stage_attach(struct stage *stage, uint32_t uid, const char *name, uint64_t number)
{
    struct wire_attach who = {.token = {number, 1}, .nodes = 1, .weight = 1};
    snprintf(who.name, sizeof who.name, "%s", name);
    return stage_seat(stage, uid, &who);
}

struct seat stage_attach_for(struct stage *stage, uint32_t uid, const char *account,
                             uint64_t number)
{
    struct wire_attach who = {.token = {number, 1}, .nodes = 1, .weight = 1, .name = "x"};
    snprintf(who.account, sizeof who.account, "%s", account);
    return stage_seat(stage, uid, &who);
}

void stage_enter(struct stage *stage, struct seat *seat, uint64_t bytes)
{
    struct usage_page *usage = seat->app->pages.usage;
    usage->slots[seat->slot].busy++;
    usage->used += bytes * LINE_BYTE;
    if (usage->phase != PHASE_OPEN) {
        usage->phase = PHASE_OPEN;
        node_post(stage->channel.node, stage->now, seat, &(struct wire_post){0});
    }
    channel_settle(&stage->channel, stage->now);
}

void stage_exit(struct stage *stage, struct seat *seat, uint64_t bytes)
{
    struct usage_page *usage = seat->app->pages.usage;
    usage->slots[seat->slot].moved += bytes;
    usage->calls++;
    usage->last = stage->now;
    usage->slots[seat->slot].busy--;
}

void stage_begin(struct stage *stage, struct seat *seat, double volume)
{
    node_post(stage->channel.node, stage->now, seat,
              &(struct wire_post){.volume = volume, .begun = 1});
    channel_settle(&stage->channel, stage->now);
}

void stage_end(struct stage *stage, struct seat *seat)
{
    node_end(stage->channel.node, stage->now, seat);
    channel_settle(&stage->channel, stage->now);
}

void stage_write_on(struct stage *stage, struct seat *seat)
{
    struct pages *pages = &seat->app->pages;
    struct usage_page *usage = pages->usage;
    usage->slots[seat->slot].busy = 1;
    if (usage->phase != PHASE_OPEN) {
        usage->phase = PHASE_OPEN;
        node_post(stage->channel.node, stage->now, seat, &(struct wire_post){0});
    }
    int64_t ahead = line_ahead(&pages->last.bytes, usage->used, stage->now);
    uint64_t bytes = ahead < 0 ? (uint64_t)-ahead / LINE_BYTE : 0;
    if (pages->last.mode != PAGE_PACED || bytes == 0)
        return;
    usage->slots[seat->slot].moved += bytes;
    usage->used += bytes * LINE_BYTE;
    usage->calls++;
    usage->last = stage->now;
}

double stage_rate(const struct seat *seat)
{
    struct page_grant grant;
    page_read(seat->app->pages.grant, &grant);
    return grant.mode == PAGE_OPEN ? -1 : round(line_speed(&grant.bytes) / LINE_BYTE * 1e3) / 1e3;
}

struct application *stage_application(struct stage *stage, const struct seat *seat)
{
    return stage->channel.controller->apps[seat->app->who.app];
}

struct wire_app stage_describe(struct stage *stage, const struct seat *seat)
{
    struct wire_app app;
    controller_describe(stage->channel.controller, stage->now, seat->app->who.app, &app);
    return app;
}
