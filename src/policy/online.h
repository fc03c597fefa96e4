/* An online strategy inside one that follows a plan: it serves the applications that the plan does
 * not serve at the moment, with the bandwidth that the plan leaves. */
#ifndef WEIR_POLICY_ONLINE_H
#define WEIR_POLICY_ONLINE_H

#include <weir/policy.h>

/* Those that decide by the view alone, at any bandwidth; ends with NULL. The first is the default.
 */
extern const char *const online_names[];

#define ONLINE_PARAM                                                                               \
    {                                                                                              \
        .name = "online", .kind = WEIR_PARAM_CHOICE, .choices = online_names,                      \
        .help = "the strategy for applications that the plan does not serve at the moment"         \
    }

/* Memory for any of them, in the state and for each application. */
enum { ONLINE_STATE = 128, ONLINE_APP = 160, ONLINE_PARAMS = 8 };

/* Bytes for each application after a struct online, which is the last member of a state. A
 * multiple of 8, so that what follows is aligned. */
enum { ONLINE_ROOM = ONLINE_APP + 2 * sizeof(uint32_t) };

struct online {
    const struct weir_policy_ops *ops;
    double params[ONLINE_PARAMS];
    uint32_t *list; /* applications to serve, */
    uint32_t count; /* added since the last decision */
    _Alignas(16) char state[ONLINE_STATE];
};

/* The strategy of this number in online_names. */
void online_init(struct online *online, const struct weir_setup *setup, double choice);

/* What the host reports goes to it, too. */
void online_joined(struct online *online, const struct weir_view *view, uint32_t app);
void online_posted(struct online *online, const struct weir_view *view, uint32_t app);
void online_completed(struct online *online, const struct weir_view *view, uint32_t app);
void online_left(struct online *online, const struct weir_view *view, uint32_t app);

/* Adds an active application to those that it serves at this decision. */
static inline void online_add(struct online *online, uint32_t app)
{
    online->list[online->count++] = app;
}

/* Divides `bandwidth` between those that were added, and returns what is left of it. */
double online_decide(struct online *online, const struct weir_view *view, double bandwidth,
                     struct weir_grants *grants);

#endif
