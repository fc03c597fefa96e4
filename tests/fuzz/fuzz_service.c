#include "format/service.h"
#include "fuzz.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct service service = {.platform = {.node_bandwidth = INFINITY}};
    struct err err = {0};
    char *text = mem_alloc(size + 1, 1);
    fuzz_require(text != NULL);
    if (size)
        memcpy(text, data, size);
    if (service_parse(text, size, "input", &service, &err) == 0) {
        for (uint32_t i = 0; i < service.stores.count; i++)
            fuzz_require(service.stores.list[i].path[0] == '/');
        for (uint32_t i = 0; i < service.limits.count; i++)
            fuzz_require(service.limits.list[i].bandwidth >= 0 && service.limits.list[i].name);
        fuzz_require(service.soft_release >= 0 && service.phase_gap >= 0);
    } else {
        fuzz_require(strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
    }
    arena_fini(&service.arena);
    free(text);
    return 0;
}
