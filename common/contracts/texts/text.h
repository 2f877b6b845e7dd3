/* text.h - the texts that are counted: read from files, or generated from a seed. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char name[64];        /* of a file, or like "zipf text of seed 7" */
    unsigned char *bytes; /* in host memory */
    size_t length;        /* in bytes */
};

/* The kinds of generated text. Uniform, zipf and runs are made of the characters
 * that BINS counts: the letters a to z, or with 256 bins every value of a byte. */
enum text_kind {
    TEXT_ENGLISH, /* letters as often as in English, with spaces and punctuation */
    TEXT_UNIFORM, /* every character equally often */
    TEXT_ZIPF,    /* the character of rank r with a probability proportional to 1/r */
    TEXT_SINGLE,  /* one letter over and over */
    TEXT_RUNS,    /* runs of one character, RUN_LENGTH long, each unlike the last */
    TEXT_KINDS
};

enum { RUN_LENGTH = 32 };

/* A text of `length` bytes; the same kind and seed give the same bytes on every
 * machine. Ends the program with one line when there is no memory. */
struct text text_of(enum text_kind kind, uint64_t seed, size_t length);
/* The same as TEXT_RUNS, with runs of `run_length` characters. */
struct text text_of_runs(size_t run_length, uint64_t seed, size_t length);
/* `count` values of a byte from `first` on, each equally often, whatever BINS is. */
struct text text_of_values(unsigned int first, unsigned int count, uint64_t seed, size_t length);
/* A copy of `length` bytes. */
struct text text_from(const char *name, const void *bytes, size_t length);
void text_free(struct text *text);

/* "english" and so on; TEXT_KINDS when no kind has that name. */
enum text_kind text_kind_named(const char *name);
const char *text_kind_name(enum text_kind kind);

/* Reads `count` files, one after the other, into a text that is named after the first; no more than `most` bytes are
 * read, or with 0 all. On failure one line is written to `error`, and the text has no bytes: a directory, a pipe and a
 * device are no texts, nor is a file longer than 2^32 - 1. */
struct text text_read(char *const *files, size_t count, size_t most, char *error,
                      size_t error_size);
/* Reads a text that input.c wrote, with the name that stands in `file`.name. Ends the program with one line when it
 * cannot be read. */
struct text text_read_input(char *file);
/* Repeats or cuts a text, which must not be empty, to `length` bytes. */
void text_resize(struct text *text, size_t length);

/* Writes the bytes to `file`, and the name to the file `file`.name. Returns 0, or -1, and errno
 * says why. */
int text_write(const struct text *text, const char *file);

#endif
