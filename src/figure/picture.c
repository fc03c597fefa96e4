#include "figure/picture.h"
#include "base/filter.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char converter[] = "rsvg-convert";
static const char *const formats[] = {"svg", "png", "pdf"};

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
    if (picture->format && !filter_installed(converter))
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

/* Pictures are twice as large as on a screen, so that they print well; a very tall one is scaled to
 * what the converter can hold. */
static int picture_convert(const struct picture *picture, struct err *err)
{
    bool printed = picture->print_width && strcmp(picture->format, "pdf") == 0;
    const char *width = printed ? picture->print_width : "2400";
    const char *const arguments[] = {converter, "-f", picture->format, "-a", "-w",
                                     width,     "-h", "32000",         NULL};
    return filter_run(arguments, picture->file, picture->output.file, err);
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
