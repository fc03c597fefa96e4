/* A plain program that alternates between work and I/O, with calls of any size.

   caller FILE ITERATIONS WORK VOLUME CALL START
     at START, seconds of CLOCK_REALTIME: ITERATIONS times WORK seconds of work, then VOLUME bytes in
     writes of CALL bytes each, the last one shorter. Prints the seconds from START to the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_until(double when)
{
    struct timespec date = {.tv_sec = (time_t)when};
    date.tv_nsec = (long)(1e9 * (when - (double)date.tv_sec));
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &date, NULL) == EINTR)
        ;
}

/* Always in the first bytes of the file: its size does not matter. */
static void write_all(int fd, const char *data, size_t volume, size_t call)
{
    for (size_t done = 0; done < volume;) {
        size_t size = volume - done < call ? volume - done : call;
        ssize_t moved = pwrite(fd, data, size, 0);
        if (moved <= 0) {
            perror("caller: write");
            exit(1);
        }
        done += (size_t)moved;
    }
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: caller FILE ITERATIONS WORK VOLUME CALL START\n");
        return 2;
    }
    int iterations = atoi(argv[2]), fd = open(argv[1], O_CREAT | O_WRONLY | O_TRUNC, 0600);
    double work = atof(argv[3]), start = atof(argv[6]), end = start;
    size_t volume = strtoull(argv[4], NULL, 10), call = strtoull(argv[5], NULL, 10);
    char *data = malloc(call);
    if (fd < 0 || !data) {
        perror(argv[1]);
        return 1;
    }
    memset(data, 1, call);
    for (int i = 0; i < iterations; i++) {
        sleep_until(end + work);
        write_all(fd, data, volume, call);
        end = seconds();
    }
    printf("%.6f\n", end - start);
    free(data);
    return 0;
}
