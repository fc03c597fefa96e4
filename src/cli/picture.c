#include "cli/picture.h"
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

static const char converter[] = "rsvg-convert";
static const char *const formats[] = {"svg", "png", "pdf"};

extern char **environ;

/* Whether a program can be found on the PATH. */
static bool picture_has_program(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        int size = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (size > 0 && (size_t)size < sizeof file && access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* What the ending of a path asks for: one of the formats, SVG if there is none; NULL with err. */
static const char *picture_choose(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    if (!dot || dot == base)
        return formats[0];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot + 1, formats[i]) == 0)
            return formats[i];
    err_set(err, "cannot draw '%s': expected a name that ends with .svg, .png or .pdf", path);
    return NULL;
}

int picture_open(struct picture *picture, const char *path, struct err *err)
{
    const char *format = picture_choose(path, err);
    *picture = (struct picture){0};
    if (!format)
        return -1;
    if (format != formats[0])
        picture->format = format;
    if (picture->format && !picture_has_program(converter))
        return err_set(err,
                       "cannot draw '%s': %s is not installed (Debian package librsvg2-bin); "
                       "draw a .svg instead",
                       path, converter);
    if (output_open(&picture->output, path, err) < 0)
        return -1;
    picture->file = picture->format ? tmpfile() : picture->output.file;
    if (picture->file)
        return 0;
    err_set(err, "cannot create a temporary file: %s", strerror(errno));
    picture_discard(picture);
    return -1;
}

/* Runs the converter from one file to the other. Pictures are twice as large as on a screen, so
 * that they print well; a very tall one is scaled to what the converter can hold. */
static int picture_convert(const struct picture *picture, struct err *err)
{
    const char *argv[] = {converter, "-f", picture->format, "-a", "-w",
                          "2400",    "-h", "32000",         NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    if (fflush(picture->file) != 0 || lseek(fileno(picture->file), 0, SEEK_SET) != 0)
        return err_set(err, "cannot write a temporary file: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture->file), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture->output.file), STDOUT_FILENO);
    int fault = posix_spawnp(&child, converter, &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault)
        return err_set(err, "cannot run %s: %s", converter, strerror(fault));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, "%s could not convert the picture to %s", converter, picture->format);
    return 0;
}

int picture_commit(struct picture *picture, struct err *err)
{
    int status = picture->format ? picture_convert(picture, err) : 0;
    if (status == 0)
        status = output_commit(&picture->output, err);
    picture_discard(picture);
    return status;
}

void picture_discard(struct picture *picture)
{
    if (picture->format && picture->file)
        fclose(picture->file);
    output_discard(&picture->output);
    *picture = (struct picture){0};
}
