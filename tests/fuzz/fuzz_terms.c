#include "serve/terms.h"
#include "fuzz.h"

/* What is accepted is written as the same bytes, and channels can be planned with it or not. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct service service = {0};
    struct err err = {0};
    unsigned char again[TERMS_MOST];
    char *bytes = mem_alloc(size, 1);
    fuzz_require(bytes != NULL);
    if (size)
        memcpy(bytes, data, size);
    if (terms_read(bytes, size, &service, &err) == 0) {
        size_t written = terms_write(&service, again, &err);
        struct service same = {0};
        fuzz_require(written > 0 ? written <= size : size > TERMS_MOST);
        fuzz_require(written == 0 || terms_read(again, written, &same, &err) == 0);
        fuzz_require(written == 0 || same.stores.count == service.stores.count);
        arena_fini(&same.arena);
    } else {
        fuzz_require(err.text[0] && !strchr(err.text, '\n'));
    }
    arena_fini(&service.arena);
    free(bytes);
    return 0;
}
