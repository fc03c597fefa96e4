#include "serve/clients.h"
#include "base/mem.h"
#include "link/server.h"
#include "serve/peer.h"
#include <stdlib.h>

uint32_t clients_join(struct clients *clients, struct link_peer *far, uint32_t uid)
{
    size_t number = clients->free;
    while (number < clients->capacity && clients->list[number])
        number++;
    size_t before = clients->capacity;
    struct peer **list =
        mem_reserve(clients->list, &clients->capacity, number + 1, sizeof *clients->list);
    if (!list)
        return LINK_NOBODY;
    clients->list = list;
    for (size_t i = before; i < clients->capacity; i++)
        list[i] = NULL;
    list[number] = peers_welcome(clients->peers, far, uid);
    clients->free = number;
    return list[number] ? CLIENTS_FIRST + (uint32_t)number : LINK_NOBODY;
}

void clients_lose(struct clients *clients, uint32_t number)
{
    size_t index = number - CLIENTS_FIRST;
    peers_dismiss(clients->list[index]);
    clients->list[index] = NULL;
    if (index < clients->free)
        clients->free = index;
}

/* Without a line in the log: any user may connect. */
static void clients_drop(struct clients *clients, uint32_t number)
{
    link_server_drop(clients->list[number - CLIENTS_FIRST]->far);
    clients_lose(clients, number);
}

void clients_hear(struct clients *clients, uint32_t number, const void *bytes, size_t size)
{
    if (peers_hear(clients->list[number - CLIENTS_FIRST], bytes, size) != 0)
        clients_drop(clients, number);
}

void clients_continue(struct clients *clients, uint32_t number)
{
    if (peers_continue(clients->list[number - CLIENTS_FIRST]) != 0)
        clients_drop(clients, number);
}

/* The first from this one on whose answer is stopped, or `capacity`. */
static size_t clients_find(const struct clients *clients, size_t index)
{
    while (index < clients->capacity &&
           !(clients->list[index] && peers_stopped(clients->list[index])))
        index++;
    return index;
}

bool clients_proceed(struct clients *clients)
{
    size_t index = clients_find(clients, clients->turn);
    if (index == clients->capacity)
        index = clients_find(clients, 0);
    if (index == clients->capacity)
        return false;
    clients_continue(clients, CLIENTS_FIRST + (uint32_t)index);
    clients->turn = index + 1;
    return clients_find(clients, 0) < clients->capacity;
}

void clients_fini(struct clients *clients)
{
    free(clients->list);
    *clients = (struct clients){.peers = clients->peers};
}
