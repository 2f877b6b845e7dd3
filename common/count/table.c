/* table.c - what was counted, as a table and as CSV, and which bytes a bin holds: see count.h. */

#include "count.h"
#include "grouped.h"
#include "util.h"

enum { BAR = 40, BYTES = 256, FIRST_PRINTABLE = 33, LAST_PRINTABLE = 126 };

void bytes_of_bin(int bin, int *first, int *last)
{
    *first = *last = -1;
    for (int byte = 0; byte < BYTES; byte++)
        if (bin_of((unsigned char)byte) == bin) {
            *first = *first < 0 ? byte : *first;
            *last = byte;
        }
}

/* The character's name, "" for one that has none in print. */
static const char *character(int byte)
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

const char *name_of_bin(int bin)
{
    int first, last;
    bytes_of_bin(bin, &first, &last);
    if (first == last)
        return format("%3d %s", first, character(first));
    if (first >= FIRST_PRINTABLE && last <= LAST_PRINTABLE)
        return format("%d-%d %c-%c", first, last, first, last);
    return format("%d-%d", first, last);
}

unsigned long long largest_bin(const struct counted_file *counted)
{
    unsigned long long most = 0;
    for (int bin = 0; bin < NUM_BINS; bin++)
        most = counted->bins[bin] > most ? counted->bins[bin] : most;
    return most;
}

/* A mark at least, for whatever is there at all. */
static void print_bar(FILE *out, unsigned long long count, unsigned long long most)
{
    const int marks = (int)((double)count / (double)most * BAR + 0.5);
    for (int i = 0; i < (marks > 0 ? marks : 1); i++)
        fputc('#', out);
}

/* What the lines of the bins leave out: bins that hold nothing, bytes that are in no bin. */
static void print_rest(FILE *out, int empty, unsigned long long in_bins, unsigned long long length)
{
    if (empty == NUM_BINS)
        fprintf(out, "all %d bins hold nothing\n", empty);
    else if (empty > 0)
        fprintf(out, "bins of the %d that hold nothing: %d\n", (int)NUM_BINS, empty);
    if (in_bins < length)
        fprintf(out, "bytes that are in no bin: %s\n", grouped(length - in_bins));
}

void print_bin_table(FILE *out, const struct counted_file *counted, bool heading)
{
    const unsigned long long most = largest_bin(counted);
    unsigned long long in_bins = 0;
    int empty = 0;
    if (heading)
        fprintf(out, "%s bytes of %s in %d bins\n\n", grouped(counted->length), counted->name,
                (int)NUM_BINS);
    if (heading && most > 0)
        fprintf(out, "%-12s %20s %8s\n", "bytes", "count", "share");
    for (int bin = 0; bin < NUM_BINS; bin++) {
        empty += counted->bins[bin] == 0;
        in_bins += counted->bins[bin];
        if (counted->bins[bin] == 0)
            continue;
        fprintf(out, "%-12s %20s %7.2f%%  ", name_of_bin(bin), grouped(counted->bins[bin]),
                100 * (double)counted->bins[bin] / (double)counted->length);
        print_bar(out, counted->bins[bin], most);
        fputc('\n', out);
    }
    print_rest(out, empty, in_bins, counted->length);
}

/* In quotes, with those inside doubled. */
static void print_quoted(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        fprintf(out, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', out);
}

void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count)
{
    fprintf(out, "bin,first_byte,last_byte");
    for (size_t i = 0; i < count; i++) {
        fputc(',', out);
        print_quoted(out, columns[i].name);
    }
    fputc('\n', out);
    for (int bin = 0; bin < NUM_BINS; bin++) {
        int first, last;
        bytes_of_bin(bin, &first, &last);
        fprintf(out, "%d,%d,%d", bin, first, last);
        for (size_t i = 0; i < count; i++)
            fprintf(out, ",%llu", columns[i].bins[bin]);
        fputc('\n', out);
    }
}
