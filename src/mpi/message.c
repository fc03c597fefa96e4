#include "mpi/message.h"
#include "base/mem.h"
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

/* Seconds after which a message that has begun to come, and does not go on, is given up. */
#define STUCK 5.0

/* Receives a message that is there. A rank that dies while it sends a large one leaves it
 * unfinished for ever, so this does not wait for ever. 0 or -1; `*owned` is then false if MPI may
 * still write to the data, which must stay. */
static int message_receive(int rank, struct message *message, bool *owned)
{
    MPI_Request request;
    int done = 0, idle = 0;
    double since = MPI_Wtime();
    *owned = true;
    if (MPI_Irecv(message->data, (int)message->size, MPI_BYTE, rank, (int)message->tag,
                  MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return -1;
    *owned = false;
    while (!done && MPI_Wtime() - since < STUCK) {
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return -1;
        if (!done)
            message_rest(&idle);
    }
    *owned = done;
    return done ? 0 : -1;
}

int message_poll(int rank, struct message *message)
{
    MPI_Status status;
    int there = 0, size;
    if (MPI_Iprobe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
        return -1;
    if (!there)
        return 0;
    if (MPI_Get_count(&status, MPI_BYTE, &size) != MPI_SUCCESS)
        return -1;
    *message = (struct message){.tag = (enum message_tag)status.MPI_TAG, .size = (size_t)size};
    message->data = mem_alloc(message->size, 1);
    bool owned = true;
    if (message->data && message_receive(rank, message, &owned) == 0)
        return 1;
    if (owned)
        free(message->data);
    return -1;
}

void message_rest(int *idle)
{
    enum { SHORT_NS = 20000, LONG_NS = 1000000, MANY = 50 };
    struct timespec pause = {.tv_nsec = *idle < MANY ? SHORT_NS : LONG_NS};
    if (*idle < MANY)
        ++*idle;
    nanosleep(&pause, NULL);
}

int message_wait(int rank, struct message *message)
{
    int status, idle = 0;
    while ((status = message_poll(rank, message)) == 0)
        message_rest(&idle);
    return status;
}

int message_send(int rank, enum message_tag tag, const void *data, size_t size)
{
    if (size > INT_MAX)
        return -1;
    int code = MPI_Send(data, (int)size, MPI_BYTE, rank, (int)tag, MPI_COMM_WORLD);
    return code == MPI_SUCCESS ? 0 : -1;
}
