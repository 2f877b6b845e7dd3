/* register.c - finds by how much one picture is moved against another: the program to keep of chapter 71.
 *
 *     register [OPTION]... FIXED MOVING
 *
 * Linked with one joint_histogram() (joint_histogram.h), which counts pairs of coordinates; here is what surrounds it.
 * The exit status is 0 when the shift was found and all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "command.h"
#include "cuda_check.h"
#include "joint_histogram.h"
#include "netpbm.h"
#include "util.h"
#include "whole_file.h"

enum { LEAST_SIDE = 16 };

static const char help[] =
    "usage: register [OPTION]... FIXED MOVING\n"
    "\n"
    "Finds by how many pixels the picture MOVING is moved against FIXED: the shift with the\n"
    "largest mutual information, of up to a quarter of the side. The pictures may come from\n"
    "two machines: one may be inverted, brighter, blurred or noisy. They are PGM, PPM or PBM\n"
    "files of the same size, of at least 16 x 16 pixels; colors become grey. PNG and JPEG\n"
    "files are read where netpbm is installed. Prints the shift and the bits before and after.\n"
    "\n"
    "  -o, --output FILE  write MOVING, moved back, to FILE; - is standard output\n"
    "  -h, --help         this\n";

struct asked {
    const char *files[2], *output;
    bool help;
};

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

/* Returns "" or what is wrong with the command line. */
static const char *take_words(int count, char **words, struct asked *asked)
{
    const struct choice choices[] = {{"output", 'o', .word = &asked->output},
                                     {"help", 'h', .flag = &asked->help},
                                     {.name = NULL}};
    int others;
    *asked = (struct asked){.output = NULL};
    const char *wrong = read_options("register", count, words, choices, &others);
    if (*wrong)
        return wrong;
    if (asked->help)
        return "";
    if (count - others != 2)
        return "two pictures are needed, FIXED and MOVING; register --help says more";
    memcpy(asked->files, words + others, sizeof asked->files);
    return asked->output ? picture_possible(asked->output) : "";
}

static bool is_of_one_value(const struct picture *picture)
{
    const size_t pixels = picture->width * picture->height;
    size_t i = 1;
    while (i < pixels && picture->shade[i] == picture->shade[0])
        i++;
    return i == pixels;
}

/* Returns "" or what is wrong. */
static const char *read_grey(struct picture *picture, const char *path)
{
    const char *wrong = picture_read(picture, path, GREY);
    if (*wrong)
        return wrong;
    if (picture->width < LEAST_SIDE || picture->height < LEAST_SIDE)
        return format("%s: has %zu x %zu pixels, and 16 x 16 are the least", path, picture->width,
                      picture->height);
    return is_of_one_value(picture)
               ? format("%s: all pixels are equal, so that they tell nothing", path)
               : "";
}

static struct plane plane_of(const struct picture *picture)
{
    return (struct plane){picture->width, picture->height, picture_floats(picture, 1)};
}

/* Moves the picture back; what comes from outside of it is black. */
static const char *write_aligned(const char *path, const struct picture *moving,
                                 const struct plane *plane, struct shift shift)
{
    struct picture aligned = picture_of(moving->width, moving->height, GREY, moving->most);
    for (size_t i = 0; i < picture_samples(&aligned); i++) {
        const double x = (double)(i % moving->width) + shift.right;
        const double y = (double)(i / moving->width) + shift.down;
        aligned.shade[i] = picture_sample(moving, plane_at(plane, x, y), 1);
    }
    const char *wrong = picture_write(&aligned, path);
    picture_free(&aligned);
    return wrong;
}

/* Returns "" or what is wrong. */
static const char *tell(const struct asked *asked, const struct picture *fixed,
                        const struct picture *moving)
{
    struct plane still = plane_of(fixed), moved = plane_of(moving);
    const struct alignment found = align(&still, &moved, count_on_device);
    FILE *to = asked->output && strcmp(asked->output, "-") == 0 ? stderr : stdout;
    fprintf(to,
            "shift: %.2f pixels to the right, %.2f down\n"
            "mutual information: %.3f bits before, %.3f after; %u trials\n",
            found.shift.right, found.shift.down, found.before, found.after, found.trials);
    const char *wrong = all_printed(to);
    if (!*wrong && asked->output)
        wrong = write_aligned(asked->output, moving, &moved, found.shift);
    free(still.pixels);
    free(moved.pixels);
    return wrong;
}

int main(int count, char **words)
{
    struct asked asked;
    struct picture fixed = {.width = 0}, moving = {.width = 0};
    prefer_speed();
    const char *wrong = take_words(count, words, &asked);
    if (!*wrong && asked.help)
        return fputs(help, stdout) < 0 || fflush(stdout) != 0;
    if (!*wrong)
        wrong = read_grey(&fixed, asked.files[0]);
    if (!*wrong)
        wrong = read_grey(&moving, asked.files[1]);
    if (!*wrong && (fixed.width != moving.width || fixed.height != moving.height))
        wrong = format("%s has %zu x %zu pixels, and %s has %zu x %zu: they have to be the same",
                       asked.files[0], fixed.width, fixed.height, asked.files[1], moving.width,
                       moving.height);
    if (!*wrong)
        wrong = tell(&asked, &fixed, &moving);
    if (*wrong)
        say_wrong("register", wrong);
    picture_free(&fixed);
    picture_free(&moving);
    return *wrong ? 1 : 0;
}
