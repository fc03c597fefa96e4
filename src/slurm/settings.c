#include "slurm/settings.h"
#include "base/units.h"
#include "client/identity.h"
#include <limits.h>
#include <string.h>

#define SETTINGS_SOCKET "/run/weir.sock"

static int settings_switch(struct settings *settings, const char *value)
{
    bool supervise = strcmp(value, "supervise") == 0, on = supervise || strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0)
        return -1;
    settings->on = on;
    settings->supervise = supervise;
    return 0;
}

static int settings_read_path(const char **path, size_t most, const char *value)
{
    if (*value != '/' || strlen(value) >= most)
        return -1;
    *path = value;
    return 0;
}

/* What follows "name=", or NULL. */
static const char *settings_value(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static int settings_read_one(struct settings *settings, const char *argument, struct err *err)
{
    const char *value;
    int fault = -1;
    if ((value = settings_value(argument, "socket")))
        fault = settings_read_path(&settings->socket, IDENTITY_PATH, value);
    else if ((value = settings_value(argument, "preload")))
        fault = settings_read_path(&settings->preload, PATH_MAX, value);
    else if ((value = settings_value(argument, "default")))
        fault = settings_switch(settings, value);
    if (fault == 0)
        return 0;
#define SETTINGS_LIST(name, value, text) " " name "=" value
    return err_set(
        err, "invalid argument '%s' in plugstack.conf; expected" SETTINGS_ARGUMENTS(SETTINGS_LIST),
        argument);
#undef SETTINGS_LIST
}

int settings_read(struct settings *settings, int count, const char *const *arguments,
                  struct err *err)
{
    *settings = (struct settings){.socket = SETTINGS_SOCKET, .on = true};
    for (int i = 0; i < count; i++)
        if (settings_read_one(settings, arguments[i], err) != 0) {
            settings->on = false;
            return -1;
        }
    return 0;
}

int settings_choose(struct settings *settings, enum settings_option option, const char *value,
                    struct err *err)
{
    double volume;
    if (option == SETTINGS_WEIR)
        return settings_switch(settings, value) == 0
                   ? 0
                   : err_set(err, "--weir: '%s' is none of 'on', 'off' and 'supervise'", value);
    if (units_parse(value, UNIT_BYTES, &volume, err) != 0)
        return err_prepend(err, "--weir-volume");
    if (!(volume > 0))
        return err_set(err, "--weir-volume: '%s' is not above 0", value);
    settings->volume = volume;
    return 0;
}
