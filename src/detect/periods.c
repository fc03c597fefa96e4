#include "detect/periods.h"
#include "base/text.h"
#include "base/units.h"
#include "detect/period.h"
#include "gen/gen.h"
#include <math.h>

enum { TEXT = 32, DIGITS = 6 }; /* further digits depend on the machine */

static void periods_declare_one(struct app_spec *app, const struct detection *period, FILE *notes)
{
    char length[TEXT];
    if (app->period > 0 || !(period->length > 0))
        return;
    if (period->confidence < PERIOD_CONFIDENT) {
        if (notes)
            fprintf(notes, "%s: I/O without a clear period, confidence %.2f\n", app->name,
                    period->confidence);
        return;
    }
    app->period = period->length;
    if (notes)
        fprintf(notes, "%s: I/O every %s, confidence %.2f\n", app->name,
                units_print(period->length, UNIT_SECONDS, length, sizeof length),
                period->confidence);
}

/* The work and the I/O of a period in place of the phases. */
static int periods_fold_one(struct app_spec *app, const struct app *realised,
                            const struct detection *period, struct err *err)
{
    double io = period->length * period->io_share;
    if (!(period->length > 0))
        return err_set(err, "application '%s' has too few I/Os to have a period", app->name);
    if (period->confidence < PERIOD_CONFIDENT)
        return err_set(err, "application '%s' has no clear period: confidence %.2f, expected %.2f",
                       app->name, period->confidence, PERIOD_CONFIDENT);
    app->explicit_iterations = NULL;
    app->work = (struct amount){.mean = text_round(period->length - io, DIGITS)};
    app->io = (struct amount){.mean = text_round(io * realised->facts.bmax, DIGITS)};
    /* A long start or end without I/O does not make more of it. */
    double times = fmin(round(app_ideal(realised) / period->length), app->iterations);
    app->iterations = (uint32_t)fmax(times, 1);
    app->period = period->length;
    return 0;
}

static void periods_note_fold(const struct app_spec *app, double confidence, const char *prefix,
                              FILE *notes)
{
    char length[TEXT], work[TEXT], volume[TEXT];
    fprintf(notes, "%s%s: I/O every %s, confidence %.2f: %s of work and %s, %u times\n", prefix,
            app->name, units_print(app->period, UNIT_SECONDS, length, sizeof length), confidence,
            units_print(app->work.mean, UNIT_SECONDS, work, sizeof work),
            units_print(app->io.mean, UNIT_BYTES, volume, sizeof volume), app->iterations);
}

/* --- all of them ----------------------------------------------------------------------------- */

/* What to do with each application whose phases are listed. */
struct visit {
    FILE *notes;
    const char *prefix; /* NULL = declare, else fold */
};

static int periods_visit(const struct visit *visit, struct app_spec *app,
                         const struct app *realised, struct err *err)
{
    struct detection period;
    if (period_detect(realised, &period, err) < 0)
        return -1;
    if (!visit->prefix) {
        periods_declare_one(app, &period, visit->notes);
        return 0;
    }
    if (periods_fold_one(app, realised, &period, err) < 0)
        return -1;
    if (visit->notes)
        periods_note_fold(app, period.confidence, visit->prefix, visit->notes);
    return 0;
}

static int periods_visit_all(const struct visit *visit, struct scenario *scenario, struct err *err)
{
    struct scenario whole = *scenario; /* nothing is cut at the end of a window */
    whole.window = (struct window){.kind = WINDOW_NONE};
    struct workload *workload = workload_realise(&whole, err);
    int status = workload ? 0 : -1;
    for (uint32_t i = 0, first = 0; i < scenario->count && status == 0; i++) {
        struct app_spec *app = &scenario->apps[i];
        if (app->explicit_iterations)
            status = periods_visit(visit, app, &workload->apps[first], err);
        first += app->count;
    }
    workload_free(workload);
    return status;
}

int periods_declare(struct scenario *scenario, FILE *notes, struct err *err)
{
    return periods_visit_all(&(struct visit){.notes = notes}, scenario, err);
}

int periods_fold(struct scenario *scenario, const char *prefix, FILE *notes, struct err *err)
{
    return periods_visit_all(&(struct visit){.notes = notes, .prefix = prefix}, scenario, err);
}
