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

const char *const slides_strategies[] = {
    "min-dilation",
    "min-dilation:priority",
    "max-syseff:key=slides",
    "max-syseff:key=slides,priority",
    "min-max:gamma=0.25,key=slides",
    "min-max:gamma=0.25,key=slides,priority",
    "min-max:gamma=0.5,key=slides",
    "min-max:gamma=0.5,key=slides,priority",
    "min-max:gamma=0.75,key=slides",
    "min-max:gamma=0.75,key=slides,priority",
    NULL,
};

const char *const gainaru_columns[] = {"Dilation", "SysEfficiency", "upper limit of SysEfficiency",
                                       NULL};

int gainaru_compare(const struct workload *workload, struct sample sample, bool slides_key,
                    struct samples *samples, struct err *err)
{
    for (uint16_t i = 0; gainaru_series[i]; i++) {
        char name[64];
        struct weir_metrics metrics;
        snprintf(name, sizeof name, "%s%s", gainaru_series[i],
                 !slides_key || i >= DILATION     ? ""
                 : strchr(gainaru_series[i], ':') ? ",key=slides"
                                                  : ":key=slides");
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
