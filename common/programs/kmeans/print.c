/* print.c - a palette as a table: see kmeans.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grouped.h"
#include "kmeans.h"
#include "util.h"

/* What a terminal can show: nothing but letters, the 256 colors of xterm, or all. */
enum shown { LETTERS, OF_256, ALL_COLORS };

static enum shown shown_on(FILE *out)
{
    const char *terminal = chosen("TERM"), *more = chosen("COLORTERM");
    if (!isatty(fileno(out)) || *chosen("NO_COLOR") || strcmp(terminal, "dumb") == 0)
        return LETTERS;
    if (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0 ||
        ends_with(terminal, "-direct"))
        return ALL_COLORS;
    return strstr(terminal, "256color") ? OF_256 : LETTERS;
}

/* Red, green and blue from 0 to 255. */
struct color {
    unsigned int red, green, blue;
};

static struct color color_of(const struct palette *palette, unsigned int number)
{
    const struct picture bytes = {.most = 255};
    const float *color = palette->color + number * palette->channels;
    unsigned int rgb[RGB];
    for (size_t i = 0; i < RGB; i++)
        rgb[i] = picture_sample(&bytes, color[palette->channels == RGB ? i : 0], FULL_LIGHT);
    return (struct color){rgb[0], rgb[1], rgb[2]};
}

/* The nearest of the six levels that xterm's color cube has. */
static unsigned int cube_level(unsigned int light)
{
    return light < 48 ? 0 : light < 115 ? 1 : (light - 35) / 40;
}

static void print_block(FILE *out, struct color color, enum shown shown)
{
    if (shown == ALL_COLORS)
        fprintf(out, "\33[48;2;%u;%u;%um      \33[0m  ", color.red, color.green, color.blue);
    if (shown == OF_256)
        fprintf(out, "\33[48;5;%um      \33[0m  ",
                16 + 36 * cube_level(color.red) + 6 * cube_level(color.green) +
                    cube_level(color.blue));
}

/* A color and how many pixels it has. */
struct row {
    unsigned int number, count;
};

static int by_count(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                                : (a->number > b->number) - (a->number < b->number);
}

static void print_heading(FILE *out, const struct palette *palette, const char *name,
                          const struct picture *picture, unsigned int asked)
{
    fprintf(out, "%s: %zu x %zu pixels in %u color%s\n", name, picture->width, picture->height,
            palette->colors, palette->colors == 1 ? "" : "s");
    if (palette->colors < asked)
        fprintf(out, "it has no more: %u were asked for\n", asked);
    fprintf(out, "steps: %u\nerror: %.2f of 255, the root mean square difference of a sample\n\n",
            palette->steps, palette->error);
}

void palette_print(FILE *out, const struct palette *palette, const char *name,
                   const struct picture *picture, const struct kmeans_options *options)
{
    const enum shown shown = shown_on(out);
    struct row rows[MOST_COLORS];
    unsigned int empty = 0;
    for (unsigned int i = 0; i < palette->colors; i++)
        rows[i] = (struct row){i, palette->count[i]};
    qsort(rows, palette->colors, sizeof *rows, by_count);
    if (!options->quiet) {
        print_heading(out, palette, name, picture, (unsigned int)options->colors);
        fprintf(out, "%s%-8s %8s %14s\n", shown == LETTERS ? "" : "        ", "color", "share",
                "pixels");
    }
    for (unsigned int i = 0; i < palette->colors; i++) {
        const struct color color = color_of(palette, rows[i].number);
        empty += rows[i].count == 0;
        if (rows[i].count == 0)
            continue;
        print_block(out, color, shown);
        fprintf(out, "#%02x%02x%02x  %7.2f%% %14s\n", color.red, color.green, color.blue,
                100 * (double)rows[i].count / (double)palette->pixels, grouped(rows[i].count));
    }
    if (empty > 0)
        fprintf(out, "colors without a pixel: %u\n", empty);
}
