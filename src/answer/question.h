/* Questions: what can be asked, and what an answer is.
 *
 * A question x is a structure that options fill in, and begins with struct asking; x_answer(const
 * struct x_question *, struct x_answer *, struct err *) computes the answer, 0 or -1, and
 * x_answer_fini frees it in both cases. `x_asking` is the table of both: the program, the library
 * and Python know nothing else. An error of the kind ERR_RUN is one of the computation; others are
 * the question's. */
#ifndef WEIR_ANSWER_QUESTION_H
#define WEIR_ANSWER_QUESTION_H

#include "answer/field.h"
#include "base/err.h"
#include "base/option.h"
#include "model/scenario.h"

/* What every question has. */
struct asking {
    struct words operands;
    /* Scenarios in memory, which stand for the first operands; NULL = those are files. */
    const struct scenario *const *scenarios;
    size_t scenario_count;
    /* How the answer is shown: nothing to the library. */
    bool json, csv;
    const char *plot;
};

struct question {
    struct syntax syntax;
    size_t size; /* of the question */
    const struct answer_field *fields;
    size_t answer_size;
    int (*answer)(const void *question, void *answer, struct err *err);
    void (*fini)(void *answer);
    bool each; /* it is about one operand; the program asks for each, and has a list of answers */
    /* Another question with the same options that is meant by this one; NULL = none ever. */
    const struct question *(*instead)(const void *question);
};

/* Every question, in the order of docs/reference/json.md; ends with NULL. */
extern const struct question *const questions[];

/* The functions of a question as the table has them. */
#define QUESTION_FUNCTIONS(name)                                                                   \
    static int name##_ask(const void *question, void *answer, struct err *err)                     \
    {                                                                                              \
        return name##_answer(question, answer, err);                                               \
    }                                                                                              \
    static void name##_forget(void *answer)                                                        \
    {                                                                                              \
        name##_answer_fini(answer);                                                                \
    }
#define QUESTION_OF(name, table)                                                                   \
    .size = sizeof(struct name##_question), .fields = table,                                       \
    .answer_size = sizeof(struct name##_answer), .answer = name##_ask, .fini = name##_forget

/* Options that show an answer. */
#define QUESTION_JSON_OPTION(type, text)                                                           \
    {                                                                                              \
        "json", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(type, asking.json), text                 \
    }

#define QUESTION_PLOT_OPTION(type, text)                                                           \
    {                                                                                              \
        "plot", 0, OPTION_TEXT, UNIT_NONE, "FILE.svg", offsetof(type, asking.plot),                \
            text ", as .svg, .png or .pdf; needs gnuplot"                                          \
    }

/* The scenario at an operand, in memory; NULL = its file is to be read. */
const struct scenario *asking_scenario(const struct asking *asking, size_t operand);

/* Members of every answer about a scenario: a struct provenance. */
extern const struct answer_field provenance_fields[];
#define PROVENANCE_FIELDS(type)                                                                    \
    {                                                                                              \
        .key = "", .kind = FIELD_INLINE, .offset = offsetof(type, made), .help = "",               \
        .members = provenance_fields                                                               \
    }

#endif
