#include "base/mem.h"
#include "base/output.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "policy/policy.h"
#include "terminal/interruption.h"
#include "terminal/progress.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int main_report_error(int status, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "weir: %s\n", err->text);
    interruption_end();
    return status;
}

static int main_run(const struct command *command, char **argv, struct arena *arena,
                    struct err *err)
{
    const struct syntax syntax = command_syntax(command);
    void *values =
        arena_alloc(arena, 1, command->question ? command->question->size : command->size);
    if (!values) {
        err_memory(err);
        return STATUS_FAILED;
    }
    int parsed = options_parse(&syntax, (const char *const *)argv, values, arena, err);
    if (parsed < 0) {
        err_prepend(err, "%s", command->name);
        return STATUS_MISUSE;
    }
    if (parsed > 0) {
        help_command(command, stdout);
        return STATUS_DONE;
    }
    int status = command->question ? ask_run(command, values, err) : command->run(values, err);
    if (status == STATUS_MISUSE && err->kind == ERR_MEMORY)
        return STATUS_FAILED;
    /* What a command finds wrong with an option reads as what the table finds. */
    if (status == STATUS_MISUSE && err->kind == ERR_OPTION)
        err_prepend(err, "%s", command->name);
    return status;
}

/* `weir --help` and `weir --version` stand in the place of a command. */
static bool main_answer(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        help_overview(stdout);
    else if (strcmp(word, "--version") == 0)
        printf("weir %s\n", WEIR_VERSION);
    else
        return false;
    return true;
}

/* Leaves no unfinished file behind, and ends as if the signal had not been caught. */
static void main_end(int signal)
{
    output_abandon();
    raise(signal);
}

static void main_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = main_end, .sa_flags = (int)SA_RESETHAND}, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

/* --- crashes ---------------------------------------------------------------------------------- */

static void main_write(const char *text)
{
    /* Nothing can be done if that fails. */
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

/* A plug-in that crashes is no fault of the program: one line says which, and the run has failed.
 * Without one the signal comes again, and ends the process as if it had not been caught. */
static void main_crash(int number)
{
    if (!policy_running) {
        raise(number);
        return;
    }
    main_write("weir: ");
    main_write(policy_running);
    main_write(": the plug-in crashed (");
    main_write(sigdescr_np(number));
    main_write(")\n");
    output_abandon();
    _exit(STATUS_FAILED);
}

static void main_catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char room[1 << 16]; /* a stack that has overflowed is of no use */
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    const struct sigaction action = {.sa_handler = main_crash,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct arena arena = {0};
    int status = STATUS_DONE;
    if (argc < 2) {
        help_overview(stderr);
        return STATUS_MISUSE;
    }
    main_catch_signals();
    main_catch_crashes();
    mem_return_large();
    progress_enter("weir");
    if (!main_answer(argv[1])) {
        const struct command *command = command_find(argv[1], &err);
        status = command ? main_run(command, argv + 2, &arena, &err) : STATUS_MISUSE;
    }
    arena_fini(&arena);
    if (status != STATUS_DONE)
        return main_report_error(status, &err);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        err_set(&err, "cannot write to standard output");
        return main_report_error(STATUS_FAILED, &err);
    }
    return status;
}
