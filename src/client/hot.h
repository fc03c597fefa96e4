/* Functions that every call of a program runs through stand side by side in the library: after a
 * system call, each further page of code costs as much as twenty instructions. */
#ifndef WEIR_CLIENT_HOT_H
#define WEIR_CLIENT_HOT_H

#define HOT __attribute__((hot))

#endif
