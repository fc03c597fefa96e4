/* What the thesis says of lists and packs: Figures IV.3 to IV.10. */
#include "paper/lists.h"
#include "paper/result.h"

#define LISTS_MEAN(column, group, series, extreme)                                                 \
    {                                                                                              \
        column, group, series, CLAIM_MEAN, extreme                                                 \
    }
#define OF_LIST(column, group)    LISTS_MEAN(column, group, SERIES(LIST), CLAIM_LARGEST)
#define OF_LONGEST(column, group) LISTS_MEAN(column, group, SERIES(LONGEST), CLAIM_LARGEST)
#define OF_CHAR(column, group)    LISTS_MEAN(column, group, SERIES(CHARACTERISTIC), CLAIM_LARGEST)
#define OF_RANDOM(column, group)  LISTS_MEAN(column, group, SERIES(RANDOM), CLAIM_LARGEST)
#define AT_LOAD(load)             .from = (load)-0.01, .to = (load) + 0.01

/* --- Figures IV.3 to IV.6: utilization during the execution --------------------------------- */

#define UTILIZATION(family, load_, title_)                                                         \
    {                                                                                              \
        .title = title_, .y = "utilization", .kind = CHART_LINES, .column = BUSY,                  \
        .group = OVER_TIME(family, load_), .x = "fifth of the run"                                 \
    }
#define UTILIZATION_CHARTS(family)                                                                 \
    (const struct chart[])                                                                         \
    {                                                                                              \
        UTILIZATION(family, 0, "load 0.2"), UTILIZATION(family, 1, "load 0.4"),                    \
            UTILIZATION(family, 2, "load 0.6"), UTILIZATION(family, 3, "load 0.8"),                \
        {                                                                                          \
            .title = NULL                                                                          \
        }                                                                                          \
    }

/* What is said of all four families. */
#define STEADY(family)                                                                             \
    {.text = "the utilization of the list is stable throughout the execution",                     \
     .measured = "its third fifth - its first, load 0.6",                                          \
     .ours = {BUSY, OVER_TIME(family, 2), SERIES(LIST), BETWEEN(3, 3)},                            \
     .against = {BUSY, OVER_TIME(family, 2), SERIES(LIST), BETWEEN(1, 1)},                         \
     .operation = CLAIM_DIFFERENCE,                                                                \
     .relation = CLAIM_IS,                                                                         \
     .tolerance = 0.05},                                                                           \
    {                                                                                              \
        .text = "packs deteriorate at the end, when the workload is exhausted",                    \
        .measured = "packs by length: the last fifth - the first, load 0.6",                       \
        .ours = {BUSY, OVER_TIME(family, 2), SERIES(LONGEST), BETWEEN(5, 5)},                      \
        .against = {BUSY, OVER_TIME(family, 2), SERIES(LONGEST), BETWEEN(1, 1)},                   \
        .operation = CLAIM_DIFFERENCE, .relation = CLAIM_AT_MOST                                   \
    }
#define DEGRADING(family)                                                                          \
    {                                                                                              \
        .text = "the utilization of the list degrades when the I/O load increases",                \
        .measured = "list at load 0.8 - at load 0.4",                                              \
        .ours = {BUSY, family, SERIES(LIST), BETWEEN(0.79, 0.81)},                                 \
        .against = {BUSY, family, SERIES(LIST), BETWEEN(0.39, 0.41)},                              \
        .operation = CLAIM_DIFFERENCE, .relation = CLAIM_AT_MOST                                   \
    }
#define BACKFILLED                                                                                 \
    .differs = "backfilling decides, and the thesis describes its own in one paragraph only. "     \
               "Packs of sorted jobs leave few gaps to fill, a list in the order of the file "     \
               "many: without backfilling packs by length are ahead at all loads."
#define LIST_AHEAD_AT_LOW(family, ...)                                                             \
    {                                                                                              \
        .text = "for compute-intensive workloads the list makes a better use of the platform",     \
        .measured = "list - packs by length, load 0.2", .ours = OF_LIST(BUSY, family),             \
        .against = OF_LONGEST(BUSY, family), .operation = CLAIM_DIFFERENCE, AT_LOAD(0.2),          \
        .relation = CLAIM_AT_LEAST, .tolerance = 1e-6, __VA_ARGS__                                 \
    }
#define PACKS_AHEAD_AT_HIGH(family, ...)                                                           \
    {                                                                                              \
        .text = "packs by length outperform the list for high I/O loads (over 0.6)",               \
        .measured = "packs by length - list, load 0.8", .ours = OF_LONGEST(BUSY, family),          \
        .against = OF_LIST(BUSY, family), .operation = CLAIM_DIFFERENCE, AT_LOAD(0.8),             \
        .relation = CLAIM_AT_LEAST, __VA_ARGS__                                                    \
    }
