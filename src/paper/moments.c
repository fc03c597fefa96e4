/* The table of 56 congested moments on Intrepid, and the Priority variants there and on Mira
 * (Gainaru et al. 2015, slides). */
#include "gen/family.h"
#include "paper/experiment.h"
#include "paper/gainaru.h"
#include "paper/run.h"

/* With less demand there is hardly any congestion: fair sharing has a Dilation of 1.16 from half of
 * the bandwidth on, where the slides print 2.55 for the machine. */
#define MOMENTS_LEAST 0.8
#define MOMENTS_HALF  0.5

/* The machine, the key, and what may be granted. */
static const struct moments_kind {
    const struct family *family;
    unsigned reading;
    double demand; /* the least */
} moments_kinds[] = {
    {&family_intrepid, 0, MOMENTS_LEAST},
    {&family_intrepid, GAINARU_KEY_SLIDES, MOMENTS_LEAST},
    {&family_mira, 0, MOMENTS_LEAST},
    {&family_intrepid, GAINARU_WHOLE, MOMENTS_LEAST},
    {&family_intrepid, GAINARU_KEY_SLIDES | GAINARU_WHOLE, MOMENTS_LEAST},
    {&family_mira, GAINARU_WHOLE, MOMENTS_LEAST},
    {&family_intrepid, GAINARU_WHOLE, MOMENTS_HALF},
};
static const char *const moments_groups[] = {"Intrepid, key of Zha and Shen",
                                             "Intrepid, key of the slides",
                                             "Mira, key of Zha and Shen",
                                             "Intrepid, key of Zha and Shen, whole grants",
                                             "Intrepid, key of the slides, whole grants",
                                             "Mira, key of Zha and Shen, whole grants",
                                             "Intrepid, key of Zha and Shen, whole grants, "
                                             "demand from 0.5",
                                             NULL};

enum { MOMENTS = 56, MOMENTS_SEEDS = 4000 };

/* The part of the time in which the file system would be busy, if nobody waited. */
static double moments_demand(const struct workload *workload)
{
    double sum = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct weir_app *facts = &workload->apps[i].facts;
        sum += facts->total_io * facts->bmax / (facts->total_work + facts->total_io);
    }
    return sum / workload->platform.bandwidth;
}

static uint32_t moments_units(bool quick)
{
    (void)quick;
    return sizeof moments_kinds / sizeof *moments_kinds;
}

/* The first 56 random sets that are congested. */
static int moments_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    const struct moments_kind *kind = &moments_kinds[unit];
    int found = 0, status = 0;
    for (uint64_t seed = 1; found < MOMENTS && seed <= MOMENTS_SEEDS && status == 0; seed++) {
        struct subject_workload subject;
        status = subject_draw(&subject, kind->family, seed, NULL, err);
        if (status == 0 && moments_demand(subject.workload) >= kind->demand) {
            status = gainaru_compare(subject.workload, (struct sample){.group = (uint16_t)unit},
                                     kind->reading, samples, err);
            found++;
        }
        subject_fini(&subject);
    }
    return status;
}

const struct experiment experiment_moments = {
    .workloads = "the moments of the slides are not published: the first 56 random sets for the "
                 "machine (families intrepid and mira) whose I/O would keep the file system busy "
                 "for at least 0.8 of the time; beside it for at least 0.5",
    .series = gainaru_series,
    .columns = gainaru_columns,
    .groups = moments_groups,
    .quick_time = 0.1,
    .full_time = 0.1,
    .units = moments_units,
    .run = moments_run,
};
