/* netpbm.c - reads and writes pictures: see netpbm.h. */
#define _XOPEN_SOURCE 700
#include "netpbm.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

enum { MOST_SIDE = 1 << 20, MOST_VALUE = 65535 };

/* What is left of a file. */
struct rest {
    const unsigned char *at, *end;
};

/* Goes on to what is no blank. In a header, and in plain pictures, the rest of a line behind # is a comment. */
static void skip_comments(struct rest *rest)
{
    while (rest->at < rest->end && (isspace(*rest->at) || *rest->at == '#')) {
        if (*rest->at == '#')
            while (rest->at < rest->end && *rest->at != '\n')
                rest->at++;
        else
            rest->at++;
    }
}

/* A whole number of at most `most`; false where there is none. */
static bool take_number(struct rest *rest, size_t most, size_t *number)
{
    skip_comments(rest);
    const unsigned char *begin = rest->at;
    *number = 0;
    while (rest->at < rest->end && isdigit(*rest->at) && *number <= most)
        *number = 10 * *number + (size_t)(*rest->at++ - '0');
    return rest->at > begin && *number <= most;
}

/* The letter behind P; "" and where the samples begin, or what is wrong. */
static const char *take_header(struct rest *rest, struct picture *picture, char *kind)
{
    size_t most = 0;
    if (rest->end - rest->at < 2 || rest->at[0] != 'P' || !strchr("2356", rest->at[1]))
        return "is no picture of netpbm: it begins with none of P2, P3, P5 and P6";
    *kind = (char)rest->at[1];
    rest->at += 2;
    picture->channels = *kind == '3' || *kind == '6' ? 3 : 1;
    if (!take_number(rest, MOST_SIDE, &picture->width) ||
        !take_number(rest, MOST_SIDE, &picture->height) || !take_number(rest, MOST_VALUE, &most))
        return "has a header without width, height and largest value, of at most 1,048,576 pixels "
               "a side and 65,535";
    if (picture->width == 0 || picture->height == 0 || most == 0)
        return format("has %zu x %zu pixels and the largest value %zu: none may be 0",
                      picture->width, picture->height, most);
    picture->most = (unsigned int)most;
    rest->at += rest->at < rest->end; /* one blank */
    return "";
}

static bool take_plain(struct rest *rest, struct picture *picture, size_t samples)
{
    size_t sample;
    for (size_t i = 0; i < samples; i++) {
        if (!take_number(rest, picture->most, &sample))
            return false;
        picture->samples[i] = (uint16_t)sample;
    }
    return true;
}

static bool take_raw(struct rest *rest, struct picture *picture, size_t samples)
{
    const bool wide = picture->most > UINT8_MAX;
    for (size_t i = 0; i < samples; i++) {
        const unsigned char *at = rest->at + i * (wide ? 2 : 1);
        picture->samples[i] = (uint16_t)(wide ? at[0] << 8 | at[1] : at[0]);
        if (picture->samples[i] > picture->most)
            return false;
    }
    return true;
}

/* The samples, after it is known that there may be so many: a header may say anything. */
static const char *take_samples(struct rest *rest, struct picture *picture, char kind)
{
    const bool plain = kind == '2' || kind == '3';
    const size_t samples = picture->width * picture->height * picture->channels;
    const size_t least = plain ? 2 * samples - 1 : samples * (picture->most > UINT8_MAX ? 2 : 1);
    const size_t left = (size_t)(rest->end - rest->at);
    if (left < least)
        return format("is cut off: %zu x %zu pixels need %zu bytes or more, and it has %zu",
                      picture->width, picture->height, least, left);
    picture->samples = calloc(samples, sizeof *picture->samples);
    if (!picture->samples)
        return format("has %zu x %zu pixels: not enough memory", picture->width, picture->height);
    if ((plain ? take_plain : take_raw)(rest, picture, samples))
        return "";
    picture_free(picture);
    return format("has a sample that is no whole number from 0 to %u, or too few of them",
                  picture->most);
}

const char *picture_read(const char *path, struct picture *picture)
{
    size_t length;
    char kind = 0;
    *picture = (struct picture){.width = 0};
    char *bytes = read_file(path, &length);
    if (!bytes)
        return format("%s: cannot be read: %s", path, strerror(errno));
    struct rest rest = {(unsigned char *)bytes, (unsigned char *)bytes + length};
    const char *wrong = take_header(&rest, picture, &kind);
    if (!*wrong)
        wrong = take_samples(&rest, picture, kind);
    free(bytes);
    return *wrong ? format("%s: %s", path, wrong) : "";
}

/* A device, or a pipe, is written where it is; of a link that to which it leads. */
static bool write_all(const char *path, const char *bytes, size_t length)
{
    struct stat seen;
    if (strcmp(path, "-") == 0)
        return fwrite(bytes, 1, length, stdout) == length && fflush(stdout) == 0;
    if (stat(path, &seen) != 0 || S_ISREG(seen.st_mode)) {
        char *real = realpath(path, NULL);
        const bool fine = replace_file(real ? real : path, bytes, length);
        free(real);
        return fine;
    }
    FILE *to = fopen(path, "w");
    const bool fine = to && fwrite(bytes, 1, length, to) == length;
    return to && fclose(to) == 0 && fine;
}

const char *picture_write(const char *path, const struct picture *picture)
{
    const size_t samples = picture->width * picture->height * picture->channels;
    const bool wide = picture->most > UINT8_MAX;
    const char *header = format("P%c\n%zu %zu\n%u\n", picture->channels == 3 ? '6' : '5',
                                picture->width, picture->height, picture->most);
    const size_t begin = strlen(header), length = begin + samples * (wide ? 2 : 1);
    char *bytes = grow(NULL, 0, length, 1), *at = bytes + begin;
    memcpy(bytes, header, begin);
    for (size_t i = 0; i < samples; i++) {
        if (wide)
            *at++ = (char)(picture->samples[i] >> 8);
        *at++ = (char)picture->samples[i];
    }
    errno = 0;
    const bool fine = write_all(path, bytes, length);
    free(bytes);
    return fine ? "" : format("%s: cannot be written: %s", path, strerror(errno));
}

void picture_free(struct picture *picture)
{
    free(picture->samples);
    picture->samples = NULL;
}
