#include "preload/lookup.h"
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

extern const char __ehdr_start __attribute__((visibility("hidden")));

const void *lookup_self(void)
{
    return &__ehdr_start;
}

/* --- one object ------------------------------------------------------------------------------- */

struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *hash;         /* GNU's */
    const ElfW(Versym) * version; /* NULL = it has none */
};

/* Most of these addresses have been made absolute, but not those of the kernel's own object. */
static const void *absolute(const struct dl_phdr_info *object, ElfW(Addr) address)
{
    return (const void *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
}

static struct tables tables_of(const struct dl_phdr_info *object)
{
    struct tables tables = {0};
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        const void *at = absolute(object, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            tables.symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            tables.names = at;
        else if (entry->d_tag == DT_GNU_HASH)
            tables.hash = at;
        else if (entry->d_tag == DT_VERSYM)
            tables.version = at;
    }
    return tables;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = 33 * hash + (unsigned char)*name;
    return hash;
}

static bool lookup_is_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static bool is_it(const struct tables *tables, uint32_t index, const char *name)
{
    enum { HIDDEN = 0x8000 }; /* an older version */
    const ElfW(Sym) *symbol = &tables->symbols[index];
    return symbol->st_shndx != SHN_UNDEF && lookup_is_same(tables->names + symbol->st_name, name) &&
           !(tables->version && tables->version[index] & HIDDEN);
}

/* The table: sizes, a filter, the first symbol of each bucket, and the symbols' hashes, of which
 * the last in a bucket is odd. */
static const ElfW(Sym) * find_in(const struct tables *tables, const char *name)
{
    const uint32_t *head = tables->hash;
    if (!head || !tables->symbols || !tables->names || head[0] == 0)
        return NULL;
    const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head);
    const uint32_t *hashes = buckets + head[0], hash = hash_of(name);
    uint32_t index = buckets[hash % head[0]];
    if (index < head[1])
        return NULL;
    for (;; index++) {
        uint32_t seen = hashes[index - head[1]];
        if ((seen | 1) == (hash | 1) && is_it(tables, index, name))
            return &tables->symbols[index];
        if (seen & 1)
            return NULL;
    }
}

/* --- all of them ------------------------------------------------------------------------------ */

struct symbol_search {
    const char *name;
    bool counts; /* from here on */
    void *found;
};

static int search_one(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct symbol_search *search = context;
    if (!search->counts) {
        search->counts = object->dlpi_addr == (ElfW(Addr))lookup_self();
        return 0;
    }
    struct tables tables = tables_of(object);
    const ElfW(Sym) *symbol = find_in(&tables, search->name);
    if (!symbol)
        return 0;
    ElfW(Addr) address = object->dlpi_addr + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        address = ((ElfW(Addr)(*)(void))address)(); /* tells which of several it is */
    search->found = (void *)address;
    return 1;
}

void *lookup_symbol(const char *name, bool behind)
{
    struct symbol_search search = {.name = name, .counts = !behind};
    dl_iterate_phdr(search_one, &search);
    return search.found;
}
