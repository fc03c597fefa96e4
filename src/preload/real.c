#include "preload/real.h"
#include <dlfcn.h>
#include <errno.h>

struct real real_table;

#define FIND(type, name, ...) {#name, &real_table.name},
static const struct {
    const char *name;
    void *member;
} places[] = {HOOKS(FIND)};
#undef FIND

void real_resolve(void)
{
    int saved = errno;
    /* The last to be stored is write, by which real() knows that all are there. Two threads may do
     * it at once: they store the same. */
    void *write = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *found = dlsym(RTLD_NEXT, places[i].name);
        if (places[i].member == (void *)&real_table.write)
            write = found;
        else
            __atomic_store_n((void **)places[i].member, found, __ATOMIC_RELAXED);
    }
    __atomic_store_n((void **)(void *)&real_table.write, write, __ATOMIC_RELEASE);
    errno = saved;
}
