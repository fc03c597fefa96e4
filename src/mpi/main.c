/* weir-mpi: 'weir campaign' over the ranks of MPI. */
#include "base/arena.h"
#include "mpi/ranks.h"
#include "report/campaign_text.h"
#include "store/database.h"
#include "terminal/help.h"
#include "terminal/interruption.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpi_options {
    struct words operands; /* the file */
    const char *database;
    double patience;
    bool retry;
};

#define AT(member) offsetof(struct mpi_options, member)
static const struct option options[] = {
    {"db", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(database),
     "the SQLite database of results, which only rank 0 opens; it is created if it is missing"},
    {"retry", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(retry), "run failed runs again"},
    {"patience", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(patience),
     "give the runs of a rank that is silent for this long to others; default 1 min, and at least "
     "three times the longest silence before"},
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {RULE_REQUIRE("db", NULL), {.name = NULL}};

static const struct help_page mpi_page = {
    .program = "weir-mpi",
    .summary = "run a campaign over the ranks of MPI",
    .syntax = {"campaign", "FILE", 1, 1, options, rules},
    .details = "Rank 0 hands out the runs and stores the results; every other rank runs one at a "
               "time. docs/reference/campaign.md describes what to do for a rank that may die.",
    .example = "mpirun -n 33 weir-mpi campaign grid.yaml --db results.sqlite",
};

/* What a rank has before the first run. */
struct mpi_rank {
    int rank, ranks;
    struct campaign *campaign;
    struct database *database; /* of rank 0 */
};

/* --- agreeing ----------------------------------------------------------------------------------
 */

static uint64_t mpi_checksum(const struct campaign *campaign)
{
    uint64_t sum = campaign->runs;
    for (size_t i = 0; i < campaign->runs; i++)
        sum = (sum ^ (uint64_t)campaign->identities[i]) * 0x9e3779b97f4a7c15u;
    return sum;
}

/* Whether all ranks are well: then 0. Otherwise -1, and the first that is not has printed why. */
static int mpi_agree(const struct mpi_rank *self, int status, const struct err *err)
{
    int mine = status < 0 ? self->rank : INT_MAX, first = INT_MAX;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == self->rank)
        fprintf(stderr, "weir-mpi: %s\n", err->text);
    return first == INT_MAX ? 0 : -1;
}

/* Whether all ranks have read the same. 0 or -1, as mpi_agree. */
static int mpi_agree_on_campaign(const struct mpi_rank *self)
{
    uint64_t own = mpi_checksum(self->campaign), theirs = own;
    struct err err;
    MPI_Bcast(&theirs, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int status =
        own == theirs ? 0 : err_set(&err, "rank %d reads another campaign than rank 0", self->rank);
    return mpi_agree(self, status, &err);
}

/* --- the command -------------------------------------------------------------------------------
 */

/* Ranks but 0 have nothing to print, and are done with the others. */
static int mpi_lead(struct mpi_rank *self, const struct mpi_options *chosen, struct filled *filled)
{
    struct err err = {0};
    const struct filling filling = {.campaign = self->campaign,
                                    .shard = {1, 1},
                                    .path = chosen->database,
                                    .retry = chosen->retry,
                                    .run = self->ranks > 1 ? ranks_lead : campaign_run,
                                    .jobs = 1,
                                    .patience = chosen->patience > 0 ? chosen->patience : 60};
    progress_enter("weir-mpi");
    interruption_catch();
    int status = filling_run(&filling, self->database, filled, &err);
    if (status == 0) {
        campaign_print_end(self->campaign->name, chosen->database, filled, stdout);
        fflush(stdout);
        status = filling_judge(filled, chosen->database, &err);
    }
    if (status < 0) {
        fprintf(stderr, "weir-mpi: %s\n", err.text);
        database_close(self->database);
        self->database = NULL;
        interruption_end(); /* whatever started the ranks ends the others */
    }
    if (filled->lost > 0)
        fprintf(stderr, "weir-mpi: warning: %zu rank%s lost\n", filled->lost,
                filled->lost == 1 ? " was" : "s were");
    return status < 0 ? STATUS_FAILED : STATUS_DONE;
}

static int mpi_follow(const struct mpi_rank *self)
{
    struct err err = {0};
    if (ranks_follow(self->campaign, &err) == 0)
        return STATUS_DONE;
    fprintf(stderr, "weir-mpi: rank %d: %s\n", self->rank, err.text);
    return STATUS_FAILED;
}

static int mpi_prepare(struct mpi_rank *self, const struct mpi_options *chosen)
{
    struct err err = {0};
    self->campaign = campaign_load(chosen->operands.list[0], &err);
    if (mpi_agree(self, self->campaign ? 0 : -1, &err) < 0 || mpi_agree_on_campaign(self) < 0)
        return -1;
    if (self->rank == 0)
        self->database = database_open_write(chosen->database, &err);
    return mpi_agree(self, self->rank > 0 || self->database ? 0 : -1, &err);
}

static int mpi_run(struct mpi_rank *self, const struct mpi_options *chosen, struct filled *filled)
{
    int status = STATUS_MISUSE;
    if (mpi_prepare(self, chosen) == 0)
        status = self->rank == 0 ? mpi_lead(self, chosen, filled) : mpi_follow(self);
    database_close(self->database);
    campaign_free(self->campaign);
    return status;
}

/* 0 and the options, or an exit status from 1 on; help counts as such. */
static int mpi_parse(char **argv, const struct mpi_rank *self, struct mpi_options *chosen,
                     struct arena *arena)
{
    struct err err = {0};
    int parsed = -1;
    if (argv[1] && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        parsed = 1; /* there is only one command */
    else if (!argv[1] || strcmp(argv[1], "campaign") != 0)
        err_set(&err, "expected 'weir-mpi campaign FILE --db FILE'");
    else if ((parsed = options_parse(&mpi_page.syntax, (const char *const *)argv + 2, chosen, arena,
                                     &err)) < 0)
        err_prepend(&err, "campaign");
    if (parsed < 0 && self->rank == 0)
        fprintf(stderr, "weir-mpi: %s\n", err.text);
    if (parsed > 0 && self->rank == 0)
        help_print(&mpi_page, stdout);
    return parsed;
}

/* A rank that is lost would be waited for in vain. What is stored is safe. */
static _Noreturn void mpi_leave(int status)
{
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct mpi_rank self = {0};
    struct mpi_options chosen = {0};
    struct filled filled = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
    int parsed = mpi_parse(argv, &self, &chosen, &arena);
    int status = parsed < 0 ? STATUS_MISUSE : STATUS_DONE;
    if (parsed == 0)
        status = mpi_run(&self, &chosen, &filled);
    arena_fini(&arena);
    if (filled.lost > 0)
        mpi_leave(status);
    MPI_Finalize();
    return status;
}
