/* language.c - which languages are asked for, and their catalogs: see language.h. */
#define _GNU_SOURCE
#include "language.h"

#include <ctype.h>
#include <string.h>

#include "util.h"

#define LOCALE "docs/locale"

enum { MOST_LANGUAGES = 8, MOST_CATALOGS = 32 };

/* The folder of a language like "de", "de_AT.UTF-8" or "zh"; NULL where there is none. */
static const char *folder_of(const char *name, size_t length)
{
    size_t letters = 0, all = 0;
    while (letters < length && isalpha((unsigned char)name[letters]))
        letters++;
    for (all = letters; all < length && (isalpha((unsigned char)name[all]) || name[all] == '_');)
        all++;
    if (letters == 0 || (all < length && !strchr(".@", name[all])))
        return NULL;
    const char *exact = format(LOCALE "/%.*s", (int)all, name);
    const char *wide = format(LOCALE "/%.*s", (int)letters, name);
    if (exists(exact))
        return exact;
    return all > letters ? (exists(wide) ? wide : NULL) : first_match(format("%s_*", wide));
}

/* What the environment asks for: languages with colons between them. "" is English. */
static const char *asked(void)
{
    const char *locale = *chosen("LC_ALL")        ? chosen("LC_ALL")
                         : *chosen("LC_MESSAGES") ? chosen("LC_MESSAGES")
                                                  : chosen("LANG");
    if (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0)
        return "";
    return *chosen("LANGUAGE") ? chosen("LANGUAGE") : locale;
}

static bool is_english(const char *name, size_t length)
{
    return length >= 2 && begins_with(name, "en") &&
           (length == 2 || !isalpha((unsigned char)name[2]));
}

/* The folders of the languages; behind the last one stands NULL. English is the last of all: it has each
 * sentence. */
static const char *const *folders(void)
{
    static const char *found[MOST_LANGUAGES + 1];
    static bool is_known;
    size_t count = 0;
    if (is_known)
        return found;
    is_known = true;
    for (const char *name = asked(); *name && count < MOST_LANGUAGES;) {
        const size_t length = strcspn(name, ":");
        if (is_english(name, length))
            break;
        const char *folder = folder_of(name, length);
        if (folder)
            found[count++] = folder;
        name += length + (name[length] == ':');
    }
    return found;
}

size_t languages_asked(void)
{
    size_t count = 0;
    while (folders()[count])
        count++;
    return count;
}

const struct catalog *language_catalog(size_t language, const char *name)
{
    static struct catalog read[MOST_CATALOGS];
    static size_t count;
    const char *file = format("%s/%s.po", folders()[language], name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(read[i].file, file) == 0)
            return &read[i];
    if (count == MOST_CATALOGS)
        fail(3, "%s: more catalogs than expected", file);
    read[count] = catalog_read(file);
    return &read[count++];
}

const char *translation_of(const char *name, const char *english)
{
    const char *found = NULL;
    for (size_t i = 0; !found && i < languages_asked(); i++)
        found = catalog_find(language_catalog(i, name), english);
    return found;
}
