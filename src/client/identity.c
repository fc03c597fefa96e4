#include "client/identity.h"
#include "client/kernel.h"
#include "client/wait.h"
#include "wire/page.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* A variable that is set but empty counts as unset. A program with more rights than its user
 * ignores the user's environment. */
static const char *identity_find(const char *variable)
{
    const char *text = secure_getenv(variable);
    return text && *text ? text : NULL;
}

/* What strtod reads in the C locale, which may not be the program's; 0 if it is not a positive
 * number. */
static double parse_number(const char *text)
{
    double value = 0, scale = 1;
    int exponent = 0, digits = 0;
    bool fraction = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !fraction); text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        value = 10 * value + (*text - '0');
        scale *= fraction ? 10 : 1;
        digits++;
    }
    if (digits && (*text == 'e' || *text == 'E')) {
        text++;
        bool negative = *text == '-';
        text += *text == '-' || *text == '+';
        digits = 0;
        for (; *text >= '0' && *text <= '9' && exponent < 400; text++, digits++)
            exponent = 10 * exponent + (*text - '0');
        for (; exponent > 0; exponent--)
            *(negative ? &scale : &value) *= 10;
    }
    value /= scale;
    return digits && !*text && value > 0 && value < 1e300 ? value : 0;
}

static double identity_choose(double given, const char *variable, double otherwise)
{
    if (given > 0 && given < 1e300)
        return given;
    const char *text = variable ? identity_find(variable) : NULL;
    double value = text ? parse_number(text) : 0;
    return value > 0 ? value : otherwise;
}

static void copy_path(char path[IDENTITY_PATH], const char *text)
{
    size_t length = strlen(text);
    path[0] = 0;
    if (length < IDENTITY_PATH)
        memcpy(path, text, length + 1);
}

void identity_default_socket(char path[IDENTITY_PATH])
{
    static const char name[] = "/weir.sock";
    const char *directory = identity_find("XDG_RUNTIME_DIR");
    size_t length = directory ? strlen(directory) : 0;
    if (length == 0 || length + sizeof name > IDENTITY_PATH) {
        directory = "/run";
        length = strlen(directory);
    }
    memcpy(path, directory, length);
    memcpy(path + length, name, sizeof name);
}

void identity_draw_token(uint64_t token[2])
{
    /* Without a random source early in a machine's life: still different for every process. */
    token[0] = wait_now();
    token[1] = (uint64_t)getpid() + 1;
    KERNEL_CALL(SYS_getrandom, (long)token, (long)(2 * sizeof token[0]), GRND_NONBLOCK);
}

void identity_print_token(const uint64_t token[2], char text[IDENTITY_TOKEN])
{
    for (int i = 0; i < 32; i++)
        text[i] = "0123456789abcdef"[token[i / 16] >> (60 - 4 * (i % 16)) & 15];
    text[32] = 0;
}

int identity_parse_token(const char *text, uint64_t token[2])
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(text) != 32 || strspn(text, digits) != 32)
        return -1;
    token[0] = token[1] = 0;
    for (int i = 0; i < 32; i++)
        token[i / 16] = token[i / 16] << 4 | (uint64_t)(strchr(digits, text[i]) - digits);
    return 0;
}

static void choose_token(uint64_t token[2], const struct weir_join *join)
{
    const char *text = identity_find(WIRE_ENV_TOKEN);
    if (join->token[0] || join->token[1])
        memcpy(token, join->token, sizeof join->token);
    else if (!text || identity_parse_token(text, token) != 0)
        identity_draw_token(token);
}

static void choose_socket(char path[IDENTITY_PATH], const struct weir_join *join)
{
    const char *given =
        join->socket && *join->socket ? join->socket : identity_find(WIRE_ENV_SOCKET);
    if (given)
        copy_path(path, given);
    else
        identity_default_socket(path);
}

static void choose_name(char name[WIRE_NAME], const struct weir_join *join)
{
    const char *given = join->name && *join->name ? join->name : identity_find(WIRE_ENV_NAME);
    wire_name(name, given ? given : program_invocation_short_name);
}

/* The job that this process belongs to, by the variables of batch systems. */
enum { VARIABLES = 4 };
static const struct {
    size_t at; /* in struct wire_attach */
    const char *variables[VARIABLES];
} job_texts[] = {
    {offsetof(struct wire_attach, job), {WIRE_ENV_JOB, "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"}},
    {offsetof(struct wire_attach, account), {WIRE_ENV_ACCOUNT, "SLURM_JOB_ACCOUNT"}},
    {offsetof(struct wire_attach, partition),
     {WIRE_ENV_PARTITION, "SLURM_JOB_PARTITION", "PBS_QUEUE", "LSB_QUEUE"}},
};

static void choose_job(struct wire_attach *attach)
{
    for (size_t i = 0; i < sizeof job_texts / sizeof *job_texts; i++) {
        char *to = (char *)attach + job_texts[i].at;
        for (int j = 0; j < VARIABLES && job_texts[i].variables[j] && !*to; j++) {
            const char *text = identity_find(job_texts[i].variables[j]);
            if (text)
                wire_name(to, text);
        }
    }
}

void identity_init(struct identity *identity, const struct weir_join *join)
{
    static const struct weir_join nothing;
    if (!join)
        join = &nothing;
    memset(identity, 0, sizeof *identity);
    choose_socket(identity->socket, join);
    struct wire_attach *attach = &identity->attach;
    choose_token(attach->token, join);
    choose_name(attach->name, join);
    choose_job(attach);
    attach->nodes = identity_choose(join->nodes, WIRE_ENV_NODES, 1);
    attach->weight = identity_choose(join->weight, WIRE_ENV_WEIGHT, 1);
    attach->volume_hint = identity_choose(join->volume_hint, WIRE_ENV_HINT, 0);
    attach->period = identity_choose(join->period, NULL, 0);
}
