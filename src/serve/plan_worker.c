#include "serve/plan_worker.h"
#include "plan/answer.h"

static bool plan_worker_is_stopped(void *context)
{
    struct plan_worker *worker = context;
    return atomic_load(&worker->stop);
}

/* In the thread. */
static void plan_worker_work(uv_work_t *work)
{
    struct plan_worker *worker = work->data;
    worker->plan = answer_plan(&worker->question, plan_worker_is_stopped, worker);
}

static void plan_worker_after(uv_work_t *work, int status)
{
    struct plan_worker *worker = work->data;
    (void)status;
    worker->busy = false;
    if (worker->answered && !atomic_load(&worker->stop))
        worker->answered(worker->context);
}

/* A copy of the question that the strategy may change meanwhile. */
static int plan_worker_copy(struct plan_worker *worker, const struct planner_question *question)
{
    const struct tasks *tasks = question->tasks;
    arena_fini(&worker->tasks.arena);
    worker->tasks =
        (struct tasks){.count = tasks->count, .bandwidth = tasks->bandwidth, .nodes = tasks->nodes};
    struct task *list = arena_alloc(&worker->tasks.arena, tasks->count, sizeof *list);
    if (!list)
        return -1;
    for (uint32_t i = 0; i < tasks->count; i++) {
        list[i] = tasks->list[i];
        list[i].name = "";
    }
    worker->tasks.list = list;
    worker->question = *question;
    worker->question.tasks = &worker->tasks;
    return 0;
}

static uint64_t plan_worker_ask(void *context, const struct planner_question *question)
{
    struct plan_worker *worker = context;
    if (worker->busy || plan_worker_copy(worker, question) != 0)
        return 0;
    plan_free(worker->plan);
    worker->plan = NULL;
    worker->work.data = worker;
    if (uv_queue_work(worker->loop, &worker->work, plan_worker_work, plan_worker_after) != 0)
        return 0;
    worker->busy = true;
    return ++worker->asked;
}

static bool plan_worker_answer(void *context, uint64_t number, const struct plan **plan)
{
    const struct plan_worker *worker = context;
    if (worker->busy || number != worker->asked)
        return false;
    *plan = worker->plan;
    return true;
}

void plan_worker_init(struct plan_worker *worker, uv_loop_t *loop)
{
    *worker = (struct plan_worker){
        .planner = {.ask = plan_worker_ask, .answer = plan_worker_answer, .context = worker},
        .loop = loop};
}

void plan_worker_stop(struct plan_worker *worker)
{
    atomic_store(&worker->stop, true);
}

void plan_worker_fini(struct plan_worker *worker)
{
    plan_free(worker->plan);
    worker->plan = NULL;
    arena_fini(&worker->tasks.arena);
}
