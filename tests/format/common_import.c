#include "common_import.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

const struct import_options plain_options = {.platform = {.bandwidth = 1e9}};

static struct scenario *import(const char *format, const char *text,
                               const struct import_options *options, FILE *notes, struct err *err)
{
    const struct importer *importer = import_find(format, NULL);
    const struct import_text source = {text, strlen(text), "f"};
    assert_non_null(importer);
    return import_parse(importer, &source, options ? options : &plain_options, notes, err);
}

struct scenario *accept_import(const char *format, const char *text,
                               const struct import_options *options, struct notes *notes)
{
    struct err err = {0};
    FILE *stream = notes ? fmemopen(notes->text, sizeof notes->text, "w") : NULL;
    struct scenario *scenario = import(format, text, options, stream, &err);
    if (stream)
        assert_int_equal(fclose(stream), 0);
    if (!scenario)
        fail_msg("refused: %s\n%.300s", err.text, text);
    return scenario;
}

void refuse_import(const char *format, const char *text, const struct import_options *options,
                   const char *message)
{
    struct err err = {0};
    struct scenario *scenario = import(format, text, options, NULL, &err);
    if (scenario)
        fail_msg("accepted, expected '%s':\n%.300s", message, text);
    assert_string_equal(err.text, message);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(b), 1e-6);
}

void assert_iterations(const struct app_spec *app, const struct iteration *list, uint32_t count)
{
    assert_non_null(app->explicit_iterations);
    assert_int_equal(app->iterations, count);
    for (uint32_t k = 0; k < count; k++) {
        const struct iteration *got = &app->explicit_iterations[k];
        if (!is_near(got->work, list[k].work) || !is_near(got->volume, list[k].volume))
            fail_msg("iteration %u is %.15g s, %.15g bytes, expected %.15g, %.15g", k, got->work,
                     got->volume, list[k].work, list[k].volume);
    }
}

void fail_each_import(const char *format, const char *text, const struct import_options *options)
{
    struct scenario *scenario = NULL;
    long n = 0;
    for (; !scenario; n++) {
        struct err err = {0};
        mem_fail_after(n);
        scenario = import(format, text, options, NULL, &err);
        mem_fail_after(-1);
        if (!scenario)
            assert_non_null(strstr(err.text, "out of memory"));
        assert_true(n < 1000);
    }
    assert_true(n > 3);
    scenario_free(scenario);
}

char *load_or_skip(const char *path, size_t *length)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", WEIR_SOURCE_DIR, path);
    char *text = text_load(full, length, NULL);
    if (!text)
        skip();
    return text;
}
