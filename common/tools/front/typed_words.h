/* typed_words.h - the words of a command line, and what is said when they are wrong. */
#ifndef TYPED_WORDS_H
#define TYPED_WORDS_H

#include <stdbool.h>

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
/* "chapter5". */
bool is_chapter(const char *word);

#endif
