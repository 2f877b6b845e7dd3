/* kmeans.c - paints a picture with few colors, which the GPU finds: the program to keep.
 *
 *     kmeans [OPTION]... PICTURE
 *
 * Linked with one k_means() (k_means.h), which groups points; here is what surrounds it. The exit status is 0
 * when all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include "kmeans.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "util.h"
#include "whole_file.h"

#ifdef SIMULATED_GPU
#define ON_GPU "a simulated GPU"
#else
#define ON_GPU "the GPU"
#endif

static const char help[] =
    "usage: kmeans [OPTION]... PICTURE\n"
    "\n"
    "Finds the colors that a picture is painted with best, on " ON_GPU ", and prints\n"
    "them with their shares. PICTURE is a PPM, PGM or PBM file, with 8 or 16 bits; PNG\n"
    "and JPEG files are read where netpbm is installed. - is standard input.\n"
    "\n"
    "  -c, --colors N     so many colors, 1 to 256; 16 without it\n"
    "  -o, --output FILE  paint the picture with them, and write it to FILE, which is\n"
    "                     replaced at the end: as PNG or JPEG where its name ends so, else\n"
    "                     as PPM, or PGM for a grey picture. - is standard output\n"
    "      --steps N      at most so many steps, 1 to 1000000; 50 without it. The last one\n"
    "                     is that in which at most 1 pixel of 100 changes its color\n"
    "      --seed N       another start; 1 without it\n"
    "  -q, --quiet        neither progress nor headings\n"
    "  -h, --help         this\n"
    "\n"
    "The first colors are those of pixels that the seed draws, never one color twice: the\n"
    "first is any of them, each further one is drawn by the square of its distance from\n"
    "the nearest that was drawn before (k-means++). The same picture, colors, steps and\n"
    "seed have the same result.\n";

/* Reads a command line; says the first thing that is wrong with it. The words stay those of `arguments`, in another
 * order. */
static const char *read_command(int count, char **arguments, struct kmeans_options *options)
{
    const struct choice choices[] = {
        {"colors", 'c', .number = &options->colors, .least = 1, .most = MOST_COLORS},
        {"output", 'o', .word = &options->output},
        {"steps", .number = &options->steps, .least = 1, .most = MOST_STEPS},
        {"seed", .number = &options->seed, .most = UINT64_MAX},
        {"quiet", 'q', .flag = &options->quiet},
        {"help", 'h', .flag = &options->help},
        {.name = NULL}};
    int others;
    *options = (struct kmeans_options){.colors = 16, .steps = 50, .seed = 1};
    const char *wrong = read_options("kmeans", count, arguments, choices, &others);
    if (*wrong)
        return wrong;
    options->input = arguments[others];
    if (options->help)
        return "";
    if (others == count)
        return "of which picture? kmeans PICTURE; kmeans --help says more";
    return others + 1 == count ? "" : format("%s: one picture at a time", arguments[others + 1]);
}

/* Prints the palette, where the picture does not go. Returns "", or why it cannot. */
static const char *tell(const struct palette *palette, const struct picture *picture,
                        const struct kmeans_options *options)
{
    const bool is_taken = options->output && strcmp(options->output, "-") == 0;
    const char *name = strcmp(options->input, "-") == 0 ? "standard input" : options->input;
    FILE *out = is_taken ? stderr : stdout;
    palette_print(out, palette, name, picture, options);
    return all_printed(out);
}

/* Returns "", or what is wrong. */
static const char *paint(const struct kmeans_options *options)
{
    struct picture picture, painted;
    const char *why = options->output ? picture_possible(options->output) : "";
    if (!*why)
        why = picture_read(&picture, options->input, AS_IT_IS);
    if (*why)
        return why;
    const size_t pixels = picture.width * picture.height;
    float *points = picture_floats(&picture, FULL_LIGHT);
    struct palette palette = palette_start(points, pixels, picture.channels,
                                           (unsigned int)options->colors, options->seed);
    palette_group(&palette, points, (unsigned int)options->steps,
                  !options->quiet && isatty(STDERR_FILENO));
    free(points);
    why = palette_check(&palette);
    if (*why)
        return why;
    palette_paint(&palette, &picture, &painted);
    if (options->output)
        why = picture_write(&painted, options->output);
    return *why ? why : tell(&palette, &picture, options);
}

int main(int count, char **arguments)
{
    struct kmeans_options options;
    prefer_speed();
    const char *why = read_command(count, arguments, &options);
    if (!*why && options.help)
        return fputs(help, stdout) < 0 || fflush(stdout) != 0;
    if (!*why)
        why = paint(&options);
    if (*why)
        say_wrong("kmeans", why);
    return *why ? 1 : 0;
}
