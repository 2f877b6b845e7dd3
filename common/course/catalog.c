/* catalog.c - reads .po files: see catalog.h. */
#define _GNU_SOURCE
#include "catalog.h"

#include <stdio.h>
#include <string.h>

#include "util.h"

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

struct catalog catalog_read(const char *file)
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

const char *catalog_find(const struct catalog *catalog, const char *english)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->entries[i].english, english) == 0)
            return catalog->entries[i].translated;
    return NULL;
}
