#include "paper/gainaru.h"
#include "paper/run.h"
#include "paper/slides.h"
#include <stdio.h>
#include <string.h>

const char *const gainaru_series[] = {
    "max-syseff",         "max-syseff:priority",
    "min-max:gamma=0.25", "min-max:gamma=0.25,priority",
    "min-max:gamma=0.5",  "min-max:gamma=0.5,priority",
    "min-max:gamma=0.75", "min-max:gamma=0.75,priority",
    "min-dilation",       "min-dilation:priority",
    "fair-share",         NULL,
};

#define SLIDES_STRATEGIES(options)                                                                 \
    {                                                                                              \
        "min-dilation:" options, "min-dilation:priority," options,                                 \
            "max-syseff:key=slides," options, "max-syseff:key=slides,priority," options,           \
            "min-max:gamma=0.25,key=slides," options,                                              \
            "min-max:gamma=0.25,key=slides,priority," options,                                     \
            "min-max:gamma=0.5,key=slides," options,                                               \
            "min-max:gamma=0.5,key=slides,priority," options,                                      \
            "min-max:gamma=0.75,key=slides," options,                                              \
            "min-max:gamma=0.75,key=slides,priority," options, NULL,                               \
    }
const char *const slides_strategies[] = SLIDES_STRATEGIES("grants=part");
const char *const slides_strategies_whole[] = SLIDES_STRATEGIES("grants=whole");

const char *const gainaru_columns[] = {"Dilation", "SysEfficiency", "upper limit of SysEfficiency",
                                       NULL};

/* Fair sharing has no options, and min-dilation has no key. */
static void gainaru_name(char *name, size_t size, uint16_t series, unsigned reading)
{
    const char *base = gainaru_series[series], *mark = strchr(base, ':') ? "," : ":";
    int length = snprintf(name, size, "%s", base);
    if (series >= MACHINE)
        return;
    if (reading & GAINARU_KEY_SLIDES && series < DILATION) {
        length += snprintf(name + length, size - (size_t)length, "%skey=slides", mark);
        mark = ",";
    }
    if (reading & GAINARU_WHOLE)
        snprintf(name + length, size - (size_t)length, "%sgrants=whole", mark);
}

int gainaru_compare(const struct workload *workload, struct sample sample, unsigned reading,
                    struct samples *samples, struct err *err)
{
    for (uint16_t i = 0; gainaru_series[i]; i++) {
        char name[80];
        struct weir_metrics metrics;
        gainaru_name(name, sizeof name, i, reading);
        if (paper_measure(workload, name, NULL, &metrics, err) < 0)
            return -1;
        sample.series = i;
        sample.values[SLIDES_DILATION] = metrics.dilation;
        sample.values[SLIDES_SYSEFF] = metrics.sys_efficiency;
        sample.values[SLIDES_BOUND] = metrics.sys_efficiency_bound;
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}
