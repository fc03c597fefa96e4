#include "expose/writer.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- parts ------------------------------------------------------------------------------------ */

static void expose_number(FILE *out, double value)
{
    char text[TEXT_NUMBER_SIZE];
    if (isnan(value))
        fputs("NaN", out);
    else if (isinf(value))
        fputs(value > 0 ? "+Inf" : "-Inf", out);
    else
        fputs(text_print_number(value, text), out);
}

static void expose_quote(FILE *out, const char *text)
{
    enum { MOST = 256 };
    char clean[MOST + 1];
    size_t length = text_cut(text, strlen(text), MOST);
    memcpy(clean, text, length);
    text_clean(clean, length);
    fputc('"', out);
    for (const char *at = clean; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
    fputc('"', out);
}

/* The labels of the metric with these texts, and one more if `extra` is not NULL. */
static void expose_labels(FILE *out, const struct expose_metric *metric, const char *const *labels,
                          const char *extra)
{
    const char *name = metric->labels;
    char between = '{';
    for (size_t i = 0; *name; i++) {
        size_t length = strcspn(name, ",");
        fprintf(out, "%c%.*s=", between, (int)length, name);
        expose_quote(out, labels[i]);
        between = ',';
        name += length + (name[length] == ',');
    }
    if (extra)
        fprintf(out, "%cle=\"%s\"", between, extra);
    if (extra || between == ',')
        fputc('}', out);
}

/* --- samples ---------------------------------------------------------------------------------- */

void expose_begin(struct expose *expose, enum expose_id id)
{
    const struct expose_metric *metric = expose->metric = &expose_metrics[id];
    bool total = metric->type == EXPOSE_COUNTER && !expose->open_metrics;
    const char *suffix = total ? "_total" : "";
    fprintf(expose->out, "# HELP %s%s %s\n# TYPE %s%s %s\n", metric->name, suffix, metric->help,
            metric->name, suffix, expose_types[metric->type]);
    if (expose->open_metrics && *metric->unit)
        fprintf(expose->out, "# UNIT %s %s\n", metric->name, metric->unit);
}

void expose_value(struct expose *expose, const char *const *labels, double value)
{
    const struct expose_metric *metric = expose->metric;
    fputs(metric->name, expose->out);
    if (metric->type == EXPOSE_COUNTER)
        fputs("_total", expose->out);
    expose_labels(expose->out, metric, labels, NULL);
    fputc(' ', expose->out);
    expose_number(expose->out, value);
    fputc('\n', expose->out);
}

static void expose_part(struct expose *expose, const char *part, const char *const *labels,
                        const char *end, double value)
{
    fprintf(expose->out, "%s%s", expose->metric->name, part);
    expose_labels(expose->out, expose->metric, labels, end);
    fputc(' ', expose->out);
    expose_number(expose->out, value);
    fputc('\n', expose->out);
}

void expose_histogram(struct expose *expose, const char *const *labels,
                      const struct histogram_scale *scale, const struct histogram *histogram)
{
    uint64_t below = 0;
    char end[TEXT_NUMBER_SIZE];
    for (uint32_t range = 0; range < scale->count; range++) {
        below += histogram->ranges[range];
        text_print_number(scale->ends[range], end);
        /* OpenMetrics wants numbers that look like those of a floating-point format. */
        if (!strpbrk(end, ".e"))
            text_append(end, sizeof end, ".0");
        expose_part(expose, "_bucket", labels, end, (double)below);
    }
    expose_part(expose, "_bucket", labels, "+Inf", (double)histogram->count);
    expose_part(expose, "_sum", labels, NULL, histogram->sum);
    expose_part(expose, "_count", labels, NULL, (double)histogram->count);
}

void expose_one(struct expose *expose, enum expose_id id, double value)
{
    expose_begin(expose, id);
    expose_value(expose, NULL, value);
}

void expose_end(struct expose *expose)
{
    if (expose->open_metrics)
        fputs("# EOF\n", expose->out);
}

/* --- negotiation ------------------------------------------------------------------------------ */

const char *expose_type(bool open_metrics)
{
    return open_metrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                        : "text/plain; version=0.0.4; charset=utf-8";
}

/* One entry of the list: its type, and its weight, which is 1 unless it says another. */
static double expose_weight(const char *entry, size_t length)
{
    const char *end = entry + length;
    double weight = 1;
    for (const char *at = memchr(entry, ';', length); at && at < end;
         at = memchr(at, ';', (size_t)(end - at))) {
        at++;
        while (at < end && *at == ' ')
            at++;
        if (end - at >= 2 && at[0] == 'q' && at[1] == '=') {
            at += 2;
            if (text_number(&at, end, &weight) != 0)
                return 0;
        }
    }
    return weight >= 0 && weight <= 1 ? weight : 0;
}

bool expose_wants_open_metrics(const char *accept)
{
    static const char open_type[] = "application/openmetrics-text", plain_type[] = "text/plain";
    double open = 0, plain = 0;
    for (const char *at = accept ? accept : ""; *at;) {
        at += strspn(at, ", ");
        size_t length = strcspn(at, ",");
        double weight = expose_weight(at, length);
        if (strncmp(at, open_type, sizeof open_type - 1) == 0)
            open = fmax(open, weight);
        if (strncmp(at, plain_type, sizeof plain_type - 1) == 0)
            plain = fmax(plain, weight);
        at += length;
    }
    return open > 0 && open >= plain;
}
