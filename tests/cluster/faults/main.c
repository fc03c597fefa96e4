/* faults [--seeds N] [--first N] [--jobs N] [--without RULE]: runs many seeds, and prints those
 * that break a promise. Without a rule at least one must.
 * faults --seed N [--without RULE]: runs one seed and prints what happens. */
#include "world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct world world;

static const char *const rule_names[] = {
#define LEASE_NAME(name, text) #name,
    LEASE_RULES(LEASE_NAME)};
static const char *const rule_texts[] = {
#define LEASE_TEXT(name, text) text,
    LEASE_RULES(LEASE_TEXT)};

struct batch_plan {
    uint64_t first, seeds, jobs;
    bool one;
};

static int usage(void)
{
    fprintf(stderr, "usage: faults [--seeds N] [--first N] [--jobs N] [--seed N] "
                    "[--without RULE]\n");
    return 2;
}

static enum lease_rule find_rule(const char *name)
{
    for (int i = 0; i < LEASE_RULES_COUNT; i++)
        if (strcmp(rule_names[i], name) == 0)
            return (enum lease_rule)i;
    return LEASE_RULES_COUNT;
}

/* Runs every jobs-th seed. Returns the number of those that failed. */
static int run_share(const struct batch_plan *plan, uint64_t job)
{
    int failed = 0;
    uint64_t steps = 0;
    for (uint64_t i = job; i < plan->seeds && failed < 5; i += plan->jobs) {
        if (!world_run(&world, plan->first + i, false)) {
            printf("seed %llu: %s\n", (unsigned long long)(plan->first + i), world.broken);
            failed++;
        }
        steps += world.steps;
    }
    if (job == 0)
        printf("%llu steps\n", (unsigned long long)steps);
    free(world.events);
    return failed;
}

/* The same by several processes. */
static int run_all(const struct batch_plan *plan)
{
    int failed = 0;
    for (uint64_t job = 0; job < plan->jobs; job++) {
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0)
            exit(run_share(plan, job));
    }
    for (uint64_t job = 0; job < plan->jobs; job++) {
        int status;
        if (wait(&status) < 0 || !WIFEXITED(status))
            return 1;
        failed += WEXITSTATUS(status);
    }
    return failed;
}

/* A rule is left out: some seed shows it. */
static int run_without(const struct batch_plan *plan)
{
    for (uint64_t i = 0; i < plan->seeds; i++)
        if (!world_run(&world, plan->first + i, false)) {
            printf("%s: seed %llu, %s\n", rule_names[lease_broken],
                   (unsigned long long)(plan->first + i), world.broken);
            return 0;
        }
    printf("%s: no seed needs the rule \"%s\"\n", rule_names[lease_broken],
           rule_texts[lease_broken]);
    return 1;
}

static int run_every_rule(const struct batch_plan *plan)
{
    int missing = 0;
    for (int i = 0; i < LEASE_RULES_COUNT; i++) {
        lease_broken = (enum lease_rule)i;
        missing += run_without(plan);
    }
    return missing > 0;
}

int main(int argc, char **argv)
{
    struct batch_plan plan = {.first = 1, .seeds = 1000, .jobs = 1};
    bool every = false;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return usage();
        uint64_t number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) {
            plan.first = number;
            plan.one = true;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            plan.seeds = number;
        } else if (strcmp(argv[i], "--first") == 0) {
            plan.first = number;
        } else if (strcmp(argv[i], "--jobs") == 0) {
            plan.jobs = number;
        } else if (strcmp(argv[i], "--without") == 0) {
            every = strcmp(argv[i + 1], "each") == 0;
            lease_broken = find_rule(argv[i + 1]);
            if (!every && lease_broken == LEASE_RULES_COUNT)
                return usage();
        } else {
            return usage();
        }
    }
    if (plan.one) {
        bool well = world_run(&world, plan.first, true);
        printf("%s\n", well ? "all is well" : world.broken);
        return !well;
    }
    if (every)
        return run_every_rule(&plan);
    if (lease_broken != LEASE_RULES_COUNT)
        return run_without(&plan);
    int failed = run_all(&plan);
    printf("%llu seeds, %d failed\n", (unsigned long long)plan.seeds, failed);
    return failed > 0;
}
