#include "cluster/gather.h"
#include "fuzz.h"

/* Valid messages in any order, of peers that keep to no rule. Four bytes are a step: what happens,
 * to which application of which member, in which of its I/Os, and an amount. All that comes out is
 * valid, too; and nothing stays when all members are gone. */
enum { MEMBERS = 4, STEP = 4, EXTRA = 5, LONGEST = 2048 };

struct fuzz_peers {
    struct gather *gather;
    uint64_t now;
};

static void fuzz_is_valid(const struct node_message *message)
{
    char bytes[NODE_MOST];
    struct node_message same;
    const char *fault;
    size_t size = node_encode(message, NODE_NEWEST, bytes);
    fuzz_require(node_decode(bytes, size, NODE_NEWEST, &same, &fault) == size);
}

static int fuzz_tell(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    const struct fuzz_peers *peers = context;
    struct node_message order = {.type = NODE_COUNT, .count = {event->join.app}};
    fuzz_is_valid(event);
    if (event->type == NODE_JOIN) /* the controller may answer at once */
        gather_obey(peers->gather, now, &order);
    return event->type == NODE_JOIN && event->join.weight > 1 ? err_set(err, "no room") : 0;
}

static void fuzz_order(void *context, uint64_t now, uint32_t member,
                       const struct node_message *order)
{
    const struct fuzz_peers *peers = context;
    struct err err;
    fuzz_is_valid(order);
    const struct node_message progress = {
        .type = NODE_PROGRESS, .progress = {.app = order->count.app, .moved = (double)now / 10}};
    if (order->type == NODE_COUNT)
        gather_hear(peers->gather, now, member, &progress, &err);
}

static struct node_message fuzz_message(enum node_type type, const uint8_t *step)
{
    static const double amounts[] = {0, 1, 1e3, 1e6, 64.0 * 1024 * 1024, 1e9, 1e15, 1e18};
    uint32_t app = step[1] / MEMBERS % 4, phase = step[2] % 4, token = step[2] / 4 % 4;
    uint32_t flag = step[3] >> 7;
    double amount = amounts[step[3] % 8], rate = amount < NODE_RATE ? amount : NODE_RATE;
    struct node_message message = {.type = type, .open = {app}};
    switch (type) {
    case NODE_JOIN:
        message.join = (struct node_join){.app = app,
                                          .token = {token, 1},
                                          .nodes = rate < 1e9 ? rate + 0.5 : 1e9,
                                          .weight = 1 + flag,
                                          .volume_hint = amount,
                                          .name = "a"};
        break;
    case NODE_POST:
        message.post = (struct node_post){
            .app = app, .phase = phase, .volume = amount, .idle = flag, .moved = amount};
        break;
    case NODE_PAUSE:
        message.pause =
            (struct node_pause){.app = app, .phase = phase, .moved = amount, .probing = flag};
        break;
    case NODE_RESUME:
        message.resume = (struct node_resume){.app = app, .phase = phase, .moved = amount};
        break;
    case NODE_PROGRESS:
        message.progress = (struct node_progress){.app = app,
                                                  .processes = token,
                                                  .uncontrolled = phase,
                                                  .failure = flag,
                                                  .moved = amount,
                                                  .escaped = amount,
                                                  .why = flag};
        break;
    case NODE_END:
        message.end = (struct node_end){.app = app, .phase = phase, .moved = amount};
        break;
    case NODE_LEAVE:
        message.leave = (struct node_leave){.app = app, .moved = amount, .escaped = amount};
        break;
    case NODE_GRANT:
        message.grant = (struct node_grant){.app = app, .phase = phase, .rate = rate};
        break;
    case NODE_LIMIT:
        message.limit = (struct node_limit){
            .app = app, .bmax = rate, .alone = rate, .ops = rate, .phase = phase, .volume = amount};
        break;
    default:
        break;
    }
    return message;
}

static void fuzz_step(struct fuzz_peers *peers, const uint8_t *step)
{
    uint32_t what = step[0] % (NODE_TYPES + EXTRA), member = step[1] % MEMBERS;
    struct err err;
    if (what < NODE_TYPES) {
        struct node_message message = fuzz_message((enum node_type)what, step);
        if (node_direction_of(message.type) == NODE_EVENT)
            gather_hear(peers->gather, peers->now, member, &message, &err);
        else
            gather_obey(peers->gather, peers->now, &message);
    } else if (what == NODE_TYPES) {
        gather_lose(peers->gather, peers->now, member, false);
    } else if (what == NODE_TYPES + 1) {
        gather_report_begins(peers->gather, member);
    } else if (what == NODE_TYPES + 2) {
        gather_report_ends(peers->gather, peers->now, member);
    } else if (what == NODE_TYPES + 3) {
        gather_bound(peers->gather, 1e6 + step[3]);
    } else {
        peers->now += (uint64_t)step[3] * 1000000;
        gather_settle(peers->gather, peers->now);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    struct fuzz_peers peers = {.now = 1000000000};
    peers.gather = gather_new((struct event_sink){fuzz_tell, &peers}, fuzz_order, &peers, &err);
    fuzz_require(peers.gather != NULL);
    for (size_t at = 0; at + STEP <= size && at < LONGEST; at += STEP)
        fuzz_step(&peers, data + at);
    for (uint32_t member = 0; member < MEMBERS; member++)
        gather_lose(peers.gather, peers.now, member, false);
    fuzz_require(gather_applications(peers.gather) == 0 && gather_parts(peers.gather) == 0);
    gather_free(peers.gather);
    return 0;
}
