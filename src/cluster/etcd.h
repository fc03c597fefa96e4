/* The requests of an election and their answers as etcd's JSON gateway has them (version 3 of its
 * interface, from etcd 3.4 on): POST to a path. Pure: bytes <-> structs, so that it can be fuzzed.
 */
#ifndef WEIR_CLUSTER_ETCD_H
#define WEIR_CLUSTER_ETCD_H

#include "cluster/leader.h"
#include <stddef.h>

enum {
    ETCD_NAME = 64,  /* bytes of a name, its final 0 included */
    ETCD_BODY = 2048 /* of a request */
};

struct etcd_election {
    const char *name;            /* of the election: the key is weir/NAME; */
    const char *candidate;       /* its value names the leader, for people; */
    struct leader_legacy legacy; /* and of CLOSE: what weir/NAME/closed has until the lease ends */
};

/* Returns the path; `body` is a text. */
const char *etcd_write(const struct leader_request *request, const struct etcd_election *election,
                       char body[ETCD_BODY]);

/* Reads the answer to such a request, with its HTTP status. What is malformed, or a fault of
 * etcd's, is not `there`. */
struct leader_answer etcd_read(const struct leader_request *request, int status, const char *body,
                               size_t size);

#endif
