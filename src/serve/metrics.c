#include "serve/metrics.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "link/dialer.h"
#include "serve/agent.h"
#include "serve/cluster_inner.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { METRICS_TOP = 50, METRICS_TOP_MOST = 1000 };
#define METRICS_FRESH_NS 500000000u /* a page this young is sent again; one for other jobs is not  \
                                     */
#define METRICS_BUSY_NS 100000000u  /* made so often */

/* --- of each channel -------------------------------------------------------------------------- */

/* A channel at one instant. */
struct metrics_channel {
    struct controller *controller;
    const char *store;
    struct wire_status status;
    double moved, least; /* bytes in all; smallest yield */
    uint32_t states[WIRE_STATES_COUNT];
};

static void metrics_look(struct metrics_channel *out, struct controller *controller, uint64_t now)
{
    *out = (struct metrics_channel){.controller = controller,
                                    .store = controller->store,
                                    .moved = controller->totals.moved,
                                    .least = 1};
    controller_report(controller, now, &out->status);
    for (uint32_t id = 0; id < controller->capacity; id++) {
        struct wire_app app;
        if (!controller->apps[id])
            continue;
        controller_describe(controller, now, id, &app);
        out->states[app.state]++;
        out->moved += app.moved;
        out->least = maths_min(out->least, app.yield);
    }
}

static double metrics_control(const struct metrics_channel *channel)
{
    return !channel->controller->off;
}
static double metrics_bandwidth(const struct metrics_channel *channel)
{
    return channel->status.bandwidth;
}
static double metrics_measured(const struct metrics_channel *channel)
{
    return channel->status.measured;
}
static double metrics_granted(const struct metrics_channel *channel)
{
    return channel->status.granted;
}
static double metrics_moved(const struct metrics_channel *channel)
{
    return channel->moved;
}
static double metrics_processes(const struct metrics_channel *channel)
{
    return channel->status.processes;
}
static double metrics_yield(const struct metrics_channel *channel)
{
    return channel->least;
}
static double metrics_decisions(const struct metrics_channel *channel)
{
    return (double)channel->status.decisions;
}

static void metrics_write_states(struct expose *expose, const struct metrics_channel *list,
                                 uint32_t count)
{
    expose_begin(expose, EXPOSE_APPLICATIONS);
    for (uint32_t i = 0; i < count; i++)
        for (int state = 0; state < WIRE_STATES_COUNT; state++)
            expose_value(expose,
                         (const char *[]){list[i].store, wire_state_word((enum wire_state)state)},
                         list[i].states[state]);
}

static void metrics_write_histograms(struct expose *expose, const struct metrics_channel *list,
                                     uint32_t count)
{
    static const struct {
        enum expose_id id;
        const struct histogram_scale *scale;
        size_t at;
    } all[] = {
        {EXPOSE_IO_WAIT, &histogram_waits, offsetof(struct controller_totals, waits)},
        {EXPOSE_IO_TIME, &histogram_waits, offsetof(struct controller_totals, ios)},
        {EXPOSE_STRETCH, &histogram_stretches, offsetof(struct controller_totals, stretches)}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        expose_begin(expose, all[k].id);
        for (uint32_t i = 0; i < count; i++)
            expose_histogram(expose, &list[i].store, all[k].scale,
                             (const void *)((const char *)&list[i].controller->totals + all[k].at));
    }
}

static void metrics_write_escapes(struct expose *expose, const struct metrics_channel *list,
                                  uint32_t count)
{
    expose_begin(expose, EXPOSE_ESCAPED);
    for (int why = WIRE_ESCAPE_NONE + 1; why < WIRE_ESCAPES_COUNT; why++) {
        const char *word = wire_escape_word((enum wire_escape)why);
        double bytes = 0;
        for (uint32_t i = 0; i < count; i++)
            bytes += list[i].controller->totals.escaped[why];
        expose_value(expose, &word, bytes);
    }
}

static void metrics_write_channels(const struct metrics *metrics, struct expose *expose)
{
    static const struct {
        enum expose_id id;
        double (*value)(const struct metrics_channel *channel);
    } all[] = {{EXPOSE_CONTROL, metrics_control},   {EXPOSE_BANDWIDTH, metrics_bandwidth},
               {EXPOSE_MEASURED, metrics_measured}, {EXPOSE_GRANTED, metrics_granted},
               {EXPOSE_MOVED, metrics_moved},       {EXPOSE_PROCESSES, metrics_processes},
               {EXPOSE_YIELD, metrics_yield},       {EXPOSE_DECISIONS, metrics_decisions}};
    const struct channels *channels = &metrics->engine->channels;
    struct metrics_channel list[WIRE_CHANNELS];
    uint64_t now = uv_hrtime();
    for (uint32_t i = 0; i < channels->count; i++)
        metrics_look(&list[i], channels->list[i].controller, now);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        expose_begin(expose, all[k].id);
        for (uint32_t i = 0; i < channels->count; i++)
            expose_value(expose, &list[i].store, all[k].value(&list[i]));
    }
    metrics_write_states(expose, list, channels->count);
    metrics_write_histograms(expose, list, channels->count);
    metrics_write_escapes(expose, list, channels->count);
}

