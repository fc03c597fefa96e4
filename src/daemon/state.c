#include "daemon/state.h"
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

static int state_write(FILE *file, const struct state_rules *rules)
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
    bool wrong = fflush(file) != 0 || fsync(fileno(file)) != 0 || ferror(file);
    return fclose(file) != 0 || wrong ? -1 : 0;
}

int state_save(const char *path, const struct state_rules *rules, struct err *err)
{
    size_t size = strlen(path) + sizeof ".new";
    char *beside = mem_alloc(size, 1);
    if (!beside)
        return err_memory(err);
    snprintf(beside, size, "%s.new", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !file)
        close(fd);
    int status = file ? state_write(file, rules) : -1;
    if (status == 0)
        status = rename(beside, path);
    if (status != 0) {
        err_set(err, "the setting holds until the controller ends, but cannot be saved in '%s': %s",
                path, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return status;
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

int state_load(const char *path, state_take *take, void *context, struct err *err)
{
    struct stat file;
    size_t length, number = 1;
    if (stat(path, &file) != 0 && errno == ENOENT)
        return 0;
    char *text = text_load(path, &length, err);
    if (!text)
        return -1;
    int status = 0;
    for (char *line = text, *end; status == 0 && line < text + length; line = end + 1, number++) {
        end = line + strcspn(line, "\n");
        struct wire_message message;
        if (*end == '\0' && end < text + length)
            status = err_set(err, "not a text");
        *end = '\0';
        if (status == 0 && *line && *line != '#' &&
            (state_read(line, &message, err) != 0 || take(context, &message.set, err) != 0))
            status = -1;
        if (status != 0)
            err_prepend(err, "%s:%zu", path, number);
    }
    free(text);
    return status;
}
