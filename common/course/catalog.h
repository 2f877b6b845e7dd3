/* catalog.h - reads a gettext catalog as text: a .po file, docs/locale/LANGUAGE/NAME.po.
 *
 * It needs no locale of the system, and nothing that is compiled. What is fuzzy, obsolete, or not translated yet is
 * left out. Plural forms and contexts are not read: no sentence of the course has them. */
#ifndef CATALOG_H
#define CATALOG_H

#include <stdbool.h>
#include <stddef.h>

struct entry {
    const char *english, *translated; /* msgid and msgstr, UTF-8 */
};

struct catalog {
    const char *file;
    struct entry *entries;
    size_t count;
};

/* Reads the file. Without a file the catalog is empty; it also is where a line cannot be read, and one line on
 * standard error says which. */
struct catalog catalog_read(const char *file);
/* The translation of these words; NULL where there is none. */
const char *catalog_find(const struct catalog *catalog, const char *english);

#endif
