#include "serve/state.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char title[] = "# What was set by 'weir ctl'; 'weir serve' reads and writes this.\n";

/* --- writing ---------------------------------------------------------------------------------- */

static void state_print(FILE *file, const struct wire_set *set)
{
    char value[TEXT_NUMBER_SIZE];
    fprintf(file, "%s %s", wire_setting_name((enum wire_setting)set->setting),
            set->setting == WIRE_SET_POLICY ? set->text : text_print_number(set->value, value));
    if (set->scope == WIRE_OF_USER)
        fprintf(file, " user %u", set->uid);
    else if (set->setting != WIRE_SET_POLICY && *set->text)
        fprintf(file, " application %s", set->text);
    fputc('\n', file);
}

/* Whether a rule of the store of this number is saved. */
static bool state_keeps(const struct rule *rule, uint32_t store)
{
    return rule->source == WIRE_CHANGED && rule->set.app == WIRE_ALL &&
           (store == 0 || wire_setting_is_of_stores((enum wire_setting)rule->set.setting));
}

static void state_write(FILE *file, const struct state_rules *rules)
{
    fputs(title, file);
    for (uint32_t store = 0; store < rules->count; store++)
        for (size_t i = 0; i < rules->rules[store]->count; i++) {
            const struct rule *rule = &rules->rules[store]->list[i];
            if (!state_keeps(rule, store))
                continue;
            if (wire_setting_is_of_stores((enum wire_setting)rule->set.setting) &&
                *rules->stores[store])
                fprintf(file, "%s: ", rules->stores[store]);
            state_print(file, &rule->set);
        }
}

/* A file that is to be written, or read, in whichever thread. */
struct state_file {
    char *path, *beside; /* its own, and that of the new file beside it */
    char *text;
    size_t length;
    int error;      /* an errno, 0 = none */
    struct err err; /* why it cannot be read */
};

static void state_drop(void *context)
{
    struct state_file *file = context;
    free(file->path);
    free(file->text);
    free(file);
}

static struct state_file *state_new(const char *path)
{
    size_t size = strlen(path) + 1;
    struct state_file *file = mem_alloc(1, sizeof *file);
    if (!file)
        return NULL;
    *file = (struct state_file){.path = mem_alloc(2 * size + sizeof ".new", 1)};
    if (!file->path) {
        free(file);
        return NULL;
    }
    memcpy(file->path, path, size);
    file->beside = file->path + size;
    snprintf(file->beside, size + sizeof ".new", "%s.new", path);
    return file;
}

static bool state_write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return fsync(fd) == 0;
}

