#include "supervise/facts.h"
#include "client/wait.h"
#include <pthread.h>
#include <string.h>

enum { FACTS = 256, FACTS_NAME = 256 }; /* longer names are not kept */
#define FACTS_LIFE (1000 * WAIT_MS)

static struct {
    pthread_mutex_t lock;
    struct {
        char path[FACTS_NAME];
        uint64_t until;
        struct file_fact fact;
    } list[FACTS];
} facts = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A name has one place, which a later name may take. */
static size_t facts_place(const char *path)
{
    uint32_t hash = 2166136261u;
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 16777619u;
    return hash % FACTS;
}

bool facts_get(const char *path, struct file_fact *fact)
{
    size_t place = facts_place(path);
    pthread_mutex_lock(&facts.lock);
    bool known =
        facts.list[place].until > wait_now_coarse() && strcmp(facts.list[place].path, path) == 0;
    if (known)
        *fact = facts.list[place].fact;
    pthread_mutex_unlock(&facts.lock);
    return known;
}

void facts_put(const char *path, const struct file_fact *fact)
{
    size_t place = facts_place(path), length = strlen(path);
    if (length >= FACTS_NAME)
        return;
    pthread_mutex_lock(&facts.lock);
    memcpy(facts.list[place].path, path, length + 1);
    facts.list[place].until = wait_now_coarse() + FACTS_LIFE;
    facts.list[place].fact = *fact;
    pthread_mutex_unlock(&facts.lock);
}
