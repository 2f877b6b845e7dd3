/* netpbm.c - the memory of a picture, and its samples as floats: see netpbm.h. */
#include "netpbm.h"

#include <stdlib.h>

#include "util.h"

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
