#include "format/plan_file.h"
#include "fuzz.h"

static struct task list[] = {
    {.name = "a", .nodes = 4, .work = 10, .volume = 10e9, .bmax = 1e9, .io = 10},
    {.name = "b.1", .nodes = 2, .work = 4, .volume = 6e9, .bmax = 1e9, .io = 6},
};
static const struct tasks tasks = {.list = list, .count = 2, .bandwidth = 2e9, .nodes = 6};

/* What was accepted must survive being written and read again. */
static void check_round_trip(const struct plan_file *file)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fuzz_require(out != NULL);
    plan_file_write(out, file, &tasks, true);
    fuzz_require(fclose(out) == 0);
    struct plan_file *again = plan_file_parse(text, length, "again", &tasks, NULL);
    fuzz_require(again && again->plan->period == file->plan->period &&
                 again->plan->piece_count == file->plan->piece_count);
    plan_file_free(again);
    free(text);
}

/* As a live controller reads it: for whatever applications it has. */
static void check_own(const char *text, size_t size)
{
    struct err err = {0};
    struct plan_own own = {.platform = {.node_bandwidth = 1e9, .bandwidth = 2e9}};
    struct plan_file *file = plan_file_parse_own(text, size, "input", &own, &err);
    fuzz_require(file ? file->plan->count == own.tasks.count
                      : strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
    plan_file_free(file);
    tasks_fini(&own.tasks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {0};
    char *text = mem_alloc(size + 1, 1);
    fuzz_require(text != NULL);
    if (size)
        memcpy(text, data, size);
    struct plan_file *file = plan_file_parse(text, size, "input", &tasks, &err);
    if (file)
        check_round_trip(file);
    else
        fuzz_require(strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
    plan_file_free(file);
    check_own(text, size);
    free(text);
    return 0;
}
