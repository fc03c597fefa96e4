/* Signals that stop a long computation, which then says what is kept of it. */
#ifndef WEIR_TERMINAL_INTERRUPTION_H
#define WEIR_TERMINAL_INTERRUPTION_H

/* From now on the first signal of a terminal or of a batch system stops what runs: the host of this
 * thread says so (base/stage.h). A second one ends the process at once. */
void interruption_catch(void);

/* Ends the process by the signal that came, if one did. Standard output is flushed. */
void interruption_end(void);

#endif
