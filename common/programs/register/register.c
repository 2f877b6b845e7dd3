/* register.c - finds by how much one picture is moved against another: an example that calls chapter 71's
 * joint_histogram().
 *
 *     register [OPTION]... FIXED MOVING
 *
 * The exit status is 0 when the shift was found and all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "cuda_check.h"
#include "joint_histogram.h"
#include "netpbm.h"
#include "program.h"

static const char help[] =
    "usage: register [OPTION]... FIXED MOVING\n"
    "\n"
    "Finds by how many pixels the picture MOVING is moved against FIXED: the shift with the\n"
    "largest mutual information, of up to a quarter of the side. The pictures may come from\n"
    "two machines: one may be inverted, brighter, blurred or noisy. They are PGM or PPM files\n"
    "(P5 or P6) of the same size, of at least 16 x 16 pixels; colors become grey. Prints the\n"
    "shift and the bits before and after.\n"
    "\n"
    "  -o, --output FILE  write MOVING, moved back, to FILE; - is standard output, and then\n"
    "                     the lines go to standard error\n"
    "  -h, --help         this\n";

/* Reads the options. Returns the file to write, or NULL; the two pictures are words[optind] and the next one. */
static const char *read_options(int count, char **words)
{
    static const struct option known[] = {{"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const char *output = NULL;
    for (int letter; (letter = getopt_long(count, words, "o:h", known, NULL)) != -1;) {
        if (letter == 'h')
            exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
        if (letter != 'o')
            exit(1); /* getopt_long has said why */
        output = optarg;
    }
    if (count - optind != 2)
        stop("two pictures are needed, FIXED and MOVING; register --help says more");
    return output;
}

static float *on_device(const float *numbers, size_t count)
{
    void *memory;
    CHECK(cudaMalloc(&memory, (count + 1) * sizeof *numbers));
    CHECK(cudaMemcpy(memory, numbers, count * sizeof *numbers, cudaMemcpyHostToDevice));
    return memory;
}

static void count_on_device(const float *x, const float *y, size_t length, unsigned int x_bins,
                            unsigned int y_bins, float *bins)
{
    const size_t bytes = (size_t)x_bins * y_bins * sizeof *bins;
    float *d_x = on_device(x, length), *d_y = on_device(y, length);
    float *d_bins = on_device(bins, (size_t)x_bins * y_bins);
    joint_histogram(d_x, d_y, length, x_bins, y_bins, d_bins);
    CHECK(cudaMemcpy(bins, d_bins, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_bins));
}

/* The brightness of a picture; a color becomes its luma. Stops where all pixels are equal, for they tell nothing. */
static struct plane plane_of(const struct picture *picture, const char *path)
{
    const float luma[RGB] = {0.299f, 0.587f, 0.114f}, grey[GREY] = {1};
    const float *weight = picture->channels == RGB ? luma : grey;
    struct plane plane = {picture->width, picture->height, NULL};
    const size_t pixels = plane.width * plane.height;
    bool are_equal = true;
    if (plane.width < LEAST_SIDE || plane.height < LEAST_SIDE)
        stop("%s: has %zu x %zu pixels, and %d x %d are the least", path, plane.width, plane.height,
             LEAST_SIDE, LEAST_SIDE);
    plane.pixels = calloc(pixels, sizeof *plane.pixels);
    if (!plane.pixels)
        stop("no memory for %zu pixels", pixels);
    for (size_t i = 0; i < picture_samples(picture); i++)
        plane.pixels[i / picture->channels] +=
            weight[i % picture->channels] * (float)picture->samples[i] / (float)picture->most;
    for (size_t i = 1; i < pixels; i++)
        are_equal &= plane.pixels[i] == plane.pixels[0];
    if (are_equal)
        stop("%s: all pixels are equal, so that they tell nothing", path);
    return plane;
}

/* Moves the picture back; what comes from outside of it is black. */
static void write_aligned(const char *path, const struct plane *moving, struct shift shift)
{
    struct picture aligned = {moving->width, moving->height, GREY, 255, NULL};
    aligned = picture_like(&aligned);
    for (size_t i = 0; i < picture_samples(&aligned); i++) {
        const float light = plane_at(moving, (double)(i % moving->width) + shift.right,
                                     (double)(i / moving->width) + shift.down);
        aligned.samples[i] =
            (unsigned char)(light > 0 ? 255 * light + 0.5f : 0); /* 0: a NaN, too */
    }
    picture_write(&aligned, path);
    free(aligned.samples);
}

int main(int count, char **words)
{
    const char *output = read_options(count, words), *const *paths = (const char **)words + optind;
    prefer_speed();
    const struct picture fixed = picture_read(paths[0]), moving = picture_read(paths[1]);
    const struct plane still = plane_of(&fixed, paths[0]), moved = plane_of(&moving, paths[1]);
    if (still.width != moved.width || still.height != moved.height)
        stop("%s has %zu x %zu pixels, and %s has %zu x %zu: they have to be the same", paths[0],
             still.width, still.height, paths[1], moved.width, moved.height);
    status_line("trying shifts of %zu x %zu pixels", still.width, still.height);
    const struct alignment found = align(&still, &moved, count_on_device);
    status_line(NULL);
    FILE *out = output && strcmp(output, "-") == 0 ? stderr : stdout;
    if (output)
        write_aligned(output, &moved, found.shift);
    fprintf(out,
            "shift: %.2f pixels to the right, %.2f down\n"
            "mutual information: %.3f bits before, %.3f after; %u trials\n",
            found.shift.right, found.shift.down, found.before, found.after, found.trials);
    if (fflush(out) != 0 || ferror(out))
        stop("the shift cannot be printed");
    return 0;
}
