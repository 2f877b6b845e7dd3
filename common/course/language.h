/* language.h - the languages that the reader has asked for, and what catalogs say in them.
 *
 * LANGUAGE has them in their order, as in de:zh_CN; without it, LC_ALL, LC_MESSAGES or LANG has one, as in
 * de_DE.UTF-8. LC_ALL=C, or another of these three where those before it are not set, asks for English whatever
 * LANGUAGE says. A language is a folder of docs/locale; one without a folder is passed over. It holds gettext catalogs,
 * which are read as text: that needs no locale of the system, and nothing that is compiled. What is fuzzy, obsolete, or
 * not translated yet is left out. Plural forms and contexts are not read: no sentence of the course has them. */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stddef.h>

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

#endif
