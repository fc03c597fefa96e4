#include "report/csv.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

void csv_text(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void csv_number(double value, FILE *out)
{
    char buffer[TEXT_NUMBER_SIZE];
    fputc(',', out);
    if (isfinite(value))
        fputs(text_print_number(value, buffer), out);
}
