/* typed_words.c - cuts, compares and lists words, and finds the one that was meant: see driver.h. */
#include "driver.h"

#include <ctype.h>
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

bool is_program(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    return *word && !word[strspn(word, letters)] && exists(format("common/programs/%s/", word));
}

/* The optimal string alignment distance: Damerau and Levenshtein, without capitals. */
enum { LONGEST = 40 };

static int same(char one, char two)
{
    return toupper((unsigned char)one) == toupper((unsigned char)two);
}

static unsigned int least(unsigned int one, unsigned int two)
{
    return one < two ? one : two;
}

/* How many letters have to change to make `two` of `one`. */
static unsigned int distance(const char *one, const char *two)
{
    unsigned int edits[LONGEST + 1][LONGEST + 1];
    size_t rows = strlen(one), columns = strlen(two);
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            edits[i][j] = (unsigned int)(i + j);
            if (i == 0 || j == 0)
                continue;
            edits[i][j] = least(edits[i - 1][j] + 1, edits[i][j - 1] + 1);
            edits[i][j] = least(edits[i][j], edits[i - 1][j - 1] + !same(one[i - 1], two[j - 1]));
            if (i > 1 && j > 1 && same(one[i - 1], two[j - 2]) && same(one[i - 2], two[j - 1]))
                edits[i][j] = least(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[rows][columns];
}

/* Of `words`, which end with NULL, the one that differs from `word` by the fewest letters. NULL when
 * none is near. */
static const char *nearest(const char *word, const char *const *words)
{
    const char *found = NULL;
    unsigned int fewest = (unsigned int)strlen(word) / 3 + 1;
    if (strlen(word) > LONGEST)
        return NULL;
    for (; *words; words++) {
        unsigned int edits = strlen(*words) > LONGEST ? fewest : distance(word, *words);
        if (edits < fewest) {
            fewest = edits;
            found = *words;
        }
    }
    return found;
}

void refuse_unknown(const char *kind, const char *word, const char *const *words)
{
    const char *meant = nearest(word, words);
    if (meant)
        refuse("there is no %s '%s'; did you mean %s?", kind, word, meant);
    refuse("there is no %s '%s'; 'make help' lists them", kind, word);
}
