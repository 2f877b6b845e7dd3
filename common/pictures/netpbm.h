/* netpbm.h - pictures of the formats PBM, PGM and PPM, read and written. PNG and JPEG go through netpbm's programs.
 *
 * A function that says what is wrong returns a sentence, which begins with the name of the file, or "" when all
 * is well. The formats are those of netpbm's manual pages pbm(5), pgm(5) and ppm(5). */
#ifndef NETPBM_H
#define NETPBM_H

#include <stddef.h>

/* Channels of a pixel. */
enum { AS_IT_IS = 0, GREY = 1, RGB = 3 };

struct picture {
    size_t width, height;  /* in pixels */
    size_t channels;       /* GREY or RGB */
    unsigned int most;     /* the sample of full light, 1 to 65535; 0 is none */
    unsigned short *shade; /* height x width x channels samples, from the left of the top row on */
};

/* Reads a picture: P1 to P6, plain and raw, with samples of one or two bytes; and PNG and JPEG, where netpbm is
 * installed. `path` may be a pipe; "-" is standard input. A file of several pictures has the first one read. With
 * channels GREY, a color becomes its luma, 0.299 R + 0.587 G + 0.114 B; with AS_IT_IS the file decides. Memory grows
 * with what has arrived, whatever a header announces. When a sentence is returned, the picture holds no memory. */
const char *picture_read(struct picture *picture, const char *path, size_t channels);

/* Makes a black picture of full light `most`. Without memory the program ends with one line and status 1. */
struct picture picture_of(size_t width, size_t height, size_t channels, unsigned int most);

/* How many samples it has. */
size_t picture_samples(const struct picture *picture);

/* A new array of the samples as floats, where full light is `full`. A sample of 16 bits that is 257 times one
 * of 8 bits becomes the same float. Without memory the program ends with one line and status 1. */
float *picture_floats(const struct picture *picture, float full);

/* The sample of such a float, the nearest one; outside of 0 to `full` the limit, and 0 for a NaN. */
unsigned short picture_sample(const struct picture *picture, float value, float full);

/* Gives back the memory of a picture, which is empty then. */
void picture_free(struct picture *picture);

/* Writes a picture: raw PGM or PPM, with two bytes a sample where full light is above 255; a name that ends with
 * .png, .jpg or .jpeg makes netpbm's programs write that. The file is written beside its place, and then renamed:
 * when a sentence is returned, what was there before is still there. "-" is standard output. */
const char *picture_write(const struct picture *picture, const char *path);

/* What would be in the way of writing to a path, as far as it can be known before there is a picture. */
const char *picture_possible(const char *path);

#endif
