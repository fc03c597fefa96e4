#include "experiment/generator.h"
#include "base/filter.h"
#include "base/mem.h"
#include "base/output.h"
#include "experiment/content.h"
#include "format/format.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GENERATOR_WORDS = 64, GENERATOR_TEXT = 4096 };

bool generator_is(const char *text)
{
    return strstr(text, "{seed}") != NULL;
}

bool generator_has(const char *command, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = command; (at = strchr(at, '{')); at++)
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '}')
            return true;
    return false;
}

/* --- words ----------------------------------------------------------------------------------- */

/* The words of a command, in `text`. */
struct generator_call {
    char text[GENERATOR_TEXT];
    const char *words[GENERATOR_WORDS + 1];
    size_t count;
};

static const char *generator_value(const char *name, size_t length, const char *seed,
                                   const struct variation *values, size_t count)
{
    if (length == 4 && strncmp(name, "seed", 4) == 0)
        return seed;
    for (size_t i = 0; i < count; i++)
        if (strlen(values[i].path) == length && strncmp(values[i].path, name, length) == 0)
            return values[i].value;
    return NULL;
}

/* Replaces what is in braces. 0, or -1 with err: it has no value, or the command is too long. */
static int generator_fill(char text[GENERATOR_TEXT], const char *command, uint64_t seed,
                          const struct variation *values, size_t count, struct err *err)
{
    char digits[24];
    FILE *out = fmemopen(text, GENERATOR_TEXT, "w");
    int status = out ? 0 : err_memory(err);
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    for (const char *at = command; *at && status == 0; at++) {
        size_t length = *at == '{' ? strcspn(at + 1, "} ") : 0;
        if (*at != '{' || at[1 + length] != '}') {
            fputc(*at, out);
            continue;
        }
        const char *value = generator_value(at + 1, length, digits, values, count);
        if (value)
            fputs(value, out);
        else
            status = err_set(err, "generator '%s': '{%.*s}' has no value, expected a sweep over it",
                             command, (int)length, at + 1);
        at += length + 1;
    }
    if (out && (fflush(out) != 0 || ftell(out) >= GENERATOR_TEXT - 1) && status == 0)
        status = err_set(err, "generator '%.60s...' is too long", command);
    if (out)
        fclose(out);
    return status;
}

static int generator_divide(struct generator_call *call, struct err *err)
{
    char *rest = NULL;
    call->count = 0;
    for (char *word = strtok_r(call->text, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        if (call->count == GENERATOR_WORDS)
            return err_set(err, "a generator has at most %d words", GENERATOR_WORDS);
        call->words[call->count++] = word;
    }
    call->words[call->count] = NULL;
    return call->count > 0 ? 0 : err_set(err, "an empty generator");
}

/* The path of a word from the generator's directory; only of one that has a slash. */
static const char *generator_path(const struct generator *generator, const char *word,
                                  char path[PATH_MAX])
{
    if (!strchr(word, '/') || *word == '/')
        return word;
    snprintf(path, PATH_MAX, "%s%s", generator->directory ? generator->directory : "", word);
    return path;
}

/* --- content --------------------------------------------------------------------------------- */

int generator_read(struct generator *generator, struct err *err)
{
    struct generator_call call;
    char path[PATH_MAX];
    uint64_t hash = content_text(0, generator->command);
    if (strlen(generator->command) >= GENERATOR_TEXT)
        return err_set(err, "generator '%.60s...' is too long", generator->command);
    strcpy(call.text, generator->command);
    if (generator_divide(&call, err) < 0)
        return -1;
    for (size_t i = 0; i < call.count; i++) {
        struct stat facts;
        const char *word = call.words[i];
        const char *file = i == 0 ? generator_path(generator, word, path) : word;
        bool program = i == 0 && strchr(file, '/'), there = stat(file, &facts) == 0;
        if (program && !there)
            return err_set(err, "cannot run '%s': %s", file, strerror(errno));
        if ((program || i > 0) && there && S_ISREG(facts.st_mode) &&
            content_file(file, &hash, err) < 0)
            return -1;
    }
    generator->content = hash ? hash : 1;
    return 0;
}

/* --- what is kept ---------------------------------------------------------------------------- */

/* Makes the directory. False if there is none to be had: then nothing is kept. */
static bool generator_cache(char path[PATH_MAX], uint64_t key)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char directory[PATH_MAX - 64];
    if (base && *base == '/')
        snprintf(directory, sizeof directory, "%s", base);
    else if (home && *home == '/')
        snprintf(directory, sizeof directory, "%s/.cache", home);
    else
        return false;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return false;
    snprintf(path, PATH_MAX, "%s/weir", directory);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return false;
    snprintf(path, PATH_MAX, "%s/weir/generated-%016" PRIx64 ".yaml", directory, key);
    return true;
}

