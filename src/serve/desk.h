/* The replies of a controller to QUERY, SHOW and SET: for each channel its applications or rules
 * and its finished applications; then the controller itself. */
#ifndef WEIR_SERVE_DESK_H
#define WEIR_SERVE_DESK_H

#include "serve/peers.h"

extern const struct peers_desk desk_of_controllers;

#endif
