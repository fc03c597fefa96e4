/* What a client, a node and a controller say of calls. */
#ifndef WEIR_WIRE_CALL_H
#define WEIR_WIRE_CALL_H

/* A call is large if its bytes take at least this many seconds at the speed that its application
 * reaches alone. Large ones wait for their turn (control/turns.h); smaller ones keep to the line.
 */
#define CALL_LARGE 0.02

#endif
