#include "format/lines.h"
#include "base/stream.h"
#include "base/text.h"
#include "format/word.h"
#include <string.h>

static size_t field_length(const struct lines *lines, const char *start)
{
    const char *at = start;
    while (at < lines->end && !lines_is_blank(*at))
        at++;
    return (size_t)(at - start);
}

static struct quote quote_field(const struct lines *lines, const char *start)
{
    return quote_text(start, field_length(lines, start));
}

/* Moves to the next line that has something besides blanks and a comment; false at the end. */
static bool lines_next(struct lines *lines, struct stream *stream)
{
    while (stream_next(stream, lines->err) > 0) { /* a text in memory cannot fail */
        const char *comment = memchr(stream->line, '#', stream->length);
        lines->at = stream->line;
        lines->end = comment ? comment : stream->line + stream->length;
        lines->number = stream->number;
        lines_skip_blanks(lines);
        if (lines->at < lines->end)
            return true;
    }
    return false;
}

int lines_refuse_number(struct lines *lines, const char *what, double least, const char *start)
{
    double value;
    const char *at = start;
    if (start == lines->end)
        return lines_fail(lines, "%s is missing", what);
    if (text_number(&at, lines->end, &value) != 0 || (at < lines->end && !lines_is_blank(*at)))
        return lines_fail(lines, "%s '%s' is not a finite number", what,
                          quote_field(lines, start).text);
    return lines_fail(lines, "%s '%s' is below %g", what, quote_field(lines, start).text, least);
}

int lines_word(struct lines *lines, const char *what, const char **word, size_t *length)
{
    size_t size = field_length(lines, lines->at);
    if (size == 0)
        return lines_fail(lines, "%s is missing", what);
    const char *fault = word_fault(lines->at, size);
    if (fault)
        return lines_fail(lines, "%s %s", what, fault);
    *word = lines->at;
    *length = size;
    lines->at += size;
    lines_skip_blanks(lines);
    return 0;
}

int lines_finish(struct lines *lines)
{
    if (lines->at < lines->end)
        return lines_fail(lines, "unexpected '%s' at the end of the line",
                          quote_field(lines, lines->at).text);
    return 0;
}

struct scenario *lines_parse(const struct source *source,
                             int (*read)(struct lines *lines, struct app_spec *app),
                             int (*complete)(struct draft *draft, struct err *err), struct err *err)
{
    struct draft draft;
    struct scenario *scenario = NULL;
    struct lines lines = {.draft = &draft, .err = err};
    struct stream stream = stream_of_text(source->text, source->length, source->where);
    if (draft_init(&draft, source->where, err) != 0)
        goto out;
    draft_override(&draft, source->defaults);
    if (draft.scenario->platform.bandwidth <= 0) {
        err_set(err, "%s: missing --bandwidth RATE: the file does not contain it", source->where);
        goto out;
    }
    while (lines_next(&lines, &stream)) {
        struct app_spec app = app_spec_defaults;
        if (read(&lines, &app) != 0 || draft_add(&draft, &app, lines.number, err) != 0)
            goto out;
    }
    if (!complete || complete(&draft, err) == 0)
        scenario = draft_finish(&draft, err);
out:
    draft_fini(&draft);
    return scenario;
}