/* --- of an agent, and of the agents ----------------------------------------------------------- */

static void metrics_write_agent(const struct agent *agent, struct expose *expose)
{
    uint64_t now = uv_hrtime(), lease = agent->uplink ? uplink_lease(agent->uplink) : 0;
    double processes = 0;
    const struct channels *channels = &agent->engine.channels;
    expose_one(expose, EXPOSE_CONNECTED, link_dialer_is_connected(agent->dialer));
    expose_one(expose, EXPOSE_LEASE, lease > now ? (double)(lease - now) / 1e9 : 0);
    expose_begin(expose, EXPOSE_PROCESSES);
    for (uint32_t i = 0; i < channels->count; i++) {
        const char *store = channels->list[i].store;
        processes = channels->list[i].node->processes;
        expose_value(expose, &store, processes);
    }
}

static void metrics_write_agents(const struct cluster *cluster, struct expose *expose)
{
    uint64_t now = uv_hrtime();
    uint32_t connected = 0, lost = 0;
    double margin = INFINITY, lease = cluster->service->cluster.lease;
    struct hub_member_view view;
    for (uint32_t member = 0; member < hub_members(cluster->hub); member++) {
        if (member == cluster->own || !hub_member(cluster->hub, now, member, &view))
            continue;
        connected += view.connected;
        lost += !view.connected;
        if (view.connected && view.held > 0)
            margin = maths_min(margin, lease - view.silence);
    }
    expose_begin(expose, EXPOSE_AGENTS);
    expose_value(expose, (const char *[]){"connected"}, connected);
    expose_value(expose, (const char *[]){"lost"}, lost);
    if (margin < INFINITY)
        expose_one(expose, EXPOSE_LEASE, margin);
}

/* --- of the process --------------------------------------------------------------------------- */

