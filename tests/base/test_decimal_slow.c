#include "decimals.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_hundred_million_texts_are_read_as_strtod_does(void **state)
{
    (void)state;
    decimals_compare(2, 100000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_million_texts_are_read_as_strtod_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
