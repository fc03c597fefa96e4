/* Slurm's plug-in: puts the steps of jobs under control. Loaded by srun, sbatch, salloc and slurmd
 * for its options, and by slurmstepd, which starts the processes of a step.
 *
 * A job never fails, and never waits longer than HOLD_PATIENCE, because of it: every function here
 * says that all is well, but for an option that srun, sbatch or salloc is given and that makes no
 * sense. */
#include "client/program.h"
#include "slurm/hold.h"
#include "slurm/job.h"
#include "supervise/supervise.h"
#include <dlfcn.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <string.h>

SPANK_PLUGIN(weir, 1)

/* There is one job in a process. */
static struct {
    struct settings settings;
    struct err fault; /* of the arguments; "" = none */
    bool controlled;
    struct hold hold;
} plugin;

/* --- options ---------------------------------------------------------------------------------- */

static int plugin_choose(int option, const char *value, int remote)
{
    struct err err = {0};
    if (settings_choose(&plugin.settings, (enum settings_option)option, value ? value : "", &err) ==
        0)
        return 0;
    if (remote) {
        slurm_info("weir: %s", err.text);
        return 0;
    }
    slurm_error("%s", err.text);
    return -1;
}

int slurm_spank_init(spank_t spank, int count, char **arguments)
{
#define PLUGIN_OPTION(name, word, value, text)                                                     \
    {(char *)word, (char *)value, (char *)text, 1, SETTINGS_##name, plugin_choose},
    static struct spank_option options[] = {SETTINGS_OPTIONS(PLUGIN_OPTION)};
#undef PLUGIN_OPTION
    plugin.fault.text[0] = '\0';
    settings_read(&plugin.settings, count, (const char *const *)arguments, &plugin.fault);
    for (int i = 0; i < SETTINGS_OPTIONS_COUNT; i++)
        spank_option_register(spank, &options[i]);
    if (*plugin.fault.text && spank_context() == S_CTX_SLURMD)
        slurm_info("weir: jobs run without control: %s", plugin.fault.text);
    return ESPANK_SUCCESS;
}

/* --- the environment of the job --------------------------------------------------------------- */

static int plugin_get(void *context, const char *variable, char *value, size_t size)
{
    spank_err_t fault = spank_getenv(context, variable, value, (int)size);
    if (fault != ESPANK_SUCCESS)
        *value = '\0';
    return fault == ESPANK_NOSPACE ? -1 : 0;
}

static int plugin_set(void *context, const char *variable, const char *value)
{
    if (value)
        return spank_setenv(context, variable, value, 1) == ESPANK_SUCCESS ? 0 : -1;
    spank_unsetenv(context, variable);
    return 0;
}

static struct environment plugin_environment(spank_t spank)
{
    return (struct environment){plugin_get, plugin_set, spank};
}

/* --- steps ------------------------------------------------------------------------------------ */

static const char *plugin_find_library(char path[PATH_MAX])
{
    Dl_info place;
    if (plugin.settings.preload) {
        snprintf(path, PATH_MAX, "%s", plugin.settings.preload);
        return environment_check_library(path);
    }
    if (dladdr(&plugin, &place) == 0 || !place.dli_fname)
        return "the plug-in does not find itself: give it preload=PATH";
    return environment_find_library(place.dli_fname, "..", path);
}

static const char *plugin_ask(spank_t spank, struct job_step *job)
{
    uint32_t step = 0;
    uid_t uid = 0;
    if (spank_get_item(spank, S_JOB_ID, &job->id) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_UID, &uid) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_STEPID, &step) != ESPANK_SUCCESS)
        return "Slurm does not say which job it is";
    if (spank_get_item(spank, S_JOB_NNODES, &job->nodes) != ESPANK_SUCCESS)
        job->nodes = 0;
    job->uid = uid;
    job->batch = step == SLURM_BATCH_SCRIPT;
    return NULL;
}

/* Returns NULL, or why the step runs without control. */
static const char *plugin_control(spank_t spank, struct job_step *job)
{
    struct environment environment = plugin_environment(spank);
    struct identity identity;
    char library[PATH_MAX];
    const char *fault = plugin_ask(spank, job);
    if (!fault && *plugin.fault.text)
        fault = plugin.fault.text;
    if (!fault)
        fault = plugin.settings.supervise ? supervise_check() : plugin_find_library(library);
    if (fault)
        return fault;
    job_identify(job, &environment, &plugin.settings, &identity);
    fault = hold_open(&plugin.hold, &identity);
    if (fault)
        return fault;
    fault = environment_prepare(&environment, &identity, plugin.hold.answer.welcome.stores,
                                plugin.settings.supervise ? NULL : library);
    plugin.controlled = !fault;
    if (fault)
        hold_close(&plugin.hold);
    return fault;
}

/* Once in every slurmstepd, with the rights of the user. What a job inherits from one that was
 * under control is not its own. */
int slurm_spank_user_init(spank_t spank, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    struct environment environment = plugin_environment(spank);
    struct job_step job = {0};
    const char *fault = NULL;
    environment_clear(&environment);
    if (plugin.settings.on || *plugin.fault.text)
        fault = plugin_control(spank, &job);
    if (fault)
        slurm_info("weir: job %u runs without control: %s", job.id, fault);
    return ESPANK_SUCCESS;
}

/* The supervisor finds in its environment what the job finds in its own. */
static void plugin_supervise(const struct environment *environment)
{
    environment_adopt(environment);
    const char *fault = supervise_enter();
    if (fault)
        slurm_info("weir: a task runs without control: it %s", fault);
}

/* In the process of each task, before it becomes the program. */
int slurm_spank_task_init(spank_t spank, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    struct environment environment = plugin_environment(spank);
    char path[4 * PATH_MAX];
    char **command = NULL;
    int words = 0;
    if (plugin.controlled && plugin.settings.supervise) {
        plugin_supervise(&environment);
        return ESPANK_SUCCESS;
    }
    if (!plugin.controlled || spank_get_item(spank, S_JOB_ARGV, &words, &command) != 0 ||
        words < 1 || plugin_get(spank, "PATH", path, sizeof path) != 0)
        return ESPANK_SUCCESS;
    if (program_rejects(program_judge_command(command[0], *path ? path : NULL)))
        environment_unload(&environment);
    return ESPANK_SUCCESS;
}

int slurm_spank_exit(spank_t spank, int count, char **arguments)
{
    (void)spank;
    (void)count;
    (void)arguments;
    if (plugin.controlled)
        hold_close(&plugin.hold);
    plugin.controlled = false;
    return ESPANK_SUCCESS;
}