static double metrics_memory(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return NAN;
    if (fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double metrics_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    double count = -3; /* itself, and those of every directory */
    if (!directory)
        return NAN;
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static void metrics_write_process(const struct metrics *metrics, struct expose *expose)
{
    struct rusage used;
    struct rlimit files;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        expose_one(expose, EXPOSE_CPU,
                   (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    expose_one(expose, EXPOSE_MEMORY, metrics_memory());
    expose_one(expose, EXPOSE_FILES, metrics_files());
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        expose_one(expose, EXPOSE_FILES_MOST, (double)files.rlim_cur);
    expose_one(expose, EXPOSE_STARTED, metrics->started);
}

static void metrics_write_server(const struct metrics *metrics, struct expose *expose)
{
    const struct engine *engine = metrics->engine;
    const char *version = WEIR_VERSION;
    expose_begin(expose, EXPOSE_BUILD);
    expose_value(expose, &version, 1);
    expose_begin(expose, EXPOSE_TURNS);
    expose_histogram(expose, NULL, &histogram_latencies, &engine->pace.turns);
    expose_one(expose, EXPOSE_LONGEST, engine_longest_turn(engine));
    expose_one(expose, EXPOSE_REFUSED, (double)engine->peers.refusals.refusals);
    expose_one(expose, EXPOSE_OTHER_VERSION, (double)engine->peers.other_version);
    if (metrics->journal)
        expose_one(expose, EXPOSE_JOURNAL_LOST, (double)journal_lost(metrics->journal));
    expose_begin(expose, EXPOSE_HTTP);
    for (int code = 0; code < WEB_CODE_COUNT; code++) {
        char text[8];
        snprintf(text, sizeof text, "%u", web_codes[code]);
        expose_value(expose, (const char *[]){text},
                     metrics->web ? (double)web_count(metrics->web, (enum web_code)code) : 0);
    }
}

/* --- pages ------------------------------------------------------------------------------------ */

void metrics_write(const struct metrics *metrics, enum expose_page page, uint32_t top,
                   struct expose *expose)
{
    if (page == EXPOSE_USERS)
        metrics_write_users(metrics, expose);
    if (page == EXPOSE_JOBS)
        metrics_write_jobs(metrics, top, expose);
    if (page == EXPOSE_MAIN) {
        metrics_write_server(metrics, expose);
        if (metrics->agent)
            metrics_write_agent(metrics->agent, expose);
        else
            metrics_write_channels(metrics, expose);
        if (metrics->cluster)
            metrics_write_agents(metrics->cluster, expose);
        if (!metrics->agent)
            expose_one(expose, EXPOSE_LEADER,
                       !metrics->cluster || hub_is_active(metrics->cluster->hub));
        metrics_write_process(metrics, expose);
    }
    expose_end(expose);
}

static int metrics_make(const struct metrics *metrics, enum expose_page page, bool open_metrics,
                        struct metrics_page *made)
{
    struct metrics_page fresh = {.top = made->top, .made = uv_hrtime()};
    struct expose expose = {.out = open_memstream(&fresh.text, &fresh.length),
                            .open_metrics = open_metrics};
    if (!expose.out)
        return -1;
    metrics_write(metrics, page, made->top, &expose);
    if (fclose(expose.out) != 0) {
        free(fresh.text);
        return -1;
    }
    free(made->text);
    *made = fresh;
    return 0;
}

/* How many jobs are asked for; 0 = the number is none. */
static uint32_t metrics_read_top(const char *text)
{
    char *end;
    if (!text)
        return METRICS_TOP;
    unsigned long top = strtoul(text, &end, 10);
    return *text < '0' || *text > '9' || *end || top > METRICS_TOP_MOST ? 0 : (uint32_t)top;
}

static void metrics_send(struct metrics *metrics, enum expose_page page,
                         const struct web_request *request, struct web_answer *answer)
{
    bool open_metrics = expose_wants_open_metrics(request->accept);
    struct metrics_page *made = &metrics->pages[page][open_metrics];
    uint32_t top = page == EXPOSE_JOBS ? metrics_read_top(web_query(request, "top")) : METRICS_TOP;
    uint64_t age = uv_hrtime() - made->made;
    bool other = made->top != top;
    answer->code = WEB_BAD;
    if (top == 0)
        return;
    answer->code = WEB_TOO_MANY;
    if (made->text && other && age < METRICS_BUSY_NS)
        return;
    answer->code = WEB_FAILED;
    made->top = top;
    if ((!made->text || other || age >= METRICS_FRESH_NS) &&
        metrics_make(metrics, page, open_metrics, made) != 0)
        return;
    answer->body = mem_alloc(made->length + 1, 1);
    if (!answer->body)
        return;
    memcpy(answer->body, made->text, made->length);
    answer->length = made->length;
    answer->code = WEB_OK;
    answer->type = expose_type(open_metrics);
}

/* The agents, which may be thousands. */
static void metrics_send_nodes(struct metrics *metrics, struct web_answer *answer)
{
    uint64_t now = uv_hrtime();
    FILE *out = NULL;
    answer->code = WEB_TOO_MANY;
    if (now - metrics->nodes_made < METRICS_BUSY_NS)
        return;
    metrics->nodes_made = now;
    answer->code = WEB_FAILED;
    if (!(out = open_memstream(&answer->body, &answer->length)))
        return;
    metrics_write_nodes(metrics->cluster, now, out);
    if (fclose(out) != 0)
        return;
    answer->code = WEB_OK;
    answer->type = "application/json";
}

static void metrics_answer(void *context, const struct web_request *request,
                           struct web_answer *answer)
{
    struct metrics *metrics = context;
    for (int page = 0; page < EXPOSE_PAGES; page++) {
        bool has = page == EXPOSE_MAIN || !metrics->agent;
        if (has && strcmp(request->path, expose_pages[page]) == 0)
            metrics_send(metrics, (enum expose_page)page, request, answer);
    }
    if (metrics->cluster && strcmp(request->path, METRICS_NODES) == 0)
        metrics_send_nodes(metrics, answer);
    if (strcmp(request->path, "/") == 0) {
        answer->code = WEB_SEE_OTHER;
        answer->location = expose_pages[EXPOSE_MAIN];
    }
}

int metrics_open(struct metrics *metrics, const char *address, struct err *err)
{
    struct timespec now;
    char text[64];
    if (!address)
        return 0;
    clock_gettime(CLOCK_REALTIME, &now);
    metrics->started = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    metrics->web = web_new(&metrics->engine->loop, address, metrics_answer, metrics, err);
    if (!metrics->web)
        return -1;
    snprintf(text, sizeof text, "metrics at port %d, /metrics", web_port(metrics->web));
    engine_say(metrics->engine, text);
    return 0;
}

void metrics_close(struct metrics *metrics)
{
    web_free(metrics->web);
    metrics->web = NULL;
    for (int page = 0; page < EXPOSE_PAGES; page++)
        for (int format = 0; format < 2; format++)
            free(metrics->pages[page][format].text);
}
