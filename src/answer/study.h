/* A workload and its runs: what questions that simulate have in common. */
#ifndef WEIR_ANSWER_STUDY_H
#define WEIR_ANSWER_STUDY_H

#include "answer/question.h"
#include "base/err.h"
#include "base/option.h"
#include "format/format.h"
#include "format/import.h"
#include "model/knowledge.h"
#include "model/plan.h"
#include "model/provenance.h"
#include "model/scenario.h"
#include "model/workload.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include "trial/row.h"
#include <stdbool.h>
#include <stddef.h>

struct study {
    struct scenario *scenario;
    struct scenario *borrowed; /* the same, if what it points at belongs to another */
    struct workload *workload;
    struct knowledge knowledge; /* of the controller in its runs */
    struct rows rows;
};

/* How a question reads a scenario from a file, and its options for that: rows of its table. */
struct study_source {
    const char *format;
    struct format_defaults platform;
    struct whole seed;
    const char *window; /* "auto", "none" or "START:END"; NULL = the file's */
    bool jobs;          /* they need not all run at the same time: no warning if they cannot */
};
/* clang-format off */
#define STUDY_SOURCE_OPTIONS(type, source)                                                         \
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", offsetof(type, source.platform.bandwidth),  \
     "bandwidth of the file system, instead of the file's"},                                       \
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE",                                        \
     offsetof(type, source.platform.node_bandwidth),                                               \
     "bandwidth of a node, instead of the file's"},                                                \
    {"nodes", 0, OPTION_AMOUNT, UNIT_NONE, "N", offsetof(type, source.platform.nodes),             \
     "nodes of the platform, instead of the file's"},                                              \
    {"seed", 0, OPTION_WHOLE, UNIT_NONE, "S", offsetof(type, source.seed),                         \
     "seed of the random draws, instead of the file's"},                                           \
    {"format", 0, OPTION_TEXT, UNIT_NONE, "scenario|instance|set", offsetof(type, source.format),  \
     "format of the files; default scenario, which is YAML"}
#define STUDY_WINDOW_OPTION(type, source)                                                          \
    {"window", 0, OPTION_TEXT, UNIT_NONE, "auto|none|START:END|FROM/TO", offsetof(type, source.window),    \
     "measure inside this window, such as 10min:40min or 14:00/15:00; auto ends it with the "     \
     "shortest application, run alone"}
/* What strategies know, in a struct study_knowledge. */
#define STUDY_KNOWLEDGE_OPTIONS(type, knowledge)                                                   \
    {"knowledge", 0, OPTION_TEXT, UNIT_NONE, "exact|N%|mean", offsetof(type, knowledge.volumes),   \
     "what strategies know of the volume of an I/O: all, up to N % more or less, or the mean of "  \
     "earlier ones as a live controller; default exact. After a slash, of the lengths of "         \
     "applications: /exact, /N%, or /none; default those that the scenario declares"},             \
    {"progress-age", 0, OPTION_DELAY, UNIT_SECONDS, "TIME", offsetof(type, knowledge.age),        \
     "report progress to strategies with up to this delay; default: none"}
/* Names of strategies, in a struct words. */
#define STUDY_POLICY_OPTION(type, policies)                                                        \
    {"policy", 0, OPTION_WORDS, UNIT_NONE, "STRATEGY", offsetof(type, policies),                   \
     "a strategy: NAME, NAME:KEY=VALUE,..., a plug-in ./FILE.so, or 'all'; may be repeated; "      \
     "default the few that differ most"}
/* The strategy of the file system as it is, in a const char *: study_file_system opens it. */
#define STUDY_FILE_SYSTEM_OPTION(type, policy)                                                     \
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", offsetof(type, policy),                      \
     "the strategy of the file system; default fair-share, as without control"}
/* clang-format on */

/* Reads the file and makes its workload, as study_init; the seed and window of the source
 * become the scenario's. It warns of what is doubtful in it (base/stage.h). 0 or -1; study_fini
 * frees in both cases. */
int study_load(struct study *study, const struct study_source *source, const char *path,
               const struct window *window, struct err *err);

/* The same for a scenario that belongs to another, and stays as it is. */
int study_borrow(struct study *study, const struct scenario *scenario, const struct window *window,
                 struct err *err);

/* As study_load, for the scenario at an operand, which may be in memory: then its file need not be
 * read, and options about that are refused. */
int study_open(struct study *study, const struct study_source *source, const struct asking *asking,
               size_t operand, const struct window *window, struct err *err);

/* As study_open, for the journal of a controller at an operand; `how` says of which store, and
 * where its accounts go. */
int study_open_journal(struct study *study, const struct study_source *source,
                       const struct asking *asking, size_t operand,
                       const struct import_options *how, struct err *err);

/* Reads what a user writes after --window: "auto", "none" or "START:END". 0 or -1. */
int study_parse_window(const char *text, struct window *window, struct err *err);

/* Reads what a user writes after --knowledge and --progress-age. 0 or -1. */
struct study_knowledge {
    const char *volumes;
    struct delay age;
};
int study_parse_knowledge(const struct study_knowledge *given, struct knowledge *knowledge,
                          struct err *err);

/* The strategy of this name, or fair-share for NULL. NULL with err; policy_free frees. */
struct policy *study_file_system(const char *name, struct err *err);

/* Takes over the scenario, which may be NULL (then err is already set), replaces its window by this
 * one unless that is NULL, and makes its workload. 0 or -1; study_fini frees in both cases. */
int study_init(struct study *study, struct scenario *scenario, const struct window *window,
               struct err *err);
void study_fini(struct study *study);

/* Where its results come from. Texts are borrowed. */
struct provenance study_provenance(const struct study *study);

/* Runs a trial of the workload under the strategy and adds its row. 0 or -1. */
int study_run(struct study *study, const struct policy *policy, struct sim_options options,
              struct err *err);

/* The same with the plan that the strategy needs, if it needs one. What cannot be planned is a fault
 * of the input, what cannot be run one of the run (ERR_RUN). 0 or -1. */
int study_run_planned(struct study *study, const struct policy *policy, struct err *err);

/* Finds what no schedule of the workload passes, and adds it to the rows. 0 or -1. */
int study_bound(struct study *study, struct err *err);

/* The plan that a strategy asks for, see trial/planned.h; it warns if the strategy follows a
 * plan of mean lengths to the letter. NULL with err; plan_free frees. */
struct plan *study_plan(const struct study *study, const struct policy *policy, struct err *err);

/* Strategies opened by name; "all" stands for policy_all. */
struct policies {
    struct policy **list;
    size_t count, capacity;
};
int policies_add(struct policies *policies, const char *name, struct err *err); /* 0 or -1 */

/* Adds those that a user names, or a few that differ most if there are none. 0 or -1. */
int policies_open(struct policies *policies, const struct words *names, struct err *err);
void policies_fini(struct policies *policies);

#endif
