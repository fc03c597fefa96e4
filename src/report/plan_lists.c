#include "base/text.h"
#include "report/csv.h"
#include "report/plan_report.h"

void plan_write_csv(FILE *out, const struct plan *plan, const struct tasks *tasks)
{
    fputs("application,start,end,bandwidth\n", out);
    for (uint32_t app = 0; app < plan->count; app++) {
        const struct plan_instance *instance = &plan->instances[plan->apps[app].first];
        for (size_t left = plan->apps[app].count; left > 0; left--, instance++) {
            for (size_t i = 0; i < instance->count; i++) {
                const struct plan_piece *piece = &plan->pieces[instance->first + i];
                csv_text(tasks->list[app].name, out);
                csv_number(piece->start, out);
                csv_number(piece->end, out);
                csv_number(piece->rate, out);
                fputc('\n', out);
            }
        }
    }
}

static void plan_lists_write_piece(FILE *out, const struct plan_piece *piece)
{
    char start[TEXT_NUMBER_SIZE], end[TEXT_NUMBER_SIZE], rate[TEXT_NUMBER_SIZE];
    fprintf(out, "%s %s %s\n", text_print_number(piece->start, start),
            text_print_number(piece->end, end), text_print_number(piece->rate, rate));
}

void plan_write_ior(FILE *out, const struct plan *plan, const struct tasks *tasks)
{
    char period[TEXT_NUMBER_SIZE];
    fprintf(out, "# start (s), end (s), bandwidth (bytes/s); again every %s s\n",
            text_print_number(plan->period, period));
    for (uint32_t app = 0; app < plan->count; app++) {
        const struct plan_instance *instance = &plan->instances[plan->apps[app].first];
        fprintf(out, "\n[%s]\n", tasks->list[app].name);
        for (size_t left = plan->apps[app].count; left > 0; left--, instance++)
            for (size_t i = 0; i < instance->count; i++)
                plan_lists_write_piece(out, &plan->pieces[instance->first + i]);
    }
}
