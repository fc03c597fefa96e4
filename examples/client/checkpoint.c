/* An application that says itself when it writes: three checkpoints of 16 MiB, with work between
 * them. Under a controller (`weir serve`) they are written when and as fast as it says; without
 * one, at once.
 *
 *     cc checkpoint.c $(pkg-config --cflags --libs weir-client) -o checkpoint && ./checkpoint FILE
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <weir/client.h>

enum { CHECKPOINTS = 3, SIZE = 16 << 20 };

static char data[SIZE];

static void compute(int step)
{
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (char)(i * 31 + (size_t)step);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
}

/* Writes all of it, piece by piece; 0 or -1. */
static int save(struct weir_client *client, int fd)
{
    weir_io_begin(client, SIZE);
    size_t done = 0;
    while (done < SIZE) {
        size_t piece = weir_io_pace(client, SIZE - done);
        ssize_t written = pwrite(fd, data + done, piece, (off_t)done);
        if (written < 0)
            break;
        done += (size_t)written;
    }
    weir_io_end(client);
    return done == SIZE ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: checkpoint FILE\n");
        return 2;
    }
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666), failed = fd < 0;
    struct weir_client *client = weir_client_join(&(struct weir_join){.name = "checkpoint"});
    for (int step = 0; step < CHECKPOINTS && !failed; step++) {
        compute(step);
        failed = save(client, fd) != 0;
        printf("checkpoint %d, %s\n", step + 1,
               weir_client_controlled(client) ? "scheduled by weir" : "no controller");
    }
    weir_client_leave(client);
    if (failed || close(fd) != 0) {
        perror("checkpoint");
        return 1;
    }
    return 0;
}
