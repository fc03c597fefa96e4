#include "serve/holdings.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLDINGS_VERSION = 1, HOLDINGS_BOOT = 40, HOLDINGS_PATH = 256 };
#define HOLDINGS_MAGIC 0x646c6568u /* "held" */

struct holdings_page {
    uint32_t magic, version;
    char boot[HOLDINGS_BOOT]; /* which start of the machine its time is of */
    uint32_t channels, reserved;
    uint64_t until;
    double held[WIRE_CHANNELS];
};

/* Which start of the machine this is; empty if the kernel does not tell. */
static void holdings_boot(char boot[HOLDINGS_BOOT])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    memset(boot, 0, HOLDINGS_BOOT);
    if (file && !fgets(boot, HOLDINGS_BOOT, file))
        boot[0] = '\0';
    if (file)
        fclose(file);
}

static struct holdings_page *holdings_map(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_uid != geteuid() ||
        flock(fd, LOCK_EX | LOCK_NB) != 0 || ftruncate(fd, sizeof(struct holdings_page)) != 0)
        return NULL;
    void *page =
        mmap(NULL, sizeof(struct holdings_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page;
}

int holdings_open(struct holdings *holdings, const char *socket, uint32_t channels, struct err *err)
{
    char path[HOLDINGS_PATH];
    *holdings = (struct holdings){.fd = -1, .channels = channels};
    if (snprintf(path, sizeof path, "%s.held", socket) >= (int)sizeof path)
        return err_set(err, "%s.held: the path is too long", socket);
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    holdings->page = fd < 0 ? NULL : holdings_map(fd);
    if (holdings->page) {
        holdings->fd = fd;
        return 0;
    }
    err_set(err, "%s: cannot be used: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

void holdings_close(struct holdings *holdings)
{
    if (!holdings->page)
        return;
    munmap(holdings->page, sizeof *holdings->page);
    close(holdings->fd);
    *holdings = (struct holdings){.fd = -1};
}

bool holdings_read(const struct holdings *holdings, uint64_t now, double held[WIRE_CHANNELS])
{
    const struct holdings_page *page = holdings->page;
    char boot[HOLDINGS_BOOT];
    holdings_boot(boot);
    if (!page || page->magic != HOLDINGS_MAGIC || page->version != HOLDINGS_VERSION ||
        page->channels != holdings->channels || !boot[0] || memcmp(boot, page->boot, sizeof boot))
        return false;
    for (uint32_t i = 0; i < holdings->channels; i++) {
        if (!(page->held[i] >= 0 && isfinite(page->held[i])))
            return false;
        held[i] = now < page->until ? page->held[i] : 0; /* else all leases have ended */
    }
    return true;
}

void holdings_write(struct holdings *holdings, uint64_t until, const double held[WIRE_CHANNELS])
{
    struct holdings_page *page = holdings->page;
    if (!page)
        return;
    page->until = until;
    memcpy(page->held, held, sizeof page->held);
    if (holdings->begun)
        return;
    page->magic = 0; /* if it is killed here, nobody knows */
    holdings_boot(page->boot);
    page->version = HOLDINGS_VERSION;
    page->channels = holdings->channels;
    page->magic = HOLDINGS_MAGIC;
    holdings->begun = true;
}
