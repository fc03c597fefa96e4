/* What the controller of a large cluster does besides sending: 10,000 agents with 100,000
 * applications, 2,000 of which do I/O. I/Os end, and others begin on other nodes. Under fair-share
 * all of them have bandwidth; under the other strategies some hundred, and the others wait. `make
 * bench` runs it; results/performance.md says what it prints. */
#include "base/mem.h"
#include "bench.h"
#include "cluster/frame.h"
#include "cluster/gather.h"
#include "cluster/hub.h"
#include "controller/controller.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { AGENTS = 10000, EACH = 10, ACTIVE = 2000, EVENTS = 20000, RATE = 4000 };

/* An agent, as far as frames need it. */
struct stub {
    uint32_t member;
    uint64_t received, sent;
    uint32_t phase[EACH];
    double rate[EACH];
    bool busy[EACH]; /* does I/O */
    bool reply;
};

/* Processor time: what others do on the machine does not count. */
static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static struct stub stubs[AGENTS];
static uint32_t active[ACTIVE]; /* applications: agent * EACH + number */
static uint64_t now = 1000000000000u;
static struct hub *hub;
static struct gather *gather;
static struct controller *controller;
static uint64_t frames, raises; /* sent; and grants of what had none */
static uint32_t answering[AGENTS], answer_count;

/* --- the wiring ------------------------------------------------------------------------------- */

static int on_event(void *context, uint64_t at, struct hub_place from,
                    const struct node_message *event, struct err *err)
{
    (void)context;
    return gather_hear(gather, at, from.member, event, err);
}

static void on_report(void *context, uint64_t at, struct hub_place from, bool ends)
{
    (void)context;
    if (ends)
        gather_report_ends(gather, at, from.member);
    else
        gather_report_begins(gather, from.member);
}

static void on_loss(void *context, uint64_t at, struct hub_place from, bool restarted)
{
    (void)context;
    gather_lose(gather, at, from.member, restarted);
}

/* The agent takes the frame, and answers if it was lowered. */
static bool on_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    struct stub *stub = &stubs[member];
    const struct frame_reader reader = {NODE_NEWEST, 1};
    struct frame_message order;
    struct frame_head head;
    const char *fault;
    (void)context;
    frames++;
    size_t at = frame_read_head(bytes, size, &head, &fault);
    stub->received = head.sequence;
    for (size_t used; at < size; at += used) {
        used = frame_read(&reader, (const char *)bytes + at, size - at, &order, &fault);
        if (used == 0)
            abort();
        if (order.message.type != NODE_GRANT)
            continue;
        double *rate = &stub->rate[order.message.grant.app];
        if (order.message.grant.rate < *rate && !stub->reply) {
            stub->reply = true;
            answering[answer_count++] = member;
        }
        raises += *rate == 0 && order.message.grant.rate > 0;
        *rate = order.message.grant.rate;
    }
    return true;
}

static void on_close(void *context, uint32_t member, const char *why)
{
    (void)context;
    (void)member;
    (void)why;
    abort();
}

static void on_superseded(void *context, uint64_t at, uint64_t epoch)
{
    (void)context;
    (void)at;
    (void)epoch;
    abort();
}

static int on_tell(void *context, uint64_t at, const struct node_message *event, struct err *err)
{
    (void)context;
    return controller_hear(controller, at, event, err);
}

static void on_divide(void *context, uint64_t at, uint32_t member, const struct node_message *order)
{
    (void)context;
    (void)at;
    hub_order(hub, (struct hub_place){0, member}, order);
}

static void on_order(void *context, uint64_t at, const struct node_message *order)
{
    (void)context;
    gather_obey(gather, at, order);
}

static const struct hub_ops ops = {on_event, on_report, on_loss, on_send, on_close, on_superseded};

/* --- what agents send ------------------------------------------------------------------------- */

static struct frame frame;

static void send_frame(uint32_t agent, uint64_t flags)
{
    struct stub *stub = &stubs[agent];
    struct err err;
    frame_seal(&frame, &(struct frame_head){.epoch = 1,
                                            .sequence = ++stub->sent,
                                            .acknowledged = stub->received,
                                            .stamp = now,
                                            .flags = flags});
    if (hub_frame(hub, now, stub->member, frame.bytes, frame.size, &err) != 0)
        abort();
    stub->reply = false;
    frame_clear(&frame);
}

static void add(const struct node_message *message)
{
    if (!frame_add(&frame, NODE_NEWEST, 0, message))
        abort();
}

static void begin_io(uint32_t app)
{
    struct stub *stub = &stubs[app / EACH];
    struct node_message event = {.type = NODE_POST};
    event.post = (struct node_post){
        .app = app % EACH, .phase = ++stub->phase[app % EACH], .volume = 1e12, .announced = 1};
    stub->busy[app % EACH] = true;
    add(&event);
    send_frame(app / EACH, 0);
}

static void end_io(uint32_t app)
{
    struct stub *stub = &stubs[app / EACH];
    struct node_message event = {.type = NODE_END};
    event.end = (struct node_end){.app = app % EACH, .phase = stub->phase[app % EACH]};
    stub->rate[app % EACH] = 0;
    stub->busy[app % EACH] = false;
    add(&event);
    send_frame(app / EACH, 0);
}

/* One turn of the controller. */
static void turn(void)
{
    controller_decide(controller, now);
    gather_settle(gather, now);
    hub_settle(hub, now);
}

/* Until nothing is under way. */
static void settle(void)
{
    turn();
    while (answer_count > 0 || hub_next(hub) == 0) {
        uint32_t count = answer_count;
        answer_count = 0;
        for (uint32_t i = 0; i < count; i++)
            send_frame(answering[i], 0);
        turn();
    }
}

