#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/stream.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_line(struct stream *stream, size_t number, const char *text)
{
    struct err err = {0};
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
    assert_true(stream.ended);
    expect_line(&stream, 3, "two");
    assert_false(stream.ended);
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
    struct err err = {0};
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
    struct err err = {0};
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
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_open(&stream, "/nowhere/at/all", &err), -1);
    assert_string_equal(err.text, "cannot read '/nowhere/at/all': No such file or directory");
    stream_close(&stream);
}

static void a_directory_is_refused_when_it_is_read(void **state)
{
    (void)state;
    struct err err = {0};
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
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_open(&stream, write_file(path, 3), &err), 0);
    mem_fail_after(0);
    assert_int_equal(stream_next(&stream, &err), -1);
    mem_fail_after(-1);
    assert_string_equal(err.text, "out of memory");
    stream_close(&stream);
    unlink(path);
}

/* "one\ntwo\n", compressed by gzip. */
static const unsigned char zipped[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
                                       0xcb, 0xcf, 0x4b, 0xe5, 0x2a, 0x29, 0xcf, 0xe7, 0x02, 0x00,
                                       0xe6, 0x0b, 0xba, 0x12, 0x08, 0x00, 0x00, 0x00};

static char *write_bytes(char *path, const void *bytes, size_t size)
{
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void a_compressed_text_is_read_like_any_other(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-stream-XXXXXX";
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_open(&stream, write_bytes(path, zipped, sizeof zipped), &err), 0);
    expect_line(&stream, 1, "one");
    expect_line(&stream, 2, "two");
    assert_int_equal(stream_next(&stream, &err), 0);
    stream_close(&stream);
    unlink(path);
}

static void a_compressed_text_that_is_cut_off_or_damaged_is_an_error(void **state)
{
    (void)state;
    for (size_t length = 11; length < sizeof zipped + 1; length++) {
        char path[] = "/tmp/weir-stream-XXXXXX";
        unsigned char bytes[sizeof zipped];
        struct err err = {0};
        struct stream stream;
        int more;
        memcpy(bytes, zipped, sizeof zipped);
        bytes[sizeof zipped - 8] ^= length == sizeof zipped; /* the sum */
        assert_int_equal(stream_open(&stream, write_bytes(path, bytes, length), &err), 0);
        while ((more = stream_next(&stream, &err)) > 0)
            ;
        assert_int_equal(more, -1);
        assert_non_null(strstr(err.text, length == sizeof zipped ? "is damaged" : "is cut off"));
        stream_close(&stream);
        unlink(path);
    }
}

static void a_text_that_another_program_has_compressed_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"BZh91AY&SY", "f: compressed by bzip2, expected a text, or one compressed by gzip"},
        {"\xFD\x37zXZ", "f: compressed by xz, expected a text, or one compressed by gzip"},
        {"\x28\xB5\x2F\xFD\x24",
         "f: compressed by zstd, expected a text, or one compressed by gzip"},
        {"PK\x03\x04", "f: compressed by zip, expected a text, or one compressed by gzip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stream stream = stream_of_text(cases[i][0], strlen(cases[i][0]), "f");
        struct err err = {0};
        assert_int_equal(stream_next(&stream, &err), -1);
        assert_string_equal(err.text, cases[i][1]);
        stream_close(&stream);
    }
}

static void the_first_bytes_can_be_seen_before_they_are_read(void **state)
{
    (void)state;
    struct stream stream = stream_of_text("abc\n", 4, "f");
    const char *bytes;
    assert_int_equal(stream_peek(&stream, &bytes, 2, NULL), 2);
    assert_memory_equal(bytes, "ab", 2);
    assert_int_equal(stream_peek(&stream, &bytes, 9, NULL), 4);
    expect_line(&stream, 1, "abc");
    stream_close(&stream);
}

static void what_a_program_prints_is_read(void **state)
{
    (void)state;
    const char *const arguments[] = {"sh", "-c", "echo one; cat; echo two", NULL};
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_run(&stream, arguments, "log", &err), 0);
    expect_line(&stream, 1, "one");
    expect_line(&stream, 2, "two"); /* it has nothing to read */
    assert_int_equal(stream_next(&stream, &err), 0);
    stream_close(&stream);
}

static void a_program_that_fails_is_an_error_at_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } cases[] = {{"echo one; exit 3", "log: sh failed with exit code 3"},
                 {"echo one; kill -9 $$", "log: sh was ended by signal 9"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const arguments[] = {"sh", "-c", cases[i].script, NULL};
        struct err err = {0};
        struct stream stream;
        assert_int_equal(stream_run(&stream, arguments, "log", &err), 0);
        expect_line(&stream, 1, "one");
        assert_int_equal(stream_next(&stream, &err), -1);
        assert_string_equal(err.text, cases[i].message);
        assert_true(stream.failed);
        stream_close(&stream);
    }
}

static void a_program_that_is_not_wanted_any_more_is_ended(void **state)
{
    (void)state;
    const char *const arguments[] = {"yes", NULL};
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_run(&stream, arguments, "log", &err), 0);
    expect_line(&stream, 1, "y");
    stream_close(&stream);
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    const char *const arguments[] = {"weir-no-such-program", NULL};
    struct err err = {0};
    struct stream stream;
    assert_int_equal(stream_run(&stream, arguments, "log", &err), -1);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(err.text, "cannot run 'weir-no-such-program': No such file or directory");
    stream_close(&stream);
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
        cmocka_unit_test(a_compressed_text_is_read_like_any_other),
        cmocka_unit_test(a_compressed_text_that_is_cut_off_or_damaged_is_an_error),
        cmocka_unit_test(a_text_that_another_program_has_compressed_is_refused),
        cmocka_unit_test(the_first_bytes_can_be_seen_before_they_are_read),
        cmocka_unit_test(what_a_program_prints_is_read),
        cmocka_unit_test(a_program_that_fails_is_an_error_at_the_end),
        cmocka_unit_test(a_program_that_is_not_wanted_any_more_is_ended),
        cmocka_unit_test(a_program_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests_name("base/stream", tests, NULL, NULL);
}
