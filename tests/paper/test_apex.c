/* The APEX workloads (Benoit et al. 2024, section 6.3) with the data that the paper used: 3
 * schedules of 20 windows for each of five machines, where the paper has 100. It prints few
 * numbers, so what it says in words is compared; and where that does not hold, what we find. */
#include "common.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCHEDULES = 3, BINS = 3, MACHINES = 5 };
static const int machines[MACHINES] = {0, 3, 5, 7, 10};

/* Fair-share first: the others are compared with it. */
enum { FAIR, FCFS, SET, YIELD, COM, AHEAD, PERIODIC, BEST, FLOOR, POLICIES };
static const char *const policies[POLICIES] = {"fair-share",
                                               "fcfs",
                                               "set-10",
                                               "greedy-yield",
                                               "greedy-com",
                                               "look-ahead-greedy-yield",
                                               "periodic-greedy-yield",
                                               "best-next-event",
                                               "floor"};

/* Windows with an I/O pressure below 0.5, from there to 1, and above. */
enum { LOW, MIDDLE, HIGH };
static int bin_of(double pressure)
{
    return pressure < 0.5 ? LOW : pressure <= 1 ? MIDDLE : HIGH;
}

/* What came out over all windows. */
struct tally {
    double pressure[MACHINES], most_pressure[MACHINES]; /* mean, and the largest */
    double shortest, longest;                           /* windows, s */
    double windows[BINS];
    double yield[BINS][POLICIES]; /* sum of MinYield */
    double ratio[BINS][POLICIES]; /* sum of MinYield / that of fair-share */
    double worse[BINS][POLICIES]; /* windows in which it is below fair-share's by 1e-6 */
    double efficiency[BINS][POLICIES], utilization[BINS][POLICIES]; /* sums */
    double least_fair, most_fair; /* MinYield of fair-share, W up to 1.4, and above 1 */
    double unlike;                /* windows in which fcfs and set-10 differ by 1e-3 */
};

static void add_window(struct tally *tally, const struct workload *workload)
{
    int bin = bin_of(workload->io_pressure);
    double fair = 0, fcfs = 0;
    tally->windows[bin]++;
    for (int p = 0; p < POLICIES; p++) {
        struct weir_metrics metrics = simulate(workload, policies[p]);
        fair = p == FAIR ? metrics.min_yield : fair;
        fcfs = p == FCFS ? metrics.min_yield : fcfs;
        tally->yield[bin][p] += metrics.min_yield;
        tally->ratio[bin][p] += metrics.min_yield / fair;
        tally->worse[bin][p] += metrics.min_yield < fair - 1e-6;
        tally->efficiency[bin][p] += metrics.efficiency;
        tally->utilization[bin][p] += metrics.utilization;
        if (p == SET)
            tally->unlike += fabs(metrics.min_yield - fcfs) > 1e-3;
    }
    if (workload->io_pressure <= 1.4) /* the paper has no more */
        tally->least_fair = fmin(tally->least_fair, fair);
    if (bin == HIGH)
        tally->most_fair = fmax(tally->most_fair, fair);
}

static void add_schedule(struct tally *tally, const struct family *family, int machine,
                         uint64_t seed)
{
    double values[FAMILY_MOST_PARAMS];
    char text[32];
    family_defaults(family, values);
    snprintf(text, sizeof text, "machine=%d", machines[machine]);
    assert_int_equal(family_set(family, text, values, NULL), 0);
    assert_int_equal(family_set(family, "data=paper", values, NULL), 0);
    struct schedule *schedule = family_schedule(family, values, seed, NULL);
    for (int set = 1; set <= SCHEDULE_WINDOWS; set++) {
        values[0] = set;
        struct scenario *scenario = family_cut(family, schedule, values, seed, NULL);
        struct workload *workload = realise(scenario, WINDOW_FIXED);
        double length = scenario->window.end, pressure = workload->io_pressure;
        tally->pressure[machine] += pressure / (SCHEDULES * SCHEDULE_WINDOWS);
        tally->most_pressure[machine] = fmax(tally->most_pressure[machine], pressure);
        tally->shortest = fmin(tally->shortest, length);
        tally->longest = fmax(tally->longest, length);
        add_window(tally, workload);
        workload_free(workload);
        scenario_free(scenario);
    }
    schedule_free(schedule);
}

