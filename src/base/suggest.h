/* What to tell a user whose word is not known: the end of the message, in one place. */
#ifndef WEIR_BASE_SUGGEST_H
#define WEIR_BASE_SUGGEST_H

struct suggestion {
    char text[320];
};

/* ", did you mean 'fcfs'?" if one of the names, which end with NULL, is near the word. Otherwise
 * "; 'weir policies' lists them" if that is the `lister`, or ", expected a, b or c" if it is NULL.
 * To be used as err_set(err, "unknown strategy '%s'%s", word, suggest(word, names, lister).text).
 */
struct suggestion suggest(const char *word, const char *const *names, const char *lister);

#endif
