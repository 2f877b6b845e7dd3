/* netpbm.h - pictures in the formats of netpbm: PGM (P2, P5) and PPM (P3, P6), of up to 16 bits, with comments.
 *
 * Source: the manual pages pgm(5) and ppm(5) of netpbm. */
#ifndef NETPBM_H
#define NETPBM_H

#include <stddef.h>
#include <stdint.h>

struct picture {
    size_t width, height;
    unsigned int channels; /* 1: gray, or 3: red, green, blue */
    unsigned int most;     /* the value of white, 1 to 65,535 */
    uint16_t *samples;     /* rows of pixels, `channels` samples each; 0 to `most` */
};

/* Reads the first picture of a file. Returns "", or a line that says what is wrong with it, and nothing is to be
 * freed. */
const char *picture_read(const char *path, struct picture *picture);

/* Writes a raw picture, P5 or P6: beside its place, then it is renamed; "-" is standard output. Returns "", or a line that
 * says why not: then what was there stays. */
const char *picture_write(const char *path, const struct picture *picture);

/* Frees what picture_read has made. */
void picture_free(struct picture *picture);

#endif