#define LENGTH_BEST(family, ...)                                                                   \
    {                                                                                              \
        .text = "packs in another order are always worse than those by length, apart from "        \
                "I/O-intensive uniform workloads",                                                 \
        .measured = "packs by length - the better of the others, loads 0.2 to 0.8",                \
        .ours = OF_LONGEST(BUSY, family),                                                          \
        .against =                                                                                 \
            LISTS_MEAN(BUSY, family, SERIES(CHARACTERISTIC) | SERIES(RANDOM), CLAIM_LARGEST),      \
        DIFFERENCE_OVER(SMALLEST), .relation = CLAIM_AT_LEAST, __VA_ARGS__                         \
    }
#define CHAR_BEST(family)                                                                          \
    {                                                                                              \
        .text = "for I/O-intensive uniform workloads another order is better than by length",      \
        .measured = "packs by characteristic time - by length, load 0.8",                          \
        .ours = OF_CHAR(BUSY, family), .against = OF_LONGEST(BUSY, family),                        \
        .operation = CLAIM_DIFFERENCE, AT_LOAD(0.8), .relation = CLAIM_AT_LEAST                    \
    }
#define CHAR_SHORT                                                                                 \
    .differs = "at a load of 0.8 packs by characteristic time are a little ahead of those by "     \
               "length: jobs of a similar period disturb each other least."
#define WIDE_JOBS                                                                                  \
    .differs = "at a load of 0.2 the average job wants more nodes than there are, so that each "   \
               "runs alone whatever the method."

const struct result result_vidal_iv_3 = {
    .name = "vidal-IV.3",
    .source = "Vidal 2022, Figure IV.3",
    .title = "utilization during the execution, MN workloads",
    .experiment = EXPERIMENT_lists,
    .charts = UTILIZATION_CHARTS(MN),
    .claims = (const struct claim[]){STEADY(MN),
                                     DEGRADING(MN),
                                     LIST_AHEAD_AT_LOW(MN, BACKFILLED),
                                     PACKS_AHEAD_AT_HIGH(MN, BACKFILLED),
                                     LENGTH_BEST(MN, CHAR_SHORT),
                                     {.text = NULL}},
};

const struct result result_vidal_iv_4 = {
    .name = "vidal-IV.4",
    .source = "Vidal 2022, Figure IV.4",
    .title = "utilization during the execution, MB workloads",
    .experiment = EXPERIMENT_lists,
    .charts = UTILIZATION_CHARTS(MB),
    .claims = (const struct claim[]){STEADY(MB),
                                     DEGRADING(MB),
                                     LIST_AHEAD_AT_LOW(MB, BACKFILLED),
                                     PACKS_AHEAD_AT_HIGH(MB, BACKFILLED),
                                     LENGTH_BEST(MB, CHAR_SHORT),
                                     {.text = NULL}},
};

const struct result result_vidal_iv_5 = {
    .name = "vidal-IV.5",
    .source = "Vidal 2022, Figure IV.5",
    .title = "utilization during the execution, BU workloads",
    .experiment = EXPERIMENT_lists,
    .charts = UTILIZATION_CHARTS(BU),
    .claims = (const struct claim[]){STEADY(BU),
                                     DEGRADING(BU),
                                     LIST_AHEAD_AT_LOW(BU, .differs = NULL),
                                     CHAR_BEST(BU),
                                     {.text = NULL}},
};

const struct result result_vidal_iv_6 = {
    .name = "vidal-IV.6",
    .source = "Vidal 2022, Figure IV.6",
    .title = "utilization during the execution, NU workloads",
    .experiment = EXPERIMENT_lists,
    .charts = UTILIZATION_CHARTS(NU),
    .claims = (const struct claim[]){STEADY(NU),
                                     DEGRADING(NU),
                                     LIST_AHEAD_AT_LOW(NU, .differs = NULL),
                                     CHAR_BEST(NU),
                                     {.text = NULL}},
};

/* --- Figures IV.7 and IV.8: stretch --------------------------------------------------------- */

#define SMALLER_STRETCH(column, family, what, ...)                                                 \
    {                                                                                              \
        .text = "packs improve the " what " slightly compared to the list: " family##_NAME,        \
        .measured = "packs by length - list, the largest over the loads",                          \
        .ours = OF_LONGEST(column, family), .against = OF_LIST(column, family),                    \
        DIFFERENCE_OVER(LARGEST), .relation = CLAIM_AT_MOST, .tolerance = 1e-3, __VA_ARGS__        \
    }
#define MN_NAME "MN"
#define MB_NAME "MB"
#define NU_NAME "NU"
#define BU_NAME "BU"
#define ONE_JOB                                                                                    \
    .differs = "the largest stretch is that of a single job among hundreds, so chance decides: "   \
               "packs have the smaller one at some loads, the list at others."
