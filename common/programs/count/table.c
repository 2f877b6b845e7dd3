/* table.c - prints what was counted, as a table and as CSV: see count.h. There is a bin for each value of a byte. */
#include "count.h"
#include "grouped.h"

enum { BAR = 40, FIRST_PRINTABLE = 33, LAST_PRINTABLE = 126 };
_Static_assert(NUM_BINS == 256, "a bin for each value of a byte");

/* The character's name, "" for one that has none in print. */
static const char *name_of(int byte)
{
    static char printed[2];
    if (byte < FIRST_PRINTABLE || byte > LAST_PRINTABLE)
        return byte == '\t'   ? "\\t"
               : byte == '\n' ? "\\n"
               : byte == '\r' ? "\\r"
               : byte == ' '  ? "space"
               : byte == 0    ? "NUL"
                              : "";
    printed[0] = (char)byte;
    return printed;
}

/* Prints at least one mark, for whatever is there at all. */
static void print_bar(FILE *out, unsigned long long count, unsigned long long most)
{
    const int marks = (int)((double)count / (double)most * BAR + 0.5);
    for (int i = 0; i < (marks > 0 ? marks : 1); i++)
        fputc('#', out);
}

void print_bin_table(FILE *out, const struct counted_file *counted)
{
    unsigned long long most = 0;
    int empty = 0;
    for (int byte = 0; byte < NUM_BINS; byte++) {
        most = counted->bins[byte] > most ? counted->bins[byte] : most;
        empty += counted->bins[byte] == 0;
    }
    fprintf(out, "%s: %s bytes\n", counted->name, grouped(counted->length));
    for (int byte = 0; byte < NUM_BINS; byte++) {
        const unsigned long long count = counted->bins[byte];
        if (count == 0)
            continue;
        fprintf(out, "%3d %-6s %20s %7.2f%%  ", byte, name_of(byte), grouped(count),
                100 * (double)count / (double)counted->length);
        print_bar(out, count, most);
        fputc('\n', out);
    }
    fprintf(out, "values that are not there: %d\n", empty);
}

/* Prints a name in quotes, with those inside doubled. */
static void print_quoted(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        fprintf(out, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', out);
}

void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count)
{
    fprintf(out, "byte");
    for (size_t i = 0; i < count; i++) {
        fputc(',', out);
        print_quoted(out, columns[i].name);
    }
    for (int byte = 0; byte < NUM_BINS; byte++) {
        fprintf(out, "\n%d", byte);
        for (size_t i = 0; i < count; i++)
            fprintf(out, ",%llu", columns[i].bins[byte]);
    }
    fputc('\n', out);
}
