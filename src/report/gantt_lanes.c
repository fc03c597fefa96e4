#include "base/text.h"
#include "report/canvas.h"
#include "report/svg.h"
#include <math.h>

/* With more cells, tooltips would make the file too large. */
enum { MOST_TOOLTIPS = 4000 };

/* The three shares of a cell, stacked: I/O from below, work, and what was lost on top. */
enum { LAYER_IO, LAYER_WORK, LAYER_LOST, LAYERS };
static const char *const layer_class[LAYERS] = {"io", "work", "lost"};

static void draw_layer(const struct canvas *canvas, const struct lane *lane, double bottom,
                       int layer)
{
    double height = canvas->lane * (canvas->lane < 8 ? 0.88 : 0.8);
    bool open = false;
    for (size_t i = 0; i < lane->count; i++) {
        const struct cell *cell = &lane->cells[i];
        double edges[LAYERS + 1] = {0, cell->io, fmin(cell->io + cell->work, 1), 1};
        if (edges[layer + 1] - edges[layer] < 1e-3)
            continue;
        if (!open)
            fprintf(canvas->out, "<path class=\"%s\" d=\"", layer_class[layer]);
        open = true;
        svg_path_rect(canvas->out,
                      (struct point){canvas->left + cell->start, bottom - height * edges[layer]},
                      (struct point){canvas->left + cell->end, bottom - height * edges[layer + 1]});
    }
    if (open)
        fputs("\"/>\n", canvas->out);
}

static void describe_cell(const struct canvas *canvas, const struct app *app,
                          const struct cell *cell, char *text)
{
    const struct axis *axis = &canvas->axis;
    double second = (axis->end - axis->start) / axis->width;
    char from[64], to[64], what[64], rate[64];
    if (cell->work == 1)
        snprintf(what, sizeof what, "work");
    else if (cell->io == 0 && cell->work == 0)
        snprintf(what, sizeof what, "waiting");
    else if (cell->work == 0)
        snprintf(what, sizeof what, "I/O at %s",
                 units_print(cell->io * app->facts.bmax, UNIT_RATE, rate, sizeof rate));
    else
        snprintf(what, sizeof what, "work %.0f %%, I/O %.0f %%, lost %.0f %%", 100 * cell->work,
                 100 * cell->io, 100 * (1 - cell->work - cell->io));
    snprintf(text, TEXT_SIZE, "%s, %s to %s", what,
             calendar_print(&canvas->workload->calendar, axis->start + cell->start * second, from),
             calendar_print(&canvas->workload->calendar, axis->start + cell->end * second, to));
}

/* Invisible rectangles over the cells, which show their text under the pointer. */
static void draw_tooltips(const struct canvas *canvas, uint32_t index, const struct lane *lane,
                          double bottom)
{
    const struct app *app = &canvas->workload->apps[index];
    for (size_t i = 0; i < lane->count; i++) {
        const struct cell *cell = &lane->cells[i];
        char text[TEXT_SIZE], label[TEXT_SIZE];
        describe_cell(canvas, app, cell, text);
        fprintf(canvas->out,
                "<rect class=\"hit\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
                canvas->left + cell->start, bottom - canvas->lane, cell->end - cell->start,
                canvas->lane);
        svg_escape(canvas->out, app_label(app, label, sizeof label));
        fputs(": ", canvas->out);
        svg_escape(canvas->out, text);
        fputs("</title></rect>\n", canvas->out);
    }
}

static void label_lane(const struct canvas *canvas, const struct row *row, uint32_t index,
                       double bottom)
{
    char label[TEXT_SIZE], yield[32];
    const struct weir_app_metrics *metrics = &row->apps[index];
    uint32_t every = (uint32_t)ceil(9 / canvas->lane); /* labels must not overlap */
    if (index % every != 0)
        return;
    const char *class = canvas->lane < 13 ? "right small" : "right";
    double baseline = bottom - canvas->lane * 0.4 + (canvas->lane < 13 ? 3 : 4);
    app_label(&canvas->workload->apps[index], label, sizeof label);
    text_clip(label, LABEL_LENGTH);
    svg_text(canvas->out, class, (struct point){canvas->left - 8, baseline}, label);
    snprintf(yield, sizeof yield, "%.3f", metrics->yield);
    if (!isnan(metrics->yield))
        svg_text(canvas->out, class, (struct point){WIDTH - MARGIN, baseline}, yield);
}

void canvas_draw_lanes(const struct canvas *canvas, const struct row *row,
                       const struct lanes *lanes, double top)
{
    size_t cells = 0;
    for (uint32_t i = 0; i < lanes->count; i++)
        cells += lanes->list[i].count;
    svg_text(canvas->out, "right", (struct point){WIDTH - MARGIN, top - 8}, "yield");
    for (uint32_t i = 0; i < lanes->count; i++) {
        double bottom = top + canvas->lane * (i + 1);
        label_lane(canvas, row, i, bottom);
        for (int layer = 0; layer < LAYERS; layer++)
            draw_layer(canvas, &lanes->list[i], bottom, layer);
        if (cells <= MOST_TOOLTIPS)
            draw_tooltips(canvas, i, &lanes->list[i], bottom);
    }
}
