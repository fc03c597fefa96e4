/* The live part of the demonstration: real writers that collide, without control and with it. */
#ifndef WEIR_CLI_DEMO_LIVE_H
#define WEIR_CLI_DEMO_LIVE_H

/* Takes less than 20 seconds and prints what happened; where it cannot run, prints why. */
void demo_live(void);

#endif
