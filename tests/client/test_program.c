/* Which programs a library can be loaded into. */
#include "client/program.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static char place[64];

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", place, name);
    return path;
}

static const char *put(const char *name, const void *data, size_t size)
{
    const char *path = path_of(name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
    assert_true(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    close(fd);
    return path;
}

/* The head of this very program, with another dynamic linker (NULL = none). */
static const char *put_elf(const char *name, const char *linker, unsigned char size,
                           ElfW(Half) machine)
{
    struct {
        ElfW(Ehdr) head;
        ElfW(Phdr) parts[2];
        char linker[256];
    } file = {.linker = ""};
    int fd = open("/proc/self/exe", O_RDONLY);
    assert_int_equal(read(fd, &file.head, sizeof file.head), sizeof file.head);
    close(fd);
    file.head.e_ident[EI_CLASS] = size ? size : file.head.e_ident[EI_CLASS];
    file.head.e_machine = machine ? machine : file.head.e_machine;
    file.head.e_phnum = 2;
    file.head.e_phentsize = sizeof file.parts[0];
    file.head.e_phoff = sizeof file.head;
    file.parts[0].p_type = PT_LOAD;
    file.parts[1].p_type = linker ? PT_INTERP : PT_NOTE;
    file.parts[1].p_offset = offsetof(__typeof__(file), linker);
    if (linker) {
        snprintf(file.linker, sizeof file.linker, "%s", linker);
        file.parts[1].p_filesz = strlen(linker) + 1;
    }
    return put(name, &file, sizeof file);
}

static enum program_kind judge(const char *path)
{
    errno = EXDEV;
    enum program_kind kind = program_judge(AT_FDCWD, path);
    assert_int_equal(errno, EXDEV);
    return kind;
}

static void the_dynamic_linker_tells_the_c_library(void **unused)
{
    (void)unused;
    static const struct {
        const char *linker;
        enum program_kind kind;
    } cases[] = {{"/lib64/ld-linux-x86-64.so.2", PROGRAM_ORDINARY},
                 {"/lib/ld-linux-aarch64.so.1", PROGRAM_ORDINARY},
                 {"/nix/store/0123456789abcdef0123456789abcdef-glibc-2.38-44/lib/ld-linux.so.2",
                  PROGRAM_ORDINARY},
                 {"/lib64/ld64.so.2", PROGRAM_ORDINARY},
                 {"/lib/ld-musl-x86_64.so.1", PROGRAM_MUSL},
                 {"/lib/ld64-uClibc.so.0", PROGRAM_FOREIGN},
                 {"/system/bin/linker64", PROGRAM_FOREIGN},
                 {NULL, PROGRAM_STATIC}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(judge(put_elf("program", cases[i].linker, 0, 0)), cases[i].kind);
}

static void word_size_and_processor_are_seen(void **unused)
{
    (void)unused;
    static const char linker[] = "/lib/ld-linux.so.2";
    assert_int_equal(judge(put_elf("small", linker, ELFCLASS32, 0)), PROGRAM_OTHER_SIZE);
    assert_int_equal(judge(put_elf("other", linker, 0, EM_S390)), PROGRAM_OTHER_PROCESSOR);
    assert_true(program_rejects(PROGRAM_OTHER_SIZE) && program_rejects(PROGRAM_OTHER_PROCESSOR));
    assert_false(program_rejects(PROGRAM_STATIC) || program_rejects(PROGRAM_SET_ID));
}

static void of_a_script_the_interpreter_counts(void **unused)
{
    (void)unused;
    char text[256];
    const char *musl = put_elf("musl", "/lib/ld-musl-x86_64.so.1", 0, 0);
    snprintf(text, sizeof text, "#! %s -e\n", musl);
    const char *script = put("script", text, strlen(text));
    assert_int_equal(judge(script), PROGRAM_MUSL);
    snprintf(text, sizeof text, "#!%s", script);
    assert_int_equal(judge(put("second", text, strlen(text))), PROGRAM_MUSL);
    snprintf(text, sizeof text, "#!%s\n", path_of("loop"));
    assert_int_equal(judge(put("loop", text, strlen(text))), PROGRAM_ORDINARY);
    assert_int_equal(judge(put("text", "echo\n", 5)), PROGRAM_ORDINARY);
}

static void what_cannot_be_read_is_ordinary(void **unused)
{
    (void)unused;
    static const char garbage[] =
        ELFMAG "\2\1\1 and much more that is no program at all, so to say";
    assert_int_equal(judge(path_of("none")), PROGRAM_ORDINARY);
    assert_int_equal(judge((const char *)1), PROGRAM_ORDINARY);
    assert_int_equal(judge(place), PROGRAM_ORDINARY);
    assert_int_equal(judge(put("empty", "", 0)), PROGRAM_ORDINARY);
    assert_int_equal(judge(put("short", garbage, 20)), PROGRAM_ORDINARY);
    judge(put("garbage", garbage, sizeof garbage)); /* whatever it is */
}

static void a_command_is_looked_for_as_execvp_does(void **unused)
{
    (void)unused;
    char list[256];
    const char *path = put_elf("program", "/lib/ld-musl-x86_64.so.1", 0, 0);
    snprintf(list, sizeof list, "/none::%s", place);
    assert_int_equal(program_judge_command("program", list), PROGRAM_MUSL);
    assert_int_equal(program_judge_command(path, NULL), PROGRAM_MUSL);
    assert_int_equal(program_judge_command("program", "/none"), PROGRAM_ORDINARY);
    assert_int_equal(program_judge_command("program", NULL), PROGRAM_ORDINARY);
    chmod(path, 0600);
    if (geteuid() != 0)
        assert_int_equal(program_judge_command("program", list), PROGRAM_ORDINARY);
    static char deep[2000];
    memset(deep, 'd', sizeof deep - 1);
    assert_int_equal(program_judge_command("program", deep), PROGRAM_ORDINARY);
    assert_int_equal(program_judge_command(deep, list), PROGRAM_ORDINARY);
}

static int make_place(void **unused)
{
    (void)unused;
    strcpy(place, "/tmp/weir-program-XXXXXX");
    return mkdtemp(place) ? 0 : -1;
}

static int remove_place(void **unused)
{
    (void)unused;
    static const char *const names[] = {"program", "small", "other", "musl",  "script", "second",
                                        "loop",    "text",  "empty", "short", "garbage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return rmdir(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dynamic_linker_tells_the_c_library),
        cmocka_unit_test(word_size_and_processor_are_seen),
        cmocka_unit_test(of_a_script_the_interpreter_counts),
        cmocka_unit_test(what_cannot_be_read_is_ordinary),
        cmocka_unit_test(a_command_is_looked_for_as_execvp_does),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
