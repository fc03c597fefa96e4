#include "format/campaign_file.h"
#include "fuzz.h"

static void check_texts(const struct file_texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++)
        fuzz_require(texts->list[i].text[0] && texts->list[i].line > 0);
}

static void check_groups(const struct file_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        fuzz_require(groups->list[i].name.text[0]);
        for (uint32_t k = 0; k < groups->list[i].count; k++) {
            fuzz_require(groups->list[i].axes[k].values.count > 0);
            check_texts(&groups->list[i].axes[k].values);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct campaign_file file;
    struct err err = {0};
    char *text = mem_alloc(size + 1, 1);
    fuzz_require(text != NULL);
    if (size)
        memcpy(text, data, size);
    if (campaign_file_parse(text, size, "input", &file, &err) == 0) {
        fuzz_require(file.scenarios.count + file.families.count > 0);
        check_texts(&file.scenarios);
        check_texts(&file.seeds);
        check_texts(&file.strategies);
        check_groups(&file.families);
        check_groups(&file.platforms);
    } else {
        fuzz_require(strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
    }
    campaign_file_fini(&file);
    free(text);
    return 0;
}
