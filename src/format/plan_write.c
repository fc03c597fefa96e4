#include "base/json.h"
#include "format/plan_file.h"

static void plan_write_write_instance(struct json *json, const struct plan *plan,
                                      const struct plan_instance *instance)
{
    json_begin_object(json, NULL);
    json->pretty = false; /* a line each: messages name lines */
    json_number(json, "start", instance->start);
    json_begin_array(json, "io");
    for (size_t i = 0; i < instance->count; i++) {
        const struct plan_piece *piece = &plan->pieces[instance->first + i];
        json_begin_array(json, NULL);
        json_number(json, NULL, piece->start);
        json_number(json, NULL, piece->end);
        json_number(json, NULL, piece->rate);
        json_end_array(json);
    }
    json_end_array(json);
    json_end_object(json);
    json->pretty = true;
}

static void write_schedule(struct json *json, const struct plan *plan, const struct task *task,
                           const struct plan_app *app)
{
    json_number(json, "nodes", task->nodes);
    json_number(json, "work", task->work);
    json_number(json, "volume", task->volume);
    json_begin_array(json, "schedule");
    for (size_t i = 0; i < app->count; i++)
        plan_write_write_instance(json, plan, &plan->instances[app->first + i]);
    json_end_array(json);
}

void plan_file_write(FILE *out, const struct plan_file *file, const struct tasks *tasks,
                     bool schedule)
{
    const struct plan *plan = file->plan;
    struct json json = {.out = out, .pretty = true};
    json_begin_object(&json, NULL);
    provenance_json(&file->made, &json);
    json_string(&json, "method", file->method);
    json_string(&json, "objective", file->objective);
    json_number(&json, "period", plan->period);
    json_number(&json, "sys_efficiency", plan_sys_efficiency(plan, tasks));
    json_number(&json, "dilation", plan_max_dilation(plan, tasks));
    json_begin_object(&json, "bounds");
    json_number(&json, "sys_efficiency", file->bounds.sys_efficiency);
    json_number(&json, "sys_efficiency_bandwidth", file->bounds.sys_efficiency_bandwidth);
    json_number(&json, "dilation_bandwidth", file->bounds.dilation_bandwidth);
    json_end_object(&json);
    json_begin_array(&json, "applications");
    for (uint32_t i = 0; i < plan->count; i++) {
        json_begin_object(&json, NULL);
        json_string(&json, "name", tasks->list[i].name);
        json_integer(&json, "instances", plan->apps[i].count);
        json_number(&json, "efficiency", plan_efficiency(plan, tasks, i));
        json_number(&json, "dilation", plan_dilation(plan, tasks, i));
        if (schedule)
            write_schedule(&json, plan, &tasks->list[i], &plan->apps[i]);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_number(&json, "seconds", file->seconds);
    json_end_object(&json);
}
