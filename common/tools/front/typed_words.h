/* typed_words.h - the words of a command line, and what is said when they are wrong. */
#ifndef TYPED_WORDS_H
#define TYPED_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Says what is wrong in one line, and ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) void refuse(const char *format, ...);

/* Cuts a list at its blanks. The last word is NULL. */
const char **words_of(char *list);
/* "one, two or three", of a list with blanks. One of two buffers in turn. */
const char *choices_of(const char *list);

bool is_one_of(const char *word, const char *const *words);
/* Whether a list with blanks has the word; it never has one that is empty, or two words. */
bool is_in(const char *word, const char *list);
bool is_number(const char *text);
/* "4096", "64K", "16M" or "1G", powers of 1,024, from 1 to 2^32 - 1; false when it is none of these. */
bool read_length(const char *text, uint64_t *length);
/* A whole number of at most 64 bits; false when it is none. */
bool read_number(const char *text, uint64_t *number);
/* "chapter5". */
bool is_chapter(const char *word);

#endif
