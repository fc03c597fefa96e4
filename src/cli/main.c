#include "base/mem.h"
#include "base/output.h"
#include "cli/cli.h"
#include <signal.h>
#include <string.h>

static int main_report_error(int status, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "weir: %s\n", err->text);
    return status;
}

static int main_run(const struct command *command, char **argv, struct arena *arena,
                    struct err *err)
{
    void *values = arena_alloc(arena, 1, command->size);
    if (!values) {
        err_memory(err);
        return STATUS_FAILED;
    }
    int parsed = options_parse(command, argv, values, arena, err);
    if (parsed < 0) {
        err_prepend(err, "%s", command->name);
        return STATUS_MISUSE;
    }
    if (parsed > 0) {
        help_command(command, stdout);
        return STATUS_DONE;
    }
    int status = command->run(values, err);
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
    mem_return_large();
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