/* --- the cluster ------------------------------------------------------------------------------ */

static void connect_agent(uint32_t agent)
{
    char name[16];
    struct err err;
    snprintf(name, sizeof name, "node%u", agent);
    const struct hub_hello hello = {name, 1, 0, NODE_NEWEST};
    stubs[agent].member = hub_connect(hub, now, &hello, &err);
    if (stubs[agent].member != agent)
        abort();
    for (uint32_t app = 0; app < EACH; app++) {
        struct node_message event = {.type = NODE_JOIN};
        event.join = (struct node_join){
            .app = app, .uid = agent, .token = {app, 1}, .nodes = 1, .weight = 1, .name = "a"};
        add(&event);
    }
    send_frame(agent, FRAME_WHOLE | FRAME_LAST);
}

static void start(const char *policy, double node_bandwidth)
{
    static struct service service;
    service = (struct service){.platform = {.node_bandwidth = node_bandwidth, .bandwidth = 1e12},
                               .policy = policy,
                               .max_wait = 1e6};
    const struct hub_terms terms = {
        .lease = HUB_LEASE, .drift = HUB_DRIFT, .channels = 1, .bandwidth = {1e12}};
    struct err err;
    hub = hub_new(&terms, &ops, NULL, &err);
    gather = gather_new((struct event_sink){on_tell, NULL}, on_divide, NULL, &err);
    controller = controller_new(&service, policy_open(policy, &err), NULL, now, &err);
    if (!hub || !gather || !controller)
        abort();
    controller->down.obey = on_order;
    controller->band = CONTROLLER_BAND;
    gather_bound(gather, node_bandwidth);
    frame_clear(&frame);
    hub_activate(hub, now, 1, UINT64_MAX, NULL);
    for (uint32_t i = 0; i < AGENTS; i++)
        connect_agent(i);
    settle();
}

/* Every agent with an I/O is heard from once a second. */
static void beat(void)
{
    for (uint32_t i = 0; i < ACTIVE; i++)
        send_frame(active[i] / EACH, FRAME_ANSWER);
}

static uint32_t idle_application(void)
{
    for (;;) {
        uint32_t app = (uint32_t)lrand48() % (AGENTS * EACH);
        if (!stubs[app / EACH].busy[app % EACH])
            return app;
    }
}

/* Agents that were lowered say so, and the controller goes on, until a grant follows. */
static void wait_for_grant(void)
{
    turn();
    for (int i = 0; raises == 0 && i < 100000; i++) {
        uint32_t count = answer_count;
        answer_count = 0;
        for (uint32_t k = 0; k < count; k++)
            send_frame(answering[k], 0);
        turn();
    }
}

/* One that has bandwidth, of those that do I/O. */
static uint32_t place_of_granted(void)
{
    for (;;) {
        uint32_t place = (uint32_t)lrand48() % ACTIVE;
        if (stubs[active[place] / EACH].rate[active[place] % EACH] > 0)
            return place;
    }
}

/* Seconds from an event to the grant that follows from it, and to the end of all that does. Where
 * all have bandwidth it is that of the application that began; else of the one that comes after the
 * one that ended. */
static void change(bool shared, double *grant, double *all)
{
    uint32_t place = place_of_granted(), app = idle_application();
    double before = cpu_seconds(), begin = before;
    raises = 0;
    end_io(active[place]);
    if (!shared) {
        wait_for_grant();
        *grant = cpu_seconds() - begin;
    }
    settle();
    begin = cpu_seconds();
    active[place] = app;
    raises = 0;
    begin_io(app);
    if (shared) {
        wait_for_grant();
        *grant = cpu_seconds() - begin;
    }
    settle();
    *all = cpu_seconds() - before;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All agents connect, and 2,000 of their applications begin I/Os. Returns the seconds of the first.
 */
static double fill(const char *policy, double node_bandwidth)
{
    double begin = cpu_seconds();
    start(policy, node_bandwidth);
    double took = cpu_seconds() - begin;
    for (uint32_t i = 0; i < ACTIVE; i++) {
        active[i] = idle_application();
        begin_io(active[i]);
    }
    now += 5000000000u;
    for (uint32_t i = 0; i < AGENTS; i++)
        send_frame(i, 0);
    settle();
    return took;
}

static void empty(void)
{
    hub_free(hub);
    gather_free(gather);
    controller_free(controller);
    memset(stubs, 0, sizeof stubs);
    answer_count = 0;
}

static void measure(const char *policy, int events, double node_bandwidth)
{
    static double grants[EVENTS];
    double work = 0, took = fill(policy, node_bandwidth);
    frames = 0;
    for (int i = 0; i < events; i++) {
        double all;
        now += 2 * (1000000000u / RATE);
        if (i % (RATE / 2) == 0)
            beat();
        change(isinf(node_bandwidth), &grants[i], &all);
        work += all;
    }
    qsort(grants, (size_t)events, sizeof grants[0], compare);
    printf("%-16s %9.2f %9.1f %9.1f %9.3f %9.1f\n", policy, took, 1e6 * grants[events / 2],
           1e6 * grants[events * 99 / 100], work / events / 2 * RATE, (double)frames / events / 2);
    empty();
}

int main(void)
{
    static const char *const others[] = {"fcfs", "greedy-com", "critical-yield", "greedy-yield"};
    struct rusage usage;
    srand48(1);
    printf(
        "10,000 agents connect (s); event to grant, median and p99 (us); of a processor at 4,000 "
        "events/s;\nframes per event\n");
    measure("fair-share", EVENTS, INFINITY);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        measure(others[i], EVENTS / 4, 1e12 / 200);
    getrusage(RUSAGE_SELF, &usage);
    printf("memory, MB %.1f\n", (double)usage.ru_maxrss / 1024);
    return 0;
}