static void print(const struct tally *tally, const struct family *family)
{
    printf("%s: windows of %.2f to %.2f h\n%-26s", family->name, tally->shortest / 3600,
           tally->longest / 3600, "machine");
    for (int m = 0; m < MACHINES; m++)
        printf("%9d", machines[m]);
    printf("\n%-26s", "mean I/O pressure");
    for (int m = 0; m < MACHINES; m++)
        printf("%9.3f", tally->pressure[m]);
    printf("\n%-26s", "largest");
    for (int m = 0; m < MACHINES; m++)
        printf("%9.3f", tally->most_pressure[m]);
    printf("\nMinYield / fair-share's, windows where it is lower, Efficiency, Utilization\n");
    printf("%-26s%27s%28s%28s\n", "", "W < 0.5", "0.5 to 1", "W > 1");
    for (int p = 0; p < POLICIES; p++) {
        printf("%-26s", policies[p]);
        for (int bin = 0; bin < BINS; bin++)
            printf("  %6.4f %5.1f%% %5.3f %5.3f", tally->ratio[bin][p] / tally->windows[bin],
                   100 * tally->worse[bin][p] / tally->windows[bin],
                   tally->efficiency[bin][p] / tally->windows[bin],
                   tally->utilization[bin][p] / tally->windows[bin]);
        printf("\n");
    }
    printf("MinYield for W > 1 as a ratio of means:");
    for (int p = 1; p < POLICIES; p++)
        printf(" %s %.3f", policies[p], tally->yield[HIGH][p] / tally->yield[HIGH][FAIR]);
    printf("\nfair-share: least MinYield for W <= 1.4 %.4f, largest for W > 1 %.4f; set-10 unlike "
           "fcfs in %.0f\n\n",
           tally->least_fair, tally->most_fair, tally->unlike);
}

static struct tally trilab, nersc;

static void study(struct tally *tally, const struct family *family)
{
    *tally = (struct tally){.shortest = INFINITY, .least_fair = 1};
    for (int machine = 0; machine < MACHINES; machine++)
        for (uint64_t seed = 1; seed <= SCHEDULES; seed++)
            add_schedule(tally, family, machine, seed);
    print(tally, family);
}

static int study_both(void **state)
{
    (void)state;
    study(&trilab, &family_apex_trilab);
    study(&nersc, &family_apex_nersc);
    return 0;
}

static double ratio(const struct tally *tally, int bin, int policy)
{
    return tally->ratio[bin][policy] / tally->windows[bin];
}

static double worse(const struct tally *tally, int bin, int policy)
{
    return tally->worse[bin][policy] / tally->windows[bin];
}

static double efficiency(const struct tally *tally, int bin, int policy)
{
    return tally->efficiency[bin][policy] / tally->windows[bin];
}

static double utilization(const struct tally *tally, int bin, int policy)
{
    return tally->utilization[bin][policy] / tally->windows[bin];
}

/* --- what holds ------------------------------------------------------------------------------- */

/* "On the Celio system, both the NERSC and TRILAB workloads represent a small I/O pressure (about
 * 0.15 on average)"; "a range of I/O pressures between 0.15 and 1.4". Windows are drawn anew, and
 * TRILAB's mean comes out higher, near 0.2: the tolerances are ours. */
static void check_pressure(const struct tally *tally)
{
    assert_near(tally->pressure[0], 0.15, 0.06);
    assert_near(tally->pressure[MACHINES - 1], 1.4, 0.2);
    for (int m = 1; m < MACHINES; m++)
        assert_true(tally->pressure[m] > tally->pressure[m - 1]);
}

