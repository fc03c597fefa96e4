/* The names of users. */
#ifndef WEIR_CLI_USER_H
#define WEIR_CLI_USER_H

#include <stdint.h>

/* The name of a user, or the number if there is none. The text stays until the next call. Asking
 * the system may take long, so the answer is kept. */
const char *user_name(uint32_t uid);

#endif
