/* last_words.h - a program that calls a chapter says what it was at when the chapter ends it, crashes, or
 * never returns. */
#ifndef LAST_WORDS_H
#define LAST_WORDS_H

/* From now on the program is at this, for at most `seconds`: then it ends, and says so. Without words it is
 * at nothing that may fail. When a signal or exit() ends it, standard error gets a line with the words,
 * and the status is 1. */
__attribute__((format(printf, 2, 3))) void being_at(unsigned int seconds, const char *format, ...);

/* The program ends as it means to. */
void being_done(void);

#endif
