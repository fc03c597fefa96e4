#include "report/campaign_text.h"
#include <inttypes.h>

void campaign_print_plan(const struct campaign_answer *answer, FILE *out)
{
    const struct {
        const char *one, *many;
        uint64_t count;
    } factors[] = {{"scenario or parameter set", "scenarios or parameter sets", answer->sources},
                   {"platform", "platforms", answer->platforms},
                   {"point of the sweep", "points of the sweep", answer->points},
                   {"seed", "seeds", answer->seeds},
                   {"strategy", "strategies", answer->strategies}};
    fprintf(out, "%s: %" PRIu64 " run%s\n", answer->name, answer->runs,
            answer->runs == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        fprintf(out, "%8" PRIu64 " %s\n", factors[i].count,
                factors[i].count == 1 ? factors[i].one : factors[i].many);
    if (answer->repeats)
        fprintf(out, "%s\n", answer->repeats);
    fprintf(out, "%" PRIu64 " run%s to do\n", answer->to_do, answer->to_do == 1 ? "" : "s");
}

void campaign_print_end(const char *name, const char *database, const struct filled *filled,
                        FILE *out)
{
    fprintf(out, "%s: %zu run%s stored in %s", name, filled->stored, filled->stored == 1 ? "" : "s",
            database);
    if (filled->before > 0)
        fprintf(out, ", %zu there before", filled->before);
    if (filled->others > 0)
        fprintf(out, ", %zu from other campaigns", filled->others);
    fputc('\n', out);
}
