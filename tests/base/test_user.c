#include "base/user.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_user_is_found_by_name_and_by_number(void **state)
{
    (void)state;
    uint32_t uid = 1;
    assert_int_equal(user_find("root", &uid), 0);
    assert_int_equal(uid, 0);
    assert_int_equal(user_find("1042", &uid), 0);
    assert_int_equal(uid, 1042);
    assert_int_equal(user_find("4294967294", &uid), 0);
    assert_int_equal(uid, 4294967294u);
}

static void nobody_is_found_by_anything_else(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",           "no such user", "-1",
                                        "4294967295", "99999999999",  "1x"};
    uint32_t uid;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(user_find(wrong[i], &uid), -1);
}

static void a_user_without_a_name_is_a_number(void **state)
{
    (void)state;
    char text[USER_NAME_SIZE];
    assert_string_equal(user_print(0, text), "root");
    assert_string_equal(user_print(4000000001u, text), "4000000001");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_is_found_by_name_and_by_number),
        cmocka_unit_test(nobody_is_found_by_anything_else),
        cmocka_unit_test(a_user_without_a_name_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
