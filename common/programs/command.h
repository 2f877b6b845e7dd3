/* command.h - what programs to keep share as commands: their options, and what they ask of the simulated GPU. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stdint.h>

/* Nobody wants here what a suite does, checks of every access, nor 132 multiprocessors, which one core has to
 * simulate, nor an end of long launches. The environment has the last word. Called before the GPU is used. */
void prefer_speed(void);

/* Says on standard error, in one line, what is wrong. A name in it may have any bytes: those that are no sign, such as the
 * end of a line, become '?'. */
void say_wrong(const char *program, const char *sentence);

/* An option: what it sets, of which one is not NULL. */
struct choice {
    const char *name;     /* "colors", of --colors; NULL ends a table */
    char letter;          /* 'c', of -c; 0: there is none */
    bool *flag;           /* of an option without a word behind it */
    const char **word;    /* of one with the name of a file behind it */
    uint64_t *number;     /* of one with a whole number, */
    uint64_t least, most; /* from here to here */
};
enum { MOST_CHOICES = 16 };

/* Reads the options of a command line by getopt_long, each as its table says. Says the first thing that is wrong with
 * them, with `program --help` as advice, or "". `*others` is then the place of the first other word: the words stay
 * those of `arguments`, in another order. */
const char *read_options(const char *program, int count, char **arguments,
                         const struct choice *choices, int *others);

#endif
