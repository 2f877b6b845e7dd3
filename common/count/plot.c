/* plot.c - what was counted, as a picture by gnuplot: see count.h.
 *
 * gnuplot reads its script from one file and writes the picture to another; no name of a file is in the
 * script, but in the title. */
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "count.h"
#include "grouped.h"
#include "util.h"
#include "whole_file.h"

const char *can_plot(void)
{
    return is_installed("gnuplot")
               ? ""
               : "--plot needs gnuplot, which is not installed: sudo apt-get install gnuplot-nox";
}

/* A name between single quotes of gnuplot, without what an SVG file could not show. */
static void print_title(FILE *script, const struct counted_file *counted)
{
    fprintf(script, "set title '%s bytes of ", grouped(counted->length));
    for (const char *at = counted->name; *at; at++)
        fprintf(script, *at == '\'' ? "''" : (unsigned char)*at < ' ' ? "?" : "%c", *at);
    fprintf(script, " in %d bins'\n", (int)NUM_BINS);
}

/* A line for each bin: its count, its middle among the values of a byte, its name. */
static void print_data(FILE *script, const struct counted_file *counted)
{
    for (int bin = 0; bin < NUM_BINS; bin++) {
        int first, last;
        const char *name = name_of_bin(bin);
        bytes_of_bin(bin, &first, &last);
        const char *letters = strrchr(name, ' ');
        fprintf(script, "%llu %g %s\n", counted->bins[bin], (first + last) / 2.0,
                letters ? letters + 1 : name);
    }
    fprintf(script, "e\n");
}

static void print_script(FILE *script, const struct counted_file *counted)
{
    enum { IN_DIGITS = 10000 };          /* below, an axis has numbers; else 1.5M */
    const bool by_value = NUM_BINS > 26; /* else a name below each bar */
    const unsigned long long most = largest_bin(counted);
    fprintf(script, "set terminal svg noenhanced size 960,480 dynamic font 'sans-serif,13' "
                    "background rgb 'white'\n"
                    "unset key\nset border 3\nset xtics nomirror\nset ytics nomirror\n"
                    "set grid ytics lw 0.2\nset style fill solid 0.9 noborder\n"
                    "set ylabel 'bytes'\n");
    print_title(script, counted);
    fprintf(script, "set yrange [0:%s]\n", most > 0 ? "*" : "1");
    fprintf(script, "set format y '%s'\n", most < IN_DIGITS ? "%g" : "%.1s%c");
    if (by_value)
        fprintf(script, "set xlabel 'value of the byte'\nset xtics 16\nset xrange [-1:256]\n");
    fprintf(script, "set boxwidth %g\n", by_value ? 0.9 * 256 / NUM_BINS : 0.9);
    fprintf(script, "plot '-' using %s with boxes lc rgb '#4c8dca'\n",
            by_value ? "2:1" : "0:1:xticlabels(3)");
    print_data(script, counted);
}

/* gnuplot does not say when the disk is full; a picture has an end. */
static bool is_complete(const struct whole_file *picture)
{
    static const char end[] = "</svg>";
    char last[32] = "";
    const int descriptor = fileno(picture->stream);
    const off_t length = lseek(descriptor, 0, SEEK_END);
    const off_t from = length > (off_t)sizeof last - 1 ? length - (off_t)sizeof last + 1 : 0;
    return !picture->written ||
           (pread(descriptor, last, sizeof last - 1, from) > 0 && strstr(last, end));
}

static bool draw(const struct counted_file *counted, FILE *picture)
{
    FILE *script = tmpfile();
    if (!script)
        return false;
    print_script(script, counted);
    const bool drawn = fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0 &&
                       run_filter("gnuplot", script, picture) == DONE;
    fclose(script);
    return drawn;
}

const char *plot_bins(const char *path, const struct counted_file *counted)
{
    struct whole_file picture;
    const char *why = whole_file_begin(&picture, path);
    if (*why)
        return why;
    if (draw(counted, picture.stream) && is_complete(&picture))
        return whole_file_end(&picture);
    whole_file_drop(&picture);
    return format("%s: gnuplot could not draw it: is the disk full?", path);
}
