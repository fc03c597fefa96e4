#include "node/tokens.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Attaching looks at one list, and lists stay short however many there are. */
static void an_application_is_found_among_many_at_once(void **state)
{
    (void)state;
    enum { MANY = 4096, LONGEST = 12 };
    static struct node_join apps[MANY];
    static struct tokens_entry entries[MANY];
    struct tokens tokens = {0};
    srand48(1);
    assert_int_equal(tokens_resize(&tokens, 256), 0);
    for (int i = 0; i < MANY; i++) {
        apps[i].uid = (uint32_t)i % 3;
        apps[i].token[0] = (uint64_t)mrand48() << 32 ^ (uint64_t)lrand48();
        entries[i] = (struct tokens_entry){.who = &apps[i], .owner = &apps[i]};
        tokens_add(&tokens, &entries[i]);
    }
    assert_int_equal(tokens_resize(&tokens, MANY), 0);
    for (uint32_t i = 0; i < tokens.size; i++) {
        int length = 0;
        for (const struct tokens_entry *entry = tokens.lists[i]; entry; entry = entry->same_hash)
            length++;
        assert_in_range(length, 0, LONGEST);
    }
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(tokens_find(&tokens, apps[i].uid, apps[i].token), &apps[i]);
    assert_null(tokens_find(&tokens, 3, apps[0].token)); /* another user's */
    tokens_remove(&tokens, &entries[9]);
    assert_null(tokens_find(&tokens, apps[9].uid, apps[9].token));
    tokens_fini(&tokens);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_is_found_among_many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
