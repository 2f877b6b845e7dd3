/* kmeans.c - paints a picture with few colors, which the GPU finds: the program to keep.
 *
 *     kmeans [OPTION]... PICTURE
 *
 * Linked with one k_means() (k_means.h), which groups points; here is what surrounds it. The exit status is 0
 * when all that was asked for is written, else 1. */
#define _POSIX_C_SOURCE 200809L
#include "kmeans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prefer_speed.h"
#include "util.h"

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
    const char *why = read_kmeans_options(count, arguments, &options);
    if (!*why && options.help)
        return fputs(kmeans_help, stdout) < 0 || fflush(stdout) != 0;
    if (!*why)
        why = paint(&options);
    if (*why)
        fprintf(stderr, "kmeans: %s\n", why);
    return *why ? 1 : 0;
}
