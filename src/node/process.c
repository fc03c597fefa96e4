#include "node/process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The beginning of a file that describes it; empty if it cannot be read. */
static void process_read(int32_t pid, const char *name, char *text, size_t size)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
}

char process_state(int32_t pid)
{
    char text[512];
    process_read(pid, "stat", text, sizeof text);
    /* Its name, in brackets, may be anything; the state follows it. */
    const char *name = strrchr(text, ')');
    return name && strlen(name) > 2 ? name[2] : '\0';
}

double process_time(int32_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

int32_t process_filters(int32_t pid)
{
    static const char mode_key[] = "\nSeccomp:", count_key[] = "\nSeccomp_filters:";
    char text[4096];
    process_read(pid, "status", text, sizeof text);
    const char *mode = strstr(text, mode_key), *count = strstr(text, count_key);
    if (!mode)
        return -1;
    if (strtol(mode + sizeof mode_key - 1, NULL, 10) == 0)
        return 0;
    /* In strict mode there is none, but all the same next to nothing is allowed. */
    long filters = count ? strtol(count + sizeof count_key - 1, NULL, 10) : 0;
    return filters > 0 ? (int32_t)filters : 1;
}
