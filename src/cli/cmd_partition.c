#include "answer/partition.h"
#include "cli/commands.h"
#include <string.h>

enum { LABEL = 64 };

static void partition_print_group(const struct partition_answer *answer, size_t number, int width)
{
    const struct partition_share *group = &answer->groups[number];
    char volume[LABEL], load[LABEL];
    printf("\ngroup %zu: share %s", number + 1,
           units_print(group->share, UNIT_RATE, volume, sizeof volume));
    printf(" (%.4g %%), load %s, stretch %.4g\n",
           100 * group->share / answer->made.platform.bandwidth,
           units_print(group->load, UNIT_RATE, load, sizeof load), group->stretch);
    for (size_t i = 0; i < group->applications_count; i++) {
        const struct partition_member *member = &group->applications[i];
        printf("  %-*s  volume %-9s  load %s\n", width, member->name,
               units_print(member->volume, UNIT_BYTES, volume, sizeof volume),
               units_print(member->load, UNIT_RATE, load, sizeof load));
    }
}

/* Of the longest name. */
static int partition_width(const struct partition_answer *answer)
{
    size_t width = 0;
    for (size_t g = 0; g < answer->groups_count; g++)
        for (size_t i = 0; i < answer->groups[g].applications_count; i++) {
            size_t length = strlen(answer->groups[g].applications[i].name);
            width = length > width ? length : width;
        }
    return (int)width;
}

static int partition_print(const void *question, const void *found, struct err *err)
{
    const struct partition_answer *answer = found;
    unsigned present = answer->present, all = answer->study.workload->count;
    char rate[LABEL], load[LABEL], title[2 * LABEL];
    (void)question;
    (void)err;
    printf("%s: %u application%s, file system %s, load %s\n",
           partition_title(answer, title, sizeof title), present, present == 1 ? "" : "s",
           units_print(answer->made.platform.bandwidth, UNIT_RATE, rate, sizeof rate),
           units_print(answer->load, UNIT_RATE, load, sizeof load));
    printf("%zu group%s, stretch %.6g; no partition is below %.6g\n", answer->groups_count,
           answer->groups_count == 1 ? "" : "s", answer->stretch, answer->bound);
    for (size_t i = 0; i < answer->groups_count; i++)
        partition_print_group(answer, i, partition_width(answer));
    if (answer->partition.count < present)
        printf("\napplications without I/O, in no group: %u\n",
               present - (unsigned)answer->partition.count);
    if (present < all)
        printf("\n%u more are not there then; the load is never larger than at that time\n",
               all - present);
    return 0;
}

const struct command command_partition = {
    .name = "partition",
    .summary = "divide the bandwidth between groups of similar applications",
    .question = &partition_asking,
    .details = "The members of a group use its share of the bandwidth one at a time. A share is at "
               "least the load of the group, the sum of volume / period of its members. The "
               "stretch of a group is its largest volume / smallest volume * bandwidth / share; "
               "the partition minimises the largest stretch over all groups that are contiguous in "
               "volume. The strategy 'groups' follows it. "
               "Where applications do not all run at the same time, it divides those that are "
               "present when the load is largest, each running as if alone; 'groups' divides again "
               "when others come.",
    .example = "weir partition examples/quickstart.yaml",
    .print = partition_print,
};
