/* kmeans.c - paints a picture with few colors, which the GPU finds: the program to keep.
 *
 *     kmeans [OPTION]... PICTURE
 *
 * Linked with one k_means() (k_means.h), which groups points; here is what surrounds it. The exit status is 0
 * when all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include "kmeans.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "util.h"

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

enum { STEPS = LONG_ALONE, SEED };
static const struct option long_options[] = {{"colors", required_argument, NULL, 'c'},
                                             {"output", required_argument, NULL, 'o'},
                                             {"steps", required_argument, NULL, STEPS},
                                             {"seed", required_argument, NULL, SEED},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

/* The whole number behind an option. Returns "" or what is wrong. */
static const char *take_number(const char *name, uint64_t least, uint64_t most, uint64_t *number)
{
    if (!read_number(optarg, number))
        return format("%s %s: is not a whole number", name, optarg);
    return *number >= least && *number <= most
               ? ""
               : format("%s %s: is not from %" PRIu64 " to %" PRIu64, name, optarg, least, most);
}

static const char *take_small(const char *name, uint64_t most, unsigned int *taken)
{
    uint64_t number = 0;
    const char *why = take_number(name, 1, most, &number);
    *taken = (unsigned int)number;
    return why;
}

/* Takes one option. Returns "" or what is wrong. */
static const char *take(int letter, char **arguments, struct kmeans_options *options)
{
    switch (letter) {
    case 'c':
        return take_small("--colors", MOST_COLORS, &options->colors);
    case STEPS:
        return take_small("--steps", MOST_STEPS, &options->steps);
    case SEED:
        return take_number("--seed", 0, UINT64_MAX, &options->seed);
    case 'o':
        options->output = optarg;
        return "";
    case 'q':
        options->quiet = true;
        return "";
    case 'h':
        options->help = true;
        return "";
    default:
        return refuse_option("kmeans", arguments, letter,
                             optopt == 'o' ? "the name of a file" : "a number");
    }
}

/* Reads a command line; says the first thing that is wrong with it. The words stay those of `arguments`, in another
 * order. */
static const char *read_options(int count, char **arguments, struct kmeans_options *options)
{
    *options = (struct kmeans_options){.colors = 16, .steps = 50, .seed = 1};
    optind = 0; /* GNU's way of beginning anew */
    opterr = 0;
    for (int letter;
         (letter = getopt_long(count, arguments, ":c:o:qh", long_options, NULL)) != -1;) {
        const char *sentence = take(letter, arguments, options);
        if (*sentence)
            return sentence;
    }
    options->input = arguments[optind];
    if (options->help)
        return "";
    if (optind == count)
        return "of which picture? kmeans PICTURE; kmeans --help says more";
    return optind + 1 == count ? "" : format("%s: one picture at a time", arguments[optind + 1]);
}

/* Prints the palette, where the picture does not go. Returns "", or why it cannot. */
static const char *tell(const struct palette *palette, const struct picture *picture,
                        const struct kmeans_options *options)
{
    const bool is_taken = options->output && strcmp(options->output, "-") == 0;
    const char *name = strcmp(options->input, "-") == 0 ? "standard input" : options->input;
    FILE *out = is_taken ? stderr : stdout;
    errno = 0;
    palette_print(out, palette, name, picture, options);
    return fflush(out) == 0 && !ferror(out)
               ? ""
               : format("the table cannot be written: %s", strerror(errno));
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
    struct palette palette =
        palette_start(points, pixels, picture.channels, options->colors, options->seed);
    palette_group(&palette, points, options->steps, !options->quiet && isatty(STDERR_FILENO));
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
    const char *why = read_options(count, arguments, &options);
    if (!*why && options.help)
        return fputs(help, stdout) < 0 || fflush(stdout) != 0;
    if (!*why)
        why = paint(&options);
    if (*why)
        fprintf(stderr, "kmeans: %s\n", why);
    return *why ? 1 : 0;
}
