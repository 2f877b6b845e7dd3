/* text_input.c - a text as the judge has inputs; that which all chapters count, and those that are traced: see
 * text_input.h. */
#include "text_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "must_have.h"
#include "util.h"

/* Nobody writes to it, since the bins of an input are what is there before a call. */
static unsigned int zeroed[MOST_BINS];

struct input input_of_text(const struct contract *contract, const char *what,
                           const unsigned char *text, size_t length, size_t misalignment)
{
    struct input input = input_for(contract);
    input.length = length;
    input.values = (unsigned char *)(uintptr_t)text;
    input.num_bins = num_bins();
    input.bins = (unsigned char *)zeroed;
    input.misalignment = misalignment;
    snprintf(input.name, sizeof input.name, "%s", what);
    return input;
}

enum { DEFAULT_LENGTH = 1 << 20 };

static struct text generate(const char *kind_name, size_t length)
{
    enum text_kind kind = text_kind_named(kind_name);
    if (kind == TEXT_KINDS)
        fail(1, "TEXT=%s is unknown: choose english, uniform, zipf, single or runs", kind_name);
    return text_of(kind, asked_seed(), length > 0 ? length : DEFAULT_LENGTH);
}

/* No more than `length` is read, or with 0 all. */
static struct text read_files(char *const *files, size_t count, size_t length, const char *whose)
{
    char error[512];
    struct text text = text_read(files, count, length, error, sizeof error);
    if (!text.bytes)
        fail(1, "%s%s", whose, error);
    return text;
}

static struct text make_asked_text(char *const *default_files, size_t count)
{
    size_t length = asked_length("characters", 0);
    const char *kind = chosen("TEXT"), *file = chosen("INPUT");
    if (*kind && *file)
        fail(1, "INPUT=%s and TEXT=%s: choose one of them", file, kind);
    if (*kind)
        return generate(kind, length);
    if (*chosen("TEXT_SEED"))
        fail(1,
             "TEXT_SEED=%s: is the seed of a generated text: add TEXT=english, uniform, zipf, "
             "single or runs",
             chosen("TEXT_SEED"));
    char *one_file[] = {(char *)(uintptr_t)file};
    struct text text = *file ? read_files(one_file, 1, length, "INPUT=")
                             : read_files(default_files, count, length, "");
    if (!*file && length == 0)
        length = DEFAULT_LENGTH;
    if (length > 0)
        text_resize(&text, length);
    return text;
}

/* Writes the text that INPUT, TEXT, TEXT_SEED and SIZE say: a file, a kind of generated text with its seed, a length.
 * Without INPUT and TEXT it is the default files, one after the other; without SIZE it has 1 MiB, or is all of INPUT.
 * The bytes go to `file`, their name to `file`.name. */
int text_write_asked(const char *file, char *const *default_files, size_t count)
{
    struct text text = make_asked_text(default_files, count);
    const int written = text_write(&text, file);
    text_free(&text);
    return written;
}

/* Makes an input of the bytes of a text that is no longer needed. Before the call its bins hold 0; there is room for
 * wide ones. */
static struct input input_from(const struct contract *contract, const struct text *text)
{
    struct input input = input_of_text(contract, text->name, text->bytes, text->length, 0);
    input.bins = must_have(calloc(num_bins(), sizeof(uint64_t)), "for bins");
    return input;
}

struct input text_read_asked(const char *file, size_t unused, char *called, size_t size)
{
    struct text text = text_read_input((char *)(uintptr_t)file);
    (void)unused;
    snprintf(called, size, "%s", text.name);
    return input_from(kernel_to_run()->contract, &text);
}

static const char tale[] =
    "many hands make light work, and many threads make a histogram; but two of them must not "
    "add to one bin at the same moment. so they take turns, or each keeps a tally of its own and "
    "they add those up at the end. which way is best depends on where the tally lies, how far "
    "away that is, and how many want the same line at once. ";

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

struct input text_drawn(const struct contract *contract, const struct drawn_case *drawn)
{
    static const char *const names[] = {"bytes above 127", "every value of a byte", "'{' only",
                                        "'z' only",        "'`' and 'a' in turn",   "a tale"};
    const bool is_kind = drawn->kind < TEXT_KINDS;
    struct text text = is_kind ? text_of((enum text_kind)drawn->kind, 1, drawn->units)
                               : text_from(names[drawn->kind - TEXT_KINDS], tale, sizeof tale - 1);
    if (!is_kind)
        text_resize(&text, drawn->units);
    for (size_t i = 0; !is_kind && drawn->kind != CONTENT_TALE && i < drawn->units; i++)
        text.bytes[i] = character_of(drawn->kind, i);
    return input_from(contract, &text);
}

/* Makes each character an 'a', or, in the other way, a blank, which need not be counted. */
void text_simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    memset(input->elements + from, way == 0 ? 'a' : ' ', count);
}

/* Names a bin by its bytes: "a-f", "e", "'e'", "200" or "4-7". */
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
