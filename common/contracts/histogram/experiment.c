/* experiment.c - reads what a student writes to expose a wrong kernel: see experiment.h. */
#define _GNU_SOURCE
#include "experiment.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grouped.h"
#include "util.h"

enum { LONGEST_FILE = 1 << 22 };
enum { TEXT, OFFSET, BINS_BEFORE, MULTIPROCESSORS, SEED, FIELDS };
static const char *const names[FIELDS] = {"text", "offset", "bins", "multiprocessors", "seed"};

/* Where the reader is, and what it has found wrong first. */
struct reader {
    struct experiment *experiment;
    const char *name; /* of the file */
    unsigned int line;
    const char *at; /* in the line, which ends with '\0' */
    const char *error;
    bool given[FIELDS];
};

__attribute__((format(printf, 2, 3))) static bool wrong(struct reader *reader, const char *words,
                                                        ...)
{
    char *what;
    va_list arguments;
    va_start(arguments, words);
    if (vasprintf(&what, words, arguments) >= 0)
        reader->error = format("%s:%u: %s", reader->name, reader->line, what);
    va_end(arguments);
    return false;
}

static void skip_experiment(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r");
}

/* Whether nothing but a comment follows. */
static bool at_end(struct reader *reader)
{
    skip_experiment(reader);
    return !*reader->at || *reader->at == '#';
}

/* Reads a whole number up to `most`, which is called `what`. */
static bool read_within(struct reader *reader, const char *what, uint64_t most, uint64_t *number)
{
    skip_experiment(reader);
    const char *digits = reader->at;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || (digits[count] && !strchr(" \t\r#+*", digits[count])))
        return wrong(reader, "%s: a whole number is missing, at: %.20s", what,
                     *digits ? digits : "the end of the line");
    errno = 0;
    *number = strtoull(digits, NULL, 10);
    reader->at += count;
    if (errno == ERANGE || *number > most)
        return wrong(reader, "%s = %.*s%s: at most %s", what, (int)(count < 30 ? count : 30),
                     digits, count < 30 ? "" : "...", grouped(most));
    return true;
}

static int hex_digit(char digit)
{
    const char *all = "0123456789abcdef", *found = strchr(all, digit | 0x20);
    return digit && found ? (int)(found - all) : -1;
}

/* The byte that a letter behind a backslash stands for, or -1. */
static int escaped(char letter)
{
    static const char written[] = "ntr\\\"", meant[] = "\n\t\r\\\"";
    const char *found = letter ? strchr(written, letter) : NULL;
    return found ? meant[found - written] : -1;
}

/* Reads one character of a string, or what a backslash begins. */
static bool read_character(struct reader *reader, unsigned char *byte)
{
    const char *at = reader->at;
    reader->at++;
    *byte = (unsigned char)*at;
    if (*at != '\\')
        return true;
    if (at[1] == 'x' && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0) {
        *byte = (unsigned char)(hex_digit(at[2]) * 16 + hex_digit(at[3]));
        reader->at += 3;
        return true;
    }
    if (escaped(at[1]) < 0)
        return wrong(reader, "text: after \\ comes n, t, r, \\, \" or x and two digits of 16");
    *byte = (unsigned char)escaped(at[1]);
    reader->at++;
    return true;
}

/* Reads a string, "...", and adds its bytes to the text. */
static bool read_string(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    skip_experiment(reader);
    if (*reader->at != '"')
        return wrong(reader, "text: a string in \" is missing, at: %.20s",
                     *reader->at ? reader->at : "the end of the line");
    for (reader->at++; *reader->at != '"'; experiment->length++) {
        if (!*reader->at)
            return wrong(reader, "text: a string has no \" at its end");
        if (experiment->length == EXPERIMENT_LONGEST)
            return wrong(reader, "text: more than %s characters", grouped(EXPERIMENT_LONGEST));
        if (!read_character(reader, &experiment->text[experiment->length]))
            return false;
    }
    reader->at++;
    return true;
}

