#include "report/svg.h"
#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, or 0 if there is none. */
static int sequence_length(const unsigned char *s)
{
    int length = *s < 0x80 ? 1 : *s < 0xC2 ? 0 : *s < 0xE0 ? 2 : *s < 0xF0 ? 3 : *s < 0xF5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

void svg_escape(FILE *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = sequence_length(s);
        if (length == 0 || *s < 0x20 || *s == 0x7F)
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

void svg_clip(char *text, size_t most)
{
    static const char ellipsis[] = "\u2026";
    size_t seen = 0;
    char *end = NULL; /* where the ellipsis would go */
    for (char *s = text; *s; s++) {
        if (((unsigned char)*s & 0xC0) == 0x80)
            continue;
        if (++seen == most)
            end = s;
    }
    if (seen > most && (size_t)(end - text) + sizeof ellipsis <= strlen(text) + 1)
        memcpy(end, ellipsis, sizeof ellipsis);
    else if (seen > most)
        *end = 0;
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
