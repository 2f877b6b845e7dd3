/* spoken.c - finds the sentence that a line is, and says it in another language: see language.h. */
#define _GNU_SOURCE
#include "language.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

#define CATALOG "spoken"

enum { MOST_PARTS = 12, DEPTH = 6, LONGEST_LINE = 1 << 16 };

/* What stands in a line for the %s, %u and so on of a sentence. */
struct parts {
    const char *at[MOST_PARTS];
    size_t length[MOST_PARTS], count;
    size_t letters; /* of the sentence itself: the more, the surer it is the right one */
};

/* The length of "%s", "%llu", "%2$s" at the beginning of a text, 0 where it begins with none; `number` becomes the
 * 2 of the last one, and 0 for the others. */
static size_t conversion(const char *text, size_t *number)
{
    size_t length = 1;
    *number = 0;
    if (*text != '%')
        return 0;
    if (isdigit((unsigned char)text[1]) && text[2] == '$') {
        *number = (size_t)(text[1] - '0');
        length = 3;
    }
    length += strspn(text + length, "lzh");
    return text[length] && strchr("sudcx", text[length]) ? length + 1 : 0;
}

/* How far it is to the next one. */
static size_t literal(const char *text)
{
    size_t length = 0, number;
    while (text[length] && conversion(text + length, &number) == 0)
        length++;
    return length;
}

/* Where the part ends that is followed by these words, which end the line if `last`; NULL: nowhere. */
static const char *end_of_part(const char *line, const char *words, size_t length, bool last)
{
    const size_t rest = strlen(line);
    const char *end =
        last ? line + (rest > length ? rest - length : 0) : memmem(line, rest, words, length);
    return rest >= length && end && strncmp(end, words, length) == 0 ? end : NULL;
}

/* Whether the part can be what the conversion, whose last letter it is, prints. */
static bool can_be(const char *part, size_t length, char letter)
{
    const char *digits = letter == 'x' ? "0123456789abcdef" : "0123456789,-";
    return letter == 's' || (letter == 'c' && length == 1) ||
           (length > 0 && strspn(part, digits) >= length);
}

static bool is_line_of(const char *sentence, const char *line, struct parts *parts)
{
    *parts = (struct parts){.count = 0};
    for (size_t number, taken;; sentence += taken) {
        const size_t length = literal(sentence);
        for (size_t i = 0; i < length; i++)
            parts->letters += isalpha((unsigned char)sentence[i]) != 0;
        if (parts->count == 0 && strncmp(line, sentence, length) != 0)
            return false;
        sentence += length;
        line += parts->count == 0 ? length : 0;
        if (!*sentence)
            return parts->count > 0 || !*line;
        taken = conversion(sentence, &number);
        const size_t next = literal(sentence + taken);
        const char *end = end_of_part(line, sentence + taken, next, !sentence[taken + next]);
        if (!end || parts->count == MOST_PARTS ||
            !can_be(line, (size_t)(end - line), sentence[taken - 1]))
            return false;
        parts->at[parts->count] = line;
        parts->length[parts->count++] = (size_t)(end - line);
        line = end + next;
    }
}

static const char *say(const char *line, int depth);

/* Writes the translation of a sentence with its parts. Returns whether one of them was translated, too. */
static bool put_sentence(const char *translated, const struct parts *parts, int depth, FILE *to)
{
    bool any = false;
    for (size_t next = 0, number, length; *translated; translated += length) {
        length = conversion(translated, &number);
        const size_t part = number > 0 ? number - 1 : next;
        if (length == 0) {
            fputc(*translated, to);
            length = 1;
        } else if (part < parts->count) {
            const char *words = format("%.*s", (int)parts->length[part], parts->at[part]);
            const bool is_code = strncmp(translated + length, "__", 2) == 0; /* of __%s__ */
            const char *translation = is_code ? words : say(words, depth + 1);
            any |= translation != words;
            fputs(translation, to);
            next++;
        }
    }
    return any;
}

/* The line in one language, or NULL. A sentence without a letter, "%s: %s", is one only if a part of it is. */
static const char *say_in(const struct catalog *catalog, const char *line, int depth)
{
    const struct entry *best = NULL;
    struct parts parts, of_best = {.count = 0};
    for (size_t i = 0; i < catalog->count; i++)
        if (is_line_of(catalog->entries[i].english, line, &parts) &&
            (!best || parts.letters > of_best.letters)) {
            best = &catalog->entries[i];
            of_best = parts;
        }
    if (!best)
        return NULL;
    FILE *to = open_text();
    const bool any = put_sentence(best->translated, &of_best, depth, to);
    const char *translation = close_text(to);
    return any || of_best.letters > 0 ? translation : NULL;
}

static const char *say(const char *line, int depth)
{
    const char *translation = NULL;
    for (size_t i = 0; !translation && *line && depth < DEPTH && i < languages_asked(); i++)
        translation = say_in(language_catalog(i, CATALOG), line, depth);
    return translation ? translation : line;
}

const char *spoken(const char *line)
{
    const size_t marks = strspn(line, "= "); /* "=========     " of a report */
    const char *translation = say(line + marks, 0);
    return translation == line + marks ? line : format("%.*s%s", (int)marks, line, translation);
}

static bool put(const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(STDOUT_FILENO, bytes, size);
        if (done < 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/* Standard output hands over whole lines, or what is flushed: a question, whose line the reader ends. */
static ssize_t put_spoken(void *nothing, const char *bytes, size_t size)
{
    (void)nothing;
    for (size_t taken = 0, length; taken < size; taken += length) {
        const char *end = memchr(bytes + taken, '\n', size - taken);
        length = end ? (size_t)(end - bytes) - taken : size - taken;
        const char *translation = spoken(format("%.*s", (int)length, bytes + taken));
        if (!put(translation, strlen(translation)) || (end && !put("\n", 1)))
            return 0;
        length += end != NULL;
    }
    return (ssize_t)size;
}

void spoken_begin(void)
{
    FILE *out = languages_asked() > 0
                    ? fopencookie(NULL, "w", (cookie_io_functions_t){.write = put_spoken})
                    : NULL;
    if (!out)
        return;
    setvbuf(out, NULL, _IOLBF, LONGEST_LINE);
    stdout = out;
}
