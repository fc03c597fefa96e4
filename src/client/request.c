#include "client/request.h"
#include "client/link.h"
#include "client/wait.h"
#include <errno.h>
#include <stdbool.h>

static const char no_answer[] = "the controller does not answer";
static const char gone[] = "the controller has gone, or is of another version";

static const char *request_explain(int fault)
{
    switch (-fault) {
    case ENOENT:
    case ECONNREFUSED:
        return "neither a controller nor an agent listens there";
    case ENAMETOOLONG:
        return "the path is too long for a socket";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EAGAIN:
        return no_answer;
    case EPIPE:
    case ECONNRESET:
        return gone;
    default:
        return "no connection to the controller";
    }
}

static uint64_t request_left(uint64_t end)
{
    uint64_t now = wait_now();
    return now < end ? end - now : 0;
}

static uint64_t end_after(double seconds)
{
    return wait_now() + (uint64_t)(seconds > 0 && seconds < 1e6 ? 1e9 * seconds : 0);
}

static int send_question(int fd, const struct request_question *question, uint64_t end)
{
    struct wire_message piece;
    int fault = 0;
    for (size_t sent = 0; sent < question->plan_size && fault == 0;) {
        sent += wire_take_piece(&piece, question->plan + sent, question->plan_size - sent);
        fault = link_send_within(fd, &piece, request_left(end));
    }
    return fault ? fault : link_send_within(fd, question->message, request_left(end));
}

/* A connection on which the question was sent, or a fault. A controller without room refuses before
 * it reads, so its answer may be there although sending failed. */
static const char *open_with(const char *socket, const struct request_question *question,
                             uint64_t end, int *fd)
{
    int opened = link_connect(socket, request_left(end));
    if (opened < 0)
        return request_explain(opened);
    int fault = send_question(opened, question, end);
    if (fault != 0 && fault != -EPIPE) {
        link_close(opened);
        return request_explain(fault);
    }
    *fd = opened;
    return NULL;
}

const char *request_ask(const char *socket, const struct wire_message *question, double seconds,
                        request_answer *answer, void *context)
{
    return request_ask_all(socket, &(struct request_question){.message = question}, seconds, answer,
                           context);
}

const char *request_ask_all(const char *socket, const struct request_question *question,
                            double seconds, request_answer *answer, void *context)
{
    int fd;
    uint64_t end = end_after(seconds);
    const char *fault = open_with(socket, question, end, &fd);
    if (fault)
        return fault;
    for (bool more = true; more && !fault;) {
        struct wire_message message;
        switch (link_receive(fd, &message, NULL, request_left(end))) {
        case LINK_MESSAGE:
            answer(&message, context);
            more = !request_is_over(&message);
            break;
        case LINK_LATER:
            fault = no_answer;
            break;
        case LINK_GONE:
            fault = gone;
            break;
        }
    }
    link_close(fd);
    return fault;
}

const char *request_attach(const struct identity *identity, double seconds,
                           struct wire_message *answer, int *fd)
{
    struct wire_message question = {.type = WIRE_ATTACH, .attach = identity->attach};
    int pages[2], opened;
    uint64_t end = end_after(seconds);
    *fd = -1;
    const char *fault =
        open_with(identity->socket, &(struct request_question){.message = &question}, end, &opened);
    if (fault)
        return fault;
    enum link_result result = link_receive(opened, answer, pages, request_left(end));
    link_close_pages(pages);
    if (result == LINK_MESSAGE && answer->type == WIRE_WELCOME) {
        *fd = opened;
        return NULL;
    }
    link_close(opened);
    if (result == LINK_MESSAGE && answer->type == WIRE_REFUSED)
        return NULL;
    return result == LINK_LATER ? no_answer : gone;
}
