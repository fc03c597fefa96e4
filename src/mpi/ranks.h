/* A campaign over the ranks of MPI: rank 0 hands out runs and stores results, the others run.
 *
 * MPI promises nothing when a rank dies. So nothing is taken for granted of another rank but the
 * messages that come: after the start there are no collective calls, rank 0 asks each rank by
 * itself whether it has sent something, and a rank that is silent for too long loses its runs to
 * others. */
#ifndef WEIR_MPI_RANKS_H
#define WEIR_MPI_RANKS_H

#include "base/err.h"
#include "experiment/campaign.h"
#include "experiment/threads.h"

/* On rank 0: hands out and stores. -1 with err also when all other ranks are lost. */
campaign_runner ranks_lead;

/* On any other rank: runs what it is given until there is no more. 0, or -1 with err: memory is
 * out, or rank 0 is gone. */
int ranks_follow(const struct campaign *campaign, struct err *err);

#endif
