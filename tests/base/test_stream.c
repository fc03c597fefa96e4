#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/stream.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_line(struct stream *stream, size_t number, const char *text)
{
    struct err err = {""};
    assert_int_equal(stream_next(stream, &err), 1);
    assert_int_equal(stream->number, number);
    assert_int_equal(stream->length, strlen(text));
    assert_memory_equal(stream->line, text, stream->length);
}

static void lines_end_with_a_newline_or_with_the_text(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBFone\r\n\ntwo";
    struct stream stream = stream_of_text(text, strlen(text), "f");
    expect_line(&stream, 1, "one");
    expect_line(&stream, 2, "");
    expect_line(&stream, 3, "two");
    assert_int_equal(stream_next(&stream, NULL), 0);
    assert_int_equal(stream_next(&stream, NULL), 0);
    stream_close(&stream);
}

/* A temporary file with so many lines of 99 letters and their number; its path is returned. */
static char *write_file(char *path, int lines)
{
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int i = 1; i <= lines; i++)
        fprintf(file, "%099d\n", i);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void a_large_file_is_read_in_little_memory(void **state)
{
    (void)state;
    enum { LINES = 100000 }; /* 10 MB */
    char path[] = "/tmp/weir-stream-XXXXXX";
    struct err err = {""};
    struct stream stream;
    assert_int_equal(stream_open(&stream, write_file(path, LINES), &err), 0);
    for (int i = 1; i <= LINES; i++) {
        assert_int_equal(stream_next(&stream, &err), 1);
        assert_int_equal(stream.length, 99);
        assert_int_equal(strtol(stream.line, NULL, 10), i);
    }
    assert_int_equal(stream_next(&stream, &err), 0);
    assert_true(stream.capacity <= 1 << 20);
    stream_close(&stream);
    unlink(path);
}

static void a_line_longer_than_the_buffer_is_read_whole(void **state)
{
    (void)state;
    enum { LENGTH = 3000000 };
    char path[] = "/tmp/weir-stream-XXXXXX";
    struct err err = {""};
    struct stream stream;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int i = 0; i < LENGTH; i++)
        fputc('x', file);
    fputs("\nend\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stream_open(&stream, path, &err), 0);
    assert_int_equal(stream_next(&stream, &err), 1);
    assert_int_equal(stream.length, LENGTH);
    expect_line(&stream, 2, "end");
    assert_int_equal(stream_next(&stream, &err), 0);
    stream_close(&stream);
    unlink(path);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct err err = {""};
    struct stream stream;
    assert_int_equal(stream_open(&stream, "/nowhere/at/all", &err), -1);
    assert_string_equal(err.text, "cannot read '/nowhere/at/all': No such file or directory");
    stream_close(&stream);
}

static void a_directory_is_refused_when_it_is_read(void **state)
{
    (void)state;
    struct err err = {""};
    struct stream stream;
    assert_int_equal(stream_open(&stream, "/tmp", &err), 0);
    assert_int_equal(stream_next(&stream, &err), -1);
    assert_string_equal(err.text, "cannot read '/tmp': Is a directory");
    stream_close(&stream);
}

static void a_failing_allocation_is_reported(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-stream-XXXXXX";
    struct err err = {""};
    struct stream stream;
    assert_int_equal(stream_open(&stream, write_file(path, 3), &err), 0);
    mem_fail_after(0);
    assert_int_equal(stream_next(&stream, &err), -1);
    mem_fail_after(-1);
    assert_string_equal(err.text, "out of memory");
    stream_close(&stream);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_with_a_newline_or_with_the_text),
        cmocka_unit_test(a_large_file_is_read_in_little_memory),
        cmocka_unit_test(a_line_longer_than_the_buffer_is_read_whole),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test(a_directory_is_refused_when_it_is_read),
        cmocka_unit_test(a_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("base/stream", tests, NULL, NULL);
}
