#include "preload/lookup.h"
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

extern const char __ehdr_start __attribute__((visibility("hidden")));

/* --- one object ------------------------------------------------------------------------------- */

struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash; /* an object has one at least */
    const ElfW(Versym) * version;    /* NULL = it has none */
};

/* Most of these addresses have been made absolute, but not those of the kernel's own object. */
static const void *absolute(ElfW(Addr) base, ElfW(Addr) address)
{
    return (const void *)(address < base ? base + address : address);
}

static struct tables tables_of(const struct link_map *object)
{
    struct tables tables = {0};
    for (const ElfW(Dyn) *entry = object->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        const void *at = absolute(object->l_addr, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            tables.symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            tables.names = at;
        else if (entry->d_tag == DT_GNU_HASH)
            tables.gnu_hash = at;
        else if (entry->d_tag == DT_HASH)
            tables.hash = at;
        else if (entry->d_tag == DT_VERSYM)
            tables.version = at;
    }
    return tables;
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

/* GNU's table: sizes, a filter, the first symbol of each bucket, and the symbols' hashes, of which
 * the last in a bucket is odd. */
static const ElfW(Sym) * find_by_gnu_hash(const struct tables *tables, const char *name)
{
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    const uint32_t *head = tables->gnu_hash;
    uint32_t hash = 5381;
    for (const char *c = name; *c; c++)
        hash = 33 * hash + (unsigned char)*c;
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(head + 4);
    ElfW(Addr) word = filter[hash / BITS % head[2]];
    if (!(word >> hash % BITS & word >> (hash >> head[3]) % BITS & 1))
        return NULL; /* most objects have not */
    const uint32_t *buckets = (const uint32_t *)(filter + head[2]), *hashes = buckets + head[0];
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

/* The older table: sizes, the first symbol of each bucket, and for each symbol the next. */
static const ElfW(Sym) * find_by_hash(const struct tables *tables, const char *name)
{
    const uint32_t *head = tables->hash, *buckets = head + 2, *next = buckets + head[0];
    uint32_t hash = 0;
    for (const char *c = name; *c; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        hash ^= hash >> 24 & 0xf0;
        hash &= 0x0fffffff;
    }
    for (uint32_t index = buckets[hash % head[0]]; index != STN_UNDEF; index = next[index])
        if (is_it(tables, index, name))
            return &tables->symbols[index];
    return NULL;
}

static const ElfW(Sym) * find_in(const struct tables *tables, const char *name)
{
    if (!tables->symbols || !tables->names)
        return NULL;
    if (tables->gnu_hash)
        return tables->gnu_hash[0] > 0 ? find_by_gnu_hash(tables, name) : NULL;
    return tables->hash && tables->hash[0] > 0 ? find_by_hash(tables, name) : NULL;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* The dynamic linker's list, which it shows to debuggers at a place in the program; NULL if the
 * program has no such place. No lock is needed: what is loaded when a program starts stays, and
 * others are added at the end. */
static const struct link_map *lookup_first(void)
{
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR), *own = NULL, *dynamic = NULL;
    for (size_t i = 0, n = parts ? getauxval(AT_PHNUM) : 0; i < n; i++)
        if (parts[i].p_type == PT_PHDR)
            own = &parts[i];
        else if (parts[i].p_type == PT_DYNAMIC)
            dynamic = &parts[i];
    if (!own || !dynamic)
        return NULL; /* where the program was loaded is not known */
    ElfW(Addr) base = (ElfW(Addr))parts - own->p_vaddr;
    for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(base + dynamic->p_vaddr);
         entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr)
            return ((const struct r_debug *)entry->d_un.d_ptr)->r_map;
    return NULL;
}

struct symbol_search {
    const char *name;
    bool counts; /* from here on */
    void *found;
    const char *object; /* that has it */
};

static bool search_one(struct symbol_search *search, const struct link_map *object)
{
    if (!search->counts) {
        search->counts = object->l_addr == (ElfW(Addr)) & __ehdr_start;
        return false;
    }
    struct tables tables = tables_of(object);
    const ElfW(Sym) *symbol = find_in(&tables, search->name);
    if (!symbol)
        return false;
    ElfW(Addr) address = object->l_addr + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        address = ((ElfW(Addr)(*)(void))address)(); /* tells which of several it is */
    search->found = (void *)address;
    search->object = object->l_name;
    return true;
}

/* An object as libc shows it. */
static int search_shown(struct dl_phdr_info *shown, size_t size, void *search)
{
    (void)size;
    struct link_map object = {.l_addr = shown->dlpi_addr,
                              .l_name = (char *)(uintptr_t)shown->dlpi_name};
    for (int i = 0; i < shown->dlpi_phnum; i++)
        if (shown->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object.l_ld = (ElfW(Dyn) *)(shown->dlpi_addr + shown->dlpi_phdr[i].p_vaddr);
    return search_one(search, &object);
}

void *lookup_symbol(const char *name, bool behind, const char **object)
{
    struct symbol_search search = {.name = name, .counts = !behind};
    const struct link_map *first = lookup_first(), *at = first;
    while (at && !search_one(&search, at))
        at = at->l_next;
    if (!first)
        dl_iterate_phdr(search_shown, &search);
    if (object)
        *object = search.object;
    return search.found;
}
