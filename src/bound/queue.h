/* A file system of bandwidth B that is fed by a demand, as a queue: the most that any schedule can
 * have moved by a time, and what it cannot have moved, the backlog. */
#ifndef WEIR_BOUND_QUEUE_H
#define WEIR_BOUND_QUEUE_H

#include "bound/demand.h"

struct queue {
    double bandwidth;
    double time, backlog;
};

/* The rate at which it lets bytes through, until the rate of the demand changes or it is empty. */
static inline double queue_service(const struct queue *queue, double rate)
{
    return queue->backlog > 0 || rate > queue->bandwidth ? queue->bandwidth : rate;
}

/* When it is empty, if the rate stays as it is. */
static inline double queue_drained(const struct queue *queue, double rate)
{
    return queue->backlog > 0 && rate < queue->bandwidth
               ? queue->time + queue->backlog / (queue->bandwidth - rate)
               : INFINITY;
}

/* Moves on to a time until which the rate does not change. */
static inline void queue_advance(struct queue *queue, double rate, double time)
{
    double change = (rate - queue->bandwidth) * (time - queue->time);
    /* Not by the sign of the sum: rounding would leave a crumb at the time that is said above. */
    bool drained = time >= queue_drained(queue, rate);
    bool idle = queue->backlog <= 0 && rate <= queue->bandwidth;
    queue->backlog = drained || idle ? 0 : queue->backlog + change;
    queue->time = time;
}

#endif
