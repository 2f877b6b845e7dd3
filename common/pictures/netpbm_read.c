/* netpbm_read.c - reads a picture, whatever may be wrong with the file: see netpbm.h. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "netpbm.h"
#include "util.h"
#include "whole_file.h"

enum { MOST_OF_ALL = 65535, FIRST_ROOM = 1 << 20 };

/* A file that is read, from its first byte to the last sample. */
struct source {
    FILE *stream;
    const char *path; /* as it is told */
    int kind;         /* '1' to '6', the digit of the format */
    int bits;         /* of P4: the byte that is read now */
};

/* What is read in place of a number. */
enum { ENDED = -1, NO_NUMBER = -2 };

static bool is_plain(const struct source *source)
{
    return source->kind <= '3';
}

static bool is_bitmap(const struct source *source)
{
    return source->kind == '1' || source->kind == '4';
}

/* The next byte of what people can write; a comment, from # to the end of its line, is that end. */
static int next_letter(FILE *stream)
{
    int letter = getc_unlocked(stream);
    if (letter == '#')
        while (letter != '\n' && letter != '\r' && letter != EOF)
            letter = getc_unlocked(stream);
    return letter;
}

static bool is_white(int letter)
{
    return letter > 0 && strchr(" \t\n\r\v\f", letter);
}

static int skip_white(FILE *stream)
{
    int letter = next_letter(stream);
    while (is_white(letter))
        letter = next_letter(stream);
    return letter;
}

/* A number and the one byte behind it. One that is larger than 2^32 is told as 2^32. */
static int64_t next_number(FILE *stream)
{
    const int64_t larger = (int64_t)UINT32_MAX + 1;
    int64_t number = 0;
    int letter = skip_white(stream);
    if (letter < '0' || letter > '9')
        return letter == EOF ? ENDED : NO_NUMBER;
    for (; letter >= '0' && letter <= '9'; letter = next_letter(stream)) {
        number = 10 * number + (letter - '0');
        number = number < larger ? number : larger;
    }
    return letter == EOF || is_white(letter) ? number : NO_NUMBER;
}

/* A digit of P1, where nothing need be between them; 1 is black. */
static int64_t next_bit(FILE *stream)
{
    const int letter = skip_white(stream);
    return letter == '0' ? 1 : letter == '1' ? 0 : letter == EOF ? ENDED : NO_NUMBER;
}

/* A bit of P4, whose rows begin with a byte each; 1 is black. */
static int64_t next_packed_bit(struct source *source, size_t column)
{
    if (column % CHAR_BIT == 0)
        source->bits = getc_unlocked(source->stream);
    return source->bits == EOF ? ENDED : !(source->bits >> (7 - column % CHAR_BIT) & 1);
}

static int64_t next_sample(struct source *source, size_t column, unsigned int most)
{
    if (source->kind == '1')
        return next_bit(source->stream);
    if (source->kind == '4')
        return next_packed_bit(source, column);
    if (is_plain(source))
        return next_number(source->stream);
    const int first = getc_unlocked(source->stream);
    if (most <= UCHAR_MAX || first == EOF)
        return first;
    const int second = getc_unlocked(source->stream);
    return second == EOF ? ENDED : first << CHAR_BIT | second;
}

static const char *tell_end(const struct source *source, const char *where)
{
    return ferror(source->stream) ? format("%s: cannot be read: %s", source->path, strerror(errno))
                                  : format("%s: ends early, in %s", source->path, where);
}

/* Reads a number of the header. Returns "", or what is wrong. */
static const char *read_field(const struct source *source, const char *name, int64_t *number)
{
    *number = next_number(source->stream);
    return *number == ENDED ? tell_end(source, "its header")
           : *number == NO_NUMBER
               ? format("%s: has no whole number for the %s in its header", source->path, name)
               : "";
}

/* Reads the header behind its first two letters. Returns "", or what is wrong. */
static const char *read_header(const struct source *source, struct picture *picture)
{
    int64_t width, height = 0, most = 1;
    const char *why = read_field(source, "width", &width);
    if (!*why)
        why = read_field(source, "height", &height);
    if (!*why && !is_bitmap(source))
        why = read_field(source, "maxval", &most);
    if (*why)
        return why;
    if (width == 0 || height == 0)
        return format("%s: is %" PRId64 " x %" PRId64 ": it has no pixel", source->path, width,
                      height);
    if (width > UINT32_MAX || height > UINT32_MAX || width > UINT32_MAX / height)
        return format("%s: announces more than 4294967295 pixels, which are too many",
                      source->path);
    if (most == 0 || most > MOST_OF_ALL)
        return format("%s: has a maxval %s: 1 to %d are possible", source->path,
                      most ? "above 65535" : "of 0", MOST_OF_ALL);
    *picture = (struct picture){.width = (size_t)width,
                                .height = (size_t)height,
                                .channels = source->kind == '3' || source->kind == '6' ? RGB : GREY,
                                .most = (unsigned int)most};
    return "";
}

/* What is wrong with a sample that was read in place of number i, or "". */
static const char *check_sample(const struct source *source, const struct picture *picture,
                                size_t i, int64_t sample)
{
    const size_t pixel = i / picture->channels, row = pixel / picture->width + 1;
    if (sample == ENDED)
        return tell_end(source, format("row %zu of %zu", row, picture->height));
    if (sample >= 0 && sample <= picture->most)
        return "";
    return format("%s: in row %zu, column %zu is %s", source->path, row, pixel % picture->width + 1,
                  sample == NO_NUMBER ? "something that is no number"
                                      : format("a number above its maxval of %u", picture->most));
}

