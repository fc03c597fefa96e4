/* What became of a campaign, for people. */
#ifndef WEIR_REPORT_CAMPAIGN_TEXT_H
#define WEIR_REPORT_CAMPAIGN_TEXT_H

#include "answer/campaign.h"
#include <stdio.h>

/* The factors of the product, and what is to do. */
void campaign_print_plan(const struct campaign_answer *answer, FILE *out);

/* "grid: 5 runs stored in results.sqlite, 3 there before". */
void campaign_print_end(const char *name, const char *database, const struct filled *filled,
                        FILE *out);

#endif
