/* netpbm.c - the memory of a picture, its samples as floats, and a picture as a file: see netpbm.h. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "netpbm.h"
#include "util.h"
#include "whole_file.h"

size_t picture_samples(const struct picture *picture)
{
    return picture->width * picture->height * picture->channels;
}

struct picture picture_of(size_t width, size_t height, size_t channels, unsigned int most)
{
    struct picture picture = {width, height, channels, most, NULL};
    picture.shade = calloc(picture_samples(&picture) + 1, sizeof *picture.shade);
    if (!picture.shade)
        fail(1, "no memory for a picture of %zu x %zu pixels", width, height);
    return picture;
}

float *picture_floats(const struct picture *picture, float full)
{
    const size_t samples = picture_samples(picture);
    float *floats = calloc(samples + 1, sizeof *floats);
    if (!floats)
        fail(1, "no memory for %zu x %zu pixels as floats", picture->width, picture->height);
    for (size_t i = 0; i < samples; i++) /* 257 x 255 / 65535 is a whole number, and stays one */
        floats[i] = (float)(picture->shade[i] * (double)full / picture->most);
    return floats;
}

unsigned short picture_sample(const struct picture *picture, float value, float full)
{
    const double sample = (double)value * picture->most / (double)full + 0.5;
    return !(sample > 0)             ? 0 /* a NaN, too */
           : sample >= picture->most ? (unsigned short)picture->most
                                     : (unsigned short)sample;
}

void picture_free(struct picture *picture)
{
    free(picture->shade);
    *picture = (struct picture){0};
}

/* Whether a name ends so, in capitals or not. */
static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* The program that writes what the name of a file asks for; NULL when it is none. */
static const char *converter_for(const char *path)
{
    const char *program = has_ending(path, ".png")                                ? "pnmtopng"
                          : has_ending(path, ".jpg") || has_ending(path, ".jpeg") ? "pnmtojpeg"
                                                                                  : NULL;
    return program;
}

static void write_raw(const struct picture *picture, FILE *stream)
{
    const size_t samples = picture_samples(picture);
    fprintf(stream, "P%c\n%zu %zu\n%u\n", picture->channels == RGB ? '6' : '5', picture->width,
            picture->height, picture->most);
    for (size_t i = 0; i < samples; i++) {
        if (picture->most > UCHAR_MAX)
            putc_unlocked(picture->shade[i] >> CHAR_BIT, stream);
        putc_unlocked(picture->shade[i] & UCHAR_MAX, stream);
    }
}

/* Has a program write the picture. Returns "", or why it could not. */
static const char *write_converted(const struct picture *picture, const char *path,
                                   const char *program, FILE *to)
{
    FILE *from = tmpfile();
    if (!from)
        return format("%s: no file for %s to read: %s", path, program, strerror(errno));
    write_raw(picture, from);
    const bool is_there = fflush(from) == 0 && !ferror(from) && fseek(from, 0, SEEK_SET) == 0;
    const enum filtered filtered = is_there ? run_filter(program, from, to) : FAILED;
    fclose(from);
    return filtered == DONE ? ""
           : filtered == NOT_INSTALLED
               ? format("%s: %s, which writes it, is not installed: sudo apt-get install netpbm",
                        path, program)
               : format("%s: %s could not write it: is the disk full?", path, program);
}

const char *picture_write(const struct picture *picture, const char *path)
{
    struct whole_file file;
    const char *program = converter_for(path);
    if (strcmp(path, "-") == 0) {
        write_raw(picture, stdout);
        return all_printed(stdout);
    }
    const char *why = whole_file_begin(&file, path);
    if (*why)
        return why;
    if (program)
        why = write_converted(picture, path, program, file.stream);
    else
        write_raw(picture, file.stream);
    if (!*why)
        return whole_file_end(&file);
    whole_file_drop(&file);
    return why;
}

const char *picture_possible(const char *path)
{
    const char *program = converter_for(path);
    const char *why = strcmp(path, "-") == 0 ? "" : whole_file_possible(path);
    return !*why && program && !is_installed(program)
               ? format("%s: %s, which writes it, is not installed: sudo apt-get install netpbm",
                        path, program)
               : why;
}
