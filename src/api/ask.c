/* Questions about scenarios, as the program's commands ask them. */
#include "answer/question.h"
#include "api/handle.h"
#include "base/arena.h"
#include "base/mem.h"
#include "base/stage.h"
#include "base/suggest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_MOST_QUESTIONS = 32 };

struct weir_answer {
    const struct question *question;
    void *content;
    struct arena arena; /* of what was asked, from which the content may borrow */
};

static const struct question *api_ask_find(const char *name, struct err *err)
{
    const char *names[ASK_MOST_QUESTIONS + 1] = {NULL};
    for (size_t i = 0; questions[i]; i++) {
        names[i] = questions[i]->syntax.name;
        if (strcmp(names[i], name) == 0)
            return questions[i];
    }
    err_set(err, "unknown question '%s'%s", name, suggest(name, names, NULL).text);
    return NULL;
}

static size_t api_ask_count(const void *list)
{
    size_t count = 0;
    for (const void *const *at = list; at && *at; at++)
        count++;
    return count;
}

/* The scenarios by name, then the words; NULL when memory is out. */
static const char **api_ask_words(const struct weir_question *asked, struct asking *asking,
                                  struct arena *arena)
{
    size_t scenarios = api_ask_count(asked->scenarios), words = api_ask_count(asked->words);
    const char **list = arena_alloc(arena, scenarios + words + 1, sizeof *list);
    const struct scenario **inner = arena_alloc(arena, scenarios + 1, sizeof *inner);
    if (!list || !inner)
        return NULL;
    for (size_t i = 0; i < scenarios; i++) {
        inner[i] = &asked->scenarios[i]->inner;
        list[i] = inner[i]->name;
    }
    for (size_t i = 0; i < words; i++)
        list[scenarios + i] = asked->words[i];
    asking->scenarios = inner;
    asking->scenario_count = scenarios;
    return list;
}

/* What is asked, as the command line would have it; NULL with err. */
static struct asking *api_ask_read(struct weir_answer *answer, const struct weir_question *asked,
                                   struct err *err)
{
    const struct question *question = answer->question;
    struct asking *asking = arena_alloc(&answer->arena, 1, question->size);
    const char **words = asking ? api_ask_words(asked, asking, &answer->arena) : NULL;
    if (!words) {
        err_memory(err);
        return NULL;
    }
    int parsed = options_parse(&question->syntax, words, asking, &answer->arena, err);
    if (parsed == 0 && question->each && asking->operands.count > 1) {
        err_set(err, "unexpected argument '%s'", asking->operands.list[1]);
        return NULL;
    }
    if (parsed == 0 && !asking->json && !asking->csv && !asking->plot)
        return asking;
    if (parsed >= 0)
        err_option(err, "--%s: an answer of the library is data",
                   parsed > 0     ? "help"
                   : asking->json ? "json"
                   : asking->csv  ? "csv"
                                  : "plot");
    return NULL;
}

static int api_ask_answer(struct weir_answer *answer, const struct weir_question *asked,
                          struct err *err)
{
    const struct stage_host host = {.stop = asked->stop, .context = asked->context};
    struct asking *asking = api_ask_read(answer, asked, err);
    if (!asking)
        return err_prepend(err, "%s", answer->question->syntax.name);
    const struct question *other =
        answer->question->instead ? answer->question->instead(asking) : NULL;
    answer->question = other ? other : answer->question;
    answer->content = mem_alloc(1, answer->question->answer_size);
    if (!answer->content)
        return err_memory(err);
    const struct stage_host *before = stage_enter(&host);
    int status = answer->question->answer(asking, answer->content, err);
    stage_enter(before);
    return status;
}

struct weir_answer *weir_ask(const struct weir_question *asked, struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    const struct question *question = api_ask_find(asked->name, &err);
    struct weir_answer *answer = question ? mem_alloc(1, sizeof *answer) : NULL;
    if (question && !answer)
        err_memory(&err);
    if (answer)
        *answer = (struct weir_answer){.question = question};
    if (answer && api_ask_answer(answer, asked, &err) == 0)
        return answer;
    weir_answer_free(answer);
    api_tell(error, &err);
    return NULL;
}

void weir_answer_free(struct weir_answer *answer)
{
    if (!answer)
        return;
    if (answer->content)
        answer->question->fini(answer->content);
    free(answer->content);
    arena_fini(&answer->arena);
    free(answer);
}

static struct field_found api_ask_member(const struct weir_answer *answer, const char *path)
{
    return fields_find(answer->question->fields, answer->content, path);
}

double weir_answer_number(const struct weir_answer *answer, const char *path)
{
    struct field_found found = api_ask_member(answer, path);
    return found.field ? field_as_number(found.field, found.at) : NAN;
}

const char *weir_answer_text(const struct weir_answer *answer, const char *path)
{
    struct field_found found = api_ask_member(answer, path);
    return found.field ? field_as_text(found.field, found.at) : NULL;
}

size_t weir_answer_count(const struct weir_answer *answer, const char *path)
{
    struct field_found found = api_ask_member(answer, path);
    return found.field ? field_count(found.field, found.at) : 0;
}

static void api_ask_write(FILE *out, const void *answer)
{
    const struct weir_answer *one = answer;
    fields_json(one->question->fields, one->content, NULL, &(struct json){.out = out});
}

char *weir_answer_json(const struct weir_answer *answer, struct weir_error *error)
{
    return api_print(api_ask_write, answer, error);
}
