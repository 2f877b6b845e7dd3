/* typed_words.c - cuts, compares and lists words: see driver.h. */
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    exit(0);
}

const char **words_of(const char *list)
{
    const char **words = grow(NULL, 0, strlen(list) / 2 + 2, sizeof *words);
    size_t count = 0;
    for (char *word = strtok(format("%s", list), " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return words;
}

const char *choices_of(const char *list)
{
    const char *choices = "";
    for (const char **word = words_of(list); *word; word++)
        choices = format("%s%s%s", choices, !*choices ? "" : word[1] ? ", " : " or ", *word);
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
    return begins_with(word, "chapter") && is_number(word + strlen("chapter"));
}
