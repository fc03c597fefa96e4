/* What the runs of an experiment measured: one sample per run and series. */
#ifndef WEIR_PAPER_SAMPLES_H
#define WEIR_PAPER_SAMPLES_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_COLUMNS = 9 };

struct sample {
    uint16_t group, series; /* indices into the experiment's names */
    double x;               /* what figures have along their x axis */
    double values[SAMPLE_COLUMNS];
};

/* Samples one after the other; zeroed, there are none. */
struct samples {
    struct sample *list;
    size_t count, capacity;
};

/* 0, or -1 when memory is out. */
int samples_add(struct samples *samples, const struct sample *sample, struct err *err);
int samples_join(struct samples *samples, const struct samples *more, struct err *err);
void samples_fini(struct samples *samples);

#endif
