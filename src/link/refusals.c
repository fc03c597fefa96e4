#include "link/refusals.h"
#include <stdio.h>
#include <string.h>

static bool refusals_knows(const struct refusals *refusals, const char *address, const char *reason)
{
    for (uint32_t i = 0; i < refusals->count; i++)
        if (strncmp(refusals->told[i].address, address, REFUSALS_ADDRESS - 1) == 0 &&
            strncmp(refusals->told[i].reason, reason, REFUSALS_REASON - 1) == 0)
            return true;
    return false;
}

bool refusals_note(struct refusals *refusals, uint64_t now, const char *address, const char *reason)
{
    if (now - refusals->since >= REFUSALS_SPAN) {
        refusals->count = 0;
        refusals->untold = 0;
        refusals->since = now;
    }
    refusals->refusals++;
    if (refusals->count == REFUSALS_MOST || refusals_knows(refusals, address, reason)) {
        refusals->untold++;
        return false;
    }
    snprintf(refusals->told[refusals->count].address, REFUSALS_ADDRESS, "%s", address);
    snprintf(refusals->told[refusals->count].reason, REFUSALS_REASON, "%s", reason);
    refusals->count++;
    return true;
}
