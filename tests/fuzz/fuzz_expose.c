#include "expose/writer.h"
#include "fuzz.h"

/* A page has whole lines only, whatever its labels and numbers are; and any list of types that a
 * client accepts is read within its bounds. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *label = mem_alloc(size + 1, 1), *text = NULL;
    size_t length = 0, lines = 0;
    double value = 0;
    fuzz_require(label != NULL);
    memcpy(label, data, size);
    label[size] = '\0';
    memcpy(&value, label, size < sizeof value ? size : sizeof value);
    struct expose expose = {.out = open_memstream(&text, &length),
                            .open_metrics = expose_wants_open_metrics(label)};
    fuzz_require(expose.out != NULL);
    expose_begin(&expose, EXPOSE_HTTP);
    expose_value(&expose, (const char *[]){label}, value);
    fclose(expose.out);
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    fuzz_require(lines == 3 && text[length - 1] == '\n');
    free(text);
    free(label);
    return 0;
}
