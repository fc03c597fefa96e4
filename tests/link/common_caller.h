/* An honest end of a connection, which remembers what it was told. */
#ifndef WEIR_TESTS_LINK_COMMON_CALLER_H
#define WEIR_TESTS_LINK_COMMON_CALLER_H

#include "common.h"

struct caller {
    struct link_dialer *dialer;
    uint32_t connected, frames, gone, writable, version;
    char terms[32], latest[64], said[256];
};

/* Dials controllers; the scene's; and the scene's with a credential of another munged, or for
 * another user. link_dialer_free frees its dialer. */
void caller_dial(struct scene *scene, struct caller *caller, const char *controllers,
                 struct link_versions speaks);
void caller_dial_scene(struct scene *scene, struct caller *caller);
void caller_dial_as(struct scene *scene, struct caller *caller, const char *munge, uint32_t reader);

#endif