static void state_put(void *context)
{
    struct state_file *file = context;
    int fd = open(file->beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool right = fd >= 0 && state_write_all(fd, file->text, file->length);
    file->error = right ? 0 : errno;
    if (fd >= 0 && close(fd) != 0 && right)
        file->error = errno;
    if (file->error == 0 && rename(file->beside, file->path) != 0)
        file->error = errno;
    if (file->error != 0)
        unlink(file->beside);
}

/* Whether it is written; frees it. */
static int state_conclude(struct state_file *file, struct err *err)
{
    int error = file->error;
    if (error != 0)
        err_set(err, "the setting holds until the controller ends, but cannot be saved in '%s': %s",
                file->path, strerror(error));
    state_drop(file);
    return error == 0 ? 0 : -1;
}

static int state_go_on(struct state_saving *saving, uint64_t limit, struct err *err)
{
    struct state_file *file = saving->file;
    if (!aside_wait(saving->aside, limit)) {
        err_set(err, "the setting holds, and is saved as soon as '%s' answers", file->path);
        return STATE_LATER;
    }
    aside_end(saving->aside);
    *saving = (struct state_saving){NULL, NULL};
    return state_conclude(file, err);
}

int state_save(struct state_saving *saving, const char *path, const struct state_rules *rules,
               struct err *err)
{
    static const struct aside_calls calls = {state_put, state_drop};
    struct err before;
    if (saving->aside && state_go_on(saving, 0, &before) == STATE_LATER) {
        *err = before; /* two at once would write the same file */
        return STATE_LATER;
    }
    struct state_file *file = state_new(path);
    FILE *text = file ? open_memstream(&file->text, &file->length) : NULL;
    if (text)
        state_write(text, rules);
    if (!text || ferror(text) | fclose(text)) {
        if (file)
            state_drop(file);
        return err_memory(err);
    }
    *saving = (struct state_saving){aside_start(&calls, file), file};
    if (saving->aside)
        return state_go_on(saving, STATE_PATIENCE, err);
    state_put(file); /* no thread: then here */
    saving->file = NULL;
    return state_conclude(file, err);
}

bool state_is_late(const struct state_saving *saving)
{
    return saving->aside && !aside_wait(saving->aside, 0);
}

void state_leave(struct state_saving *saving)
{
    if (saving->aside && aside_end(saving->aside))
        state_drop(saving->file);
    *saving = (struct state_saving){NULL, NULL};
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Splits the next word off a text. */
static char *state_word(char **at)
{
    char *word = *at, *end = word + strcspn(word, " ");
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool state_number(const char *text, double *value)
{
    const char *end = text + strlen(text);
    return text_number(&text, end, value) == 0 && text == end;
}

/* Whether the rest of a line names the target of a setting. */
static bool state_scope(char *rest, struct wire_set *set)
{
    const char *kind = state_word(&rest);
    double uid;
    if (!*kind)
        return true;
    if (strcmp(kind, "application") == 0 && *rest && strlen(rest) < WIRE_NAME) {
        text_append(set->text, sizeof set->text, rest);
        return true;
    }
    set->scope = WIRE_OF_USER;
    if (strcmp(kind, "user") != 0 || !state_number(rest, &uid) || !(uid >= 0 && uid < 4294967295.0))
        return false;
    set->uid = (uint32_t)uid;
    return set->uid == uid;
}

/* Splits the name of a store off the front of a line; "" if there is none. */
static const char *state_store(char **line)
{
    char *name = *line, *end = *name == '/' ? strstr(name, ": ") : NULL;
    if (!end)
        return "";
    *end = '\0';
    *line = end + 2;
    return name;
}

static bool state_parse(char *line, struct wire_set *set)
{
    const char *store = state_store(&line);
    int setting = wire_setting_find(state_word(&line));
    if (setting < 0 || strlen(store) >= sizeof set->store)
        return false;
    *set = (struct wire_set){.setting = (uint32_t)setting, .app = WIRE_ALL};
    text_append(set->store, sizeof set->store, store);
    if (setting == WIRE_SET_POLICY) {
        text_append(set->text, sizeof set->text, line);
        return strlen(line) < sizeof set->text;
    }
    return state_number(state_word(&line), &set->value) && state_scope(line, set);
}

/* A line is valid if a SET of the same would be. */
static int state_read(char *line, struct wire_message *message, struct err *err)
{
    char bytes[WIRE_MOST];
    *message = (struct wire_message){.type = WIRE_SET};
    if (!state_parse(line, &message->set))
        return err_set(err, "not a setting of 'weir ctl'");
    const char *fault = wire_decode(bytes, wire_encode(message, bytes), message);
    return fault ? err_set(err, "%s", fault) : 0;
}

static void state_get(void *context)
{
    struct state_file *file = context;
    struct stat status;
    if (stat(file->path, &status) != 0 && errno == ENOENT)
        return;
    file->text = text_load(file->path, &file->length, &file->err);
    file->error = file->text ? 0 : EIO;
}

static int state_read_all(const struct state_file *file, state_take *take, void *context,
                          struct err *err)
{
    size_t number = 1;
    int status = 0;
    const char *stop = file->text + file->length;
    for (char *line = file->text, *end; status == 0 && line < stop; line = end + 1, number++) {
        end = line + strcspn(line, "\n");
        struct wire_message message;
        if (*end == '\0' && end < stop)
            status = err_set(err, "not a text");
        *end = '\0';
        if (status == 0 && *line && *line != '#' &&
            (state_read(line, &message, err) != 0 || take(context, &message.set, err) != 0))
            status = -1;
        if (status != 0)
            err_prepend(err, "%s:%zu", file->path, number);
    }
    return status;
}

int state_load(const char *path, uint64_t limit, state_take *take, void *context, struct err *err)
{
    static const struct aside_calls calls = {state_get, state_drop};
    struct state_file *file = state_new(path);
    int status = 0;
    if (!file)
        return err_memory(err);
    if (!aside_do(&calls, file, limit))
        return err_set(err, "cannot read '%s': it does not answer", path);
    if (file->error != 0) {
        *err = file->err;
        status = -1;
    } else if (file->text) {
        status = state_read_all(file, take, context, err);
    }
    state_drop(file);
    return status;
}
