/* netpbm.h - pictures of the formats PGM (P5) and PPM (P6), with 8 bits a sample, as netpbm's manual pages pgm(5) and
 * ppm(5) describe them. Others become such a picture by `pngtopnm`, `jpegtopnm` or `convert x.png x.ppm`. */
#ifndef NETPBM_H
#define NETPBM_H

#include <stddef.h>

enum { GREY = 1, RGB = 3 };

struct picture {
    size_t width, height;   /* in pixels */
    size_t channels;        /* GREY or RGB */
    unsigned int most;      /* the sample of full light, 1 to 255 */
    unsigned char *samples; /* height x width x channels, from the left of the top row on */
};

/* Reads a picture; "-" is standard input. Stops with a sentence about what is wrong with the file. */
struct picture picture_read(const char *path);

/* How many samples a picture has. */
size_t picture_samples(const struct picture *picture);

/* Returns a black picture of the same kind. */
struct picture picture_like(const struct picture *picture);

/* Writes a picture; "-" is standard output. Stops when it cannot. */
void picture_write(const struct picture *picture, const char *path);

#endif
