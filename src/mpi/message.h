/* The messages between rank 0 and the others. */
#ifndef WEIR_MPI_MESSAGE_H
#define WEIR_MPI_MESSAGE_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_tag {
    MESSAGE_READY,  /* to 0: wants runs */
    MESSAGE_RESULT, /* to 0: the number of the run, a uint32_t, and a parcel (experiment/parcel.h)
                     */
    MESSAGE_RUNS,   /* from 0: their numbers, uint32_t each; none = there are no more */
};

/* One that came. */
struct message {
    enum message_tag tag;
    char *data; /* free() frees */
    size_t size;
};

/* Whether a rank has sent something: 1 and the message, 0, or -1 when that rank is gone, or memory
 * is out. Does not wait. */
int message_poll(int rank, struct message *message);

/* Waits for a message without keeping a processor busy. As message_poll, but never 0. */
int message_wait(int rank, struct message *message);

/* 0, or -1 when the rank is gone. */
int message_send(int rank, enum message_tag tag, const void *data, size_t size);

/* Lets time pass: a little at first, and up to a millisecond while nothing happens. */
void message_rest(int *idle);

#endif