static void check_trilab(const struct tally *tally)
{
    check_pressure(tally);
    /* "each application has a minimum of 5 phases during the window", about one an hour */
    assert_true(tally->shortest > 5 * 3600);
    /* "there are no scenarios where MINYIELD goes under 0.4, there are also no scenarios with a
     * MINYIELD close to 1 when the I/O pressure is above 1" */
    assert_true(tally->least_fair > 0.4);
    assert_true(tally->most_fair < 0.95);
    /* "FCFS and SET-10 continue to behave identically" */
    assert_true(tally->unlike == 0);
    /* "until the system reaches I/O saturation [...] in almost all scenarios for
     * LOOKAHEADGREEDYIELD, these strategies improve MINYIELD"; GREEDYIELD "similarly" */
    static const int winners[] = {YIELD, AHEAD, PERIODIC, BEST};
    for (size_t i = 0; i < sizeof winners / sizeof *winners; i++)
        for (int bin = LOW; bin <= HIGH; bin++)
            assert_true(ratio(tally, bin, winners[i]) > (bin == LOW ? 1 : 1.02));
    assert_true(worse(tally, LOW, AHEAD) < 0.05 && worse(tally, MIDDLE, AHEAD) < 0.05);
    /* "until the I/O pressure reaches a ratio of 1 [...] Then, the performance of GREEDYCOM quickly
     * drops dramatically" */
    assert_true(ratio(tally, MIDDLE, COM) > 1 && ratio(tally, HIGH, COM) < 0.8);
}

/* "at high I/O pressure, we observe three groups of strategies [in EFFICIENCY]: GREEDYCOM [...];
 * FAIRSHARE, LOOKAHEADGREEDYIELD and BESTNEXTEVENT [...]; and in the third group, SET-10, FCFS
 * [...], GREEDYIELD [...] and PERIODICGREEDYIELD" */
static void check_groups(const struct tally *tally)
{
    static const int second[] = {FAIR, AHEAD, BEST}, third[] = {SET, FCFS, YIELD, PERIODIC};
    const double *sums = tally->efficiency[HIGH];
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        assert_true(sums[COM] > sums[second[i]]);
        for (size_t j = 0; j < sizeof third / sizeof *third; j++)
            assert_true(sums[second[i]] > sums[third[j]]);
    }
}

static void strategies_compare_on_trilab_as_published(void **state)
{
    (void)state;
    check_trilab(&trilab);
    check_groups(&trilab);
}

/* In two things ours differs. The paper's FCFS and SET-10 are "strictly identical"; ours differ in
 * 1 or 2 of 100 windows. And PERIODICGREEDYIELD has "almost no scenario with a MINYIELD lower than
 * FAIRSHARE", which here holds from W = 0.5 on only: below, it is lower in 4 of 10 windows, though
 * higher in the mean. */
static void strategies_compare_on_nersc_as_published(void **state)
{
    (void)state;
    check_pressure(&nersc);
    /* "no NERSC scenario on the Celio platform obtains an I/O pressure of at least 0.5" */
    assert_true(nersc.most_pressure[0] < 0.5);
    /* "very small windows with typically at most one phase for many applications" */
    assert_true(nersc.shortest < 3600 && nersc.longest < 4 * 3600);
    assert_true(nersc.unlike < 0.03 * MACHINES * SCHEDULES * SCHEDULE_WINDOWS);
    /* "a very high probability of increasing MINYIELD compared to FAIRSHARE, and that performance
     * increase tends to be higher as the I/O pressure increases" */
    static const int winners[] = {AHEAD, PERIODIC, BEST};
    for (size_t i = 0; i < sizeof winners / sizeof *winners; i++) {
        assert_true(ratio(&nersc, LOW, winners[i]) > 1);
        assert_true(ratio(&nersc, MIDDLE, winners[i]) > ratio(&nersc, LOW, winners[i]));
        assert_true(ratio(&nersc, HIGH, winners[i]) > ratio(&nersc, MIDDLE, winners[i]));
    }
    assert_true(worse(&nersc, MIDDLE, PERIODIC) < 0.1 && worse(&nersc, HIGH, PERIODIC) < 0.1);
    /* FCFS, SET-10 and GREEDYIELD "have a non-negligible set of scenarios where they decrease
     * MINYIELD compared to FAIRSHARE", but fewer with more pressure */
    static const int risky[] = {FCFS, SET, YIELD};
    for (size_t i = 0; i < sizeof risky / sizeof *risky; i++)
        assert_true(worse(&nersc, LOW, risky[i]) > 0.3 &&
                    worse(&nersc, HIGH, risky[i]) < worse(&nersc, MIDDLE, risky[i]));
}

