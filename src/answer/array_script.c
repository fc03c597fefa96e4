#include "answer/array_script.h"
#include "base/shell_word.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path as it is from anywhere; the file need not exist. 0 or -1. */
static int script_absolute(const char *path, char whole[2 * PATH_MAX], struct err *err)
{
    char here[PATH_MAX] = "";
    if (*path != '/' && !getcwd(here, sizeof here))
        return err_set(err, "cannot find the working directory: %s", strerror(errno));
    if (strlen(path) >= PATH_MAX)
        return err_set(err, "the path '%.40s...' is too long", path);
    snprintf(whole, 2 * PATH_MAX, "%s%s%s", here, *here ? "/" : "", path);
    return 0;
}

/* The name of a job stands in a line of comments, where nothing can be quoted. */
static void script_put_name(const char *name, FILE *out)
{
    for (; *name; name++)
        fputc(*name == ' ' || *name == '"' || *name == '\'' || *name == '\\' ? '-' : *name, out);
}

int array_script_write(const struct array_script *script, FILE *out, struct err *err)
{
    char file[2 * PATH_MAX], database[2 * PATH_MAX], program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length < 0 || length == sizeof program)
        return err_set(err, "cannot find this program: %s", strerror(errno));
    if (script_absolute(script->file, file, err) < 0 ||
        script_absolute(script->database, database, err) < 0)
        return -1;
    if (strchr(database, '\n') || strchr(file, '\n'))
        return err_option(err, "--slurm-array: a path with a line break cannot stand in a script");
    const char *slash = strrchr(database, '/'), *dot = strrchr(database, '.');
    size_t stem = dot && dot > slash + 1 ? (size_t)(dot - database) : strlen(database);
    fputs("#!/bin/sh\n#SBATCH --job-name=", out);
    script_put_name(script->name, out);
    fprintf(out, "\n#SBATCH --array=1-%llu\n", (unsigned long long)script->tasks);
    fputs("# Each task runs a part of the campaign into a database of its own. Submit the script\n"
          "# again to continue after a failure. Afterwards:\n#     weir merge ",
          out);
    shell_word_write(database, strlen(database), out);
    fputc(' ', out);
    shell_word_write(database, stem, out);
    fprintf(out, "-*%s\nexec ", database + stem);
    shell_word_write(program, (size_t)length, out);
    fputs(" campaign ", out);
    shell_word_write(file, strlen(file), out);
    fputs(" \\\n    --db ", out);
    shell_word_write(database, stem, out);
    fputs("-\"$SLURM_ARRAY_TASK_ID\"", out);
    shell_word_write(database + stem, strlen(database + stem), out);
    fprintf(out, " \\\n    --shard \"$SLURM_ARRAY_TASK_ID/%llu\" --jobs ",
            (unsigned long long)script->tasks);
    if (script->jobs > 0)
        fprintf(out, "%llu", (unsigned long long)script->jobs);
    else
        fputs("\"${SLURM_CPUS_PER_TASK:-1}\"", out);
    fputs(script->retry ? " --retry\n" : "\n", out);
    return 0;
}
