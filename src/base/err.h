/* Errors for users: one line of text, stated once where the fault is seen.
 *
 * Every function that can fail for a reason the user must know takes a `struct err *` as its last
 * parameter and returns -1 or NULL after filling it in. Callers on the way up only prepend where
 * ("file:line"), and main prints the line once. Texts are lower case, quote the offending input and
 * say what was expected. What they quote may be anything: control characters and invalid UTF-8
 * become '?'. `err` may be NULL: then the text is dropped. */
#ifndef WEIR_BASE_ERR_H
#define WEIR_BASE_ERR_H

/* What kind of fault it is, which is told apart by no text. */
enum err_kind {
    ERR_INPUT,  /* whatever is wrong with what was given, or with the machine */
    ERR_OPTION, /* an option of a command, with which the text begins */
    ERR_MEMORY, /* memory is out: the input may be right */
    ERR_RUN     /* the input is right, but what was asked of it failed */
};

struct err {
    char text[512];
    enum err_kind kind;
};

/* Replaces the text; returns -1, so that `return err_set(err, ...)` reads well. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same about an option: "--jobs: expected ...". */
int err_option(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "where: " in front of the text; returns -1. */
int err_prepend(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "--name: " in front of what is wrong with the value of an option; returns -1. */
int err_prepend_option(struct err *err, const char *name);

/* Says of what is already set that the run failed, and not the input; returns -1. */
int err_run(struct err *err);

/* "out of memory"; returns -1. */
int err_memory(struct err *err);

#endif
