#include "serve/notify.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void notify_send(const struct notify *notify, const char *text)
{
    if (notify->fd >= 0)
        send(notify->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The number in a variable of the environment, 0 if there is none. */
static uint64_t notify_number(const char *name)
{
    const char *text = getenv(name);
    return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : 0;
}

/* A path, or '@' and the name of an abstract socket. */
static int notify_connect(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if ((*name != '/' && *name != '@') || length >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, name, length);
    if (*name == '@')
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, size) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void notify_open(struct notify *notify)
{
    const char *name = getenv("NOTIFY_SOCKET");
    uint64_t pid = notify_number("WATCHDOG_PID");
    *notify = (struct notify){.fd = name ? notify_connect(name) : -1};
    if (pid == 0 || pid == (uint64_t)getpid())
        notify->interval = notify_number("WATCHDOG_USEC") * 1000 / 2;
}

void notify_close(struct notify *notify)
{
    if (notify->fd >= 0)
        close(notify->fd);
    notify->fd = -1;
}

void notify_ready(const struct notify *notify)
{
    notify_send(notify, "READY=1");
}

void notify_stopping(const struct notify *notify)
{
    notify_send(notify, "STOPPING=1");
}

void notify_reloading(const struct notify *notify, uint64_t now)
{
    char text[64];
    snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, now / 1000);
    notify_send(notify, text);
}

void notify_beat(struct notify *notify, uint64_t now)
{
    if (notify->interval == 0 || now < notify->next)
        return;
    notify->next = now + notify->interval;
    notify_send(notify, "WATCHDOG=1");
}