/* Reads "* 1000" after a string, and repeats the string, which begins at `begin` of the text. */
static bool repeat_experiment(struct reader *reader, size_t begin)
{
    struct experiment *experiment = reader->experiment;
    size_t length = experiment->length - begin;
    uint64_t times;
    reader->at++;
    if (!read_within(reader, "text: * how often", EXPERIMENT_LONGEST, &times))
        return false;
    if (length > 0 && times > (EXPERIMENT_LONGEST - begin) / length)
        return wrong(reader, "text: more than %s characters", grouped(EXPERIMENT_LONGEST));
    experiment->length = begin;
    for (uint64_t time = 0; length > 0 && time < times; time++) {
        memmove(experiment->text + experiment->length, experiment->text + begin, length);
        experiment->length += length;
    }
    return true;
}

/* Reads a text, such as "a" * 256 + "z". */
static bool read_text(struct reader *reader)
{
    for (;;) {
        size_t begin = reader->experiment->length;
        if (!read_string(reader))
            return false;
        skip_experiment(reader);
        if (*reader->at == '*' && !repeat_experiment(reader, begin))
            return false;
        skip_experiment(reader);
        if (*reader->at != '+')
            return true;
        reader->at++;
    }
}

static bool read_value(struct reader *reader, size_t field)
{
    static const uint64_t most[FIELDS] = {[OFFSET] = EXPERIMENT_OFFSETS - 1,
                                          [BINS_BEFORE] = UINT32_MAX,
                                          [MULTIPROCESSORS] = EXPERIMENT_MULTIPROCESSORS,
                                          [SEED] = INT64_MAX};
    struct experiment *experiment = reader->experiment;
    uint64_t number = 0;
    if (field == TEXT)
        return read_text(reader);
    if (!read_within(reader, names[field], most[field], &number))
        return false;
    if (field == OFFSET)
        experiment->offset = (unsigned int)number;
    else if (field == BINS_BEFORE)
        experiment->bins = (unsigned int)number;
    else if (field == MULTIPROCESSORS)
        experiment->multiprocessors = (unsigned int)number;
    else
        experiment->seed = number;
    return true;
}

static bool read_line(struct reader *reader)
{
    if (at_end(reader))
        return true;
    size_t length = strcspn(reader->at, " \t\r=#"), field = 0;
    while (field < FIELDS &&
           (strlen(names[field]) != length || strncmp(reader->at, names[field], length) != 0))
        field++;
    if (field == FIELDS)
        return wrong(reader,
                     "%.*s: is not known here; there are text, offset, bins, multiprocessors and "
                     "seed",
                     (int)(length < 30 ? length : 30), reader->at);
    reader->at += length;
    skip_experiment(reader);
    if (*reader->at != '=')
        return wrong(reader, "%s: = is missing behind it", names[field]);
    reader->at++;
    if (reader->given[field])
        return wrong(reader, "%s: is given a second time", names[field]);
    reader->given[field] = true;
    if (!read_value(reader, field))
        return false;
    return at_end(reader) ||
           wrong(reader, "%s: what is this behind it? %.20s", names[field], reader->at);
}

const char *experiment_parse(struct experiment *experiment, const char *lines, const char *name)
{
    struct reader reader = {.experiment = experiment, .name = name};
    char *rest = format("%s", lines);
    bool right = true;
    *experiment = (struct experiment){.text = grow(NULL, 0, EXPERIMENT_LONGEST + 1, 1)};
    for (char *line; right && (line = strsep(&rest, "\n"));) {
        reader.line++;
        reader.at = line;
        right = read_line(&reader);
    }
    return reader.error;
}

const char *experiment_read(struct experiment *experiment, const char *file)
{
    struct stat seen;
    size_t length;
    char *lines = NULL;
    const bool there = stat(file, &seen) == 0;
    if (there && !S_ISREG(seen.st_mode))
        errno = S_ISDIR(seen.st_mode) ? EISDIR : EINVAL;
    else if (there && seen.st_size > LONGEST_FILE)
        errno = EFBIG;
    else if (there)
        lines = read_file(file, &length);
    if (!lines)
        return format("%s: %s", file, strerror(errno));
    if (strlen(lines) != length)
        return format("%s: holds a zero byte, which is no text; write \\x00", file);
    return experiment_parse(experiment, lines, file);
}
