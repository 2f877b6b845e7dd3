/* typed_words.c - cuts, compares and lists words: see driver.h. */
#include "driver.h"

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

bool is_chapter(const char *word)
{
    return strncmp(word, "chapter", 7) == 0 && is_number(word + 7);
}
