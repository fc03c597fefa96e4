/* The texts of a campaign file become what they name. */
#ifndef WEIR_EXPERIMENT_EXPAND_H
#define WEIR_EXPERIMENT_EXPAND_H

#include "experiment/campaign.h"
#include "format/campaign_file.h"

/* Fills in all but the identities; `path` is that of the file, where relative paths start. 0, or -1
 * with err; campaign_free in both cases. */
int campaign_expand(struct campaign *campaign, const struct campaign_file *file, const char *path,
                    struct err *err);

#endif
