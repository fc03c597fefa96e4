#include "report/svg.h"
#include "base/text.h"
#include "figure/colours.h"
#include <string.h>

void svg_escape(FILE *out, const char *text)
{
    for (const char *s = text, *end = text + strlen(text); s < end;) {
        uint32_t code;
        int length = text_character(s, end, &code);
        if (length == 0 || !text_is_printable(code))
            fputc('?', out);
        else if (*s == '&')
            fputs("&amp;", out);
        else if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '>')
            fputs("&gt;", out);
        else if (*s == '"')
            fputs("&quot;", out);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length ? length : 1;
    }
}

void svg_text(FILE *out, const char *class, struct point at, const char *text)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, at.x, at.y);
    svg_escape(out, text);
    fputs("</text>\n", out);
}

void svg_rect(FILE *out, const char *class, struct point from, struct point to)
{
    fprintf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
            class, from.x, from.y, to.x - from.x, to.y - from.y);
}

void svg_line(FILE *out, const char *class, struct point from, struct point to)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", class,
            from.x, from.y, to.x, to.y);
}

void svg_path_rect(FILE *out, struct point from, struct point to)
{
    fprintf(out, "M%.2f %.2fH%.2fV%.2fH%.2fz", from.x, from.y, to.x, to.y, from.x);
}

void svg_begin(FILE *out, struct point size, const char *style)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n"
            "<style>\n"
            "text{font-family:'Inter','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;"
            "font-size:11px;fill:#4a5562}\n"
            ".title{font-size:19px;font-weight:600;fill:" COLOUR_INK "}\n"
            ".right{text-anchor:end}.mid{text-anchor:middle}\n"
            ".grid{stroke:#e9edf1}.edge{stroke:#aab4bf}.page{fill:#fff}.frame{fill:#f4f6f8}\n"
            "%s</style>\n",
            size.x, size.y, size.x, size.y, style);
    svg_rect(out, "page", (struct point){0, 0}, size);
}

void svg_legend(FILE *out, const struct svg_key *keys, size_t count, struct point corner)
{
    double x = corner.x, y = corner.y;
    for (size_t i = 0; i < count; i++)
        x -= keys[i].width;
    for (size_t i = 0; i < count; x += keys[i++].width) {
        svg_rect(out, keys[i].class, (struct point){x, y}, (struct point){x + 13, y + 11});
        svg_text(out, "", (struct point){x + 18, y + 10}, keys[i].text);
    }
}
