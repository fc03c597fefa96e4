/* The measures of a run, in one list: members of structures, keys of the JSON output, columns of
 * tables and the manual all come from here. They are defined in docs/explanation/model.md.
 *
 * An X-list: define X to what should be made of each measure, and name the list:
 *
 *     #define X(name, unit, better, help) printf("%-20s %g\n", #name, metrics->name);
 *     WEIR_METRICS(X)
 *     #undef X
 *
 * `unit` is SECONDS, BYTES or NONE; `better` is LOWER, HIGHER, or INFO for what does not rate a
 * run. */
#ifndef WEIR_METRICS_H
#define WEIR_METRICS_H

/* Of a run as a whole. */
#define WEIR_METRICS(X)                                                                            \
    X(makespan, SECONDS, LOWER, "time at which the last application finishes")                     \
    X(min_yield, NONE, HIGHER, "smallest progress / age at the end")                               \
    X(mean_yield, NONE, HIGHER, "mean progress / age at the end")                                  \
    X(efficiency, NONE, HIGHER, "progress per node and second of the window")                      \
    X(utilization, NONE, HIGHER, "work per node and second of the window")                         \
    X(sys_efficiency, NONE, HIGHER, "(1/N) sum of p * rho~")                                       \
    X(sys_efficiency_bound, NONE, INFO, "the same without any congestion")                         \
    X(dilation, NONE, LOWER, "largest rho / rho~")                                                 \
    X(max_stretch, NONE, LOWER, "largest (completion - release) / ideal time")                     \
    X(mean_stretch, NONE, LOWER, "mean of the same")                                               \
    X(weighted_sys_efficiency, NONE, HIGHER, "(1/N) sum of p * weight * rho~")                     \
    X(weighted_dilation, NONE, LOWER, "largest weight * rho / rho~")                               \
    X(weighted_stretch, NONE, LOWER, "largest weight * stretch")                                   \
    X(io_slowdown, NONE, LOWER, "geometric mean of I/O time / I/O time alone")                     \
    X(io_pressure, NONE, INFO, "bytes wanted / bytes the file system can move")                    \
    X(events, NONE, INFO, "releases, posts, completions and timers")                               \
    X(decisions, NONE, INFO, "times the strategy was asked")

/* Of one application in it. */
#define WEIR_APP_METRICS(X)                                                                        \
    X(completion, SECONDS, INFO, "time at which it finishes")                                      \
    X(yield, NONE, INFO, "progress / age at the end")                                              \
    X(stretch, NONE, INFO, "(completion - release) / ideal time")                                  \
    X(dilation, NONE, INFO, "rho / rho~")                                                          \
    X(efficiency, NONE, INFO, "rho~, the share of its time spent working")

/* Of a user or an account: its applications together. */
#define WEIR_PARTY_METRICS(X)                                                                      \
    X(applications, NONE, INFO, "their number")                                                    \
    X(mean_stretch, NONE, INFO, "mean (completion - release) / ideal time")                        \
    X(max_stretch, NONE, INFO, "largest of the same")                                              \
    X(bytes, BYTES, INFO, "moved between start and end")                                           \
    X(io_time, SECONDS, INFO, "time in which at least one has an I/O posted")                      \
    X(bandwidth_share, NONE, INFO, "bytes / what the file system can move in that time")

/* Of one of several stores, or of its reads or writes. */
#define WEIR_STORE_METRICS(X)                                                                      \
    X(bytes, BYTES, INFO, "moved between start and end")                                           \
    X(busy, NONE, INFO, "bytes / what the store can move in that time")                            \
    X(io_pressure, NONE, INFO, "bytes wanted / bytes the store can move")                          \
    X(io_slowdown, NONE, INFO, "geometric mean of I/O time / I/O time alone there")

/* The lists as structures. NAN = has no meaning in this run (the makespan of a window). */
struct weir_metrics {
#define X(name, unit, better, help) double name;
    WEIR_METRICS(X)
#undef X
};

struct weir_app_metrics {
    const char *name; /* of the third of several replicas: "name.3" */
    double nodes;     /* NAN = unknown */
#define X(name, unit, better, help) double name;
    WEIR_APP_METRICS(X)
#undef X
};

struct weir_store_metrics {
    const char *name; /* its path, "PATH read" or "PATH write" */
#define X(name, unit, better, help) double name;
    WEIR_STORE_METRICS(X)
#undef X
};

struct weir_party_metrics {
    const char *name;
#define X(name, unit, better, help) double name;
    WEIR_PARTY_METRICS(X)
#undef X
};

#endif
