/* language.c - which languages are asked for, and their catalogs, .po files: see language.h. */
#define _GNU_SOURCE
#include "language.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

#define LOCALE "docs/locale"

enum { MOST_LANGUAGES = 8, MOST_CATALOGS = 32 };

enum place { NOWHERE, ENGLISH, TRANSLATED };

/* An entry, as far as it has been read. */
struct reading {
    struct catalog *catalog;
    enum place place; /* where a string goes */
    char *texts[3];   /* for each place */
    bool is_fuzzy;
};

/* Keeps what has been read, if it is a translation, and begins a new entry. The entry of "" is the head. */
static void end_entry(struct reading *reading)
{
    const char *english = reading->texts[ENGLISH], *translated = reading->texts[TRANSLATED];
    struct catalog *catalog = reading->catalog;
    if (english && *english && translated && *translated && !reading->is_fuzzy) {
        catalog->entries = grow(catalog->entries, catalog->count, 1, sizeof *catalog->entries);
        catalog->entries[catalog->count++] = (struct entry){english, translated};
    }
    *reading = (struct reading){.catalog = catalog};
}

/* What a string of a catalog says, from its first quotation mark on; NULL where it is none. */
static char *unquoted(const char *string)
{
    static const char written[] = "nt\"\\", meant[] = "\n\t\"\\";
    FILE *to = open_text();
    bool is_string = *string++ == '"';
    while (is_string && *string && *string != '"')
        if (*string != '\\') {
            fputc(*string++, to);
        } else {
            const char *escape = string[1] ? strchr(written, string[1]) : NULL;
            is_string = escape != NULL;
            if (escape)
                fputc(meant[escape - written], to);
            string += escape ? 2 : 0;
        }
    char *text = close_text(to);
    return is_string && *string == '"' && !*skip_blanks(string + 1) ? text : NULL;
}

/* A string belongs to the place that was named last. Returns false when it cannot be read. */
static bool take_string(struct reading *reading, const char *string)
{
    const char *more = unquoted(string);
    char **text = &reading->texts[reading->place];
    if (!more || reading->place == NOWHERE)
        return false;
    *text = format("%s%s", *text ? *text : "", more);
    return true;
}

/* "msgid" or "msgstr" with its first string: each once in an entry, in this order. */
static bool take_keyword(struct reading *reading, const char *line)
{
    const enum place place = begins_with(line, "msgid ")    ? ENGLISH
                             : begins_with(line, "msgstr ") ? TRANSLATED
                                                            : NOWHERE;
    if (place == ENGLISH && reading->texts[ENGLISH])
        end_entry(reading);
    if (place == NOWHERE || reading->texts[place] ||
        (place == TRANSLATED && !reading->texts[ENGLISH]))
        return false;
    reading->place = place;
    return take_string(reading, skip_blanks(strchr(line, ' ')));
}

/* Returns false when it cannot be read. */
static bool take_line(struct reading *reading, const char *line)
{
    if (!*line) {
        end_entry(reading);
        return true;
    }
    if (*line == '#') { /* also "#~", before what is obsolete */
        if (reading->texts[TRANSLATED])
            end_entry(reading);
        reading->is_fuzzy |= begins_with(line, "#,") && strstr(line, "fuzzy");
        return true;
    }
    return *line == '"' ? take_string(reading, line) : take_keyword(reading, line);
}

/* Reads the file. Without a file the catalog is empty; it also is where a line cannot be read, and one line on
 * standard error says which. */
static struct catalog catalog_read(const char *file)
{
    struct catalog catalog = {.file = file};
    struct reading reading = {.catalog = &catalog};
    size_t number = 0;
    for (struct lines in = lines_of(file); next_line(&in);) {
        number++;
        if (take_line(&reading, skip_blanks(in.line)))
            continue;
        fprintf(stderr, "%s:%zu: this line of the catalog cannot be read; English is shown\n", file,
                number);
        end_lines(&in);
        return (struct catalog){.file = file};
    }
    end_entry(&reading);
    return catalog;
}

/* The translation of these words; NULL where there is none. */
static const char *catalog_find(const struct catalog *catalog, const char *english)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->entries[i].english, english) == 0)
            return catalog->entries[i].translated;
    return NULL;
}

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