/* The output in a file, beside its place until it is complete: others may read it. */
static int generator_keep(const char *path, FILE *made, struct err *err)
{
    struct output output = {0};
    char block[1 << 14];
    size_t size;
    if (output_open(&output, path, err) < 0)
        return -1;
    rewind(made);
    while ((size = fread(block, 1, sizeof block, made)) > 0)
        fwrite(block, 1, size, output.file);
    int status = output_commit(&output, err);
    output_discard(&output);
    return status;
}

/* --- drawing --------------------------------------------------------------------------------- */

/* All of a file; free() frees. NULL with err. */
static char *generator_text(FILE *file, size_t *size, struct err *err)
{
    struct stat facts;
    if (fflush(file) != 0 || fstat(fileno(file), &facts) != 0) {
        err_set(err, "cannot read what a generator prints");
        return NULL;
    }
    *size = (size_t)facts.st_size;
    char *text = mem_alloc(*size + 1, 1);
    rewind(file);
    if (!text || fread(text, 1, *size, file) != *size) {
        err_memory(err);
        free(text);
        return NULL;
    }
    return text;
}

static struct scenario *generator_parse(const char *command, FILE *file, struct err *err)
{
    size_t size;
    char *text = generator_text(file, &size, err);
    const struct format *format = text ? format_find("scenario", err) : NULL;
    struct scenario *scenario =
        format ? format->parse(text, size, command, &(struct format_defaults){0}, err) : NULL;
    free(text);
    return scenario;
}

static struct scenario *generator_run(struct generator_call *call, const char *command,
                                      const char *kept, struct err *err)
{
    FILE *in = tmpfile(), *out = tmpfile();
    struct scenario *scenario = NULL;
    if (!in || !out)
        err_set(err, "cannot create a temporary file: %s", strerror(errno));
    else if (filter_run(call->words, in, out, err) == 0)
        scenario = generator_parse(command, out, err);
    if (scenario && kept)
        generator_keep(kept, out, NULL); /* a full disk costs time, and no result */
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return scenario;
}

struct scenario *generator_draw(const struct generator *generator, uint64_t seed,
                                const struct variation *values, size_t count, struct err *err)
{
    struct generator_call call;
    char program[PATH_MAX], path[PATH_MAX], command[GENERATOR_TEXT];
    if (generator_fill(call.text, generator->command, seed, values, count, err) < 0)
        return NULL;
    strcpy(command, call.text);
    uint64_t key = content_text(content_mix(0x67656e65726174u, generator->content), command);
    bool kept = generator_cache(path, key);
    FILE *file = kept ? fopen(path, "r") : NULL;
    if (file) {
        struct scenario *scenario = generator_parse(command, file, NULL);
        fclose(file);
        if (scenario)
            return scenario;
    }
    if (generator_divide(&call, err) < 0)
        return NULL;
    call.words[0] = generator_path(generator, call.words[0], program);
    return generator_run(&call, command, kept ? path : NULL, err);
}
