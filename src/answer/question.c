#include "answer/question.h"
#include "answer/blame.h"
#include "answer/bound.h"
#include "answer/campaign.h"
#include "answer/capacity.h"
#include "answer/checkpoint.h"
#include "answer/compare.h"
#include "answer/describe.h"
#include "answer/map.h"
#include "answer/partition.h"
#include "answer/recommend.h"
#include "model/provenance.h"

const struct question *const questions[] = {&bound_asking,
                                            &blame_asking,
                                            &checkpoint_asking,
                                            &recommend_asking,
                                            &recommend_stored_asking,
                                            &describe_asking,
                                            &partition_asking,
                                            &map_asking,
                                            &compare_asking,
                                            &capacity_asking,
                                            &campaign_asking,
                                            NULL};

const struct scenario *asking_scenario(const struct asking *asking, size_t operand)
{
    return operand < asking->scenario_count ? asking->scenarios[operand] : NULL;
}

static const struct answer_field platform_fields[] = {
    {FIELD_OF(struct platform, nodes, NUMBER, "nodes of the platform")},
    {FIELD_OF(struct platform, node_bandwidth, NUMBER,
              "bandwidth of a node; `null` = a node can use all of the file system"),
     .unit = UNIT_RATE},
    {FIELD_OF(struct platform, bandwidth, NUMBER, "bandwidth of the file system"),
     .unit = UNIT_RATE},
    {.key = NULL},
};

const struct answer_field provenance_fields[] = {
    {.key = "weir",
     .kind = FIELD_TEXT,
     .offset = offsetof(struct provenance, version),
     .help = "version of the program"},
    {FIELD_OF(struct provenance, scenario, TEXT, "name of the scenario")},
    {FIELD_OF(struct provenance, seed, WHOLE,
              "seed of the random draws: the file's, or that of `--seed`")},
    {FIELD_OF(struct provenance, platform, OBJECT, "the platform"), .members = platform_fields},
    {.key = NULL},
};
