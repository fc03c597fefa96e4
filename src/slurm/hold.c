#include "slurm/hold.h"
#include "client/link.h"
#include "client/request.h"
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { HOLD_RETRY_MS = 500, HOLD_STACK = 128 * 1024 };

/* The controller says nothing more on the connection, so it wakes nobody while all is well. */
static void *hold_watch(void *context)
{
    struct hold *hold = context;
    struct wire_message answer;
    for (;;) {
        struct pollfd ends[] = {{.fd = hold->stop, .events = POLLIN},
                                {.fd = hold->fd, .events = POLLRDHUP}};
        int ready = poll(ends, 2, hold->fd < 0 ? HOLD_RETRY_MS : -1);
        if (ends[0].revents)
            return NULL;
        if (ready > 0 && ends[1].revents) {
            link_close(hold->fd);
            hold->fd = -1;
        } else if (ready == 0) {
            request_attach(&hold->identity, HOLD_PATIENCE, &answer, &hold->fd);
        }
    }
}

/* Signals are for the other threads. Without a thread the connection holds as long as this
 * controller does. */
static void hold_start(struct hold *hold)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    hold->stop = eventfd(0, EFD_CLOEXEC);
    if (hold->stop < 0 || pthread_attr_init(&attributes) != 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_attr_setstacksize(&attributes, HOLD_STACK) != 0 ||
        pthread_create(&hold->thread, &attributes, hold_watch, hold) != 0) {
        link_close(hold->stop);
        hold->stop = -1;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

const char *hold_open(struct hold *hold, const struct identity *identity)
{
    *hold = (struct hold){.identity = *identity, .fd = -1, .stop = -1};
    const char *fault = request_attach(identity, HOLD_PATIENCE, &hold->answer, &hold->fd);
    if (!fault && hold->fd < 0)
        fault = hold->answer.refused.reason;
    if (!fault)
        hold_start(hold);
    return fault;
}

void hold_close(struct hold *hold)
{
    if (hold->stop >= 0 && eventfd_write(hold->stop, 1) == 0)
        pthread_join(hold->thread, NULL);
    link_close(hold->stop);
    link_close(hold->fd);
    hold->fd = hold->stop = -1;
}
