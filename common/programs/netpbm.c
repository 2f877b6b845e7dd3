/* netpbm.c - reads and writes pictures: see netpbm.h. */
#include "netpbm.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { MOST_SIDE = 65535 };

/* Reads a letter of the header. A comment goes from # to the end of its line, and is that end. */
static int header_letter(FILE *file)
{
    int letter = getc(file);
    if (letter == '#')
        while (letter != '\n' && letter != EOF)
            letter = getc(file);
    return letter;
}

/* Reads a number of the header, and the one letter behind it. */
static unsigned int header_number(FILE *file, const char *path)
{
    unsigned int number = 0;
    int letter = header_letter(file), digits = 0;
    while (isspace(letter))
        letter = header_letter(file);
    for (; isdigit(letter) && digits < 6; digits++, letter = header_letter(file))
        number = 10 * number + (unsigned int)(letter - '0');
    if (digits == 0 || digits == 6)
        stop("%s: its header has no whole number up to %d where one has to be", path, MOST_SIDE);
    return number;
}

size_t picture_samples(const struct picture *picture)
{
    return picture->width * picture->height * picture->channels;
}

struct picture picture_like(const struct picture *picture)
{
    struct picture black = *picture;
    black.samples = calloc(picture_samples(picture) + 1, 1);
    if (!black.samples)
        stop("no memory for %zu x %zu pixels", picture->width, picture->height);
    return black;
}

struct picture picture_read(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char kind[2];
    if (!file)
        stop("%s: %s", path, strerror(errno));
    if (fread(kind, 1, 2, file) < 2 || kind[0] != 'P' || (kind[1] != '5' && kind[1] != '6'))
        stop("%s: is no PGM or PPM picture (P5 or P6); pngtopnm or jpegtopnm make one", path);
    struct picture picture = {.channels = kind[1] == '5' ? GREY : RGB};
    picture.width = header_number(file, path);
    picture.height = header_number(file, path);
    picture.most = header_number(file, path);
    if (picture.width == 0 || picture.height == 0 || picture.width > MOST_SIDE ||
        picture.height > MOST_SIDE)
        stop("%s: has %zu x %zu pixels: a side has 1 to %d", path, picture.width, picture.height,
             MOST_SIDE);
    if (picture.most == 0 || picture.most > 255)
        stop("%s: its samples go to %u: 1 to 255 are possible", path, picture.most);
    picture = picture_like(&picture);
    const size_t got = fread(picture.samples, 1, picture_samples(&picture), file);
    if (got < picture_samples(&picture))
        stop("%s: ends early, in row %zu of %zu", path,
             got / (picture.width * picture.channels) + 1, picture.height);
    for (size_t i = 0; i < got; i++)
        if (picture.samples[i] > picture.most)
            stop("%s: has a sample above its largest, %u", path, picture.most);
    if (file != stdin)
        fclose(file);
    return picture;
}

void picture_write(const struct picture *picture, const char *path)
{
    FILE *file = output_begin(path);
    fprintf(file, "P%d\n%zu %zu\n%u\n", picture->channels == GREY ? 5 : 6, picture->width,
            picture->height, picture->most);
    fwrite(picture->samples, 1, picture_samples(picture), file);
    output_end(file, path);
}
