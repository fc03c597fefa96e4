#include "figure/style.h"
#include "figure/colours.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLUS = 1, CROSS, STAR, SQUARE_O, SQUARE, CIRCLE_O, CIRCLE, UP_O, UP, DOWN_O, DOWN };
enum { DIAMOND_O = DOWN + 1, DIAMOND, PENTAGON_O, PENTAGON };

/* A variant comes after the strategy that it varies. No two have the same dash and marker, so that
 * lines are told apart without colours. */
static const struct {
    const char *name;
    struct style style;
} style_table[] = {
    {"fair-share", {COLOUR_GREY, 0, CIRCLE_O}},
    {"best-effort", {COLOUR_MIST, 1, SQUARE}},
    {"fcfs", {COLOUR_INK, 0, SQUARE}},
    {"greedy-yield", {COLOUR_BLUE, 0, CIRCLE}},
    {"greedy-com", {COLOUR_SKY, 1, UP}},
    {"look-ahead-greedy-yield", {COLOUR_NAVY, 3, DOWN}},
    {"periodic-greedy-yield", {COLOUR_TEAL, 2, PENTAGON}},
    {"set-10", {COLOUR_ORANGE, 0, DIAMOND}},
    {"best-next-event", {COLOUR_RED, 1, UP_O}},
    {"clearing", {COLOUR_PLUM, 0, SQUARE_O}},
    {"critical-yield", {COLOUR_RED, 0, UP}},
    {"surplus", {COLOUR_GREEN, 2, SQUARE}},
    {"floor", {COLOUR_BROWN, 3, DOWN_O}},
    {"min-dilation", {COLOUR_GREEN, 2, UP}},
    {"min-dilation:priority", {COLOUR_PINE, 2, UP_O}},
    {"max-syseff", {COLOUR_PLUM, 0, DOWN}},
    {"max-syseff:priority", {COLOUR_WINE, 1, DOWN_O}},
    {"max-syseff:key=slides", {COLOUR_PINK, 3, PENTAGON}},
    {"max-syseff:key=slides,priority", {COLOUR_RED, 3, PENTAGON_O}},
    {"min-max", {COLOUR_YELLOW, 0, DIAMOND_O}},
    {"min-max:gamma=0.25", {COLOUR_YELLOW, 1, DIAMOND}},
    {"min-max:gamma=0.25,priority", {COLOUR_YELLOW, 1, DIAMOND_O}},
    {"min-max:gamma=0.5", {COLOUR_OLIVE, 3, DIAMOND}},
    {"min-max:gamma=0.5,priority", {COLOUR_OLIVE, 3, DIAMOND_O}},
    {"min-max:gamma=0.75", {COLOUR_BROWN, 2, DIAMOND}},
    {"min-max:gamma=0.75,priority", {COLOUR_BROWN, 2, DIAMOND_O}},
    {"min-max:gamma=0.5,key=slides", {COLOUR_OLIVE, 3, STAR}},
    {"pace", {COLOUR_TEAL, 0, UP_O}},
    {"list", {COLOUR_INK, 1, CIRCLE_O}},
    {"list:order=fifo", {COLOUR_INK, 1, SQUARE_O}},
    {"list:order=lowest-id", {COLOUR_GREY, 1, CROSS}},
    {"list:order=longest-io", {COLOUR_PLUM, 1, STAR}},
    {"list:order=shortest-io", {COLOUR_TEAL, 1, PLUS}},
    {"list:order=most-remaining", {COLOUR_BLUE, 3, CROSS}},
    {"list:order=shortest-remaining", {COLOUR_SKY, 2, CROSS}},
    {"list:order=bandwidth", {COLOUR_GREEN, 2, PLUS}},
    {"list:order=bandwidth-total", {COLOUR_GREEN, 3, PLUS}},
    {"list:order=stretch", {COLOUR_ORANGE, 2, CIRCLE_O}},
    {"list:order=johnson", {COLOUR_RED, 2, STAR}},
    {"periodic", {COLOUR_PINE, 0, PENTAGON}},
    {"periodic:order=fifo", {COLOUR_INK, 2, PENTAGON_O}},
    {"periodic:order=johnson", {COLOUR_RED, 0, PENTAGON_O}},
    {"periodic:order=most-remaining", {COLOUR_BLUE, 1, PENTAGON_O}},
    {"groups", {COLOUR_WINE, 3, SQUARE}},
    {"groups:lend=off", {COLOUR_WINE, 2, SQUARE_O}},
    {"plan", {COLOUR_PINE, 0, STAR}},
    {"apio", {COLOUR_RED, 3, CIRCLE}},
    {"replan", {COLOUR_PINE, 2, CIRCLE}},
    /* Plans themselves, and the best of several strategies. */
    {"PerSched", {COLOUR_NAVY, 3, UP_O}},
    {"PerSched for Dilation", {COLOUR_TEAL, 2, CIRCLE}},
    {"our search", {COLOUR_ORANGE, 0, CIRCLE_O}},
    {"best online", {COLOUR_BROWN, 1, DIAMOND}},
    {"best of --policy all", {COLOUR_BROWN, 0, STAR}},
    /* What they are compared with. */
    {"bound", {COLOUR_INK, 3, PLUS}},
    {"best schedule", {COLOUR_INK, 0, CROSS}},
};

