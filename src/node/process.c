#include "node/process.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char process_state(int32_t pid)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return '\0';
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = '\0';
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
