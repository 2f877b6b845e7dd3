/* typed_words.c - cuts, compares and lists words: see typed_words.h. */
#include "typed_words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    exit(0);
}

const char **words_of(char *list)
{
    const char **words = calloc(strlen(list) / 2 + 2, sizeof *words);
    if (!words)
        refuse("no memory for the command line");
    size_t count = 0;
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return words;
}

const char *choices_of(const char *list)
{
    static char buffers[2][256];
    static unsigned int turn;
    char *choices = buffers[turn++ % 2];
    size_t used = 0;
    choices[0] = '\0';
    for (const char *word = list; *word && used < sizeof buffers[0]; word += strspn(word, " ")) {
        const int length = (int)strcspn(word, " ");
        const char *between = word == list ? "" : word[length] ? ", " : " or ";
        used += (size_t)snprintf(choices + used, sizeof buffers[0] - used, "%s%.*s", between,
                                 length, word);
        word += length;
    }
    return choices;
}

bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

bool is_in(const char *word, const char *list)
{
    const size_t length = strlen(word);
    const char *at = length > 0 && !strchr(word, ' ') ? strstr(list, word) : NULL;
    while (at && ((at > list && at[-1] != ' ') || (at[length] != ' ' && at[length] != '\0')))
        at = strstr(at + length, word);
    return at;
}

bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

bool read_number(const char *text, uint64_t *number)
{
    errno = 0;
    *number = is_number(text) ? strtoull(text, NULL, 10) : 0;
    return is_number(text) && errno == 0;
}

bool read_length(const char *text, uint64_t *length)
{
    char digits[24];
    const size_t count = strspn(text, "0123456789");
    const char *unit = text + count;
    const unsigned int shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0;
    if (count >= sizeof digits || strlen(unit) != (shift > 0))
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)count, text);
    if (!read_number(digits, length) || *length < 1 || *length > UINT32_MAX >> shift)
        return false;
    *length <<= shift;
    return true;
}

bool is_chapter(const char *word)
{
    return strncmp(word, "chapter", 7) == 0 && is_number(word + 7);
}
