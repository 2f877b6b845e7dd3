/* register.c - moves one picture onto another: the program to keep of chapter 71.
 *
 *     register [-o ALIGNED.pgm] FIXED.pgm MOVING.pgm
 *
 * Linked with one joint_histogram(); here is what surrounds it. The exit status is 0 when the shift was found and all that
 * was asked for is written, else 1. */
#define _POSIX_C_SOURCE 200809L
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "joint_histogram.h"
#include "netpbm.h"
#include "util.h"

enum { LEAST_SIDE = 16 };

static const char help[] =
    "usage: register [-o ALIGNED.pgm] FIXED.pgm MOVING.pgm\n"
    "\n"
    "Finds by how many pixels MOVING is moved against FIXED: the shift with the largest mutual\n"
    "information, of up to a quarter of the side. The pictures may come from two machines: one "
    "may\n"
    "be inverted, brighter, blurred or noisy. Both are PGM files of the same size, of at least\n"
    "16 x 16 pixels. Prints the shift and the bits before and after.\n"
    "\n"
    "  -o FILE  write MOVING, moved back, to FILE; - is standard output\n"
    "  -h       this\n";

struct asked {
    const char *files[2], *output;
};

static void must(cudaError_t error)
{
    if (error != cudaSuccess)
        fail(1, "register: %s", cudaGetErrorString(error));
}

static float *on_device(const float *numbers, size_t count)
{
    void *memory;
    must(cudaMalloc(&memory, (count + 1) * sizeof *numbers));
    must(cudaMemcpy(memory, numbers, count * sizeof *numbers, cudaMemcpyHostToDevice));
    return memory;
}

static void count_on_device(const float *x, const float *y, size_t length, unsigned int x_bins,
                            unsigned int y_bins, float *bins)
{
    const size_t bytes = (size_t)x_bins * y_bins * sizeof *bins;
    float *d_x = on_device(x, length), *d_y = on_device(y, length);
    float *d_bins = on_device(bins, (size_t)x_bins * y_bins);
    joint_histogram(d_x, d_y, length, x_bins, y_bins, d_bins);
    must(cudaMemcpy(bins, d_bins, bytes, cudaMemcpyDeviceToHost));
    must(cudaFree(d_x));
    must(cudaFree(d_y));
    must(cudaFree(d_bins));
}

static struct asked take_words(int count, char **words)
{
    struct asked asked = {.output = NULL};
    size_t files = 0;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "-h") == 0 || strcmp(words[i], "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (strcmp(words[i], "-o") == 0 && i + 1 < count)
            asked.output = words[++i];
        else if (words[i][0] == '-' || files == 2)
            fail(1, "register: %s: %s; register -h says what there is", words[i],
                 files == 2 ? "a third file" : "no such option, or no file behind it");
        else
            asked.files[files++] = words[i];
    }
    if (files < 2)
        fail(1, "register: two files are needed, FIXED.pgm and MOVING.pgm");
    return asked;
}

static bool is_of_one_value(const struct picture *picture)
{
    const size_t pixels = picture->width * picture->height;
    size_t i = 1;
    while (i < pixels && picture->samples[i] == picture->samples[0])
        i++;
    return i == pixels;
}

static struct picture read_gray(const char *path)
{
    struct picture picture;
    const char *wrong = picture_read(path, &picture);
    if (*wrong)
        fail(1, "register: %s", wrong);
    if (picture.channels != 1)
        fail(1, "register: %s: has colors: ppmtopgm of netpbm makes it gray", path);
    if (picture.width < LEAST_SIDE || picture.height < LEAST_SIDE)
        fail(1, "register: %s: has %zu x %zu pixels, and 16 x 16 are the least", path,
             picture.width, picture.height);
    if (is_of_one_value(&picture))
        fail(1, "register: %s: all pixels are equal, so that they tell nothing", path);
    return picture;
}

static struct plane plane_of(const struct picture *picture)
{
    struct plane plane = {picture->width, picture->height, NULL};
    plane.pixels = grow(NULL, 0, plane.width * plane.height, sizeof *plane.pixels);
    for (size_t i = 0; i < plane.width * plane.height; i++)
        plane.pixels[i] = (float)picture->samples[i] / (float)picture->most;
    return plane;
}

/* Moves the picture back; what comes from outside of it is black. */
static void write_aligned(const char *path, const struct picture *moving, const struct plane *plane,
                          struct shift shift)
{
    struct picture aligned = *moving;
    aligned.samples = grow(NULL, 0, moving->width * moving->height, sizeof *aligned.samples);
    for (size_t i = 0; i < moving->width * moving->height; i++) {
        const double x = (double)(i % moving->width) + shift.right;
        const float is = plane_at(plane, x, (double)(i / moving->width) + shift.down);
        aligned.samples[i] = isnan(is) ? 0 : (uint16_t)lrintf(is * (float)moving->most);
    }
    const char *wrong = picture_write(path, &aligned);
    if (*wrong)
        fail(1, "register: %s", wrong);
    picture_free(&aligned);
}

int main(int count, char **words)
{
    /* Of the simulated GPU: no checks of a kernel that has been judged, and few multiprocessors; unless asked for. */
    setenv("SIM_CHECKS", "none", 0);
    setenv("SIM_MULTIPROCESSORS", "8", 0);
    const struct asked asked = take_words(count, words);
    struct picture fixed = read_gray(asked.files[0]), moving = read_gray(asked.files[1]);
    if (fixed.width != moving.width || fixed.height != moving.height)
        fail(1, "register: %s has %zu x %zu pixels, and %s has %zu x %zu: they have to be the same",
             asked.files[0], fixed.width, fixed.height, asked.files[1], moving.width,
             moving.height);
    struct plane still = plane_of(&fixed), moved = plane_of(&moving);
    const struct alignment found = align(&still, &moved, count_on_device);
    FILE *to = asked.output && strcmp(asked.output, "-") == 0 ? stderr : stdout;
    fprintf(to,
            "shift: %.2f pixels to the right, %.2f down\n"
            "mutual information: %.3f bits before, %.3f after; %u trials\n",
            found.shift.right, found.shift.down, found.before, found.after, found.trials);
    if (fflush(to) != 0)
        fail(1, "register: standard output cannot be written");
    if (asked.output)
        write_aligned(asked.output, &moving, &moved, found.shift);
    free(still.pixels);
    free(moved.pixels);
    picture_free(&fixed);
    picture_free(&moving);
    return 0;
}
