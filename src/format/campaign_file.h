/* The YAML file of a campaign: what is varied, as texts with their lines. Whether there are such
 * families, parameters and strategies is checked where they are used (experiment/campaign.h). */
#ifndef WEIR_FORMAT_CAMPAIGN_FILE_H
#define WEIR_FORMAT_CAMPAIGN_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_text {
    const char *text;
    uint32_t line;
};

struct file_texts {
    struct file_text *list;
    uint32_t count;
    bool single; /* one value that stands there without a list */
};

/* A name and the values that it takes. */
struct file_axis {
    struct file_text name;
    struct file_texts values;
};

/* A name with axes: a family and its parameters, or a platform and its values. */
struct file_group {
    struct file_text name;
    struct file_axis *axes;
    uint32_t count;
};

struct file_groups {
    struct file_group *list;
    uint32_t count;
};

struct campaign_file {
    const char *where; /* for messages, which begin with "where:line" */
    const char *name;
    struct file_texts scenarios, generators, seeds, strategies;
    struct file_groups families, platforms;
    struct file_group sweep; /* without a name */
    struct arena arena;
};

/* Reads a file, "-" being standard input. 0 or -1; campaign_file_fini frees in both cases. */
int campaign_file_load(const char *path, struct campaign_file *file, struct err *err);

/* The same for a text; `where` is its name for messages. */
int campaign_file_parse(const char *text, size_t length, const char *where,
                        struct campaign_file *file, struct err *err);
void campaign_file_fini(struct campaign_file *file);

/* The manual's section on it: calls `row` for every key in order. */
void campaign_file_document(void (*row)(void *context, const char *mapping, const char *key,
                                        const char *value, const char *help),
                            void *context);

#endif