/* Makes room for more samples: no more than twice as many as have come, whatever the header announces. Returns false
 * without memory. */
static bool make_room(struct picture *picture, size_t *room)
{
    const size_t samples = picture_samples(picture), more = *room ? 2 * *room : FIRST_ROOM;
    *room = more < samples ? more : samples;
    unsigned short *grown = realloc(picture->shade, *room * sizeof *grown);
    if (grown)
        picture->shade = grown;
    return grown;
}

static const char *read_samples(struct source *source, struct picture *picture)
{
    const size_t samples = picture_samples(picture);
    size_t room = 0;
    for (size_t i = 0; i < samples; i++) {
        if (i == room && !make_room(picture, &room))
            return format("%s: no memory for %zu x %zu pixels", source->path, picture->width,
                          picture->height);
        const int64_t sample = next_sample(source, i % picture->width, picture->most);
        if (sample < 0 || sample > picture->most)
            return check_sample(source, picture, i, sample);
        picture->shade[i] = (unsigned short)sample;
    }
    return "";
}

static void to_grey(struct picture *picture)
{
    picture->channels = GREY;
    for (size_t i = 0; i < picture_samples(picture); i++) {
        const unsigned short *color = picture->shade + RGB * i;
        picture->shade[i] =
            (unsigned short)((299u * color[0] + 587u * color[1] + 114u * color[2] + 500) / 1000);
    }
}

/* Reads what begins with P and a digit. */
static const char *read_netpbm(struct source *source, struct picture *picture, size_t channels)
{
    const char *why = read_header(source, picture);
    if (!*why)
        why = read_samples(source, picture);
    if (*why) {
        picture_free(picture);
        return why;
    }
    if (channels == GREY && picture->channels == RGB)
        to_grey(picture);
    return "";
}

/* The rest of a stream behind two bytes, in a file of its own; NULL, with errno, when that fails. */
static FILE *copied(FILE *stream, const unsigned char begin[2])
{
    char bytes[1 << 14];
    FILE *copy = tmpfile();
    if (!copy)
        return NULL;
    fwrite(begin, 1, 2, copy);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        fwrite(bytes, 1, got, copy);
    if (!ferror(stream) && fflush(copy) == 0 && fseek(copy, 0, SEEK_SET) == 0)
        return copy;
    fclose(copy);
    return NULL;
}

/* Reads what a program of netpbm makes of the stream. */
static const char *read_converted(const struct source *source, struct picture *picture,
                                  size_t channels, const unsigned char begin[2])
{
    const char *program = begin[0] == 0xff ? "jpegtopnm" : "pngtopnm";
    FILE *from = copied(source->stream, begin), *to = from ? tmpfile() : NULL;
    const char *why = "";
    if (!to)
        return format("%s: cannot be copied for %s: %s", source->path, program, strerror(errno));
    const enum filtered filtered = run_filter(program, from, to);
    struct source inner = {.stream = to, .path = source->path};
    if (filtered == NOT_INSTALLED)
        why = format("%s: %s, which reads it, is not installed: sudo apt-get install netpbm",
                     source->path, program);
    else if (filtered == FAILED || fseek(to, 0, SEEK_SET) != 0 || getc(to) != 'P')
        why = format("%s: %s cannot read it: is it damaged?", source->path, program);
    else {
        inner.kind = getc(to);
        why = read_netpbm(&inner, picture, channels);
    }
    fclose(from);
    fclose(to);
    return why;
}

static const char *read_any(struct source *source, struct picture *picture, size_t channels)
{
    unsigned char begin[2] = {0};
    const size_t got = fread(begin, 1, 2, source->stream);
    if (got < 2 && ferror(source->stream))
        return tell_end(source, "");
    if (got == 0)
        return format("%s: is empty", source->path);
    if ((begin[0] == 0x89 && begin[1] == 'P') || (begin[0] == 0xff && begin[1] == 0xd8))
        return read_converted(source, picture, channels, begin);
    source->kind = begin[1];
    if (begin[0] != 'P' || begin[1] < '1' || begin[1] > '6')
        return format("%s: is no picture that can be read: PPM, PGM, PBM, PNG and JPEG can",
                      source->path);
    return read_netpbm(source, picture, channels);
}

const char *picture_read(struct picture *picture, const char *path, size_t channels)
{
    struct stat seen;
    const bool is_standard = strcmp(path, "-") == 0;
    struct source source = {.path = is_standard ? "standard input" : path};
    *picture = (struct picture){0};
    source.stream = is_standard ? stdin : fopen(path, "re");
    if (!source.stream)
        return errno == ENOENT ? format("%s: no such file", path)
                               : format("%s: cannot be opened: %s", path, strerror(errno));
    const bool is_folder = fstat(fileno(source.stream), &seen) == 0 && S_ISDIR(seen.st_mode);
    const char *why = is_folder ? format("%s: is a folder, not a file", source.path)
                                : read_any(&source, picture, channels);
    if (!is_standard)
        fclose(source.stream);
    return why;
}
