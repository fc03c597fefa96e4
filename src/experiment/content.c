#include "experiment/content.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

uint64_t content_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

uint64_t content_text(uint64_t hash, const char *text)
{
    for (const char *c = text; c && *c; c++)
        hash = content_mix(hash, (unsigned char)*c);
    return content_mix(hash, text ? 256 : 257);
}

int content_file(const char *path, uint64_t *hash, struct err *err)
{
    FILE *file = fopen(path, "rb");
    uint64_t length = 0;
    if (!file)
        return err_set(err, "cannot read '%s': %s", path, strerror(errno));
    for (int byte; (byte = getc_unlocked(file)) != EOF; length++)
        *hash = content_mix(*hash, (uint64_t)byte);
    *hash = content_mix(*hash, length);
    int status = ferror(file) ? err_set(err, "cannot read '%s'", path) : 0;
    fclose(file);
    return status;
}
