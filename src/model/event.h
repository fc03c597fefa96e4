/* The events of a live controller's journal, which the controller process writes and the importer reads. */
#ifndef WEIR_MODEL_EVENT_H
#define WEIR_MODEL_EVENT_H

/* Name, and whether its line always has the time of the day. */
#define JOURNAL_EVENTS(X)                                                                          \
    X(start, true)                                                                                 \
    X(set, true)                                                                                   \
    X(join, true)                                                                                  \
    X(change, false)                                                                               \
    X(post, false)                                                                                 \
    X(grow, false)                                                                                 \
    X(grant, false)                                                                                \
    X(pause, false)                                                                                \
    X(resume, false)                                                                               \
    X(complete, false)                                                                             \
    X(leave, true)                                                                                 \
    X(done, true)                                                                                  \
    X(estimate, false)

#define X(name, dated) EVENT_##name,
enum journal_event { JOURNAL_EVENTS(X) EVENT_COUNT };
#undef X

#endif
