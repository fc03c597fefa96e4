#include "base/units.h"
#include "model/schedule.h"
#include "report/map_canvas.h"
#include "report/svg.h"

/* With more jobs, tooltips would make the file too large. */
enum { MOST_TOOLTIPS = 2000 };

const char *const map_layer_class[MAP_LAYERS] = {"io", "work", "lost"};

/* One I/O node while it is being drawn; its jobs are gone through once per layer. */
struct panel {
    const struct map_canvas *canvas;
    double bottom;
    int layer; /* MAP_LAYERS = the outlines */
};

/* Where some nodes of a job are drawn. */
struct box {
    double left, right, low, high;
};

static struct box box_of(const struct panel *panel, const struct schedule_place *place)
{
    const struct map_canvas *canvas = panel->canvas;
    double scale = canvas->height / canvas->workload->platform.nodes;
    double low = panel->bottom - scale * place->first;
    return (struct box){map_canvas_x(canvas, place->job->start),
                        map_canvas_x(canvas, place->job->end), low, low - scale * place->count};
}

/* Where the layer begins and ends in a job, 0..1 from below. */
static void find_edges(const struct map_canvas *canvas, uint32_t job, int layer, double edges[2])
{
    const struct weir_app *app = &canvas->workload->apps[job].facts;
    double stretch = map_stretch(canvas->workload, canvas->run->mapping, job);
    double ideal = app_ideal(&canvas->workload->apps[job]);
    double useful = 1 / stretch, io = ideal > 0 ? useful * app->total_io / ideal : 0;
    const double all[] = {0, io, useful, 1};
    edges[0] = layer == MAP_LAYERS ? 0 : all[layer];
    edges[1] = layer == MAP_LAYERS ? 1 : all[layer + 1];
}

static int draw_job(const struct schedule_place *place, void *context)
{
    const struct panel *panel = context;
    struct box box = box_of(panel, place);
    double edges[2], height = box.high - box.low;
    find_edges(panel->canvas, place->job->number - 1, panel->layer, edges);
    if (edges[1] - edges[0] > 1e-3)
        svg_path_rect(panel->canvas->out, (struct point){box.left, box.low + height * edges[0]},
                      (struct point){box.right, box.low + height * edges[1]});
    return 0;
}

/* Invisible; shows the job under the pointer. */
static int draw_tooltip(const struct schedule_place *place, void *context)
{
    const struct panel *panel = context;
    const struct map_canvas *canvas = panel->canvas;
    struct box box = box_of(panel, place);
    uint32_t job = place->job->number - 1;
    char label[64], start[64], end[64];
    fprintf(canvas->out,
            "<rect class=\"hit\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
            box.left, box.high, box.right - box.left, box.low - box.high);
    svg_escape(canvas->out, app_label(&canvas->workload->apps[job], label, sizeof label));
    fprintf(canvas->out, ": %.15g nodes, %s to %s, stretch %.3f</title></rect>\n",
            canvas->workload->apps[job].facts.nodes,
            units_print(place->job->start, UNIT_SECONDS, start, sizeof start),
            units_print(place->job->end, UNIT_SECONDS, end, sizeof end),
            map_stretch(canvas->workload, canvas->run->mapping, job));
    return 0;
}

/* What ran behind an I/O node; NULL when memory is out. */
static struct schedule *map_gantt_jobs_collect(const struct map_canvas *canvas, uint32_t io_node)
{
    static const char *const kinds[] = {"job", NULL};
    const struct workload *workload = canvas->workload;
    struct schedule *schedule = schedule_new(workload->name, &workload->platform, kinds);
    int status = schedule ? 0 : -1;
    for (uint32_t i = 0; i < workload->count && status == 0; i++) {
        const struct placed_job *placed = &canvas->run->mapping->jobs[i];
        if (placed->io_node == io_node && placed->end > placed->start &&
            placed->start < canvas->axis.end)
            status = schedule_add(
                schedule, &(struct schedule_job){.start = placed->start,
                                                 .end = placed->end,
                                                 .nodes = (uint32_t)workload->apps[i].facts.nodes,
                                                 .number = i + 1});
    }
    if (status != 0) {
        schedule_free(schedule);
        return NULL;
    }
    schedule_sort(schedule);
    return schedule;
}

int map_canvas_draw_jobs(const struct map_canvas *canvas, uint32_t io_node, double bottom,
                         struct err *err)
{
    struct schedule *schedule = map_gantt_jobs_collect(canvas, io_node);
    struct panel panel = {.canvas = canvas, .bottom = bottom};
    if (!schedule)
        return err_memory(err);
    int status = 0;
    for (; panel.layer <= MAP_LAYERS && status == 0; panel.layer++) {
        fprintf(canvas->out, "<path class=\"%s\" d=\"",
                panel.layer < MAP_LAYERS ? map_layer_class[panel.layer] : "outline");
        status = schedule_assign(schedule, draw_job, &panel, err);
        fputs("\"/>\n", canvas->out);
    }
    if (status == 0 && canvas->workload->count <= MOST_TOOLTIPS)
        status = schedule_assign(schedule, draw_tooltip, &panel, err);
    schedule_free(schedule);
    return status;
}
