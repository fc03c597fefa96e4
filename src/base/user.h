/* Users as the system knows them: names and numbers. */
#ifndef WEIR_BASE_USER_H
#define WEIR_BASE_USER_H

#include <stdint.h>

/* The number of a user that is given by number or by name. 0, or -1 if there is none. */
int user_find(const char *text, uint32_t *uid);

/* The name of a user, or the number where it has none. Returns `buffer`. */
enum { USER_NAME_SIZE = 64 };
char *user_print(uint32_t uid, char buffer[USER_NAME_SIZE]);

#endif
