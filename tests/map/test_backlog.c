/* The tree of minima against a walk over all places. */
#include "common.h"
#include "map/backlog.h"
#include <math.h>

enum { PLACES = 77 };

static uint32_t walk(const struct job_demand *waiting, const struct job_demand *free,
                     const uint32_t range[2])
{
    for (uint32_t i = range[0]; i < range[1]; i++)
        if (waiting[i].nodes < INFINITY && waiting[i].nodes <= free->nodes &&
            waiting[i].time <= free->time && waiting[i].io <= free->io)
            return i;
    return BACKLOG_NONE;
}

static struct job_demand draw(struct random *random)
{
    return (struct job_demand){random_below(random, 8), random_below(random, 8),
                               random_below(random, 8)};
}

static void the_first_that_fits_is_found_among_those_who_come_and_go(void **state)
{
    (void)state;
    struct backlog backlog;
    struct job_demand waiting[PLACES];
    struct random random = random_at(1, 0, 0);
    assert_int_equal(backlog_init(&backlog, PLACES), 0);
    for (int i = 0; i < PLACES; i++)
        waiting[i].nodes = INFINITY;
    for (int round = 0; round < 200000; round++) {
        uint32_t place = random_below(&random, PLACES), to = 1 + random_below(&random, PLACES);
        const uint32_t range[] = {random_below(&random, to), to};
        struct job_demand free = draw(&random);
        if (random_below(&random, 3) > 0) {
            waiting[place].nodes = INFINITY;
            backlog_remove(&backlog, place);
        } else {
            waiting[place] = draw(&random);
            backlog_add(&backlog, place, waiting[place]);
        }
        assert_int_equal(backlog_first(&backlog, &free, range), walk(waiting, &free, range));
    }
    backlog_fini(&backlog);
}

static void nobody_fits_into_an_empty_range(void **state)
{
    (void)state;
    const struct job_demand anything = {INFINITY, INFINITY, INFINITY};
    struct backlog backlog;
    assert_int_equal(backlog_init(&backlog, 1), 0);
    const uint32_t all[] = {0, 1}, none[] = {0, 0}, behind[] = {1, 1};
    assert_int_equal(backlog_first(&backlog, &anything, all), BACKLOG_NONE);
    backlog_add(&backlog, 0, (struct job_demand){1, 1, 1});
    assert_int_equal(backlog_first(&backlog, &anything, all), 0);
    assert_int_equal(backlog_first(&backlog, &anything, none), BACKLOG_NONE);
    assert_int_equal(backlog_first(&backlog, &anything, behind), BACKLOG_NONE);
    backlog_fini(&backlog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_fits_is_found_among_those_who_come_and_go),
        cmocka_unit_test(nobody_fits_into_an_empty_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