/* --- what does not ---------------------------------------------------------------------------- */

/* FCFS and SET-10 have "consistent gains at I/O saturation"; GREEDYCOM has "only a few scenarios
 * underperforming FAIRSHARE, until the I/O pressure reaches a ratio of 1". */
static void on_trilab_fcfs_gains_nothing_and_greedy_com_is_a_risk(void **state)
{
    (void)state;
    assert_true(ratio(&trilab, HIGH, FCFS) < 1.05 && ratio(&trilab, HIGH, SET) < 1.05);
    assert_true(worse(&trilab, HIGH, FCFS) > 0.4);
    assert_true(worse(&trilab, MIDDLE, COM) > 0.25);
}

/* "In the NERSC workload, EFFICIENCY quickly drops as the I/O pressure increases for all
 * strategies, while each strategy seems to hold its EFFICIENCY until the system reaches saturation
 * in the TRILAB workload"; above, the drop "is more pronounced [...] for the NERSC workload".
 * "UTILIZATION is overall lower in the NERSC workload". */
static void efficiency_and_utilization_drop_on_trilab_rather_than_on_nersc(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        assert_true(efficiency(&trilab, HIGH, p) < efficiency(&nersc, HIGH, p) - 0.03);
        if (p != COM)
            assert_true(efficiency(&trilab, MIDDLE, p) < efficiency(&nersc, MIDDLE, p) - 0.01);
        for (int bin = LOW; bin <= HIGH; bin++)
            assert_true(utilization(&trilab, bin, p) < utilization(&nersc, bin, p) - 0.01);
    }
}

/* LOOKAHEADGREEDYIELD "shows the best performance for the MINYIELD metric on the most variety of
 * scenarios"; BESTNEXTEVENT is of the three the one "that features the highest risk of decreasing
 * MINYIELD". */
static void on_nersc_look_ahead_is_the_worst_of_the_three_and_the_riskiest(void **state)
{
    (void)state;
    assert_true(ratio(&nersc, HIGH, PERIODIC) > 1.2 * ratio(&nersc, HIGH, AHEAD));
    assert_true(ratio(&nersc, HIGH, BEST) > 1.2 * ratio(&nersc, HIGH, AHEAD));
    assert_true(ratio(&nersc, MIDDLE, AHEAD) < ratio(&nersc, MIDDLE, BEST));
    for (int bin = LOW; bin <= HIGH; bin++)
        assert_true(worse(&nersc, bin, AHEAD) > worse(&nersc, bin, BEST));
}

/* Ours: it is to be near the best in MinYield and above look-ahead in Efficiency everywhere. */
static void floor_is_not_the_best_here(void **state)
{
    (void)state;
    for (int bin = LOW; bin <= HIGH; bin++)
        assert_true(efficiency(&trilab, bin, FLOOR) < efficiency(&trilab, bin, AHEAD));
    assert_true(ratio(&trilab, LOW, FLOOR) < ratio(&trilab, LOW, AHEAD));
    assert_true(ratio(&trilab, MIDDLE, FLOOR) < ratio(&trilab, MIDDLE, AHEAD));
    assert_true(ratio(&trilab, HIGH, FLOOR) < ratio(&trilab, HIGH, YIELD));
    assert_true(ratio(&nersc, HIGH, FLOOR) < ratio(&nersc, HIGH, PERIODIC));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_compare_on_trilab_as_published),
        cmocka_unit_test(strategies_compare_on_nersc_as_published),
        cmocka_unit_test(on_trilab_fcfs_gains_nothing_and_greedy_com_is_a_risk),
        cmocka_unit_test(efficiency_and_utilization_drop_on_trilab_rather_than_on_nersc),
        cmocka_unit_test(on_nersc_look_ahead_is_the_worst_of_the_three_and_the_riskiest),
        cmocka_unit_test(floor_is_not_the_best_here),
    };
    return cmocka_run_group_tests(tests, study_both, NULL);
}
