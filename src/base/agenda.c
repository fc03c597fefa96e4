#include "base/agenda.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

int agenda_init(struct agenda *agenda, uint32_t slots)
{
    *agenda = (struct agenda){0};
    if (slots > UINT32_C(1) << 30)
        return -1;
    uint32_t leaves = 2;
    while (leaves < slots)
        leaves *= 2;
    agenda->leaves = leaves;
    agenda->date = mem_alloc(leaves, sizeof *agenda->date);
    agenda->winner = mem_alloc((size_t)leaves * 2, sizeof *agenda->winner);
    if (!agenda->date || !agenda->winner) {
        agenda_fini(agenda);
        return -1;
    }
    for (uint32_t i = 0; i < leaves; i++) {
        agenda->date[i] = INFINITY;
        agenda->winner[leaves + i] = i;
    }
    for (uint32_t node = leaves - 1; node > 0; node--)
        agenda->winner[node] = agenda->winner[2 * node];
    return 0;
}

void agenda_fini(struct agenda *agenda)
{
    free(agenda->date);
    free(agenda->winner);
    *agenda = (struct agenda){0};
}
