/* The one list of what monitoring can read: metrics of the controller and of agents. Pages, the
 * reference (docs/reference/metrics.md) and tests come from it.
 *
 * Names follow Prometheus: base units, which the name ends with; `_total` is added to counters. No
 * label is a process, a path that a user chose, or a host. */
#ifndef WEIR_EXPOSE_METRIC_H
#define WEIR_EXPOSE_METRIC_H

#include <stddef.h>

enum expose_type { EXPOSE_COUNTER, EXPOSE_GAUGE, EXPOSE_HISTOGRAM, EXPOSE_TYPES };

/* Which page has it. */
enum expose_page { EXPOSE_MAIN, EXPOSE_USERS, EXPOSE_JOBS, EXPOSE_PAGES };

/* Name, its name for programs without `_total`, type, unit ("" = none), page, labels separated by
 * commas, help. */
#define EXPOSE_METRICS(X)                                                                          \
    X(BUILD, "weir_build_info", GAUGE, "", MAIN, "version", "1; the label has the version")        \
    X(LEADER, "weir_leader", GAUGE, "", MAIN, "", "1 if this controller leads, 0 if it stands by") \
    X(CONTROL, "weir_control", GAUGE, "", MAIN, "store", "1 if control is on, 0 if it observes")   \
    X(BANDWIDTH, "weir_bandwidth_bytes_per_second", GAUGE, "", MAIN, "store", "configured")        \
    X(MEASURED, "weir_measured_bytes_per_second", GAUGE, "", MAIN, "store",                        \
      "moved by all applications, over the last second")                                           \
    X(GRANTED, "weir_granted_bytes_per_second", GAUGE, "", MAIN, "store",                          \
      "granted to all applications")                                                               \
    X(MOVED, "weir_moved_bytes", COUNTER, "bytes", MAIN, "store",                                  \
      "moved under control, or observed, since the start")                                         \
    X(ESCAPED, "weir_escaped_bytes", COUNTER, "bytes", MAIN, "reason",                             \
      "seen to bypass control, by the reason of most in an application")                           \
    X(APPLICATIONS, "weir_applications", GAUGE, "", MAIN, "store,state",                           \
      "applications that are attached, by what they do")                                           \
    X(PROCESSES, "weir_processes", GAUGE, "", MAIN, "store", "processes that are attached")        \
    X(IO_WAIT, "weir_io_wait_seconds", HISTOGRAM, "seconds", MAIN, "store",                        \
      "of each finished I/O: time in which others, or its grant, could delay it")                  \
    X(IO_TIME, "weir_io_duration_seconds", HISTOGRAM, "seconds", MAIN, "store",                    \
      "of each finished I/O: from its begin to its end")                                           \
    X(STRETCH, "weir_stretch_ratio", HISTOGRAM, "ratio", MAIN, "store",                            \
      "of each finished application: its time / its time alone")                                   \
    X(YIELD, "weir_yield_min_ratio", GAUGE, "ratio", MAIN, "store",                                \
      "smallest progress / age of the running applications; 1 if there are none")                  \
    X(DECISIONS, "weir_decisions", COUNTER, "", MAIN, "store", "decisions of the strategy")        \
    X(TURNS, "weir_turn_seconds", HISTOGRAM, "seconds", MAIN, "",                                  \
      "turns of the loop: what came in together, the decision, and its orders")                    \
    X(LONGEST, "weir_turn_max_seconds", GAUGE, "seconds", MAIN, "",                                \
      "the longest turn of the last one to two minutes")                                           \
    X(AGENTS, "weir_agents", GAUGE, "", MAIN, "state",                                             \
      "agents of a cluster: connected, or lost and still counted")                                 \
    X(LEASE, "weir_lease_margin_seconds", GAUGE, "seconds", MAIN, "",                              \
      "controller: the least time that a connected agent has left of its lease; agent: its own")   \
    X(CONNECTED, "weir_agent_connected", GAUGE, "", MAIN, "",                                      \
      "of an agent: 1 if it is connected to a controller")                                         \
    X(REFUSED, "weir_attaches_refused", COUNTER, "", MAIN, "",                                     \
      "attempts of processes to attach that were refused")                                         \
    X(OTHER_VERSION, "weir_attaches_of_other_version", COUNTER, "", MAIN, "",                      \
      "of these, since the process speaks another version")                                        \
    X(JOURNAL_LOST, "weir_journal_lines_lost", COUNTER, "", MAIN, "",                              \
      "lines of the journal that there was no room for")                                           \
    X(HTTP, "weir_http_requests", COUNTER, "", MAIN, "code", "answers of this server")             \
    X(CPU, "process_cpu_seconds", COUNTER, "seconds", MAIN, "", "processor time")                  \
    X(MEMORY, "process_resident_memory_bytes", GAUGE, "bytes", MAIN, "", "resident memory")        \
    X(FILES, "process_open_fds", GAUGE, "", MAIN, "", "open file descriptors")                     \
    X(FILES_MOST, "process_max_fds", GAUGE, "", MAIN, "", "most file descriptors")                 \
    X(STARTED, "process_start_time_seconds", GAUGE, "seconds", MAIN, "", "start, since 1970")      \
    X(USER_APPS, "weir_user_applications", GAUGE, "", USERS, "store,uid,account",                  \
      "applications that are attached")                                                            \
    X(USER_MEASURED, "weir_user_measured_bytes_per_second", GAUGE, "", USERS, "store,uid,account", \
      "moved, over the last second")                                                               \
    X(USER_GRANTED, "weir_user_granted_bytes_per_second", GAUGE, "", USERS, "store,uid,account",   \
      "granted")                                                                                   \
    X(USER_MOVED, "weir_user_moved_bytes", GAUGE, "bytes", USERS, "store,uid,account",             \
      "by the applications that are attached")                                                     \
    X(USER_WAITING, "weir_user_waiting", GAUGE, "", USERS, "store,uid,account",                    \
      "applications that wait for bandwidth")                                                      \
    X(JOB_MEASURED, "weir_job_measured_bytes_per_second", GAUGE, "", JOBS,                         \
      "store,job,name,uid,account", "moved, over the last second")                                 \
    X(JOB_GRANTED, "weir_job_granted_bytes_per_second", GAUGE, "", JOBS,                           \
      "store,job,name,uid,account", "granted")                                                     \
    X(JOB_MOVED, "weir_job_moved_bytes", GAUGE, "bytes", JOBS, "store,job,name,uid,account",       \
      "since it attached")                                                                         \
    X(JOB_STRETCH, "weir_job_stretch_ratio", GAUGE, "ratio", JOBS, "store,job,name,uid,account",   \
      "its time so far / its time alone")                                                          \
    X(JOBS_CUT, "weir_jobs_cut", GAUGE, "", JOBS, "",                                              \
      "applications that are not listed, but in the sums of `other`")

#define X(id, name, type, unit, page, labels, help) EXPOSE_##id,
enum expose_id { EXPOSE_METRICS(X) EXPOSE_COUNT };
#undef X

struct expose_metric {
    const char *name; /* without `_total` */
    enum expose_type type;
    const char *unit;
    enum expose_page page;
    const char *labels, *help;
};

extern const struct expose_metric expose_metrics[EXPOSE_COUNT];
extern const char *const expose_types[EXPOSE_TYPES]; /* words */
extern const char *const expose_pages[EXPOSE_PAGES]; /* paths */

#endif