/* For names that the table does not have. */
static const char *const style_colours[] = {COLOUR_BLUE, COLOUR_ORANGE, COLOUR_GREEN, COLOUR_PLUM,
                                            COLOUR_INK,  COLOUR_SKY,    COLOUR_BROWN, COLOUR_GREY,
                                            COLOUR_RED,  COLOUR_OLIVE,  COLOUR_TEAL,  COLOUR_NAVY};

static struct style style_invent(const char *name)
{
    uint32_t hash = 2166136261; /* FNV-1a */
    for (const char *s = name; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619;
    size_t colours = sizeof style_colours / sizeof *style_colours;
    return (struct style){.colour = style_colours[hash % colours],
                          .dash = (int)(hash / colours % STYLE_DASHES),
                          .marker = 1 + (int)(hash / colours / STYLE_DASHES % STYLE_MARKERS)};
}

/* Papers write "Greedy-Yield", "GreedyYield" or "greedy yield" for one strategy. */
static const char *style_skip(const char *text, const char *end)
{
    while (text < end && strchr("-_ ", *text))
        text++;
    return text;
}

static bool style_is_same(const char *a, const char *b, size_t length)
{
    const char *a_end = a + strlen(a), *b_end = b + length;
    for (;;) {
        a = style_skip(a, a_end);
        b = style_skip(b, b_end);
        if (a == a_end || b == b_end)
            return a == a_end && b == b_end;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

/* The row of the first `length` bytes of a name; NULL if there is none. */
static const struct style *style_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof style_table / sizeof *style_table; i++)
        if (style_is_same(style_table[i].name, name, length))
            return &style_table[i].style;
    return NULL;
}

struct style style_of(const char *name)
{
    const char *slash = strrchr(name, '/'); /* a plug-in looks the same wherever it is */
    name = slash && slash[1] ? slash + 1 : name;
    for (size_t length = strlen(name); length > 0; length--) {
        char end = name[length];
        const struct style *style =
            !end || end == ':' || end == ',' ? style_find(name, length) : NULL;
        if (style)
            return *style;
    }
    return style_invent(name);
}

double style_lightness(const struct style *style)
{
    unsigned rgb = (unsigned)strtoul(style->colour + 1, NULL, 16);
    return (0.299 * (rgb >> 16 & 255) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255)) / 2.55;
}

const char *style_dash(int dash)
{
    static const char *const dashes[STYLE_DASHES] = {"", "6,3", "1.5,2", "9,2.5,2,2.5"};
    return dashes[dash % STYLE_DASHES];
}
