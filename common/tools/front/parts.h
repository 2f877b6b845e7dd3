/* parts.h - what the parts of the course differ in: what their kernels go through, and the settings
 * that are for it. */
#ifndef PARTS_H
#define PARTS_H

#include <stdbool.h>

/* Numbers of a text's characters, elements by key, an array, a text on several devices: a part each. */
enum kind { TEXTS, KEYS, VALUES, MANY, KINDS };
#define OF(kind) (1u << (kind))

/* What the command line says. */
struct command {
    const char **words;  /* the goals, the last is NULL */
    const char *chapter; /* the first of these, or NULL */
    bool gpu, further, solution;
    const char *goal; /* the first one that says what to do, or NULL */
};

/* The kind of a chapter, "chapter5", whose kernel's file tells it. */
enum kind kind_of(const char *chapter);
/* Whether its kernel is plain C. */
bool is_in_c(const char *chapter);
/* "counts a text", of a kind. */
const char *does(enum kind kind);
/* The first chapter of a kind in the command; without chapters "", when the part is of that kind;
 * else NULL. */
const char *about(const struct command *command, enum kind kind);

/* Ends the program with one line when OPERATION or BINS are nothing that the command's chapters have;
 * or when it wants a goal shown that is for texts only. */
void check_parts(const struct command *command);

#endif
