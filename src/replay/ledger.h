/* What the processes of a replay share: what each application has to do, and when it did it.
 *
 * One block of memory without pointers. Child processes inherit it, or find it by its descriptor
 * after they have executed another program. Times are seconds since the start. */
#ifndef WEIR_REPLAY_LEDGER_H
#define WEIR_REPLAY_LEDGER_H

#include "base/err.h"
#include "model/workload.h"
#include "sim/sim.h"
#include "wire/message.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LEDGER_PATH = 256, LEDGER_FAULT = 128 };

struct ledger_phase {
    struct iteration iteration;
    _Atomic uint32_t turn; /* order of its I/O among all posted ones, from 1; 0 = not yet */
};

struct ledger_app {
    char name[WIRE_NAME];
    double release, weight, period;
    double nodes; /* as told to the controller: with node_bandwidth below it gives its bmax */
    uint32_t first, count;    /* its phases */
    _Atomic uint32_t now;     /* the current one, from 0 */
    double completion;        /* NAN until it ends */
    double late;              /* the most seconds it woke up late */
    char fault[LEDGER_FAULT]; /* why it failed, or "" */
};

struct ledger {
    uint64_t size; /* of the block */
    uint32_t count;
    double node_bandwidth;
    uint32_t pipes;              /* the store consists of pipes, which can only be written */
    uint32_t silent;             /* I/Os are not announced */
    _Atomic uint32_t ready;      /* processes that wait for the start */
    _Atomic uint32_t finished;   /* applications */
    _Atomic uint32_t turns;      /* given so far */
    _Atomic uint64_t start;      /* its time in nanoseconds of CLOCK_MONOTONIC, 0 = not yet */
    char directory[LEDGER_PATH]; /* the store */
    char socket[LEDGER_PATH];    /* of the controller, "" = none */
    int descriptor;
    struct ledger_app apps[];
};

/* Names are changed to what the controller accepts. The caller sets store and socket. NULL with
 * err. */
struct ledger *ledger_new(const struct workload *workload, struct err *err);
struct ledger *ledger_attach(int descriptor, struct err *err);
void ledger_free(struct ledger *ledger); /* NULL is fine; the descriptor is closed too */

struct ledger_phase *ledger_phases(struct ledger *ledger, uint32_t app);

/* Records that the current I/O of the application is posted, unless it was before. */
void ledger_post(struct ledger *ledger, uint32_t app);

/* The order in which the I/Os were posted. 0, or -1 when memory is out; free() frees its ids. */
int ledger_order(struct ledger *ledger, struct sim_order *order);

#endif
