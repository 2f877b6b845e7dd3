/* language.h - the languages that the reader has asked for, and what catalogs say in them; a page, and what is
 * printed, in such a language.
 *
 * LANGUAGE has them in their order, as in de:zh_CN; without it, LC_ALL, LC_MESSAGES or LANG has one, as in
 * de_DE.UTF-8. LC_ALL=C, or another of these three where those before it are not set, asks for English whatever
 * LANGUAGE says. A language is a folder of docs/locale; one without a folder is passed over. It holds gettext catalogs,
 * which are read as text: that needs no locale of the system, and nothing that is compiled. What is fuzzy, obsolete, or
 * not translated yet is left out. Plural forms and contexts are not read: no sentence of the course has them. */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stddef.h>
#include <stdio.h>

struct entry {
    const char *english, *translated; /* msgid and msgstr, UTF-8 */
};

struct catalog {
    const char *file;
    struct entry *entries;
    size_t count;
};

/* How many languages before English can be shown. */
size_t languages_asked(void);
/* The catalog NAME.po of one of them, 0 being the first; it is read once. */
const struct catalog *language_catalog(size_t language, const char *name);
/* The words in the first of the languages that has them; NULL where English has to do. */
const char *translation_of(const char *name, const char *english);

/* A page of docs in the reader's language, unit by unit (units.c).
 *
 * A unit is what a catalog translates as one: a paragraph, an item of a list, a heading, a cell of a table that has
 * words, the head of what is folded, or a whole block of ```text, which is no output. The lines of a unit are joined
 * by blanks. Code, commands, comments and figures in cells are no units: they stay as they are. */

/* Writes the lines, each unit in the reader's language if the catalog `name` has it. */
void units_write(char *const *lines, size_t count, const char *name, FILE *to);
/* Writes the units alone, each as a string of JSON on a line. */
void units_list(char *const *lines, size_t count, FILE *to);

/* What a command prints, in the reader's language (spoken.c).
 *
 * Programs of the judge, of the simulator and of the course speak English among themselves: a verdict is kept,
 * compared and graded in its own words. Only what a reader is shown is translated, line by line, as it is printed.
 * The catalog `spoken` has the sentences as the sources have them, with %s and %u: the line
 *     chapter 5: right on 60 inputs x 4 schedules
 * is that of "chapter %u: %s", and what stands for %s is looked up in the same way. */

/* From here on what is printed on standard output is translated, where a language is asked for. */
void spoken_begin(void);
/* One line, without its end. Returns it as it is where no catalog has it. */
const char *spoken(const char *line);

#endif
