/* paint.c - a picture in the colors of a palette: see kmeans.h. */
#include <math.h>

#include "kmeans.h"

void palette_paint(struct palette *palette, const struct picture *original, struct picture *painted)
{
    const size_t channels = palette->channels;
    double sum = 0;
    *painted = picture_of(original->width, original->height, original->channels, original->most);
    for (size_t p = 0; p < palette->pixels; p++)
        for (size_t i = 0; i < channels; i++) {
            const float light = palette->color[palette->label[p] * channels + i];
            const unsigned short sample = picture_sample(original, light, FULL_LIGHT);
            const double apart = (double)sample - original->shade[p * channels + i];
            painted->shade[p * channels + i] = sample;
            sum += apart * apart;
        }
    palette->error =
        sqrt(sum / (double)picture_samples(original)) * (double)FULL_LIGHT / original->most;
}
