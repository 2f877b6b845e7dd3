/* command.c - options by getopt_long, and settings of the simulated GPU: see command.h. */
#define _GNU_SOURCE
#include "command.h"

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

void prefer_speed(void)
{
#ifdef SIMULATED_GPU
    setenv("SIM_CHECKS", "none", 0);
    setenv("SIM_MULTIPROCESSORS", "8", 0);
    setenv("SIM_BUDGET", "100000000000", 0);
    setenv("SIM_PROGRESS", "0", 0);
#endif
}

void say_wrong(const char *program, const char *sentence)
{
    fprintf(stderr, "%s: ", program);
    for (const char *c = sentence; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, stderr);
    fputc('\n', stderr);
}

enum { LONG_ALONE = 256 }; /* from this number on are options without a letter */

/* What getopt_long has to know: the options, and their letters, which begin with ':'. */
struct known {
    struct option options[MOST_CHOICES + 1];
    char letters[2 + 2 * MOST_CHOICES];
};

static int value_of(const struct choice *choices, size_t i)
{
    return choices[i].letter ? choices[i].letter : LONG_ALONE + (int)i;
}

static struct known known_of(const struct choice *choices)
{
    struct known known = {.letters = ":"};
    char *end = known.letters + 1;
    for (size_t i = 0; i < MOST_CHOICES && choices[i].name; i++) {
        const bool alone = choices[i].flag;
        known.options[i] = (struct option){choices[i].name, alone ? no_argument : required_argument,
                                           NULL, value_of(choices, i)};
        if (choices[i].letter)
            end = stpcpy(end, format(alone ? "%c" : "%c:", choices[i].letter));
    }
    return known;
}

/* The choice of a value, or the end of the table. */
static const struct choice *choice_of(const struct choice *choices, int value)
{
    size_t i = 0;
    while (choices[i].name && value_of(choices, i) != value)
        i++;
    return &choices[i];
}

/* A sentence about the option that getopt_long has returned ':' or '?' for. It has gone past the word, unless that is
 * one of several letters. */
static const char *refuse(const char *program, char **arguments, int returned, bool wants_number)
{
    const char *advice = format("; %s --help lists the options", program);
    const char *word = arguments[optind - 1];
    if (returned == ':')
        return format("%s wants %s%s", word, wants_number ? "a number" : "the name of a file",
                      advice);
    if (optopt > 0 && optopt < LONG_ALONE && !begins_with(word, "--"))
        return format("there is no option -%c%s", optopt, advice);
    if (optopt > 0)
        return format("%s: this option takes no word%s", word, advice);
    return format("there is no option %s%s", word, advice);
}

/* Takes one option. Returns "" or what is wrong. */
static const char *take(const struct choice *choice)
{
    if (choice->flag)
        *choice->flag = true;
    else if (choice->word)
        *choice->word = optarg;
    else if (!read_number(optarg, choice->number))
        return format("--%s %s: is not a whole number", choice->name, optarg);
    else if (*choice->number < choice->least || *choice->number > choice->most)
        return format("--%s %s: is not from %" PRIu64 " to %" PRIu64, choice->name, optarg,
                      choice->least, choice->most);
    return "";
}

const char *read_options(const char *program, int count, char **arguments,
                         const struct choice *choices, int *others)
{
    const struct known known = known_of(choices);
    const char *wrong = "";
    int value;
    optind = 0; /* GNU's way of beginning anew */
    opterr = 0;
    while (!*wrong &&
           (value = getopt_long(count, arguments, known.letters, known.options, NULL)) != -1)
        wrong = value == ':' || value == '?'
                    ? refuse(program, arguments, value, choice_of(choices, optopt)->number)
                    : take(choice_of(choices, value));
    *others = optind;
    return wrong;
}
