/* text_traced.c - texts as inputs of a trace: see text_traced.h. */
#include "text_traced.h"

#include <stdio.h>
#include <string.h>

#include "letters.h"
#include "text_input.h"

static const char tale[] =
    "many hands make light work, and many threads make a histogram; but two of them must not "
    "add to one bin at the same moment. so they take turns, or each keeps a tally of its own and "
    "they add those up at the end. which way is best depends on where the tally lies, how far "
    "away that is, and how many want the same line at once. ";

/* The bytes of a text that is no longer needed, as an input whose bins begin with 0. */
static struct input input_from(const struct text *text)
{
    struct input input = input_of_text(traced.contract, text->name, text->bytes, text->length, 0);
    input.bins = NULL;
    return input;
}

static unsigned char character_of(unsigned int content, size_t i)
{
    switch (content) {
    case CONTENT_HIGH:
        return (unsigned char)(128 + i % 128);
    case CONTENT_ALL_VALUES:
        return (unsigned char)(i * 7);
    case CONTENT_BRACES:
        return '{';
    case CONTENT_LAST_LETTER:
        return 'z';
    default:
        return i % 2 ? 'a' : '`';
    }
}

struct input text_made(const struct traced_case *drawn, uint64_t unused)
{
    static const char *const names[] = {"bytes above 127", "every value of a byte", "'{' only",
                                        "'z' only",        "'`' and 'a' in turn",   "a tale"};
    (void)unused;
    const bool is_kind = drawn->kind < TEXT_KINDS;
    struct text text = is_kind ? text_of((enum text_kind)drawn->kind, 1, drawn->length)
                               : text_from(names[drawn->kind - TEXT_KINDS], tale, sizeof tale - 1);
    if (!is_kind)
        text_resize(&text, drawn->length);
    struct input input = input_from(&text);
    for (size_t i = 0; !is_kind && drawn->kind != CONTENT_TALE && i < drawn->length; i++)
        input.elements[i] = character_of(drawn->kind, i);
    return input;
}

struct input text_asked(const char *file)
{
    const struct text text = text_read_input((char *)(uintptr_t)file);
    return input_from(&text);
}

/* Makes each character an 'a', or in the other way a blank, which need not be counted. */
void text_simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    memset(input->elements + from, way == 0 ? 'a' : ' ', count);
}

/* "a-f", "e", "'e'", "200" or "4-7": the bytes of a bin. */
void text_name_bin(size_t bin, char *name, size_t size)
{
    unsigned short bin_of_byte[256];
    int first = -1, last = -1;
    letters_in_bins(bin_of_byte);
    for (int byte = 0; byte < 256; byte++)
        if (bin_of_byte[byte] == bin) {
            first = first < 0 ? byte : first;
            last = byte;
        }
    if (letters_alone())
        snprintf(name, size, first < last ? "%c-%c" : "%c", first, last);
    else if (first < last)
        snprintf(name, size, "%d-%d", first, last);
    else
        snprintf(name, size, first > 32 && first < 127 ? "'%c'" : "%d", first);
}

void text_settings(char *text, size_t size)
{
    text[0] = '\0';
    if (num_bins() != 5)
        snprintf(text, size, "BINS=%u", num_bins());
}
