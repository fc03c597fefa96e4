#include "base/agenda.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

int agenda_init(struct agenda *agenda, uint32_t slots)
{
    *agenda = (struct agenda){0};
    if (slots > UINT32_C(1) << 30)
        return -1;
    slots = slots < 2 ? 2 : slots + slots % 2;
    agenda->slots = slots;
    for (agenda->deepest = 2; agenda->deepest < slots;)
        agenda->deepest *= 2;
    agenda->key = mem_alloc(slots, sizeof *agenda->key);
    agenda->winner = mem_alloc(slots, sizeof *agenda->winner);
    if (!agenda->key || !agenda->winner) {
        agenda_fini(agenda);
        return -1;
    }
    double never = INFINITY;
    for (uint32_t i = 0; i < slots; i++)
        memcpy(&agenda->key[i], &never, sizeof never);
    for (uint32_t i = 0; i < slots; i += 2)
        agenda_set(agenda, i, INFINITY);
    return 0;
}

void agenda_fini(struct agenda *agenda)
{
    free(agenda->key);
    free(agenda->winner);
    *agenda = (struct agenda){0};
}