#define STRETCH_CHARTS(column)                                                                     \
    (const struct chart[])                                                                         \
    {                                                                                              \
        {"MN", "stretch", CHART_POINTS, column, .group = MN},                                      \
            {"MB", "stretch", CHART_POINTS, column, .group = MB},                                  \
            {"NU", "stretch", CHART_POINTS, column, .group = NU},                                  \
            {"BU", "stretch", CHART_POINTS, column, .group = BU},                                  \
        {                                                                                          \
            .title = NULL                                                                          \
        }                                                                                          \
    }

const struct result result_vidal_iv_7 = {
    .name = "vidal-IV.7",
    .source = "Vidal 2022, Figure IV.7",
    .title = "largest stretch of lists and packs",
    .experiment = EXPERIMENT_lists,
    .charts = STRETCH_CHARTS(LARGEST_STRETCH),
    .claims =
        (const struct claim[]){SMALLER_STRETCH(LARGEST_STRETCH, MN, "max stretch", ONE_JOB),
                               SMALLER_STRETCH(LARGEST_STRETCH, MB, "max stretch", ONE_JOB),
                               SMALLER_STRETCH(LARGEST_STRETCH, NU, "max stretch", .differs = NULL),
                               SMALLER_STRETCH(LARGEST_STRETCH, BU, "max stretch", .differs = NULL),
                               {.text = NULL}},
};

#define CHAR_STRETCH(family)                                                                       \
    {                                                                                              \
        .text = "packs by characteristic time improve it significantly: " family##_NAME,           \
        .measured = "packs by characteristic time - the best other, load 0.8",                     \
        .ours = OF_CHAR(MEAN_STRETCH, family),                                                     \
        .against = LISTS_MEAN(MEAN_STRETCH, family,                                                \
                              SERIES(LIST) | SERIES(LONGEST) | SERIES(RANDOM), CLAIM_SMALLEST),    \
        .operation = CLAIM_DIFFERENCE, AT_LOAD(0.8), .relation = CLAIM_AT_MOST                     \
    }
#define RANDOM_STRETCH(family)                                                                     \
    {                                                                                              \
        .text = "packs without an order have a lower mean stretch on Mira's "                      \
                "workloads: " family##_NAME,                                                       \
        .measured = "packs random - packs by length, load 0.8",                                    \
        .ours = OF_RANDOM(MEAN_STRETCH, family), .against = OF_LONGEST(MEAN_STRETCH, family),      \
        .operation = CLAIM_DIFFERENCE, AT_LOAD(0.8), .relation = CLAIM_AT_MOST,                    \
        .differs = "they are about equal at low loads, and packs without an order are worse at "   \
                   "0.8: with backfilling, packs by length run fewer jobs at the same time, "      \
                   "which then disturb each other less."                                           \
    }

const struct result result_vidal_iv_8 = {
    .name = "vidal-IV.8",
    .source = "Vidal 2022, Figure IV.8",
    .title = "mean stretch of lists and packs",
    .experiment = EXPERIMENT_lists,
    .charts = STRETCH_CHARTS(MEAN_STRETCH),
    .claims =
        (const struct claim[]){
            SMALLER_STRETCH(MEAN_STRETCH, MN, "mean stretch", .differs = NULL),
            SMALLER_STRETCH(MEAN_STRETCH, MB, "mean stretch", .differs = NULL),
            SMALLER_STRETCH(MEAN_STRETCH, NU, "mean stretch", .differs = NULL),
            SMALLER_STRETCH(MEAN_STRETCH, BU, "mean stretch", .differs = NULL),
            CHAR_STRETCH(NU),
            CHAR_STRETCH(BU),
            RANDOM_STRETCH(MN),
            RANDOM_STRETCH(MB),
            {.text = "packs by characteristic time perform worse than any other on MB",
             .measured = "their mean stretch - the worst other, load 0.8",
             .ours = OF_CHAR(MEAN_STRETCH, MB),
             .against = LISTS_MEAN(MEAN_STRETCH, MB,
                                   SERIES(LIST) | SERIES(LONGEST) | SERIES(RANDOM), CLAIM_LARGEST),
             .operation = CLAIM_DIFFERENCE,
             AT_LOAD(0.8),
             .relation = CLAIM_AT_LEAST,
             .differs =
                 "at this load they have the smallest mean stretch of all; worse than any other is "
                 "only their largest stretch (Figure IV.7)."},
            {.text = NULL}},
};

/* --- Figures IV.9 and IV.10: resources, and idle time against stretch ----------------------- */

