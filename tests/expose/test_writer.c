/* The pages that monitoring reads: quoting, both formats, histograms, and what a client accepts. */
#include "expose/writer.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What `write` writes. free() frees. */
static char *written(bool open_metrics, void (*write)(struct expose *expose))
{
    char *text = NULL;
    size_t length;
    struct expose expose = {.out = open_memstream(&text, &length), .open_metrics = open_metrics};
    assert_non_null(expose.out);
    write(&expose);
    fclose(expose.out);
    return text;
}

static void write_hostile(struct expose *expose)
{
    expose_begin(expose, EXPOSE_BUILD);
    expose_value(expose, (const char *[]){"a\"b\\c\nd\xff"}, NAN);
}

static void labels_are_quoted_and_made_printable(void **state)
{
    (void)state;
    char *text = written(false, write_hostile);
    assert_string_equal(strrchr(text, '#'), "# TYPE weir_build_info gauge\n"
                                            "weir_build_info{version=\"a\\\"b\\\\c?d?\"} NaN\n");
    free(text);
}

static void write_counter(struct expose *expose)
{
    expose_one(expose, EXPOSE_CPU, 0.1);
    expose_end(expose);
}

static void a_counter_ends_in_total_in_both_formats(void **state)
{
    (void)state;
    char *text = written(false, write_counter), *open = written(true, write_counter);
    assert_string_equal(text, "# HELP process_cpu_seconds_total processor time\n"
                              "# TYPE process_cpu_seconds_total counter\n"
                              "process_cpu_seconds_total 0.1\n");
    assert_string_equal(open, "# HELP process_cpu_seconds processor time\n"
                              "# TYPE process_cpu_seconds counter\n"
                              "# UNIT process_cpu_seconds seconds\n"
                              "process_cpu_seconds_total 0.1\n# EOF\n");
    free(text);
    free(open);
}

static void write_histogram(struct expose *expose)
{
    static const struct histogram_scale scale = {{1, 2}, 2};
    struct histogram histogram = {0};
    static const double values[] = {1, 1.5, 2, 7, NAN};
    for (int i = 0; i < 5; i++)
        histogram_add(&histogram, &scale, values[i]);
    expose_begin(expose, EXPOSE_TURNS);
    expose_histogram(expose, NULL, &scale, &histogram);
}

/* 1 is at its end; 1.5 and 2 are above it; 7 is above all; NaN is nowhere. The sum is 11.5. */
static void a_histogram_counts_what_is_at_most_each_end(void **state)
{
    (void)state;
    char *text = written(false, write_histogram);
    assert_non_null(strstr(text, "weir_turn_seconds_bucket{le=\"1.0\"} 1\n"
                                 "weir_turn_seconds_bucket{le=\"2.0\"} 3\n"
                                 "weir_turn_seconds_bucket{le=\"+Inf\"} 4\n"
                                 "weir_turn_seconds_sum 11.5\nweir_turn_seconds_count 4\n"));
    free(text);
}

static void a_client_gets_what_it_prefers(void **state)
{
    static const struct {
        const char *accept;
        bool open;
    } cases[] = {{NULL, false},
                 {"", false},
                 {"*/*", false},
                 {"text/plain", false},
                 {"application/openmetrics-text", true},
                 {"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.9", false},
                 {"application/openmetrics-text; version=1.0.0; q=0.9, text/plain;q=0.5", true},
                 {"application/openmetrics-text;q=0", false},
                 {"application/openmetrics-text;q=", false},
                 {"application/openmetrics-text;q=9", false},
                 {",,,;;;q=q=,", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (expose_wants_open_metrics(cases[i].accept) != cases[i].open)
            fail_msg("'%s'", cases[i].accept ? cases[i].accept : "NULL");
}

/* Prometheus' rules for names, over the whole list. */
static void every_metric_is_named_by_the_rules(void **state)
{
    (void)state;
    for (int id = 0; id < EXPOSE_COUNT; id++) {
        const struct expose_metric *metric = &expose_metrics[id];
        size_t name = strlen(metric->name), unit = strlen(metric->unit);
        assert_true(strspn(metric->name, "abcdefghijklmnopqrstuvwxyz_") == name);
        assert_true(unit == 0 || strcmp(metric->name + name - unit, metric->unit) == 0);
        assert_null(strstr(metric->name, "_total"));
        assert_true(metric->help[0] && !strchr(metric->help, '\n') && !strchr(metric->help, '|'));
        assert_null(strstr(metric->labels, "pid"));
        assert_null(strstr(metric->labels, "path"));
        assert_null(strstr(metric->labels, "host"));
        for (int other = 0; other < id; other++)
            assert_string_not_equal(metric->name, expose_metrics[other].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_quoted_and_made_printable),
        cmocka_unit_test(a_counter_ends_in_total_in_both_formats),
        cmocka_unit_test(a_histogram_counts_what_is_at_most_each_end),
        cmocka_unit_test(a_client_gets_what_it_prefers),
        cmocka_unit_test(every_metric_is_named_by_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
