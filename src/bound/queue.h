/* A file system that is fed by a demand, as a queue: the most that any schedule can have moved by a
 * time, and what it cannot have moved, the backlog. */
#ifndef WEIR_BOUND_QUEUE_H
#define WEIR_BOUND_QUEUE_H

#include "bound/demand.h"
#include "bound/most.h"

struct queue {
    const struct most *most;
    struct health_clock clock; /* of a store that varies */
    double bandwidth;          /* at present */
    double time, backlog;
};

/* At time 0, and empty. */
static inline struct queue queue_start(const struct most *most)
{
    struct queue queue = {.most = most, .bandwidth = most_bandwidth(most, 1)};
    if (most->health)
        queue.clock = health_start(most->health);
    return queue;
}

/* When its bandwidth changes next, INFINITY if never. */
static inline double queue_change(const struct queue *queue)
{
    return queue->most->health ? health_time(&queue->clock) : INFINITY;
}

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

/* Moves on to a time until which neither the rate nor the bandwidth changes. */
static inline void queue_advance(struct queue *queue, double rate, double time)
{
    double change = (rate - queue->bandwidth) * (time - queue->time);
    /* Not by the sign of the sum: rounding would leave a crumb at the time that is said above. */
    bool drained = time >= queue_drained(queue, rate);
    bool idle = queue->backlog <= 0 && rate <= queue->bandwidth;
    queue->backlog = drained || idle ? 0 : queue->backlog + change;
    queue->time = time;
    while (queue_change(queue) <= time) {
        health_step(&queue->clock);
        queue->bandwidth = most_bandwidth(queue->most, queue->clock.factor);
    }
}

/* The same to a time until which the rate does not change, but the bandwidth may. */
static inline void queue_pass(struct queue *queue, double rate, double time)
{
    while (queue_change(queue) < time)
        queue_advance(queue, rate, queue_change(queue));
    queue_advance(queue, rate, time);
}

/* When it is empty if no more demand comes; INFINITY if it never is. */
static inline double queue_end(struct queue *queue)
{
    while (queue->backlog > 0 && queue_change(queue) < queue_drained(queue, 0))
        queue_advance(queue, 0, queue_change(queue));
    return queue->backlog > 0 ? queue_drained(queue, 0) : queue->time;
}

#endif