const struct result result_vidal_iv_9 = {
    .name = "vidal-IV.9",
    .source = "Vidal 2022, Figure IV.9",
    .title = "resource usage over the run, MB and MN workloads at load 0.6",
    .experiment = EXPERIMENT_lists,
    .note = "Each job is taken to move its bytes evenly while it runs. The thesis does not print "
            "the load; ours is 0.6.",
    .charts = (const struct chart[]){{"MB: applications", "applications running", CHART_LINES,
                                      RUNNING, .group = OVER_TIME(MB, 2), .x = "fifth of the run"},
                                     {"MB: processors", "share of the nodes", CHART_LINES, TAKEN,
                                      .group = OVER_TIME(MB, 2), .x = "fifth of the run"},
                                     {"MB: bandwidth", "share of the bandwidth", CHART_LINES, MOVED,
                                      .group = OVER_TIME(MB, 2), .x = "fifth of the run"},
                                     {"MN: applications", "applications running", CHART_LINES,
                                      RUNNING, .group = OVER_TIME(MN, 2), .x = "fifth of the run"},
                                     {"MN: processors", "share of the nodes", CHART_LINES, TAKEN,
                                      .group = OVER_TIME(MN, 2), .x = "fifth of the run"},
                                     {"MN: bandwidth", "share of the bandwidth", CHART_LINES, MOVED,
                                      .group = OVER_TIME(MN, 2), .x = "fifth of the run"},
                                     {.title = NULL}},
    .claims =
        (const struct claim[]){
            {.text = "on MB, packs schedule the applications that use more processors first: fewer "
                     "run at the same time",
             .measured = "applications under packs by length, the first fifth - the third",
             .ours = {RUNNING, OVER_TIME(MB, 2), SERIES(LONGEST), BETWEEN(1, 1)},
             .against = {RUNNING, OVER_TIME(MB, 2), SERIES(LONGEST), BETWEEN(3, 3)},
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_MOST},
            {.text = "on MB, I/O-intensive applications are performed last under packs",
             .measured = "bandwidth under packs by length, the fourth fifth - the first",
             .ours = {MOVED, OVER_TIME(MB, 2), SERIES(LONGEST), BETWEEN(4, 4)},
             .against = {MOVED, OVER_TIME(MB, 2), SERIES(LONGEST), BETWEEN(1, 1)},
             .operation = CLAIM_DIFFERENCE,
             AT_LEAST(0.05),
             .full = true,
             .differs =
                 "until the last fifth the bandwidth is used evenly, because backfilling mixes "
                 "jobs with much and with little I/O."},
            {.text = "on MB the list reaches a steady state",
             .measured = "bandwidth under the list, the fourth fifth - the second",
             .ours = {MOVED, OVER_TIME(MB, 2), SERIES(LIST), BETWEEN(4, 4)},
             .against = {MOVED, OVER_TIME(MB, 2), SERIES(LIST), BETWEEN(2, 2)},
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_IS,
             .tolerance = 0.1},
            {.text = NULL}},
};

const struct result result_vidal_iv_10 = {
    .name = "vidal-IV.10",
    .source = "Vidal 2022, Figure IV.10",
    .title = "mean stretch as a function of idle time, MB workloads",
    .experiment = EXPERIMENT_lists,
    .charts = (const struct chart[]){{.title = "MB",
                                      .y = "mean stretch",
                                      .kind = CHART_POINTS,
                                      .column = MEAN_STRETCH,
                                      .group = MB,
                                      .by_column = true,
                                      .across = UNUSED},
                                     {.title = NULL}},
    .claims =
        (const struct claim[]){
            {.text = "the list has less idle time and more stretch than packs: idle time",
             .measured = "list - packs by length, mean of all loads",
             .ours = OF_LIST(UNUSED, MB),
             .against = OF_LONGEST(UNUSED, MB),
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_MOST},
            {.text = "the same: stretch",
             .measured = "list - packs by length, mean of all loads",
             .ours = OF_LIST(MEAN_STRETCH, MB),
             .against = OF_LONGEST(MEAN_STRETCH, MB),
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_LEAST},
            {.text =
                 "packs by length have a constant gain in idle time over packs without an order",
             .measured = "packs by length - packs random, the largest over the loads",
             .ours = OF_LONGEST(UNUSED, MB),
             .against = OF_RANDOM(UNUSED, MB),
             DIFFERENCE_OVER(LARGEST),
             .relation = CLAIM_AT_MOST},
            {.text = "packs by characteristic time introduce more idle time than packs without an "
                     "order",
             .measured = "packs by characteristic time - packs random, mean of all loads",
             .ours = OF_CHAR(UNUSED, MB),
             .against = OF_RANDOM(UNUSED, MB),
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_LEAST,
             .differs =
                 "packs in random order leave the most nodes idle here. The thesis describes "
                 "its backfilling in one paragraph only; ours may fill other gaps."},
            {.text = NULL}},
};
