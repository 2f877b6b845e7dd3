/* util.h - what the subcommands of `ladder` share: memory, lines, files, words on a screen.
 *
 * The program ends soon, so nobody gives memory back; without memory it ends with one line. */
#ifndef UTIL_H
#define UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Ends the program with one line on standard error. */
__attribute__((format(printf, 2, 3), noreturn)) void fail(int status, const char *words, ...);
/* A variable of the environment; "" where it is not set. */
const char *chosen(const char *name);
/* "4096"; false when it is no whole number, or does not fit. */
bool read_number(const char *text, uint64_t *number);
/* "4096", "64K", "16M" or "1G", powers of 1,024, from 1 to 2^32 - 1; false when it is none of these. */
bool read_length(const char *text, uint64_t *length);
/* A new text. */
__attribute__((format(printf, 1, 2))) char *format(const char *words, ...);
/* Memory for so many elements more than `count`, all zero; what was there is kept. */
void *grow(void *array, size_t count, size_t more, size_t element);
/* A text is written to what this opens; close_text returns it. */
FILE *open_text(void);
char *close_text(FILE *text);

/* Seconds, of a clock that nobody sets. */
double seconds_now(void);

/* The whole number that an argument begins with, or 0. */
unsigned int number_of(const char *text);
const char *skip_blanks(const char *text);
/* A new text: what lies between two places, without blanks at its ends. */
char *trimmed(const char *from, const char *end);
bool begins_with(const char *text, const char *begin);
bool ends_with(const char *text, const char *end);
/* "histogram.cu" of a path. */
const char *base_name(const char *path);
/* A file in the same folder as another: `name` is what stands in the place of its own. */
char *beside(const char *path, const char *name);
/* The first path that a pattern of the shell matches; NULL when none does. */
char *first_match(const char *pattern);
/* All of them in their order, the last is NULL. */
char **matches(const char *pattern);

/* Opens a file to read it; NULL, with errno, where there is none, or where it is a device or a pipe, of which
 * nobody knows when it ends. */
FILE *open_file(const char *file);
/* A file line by line, without what ends them:
 *     for (struct lines in = lines_of(file); next_line(&in);) use(in.line);
 * One that cannot be read has no lines. Who stops early calls end_lines. */
struct lines {
    FILE *file;
    char *line;
    size_t room;
};
struct lines lines_of(const char *file);
/* The same of a text, which stays as long. */
struct lines lines_in(const char *text);
bool next_line(struct lines *lines);
void end_lines(struct lines *lines);

bool exists(const char *file);
/* What is in a file, with a zero behind it; NULL, with errno, when it cannot be read. */
char *read_file(const char *file, size_t *length);
/* Of two plain files; what is none has no content. */
bool same_content(const char *one, const char *other);
/* FNV-1a of what is in a file: it is compared with its own earlier texts, by nobody who would forge
 * one. Returns false, with errno, when it cannot be read. */
bool hash_file(const char *file, uint64_t *hash);
/* Makes the folders above a file. What cannot be made shows when the file is opened. */
void make_folders(const char *file);
/* Writes a file beside its place, and renames it: it is the old one or the new one. Returns false,
 * with errno, when that fails. */
bool replace_file(const char *file, const char *text, size_t length);

/* Colors of a terminal. */
#define RED "\33[31m"
#define GREEN "\33[32m"
#define YELLOW "\33[33m"
#define FAINT "\33[2m"
/* Prints a text in a color, or plain for "": on a terminal, unless NO_COLOR is set or TERM is dumb. */
void print_in_color(const char *color, const char *text);
enum { WIDEST = 80 }; /* columns of a terminal that nobody has widened */
/* Prints a text in lines of at most `width` columns, each indented by `indent`, broken at blanks. A word that is
 * longer has a line of its own. */
void print_wrapped(const char *text, size_t indent, size_t width);

#endif
