/* text_input.c - a text as the judge has inputs; and that which all chapters count: see text_input.h. */
#include "text_input.h"

#include <stdio.h>
#include <stdlib.h>

#include "asked_input.h"
#include "bins.h"
#include "must_have.h"
#include "run.h"
#include "text.h"
#include "util.h"

/* Nobody writes to it: the bins of an input are what is there before. */
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

/* With a length no more than that is read. */
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

/* INPUT, TEXT, TEXT_SEED and SIZE say which: a file, a kind of generated text with its seed, a length.
 * Without INPUT and TEXT it is the default files, one after the other; without SIZE 1 MiB, or the whole
 * of INPUT. The bytes go to `file`, their name to `file`.name. */
static int write_text(const struct contract *unused, const char *file, char *const *default_files,
                      size_t count)
{
    (void)unused;
    struct text text = make_asked_text(default_files, count);
    const int written = text_write(&text, file);
    text_free(&text);
    return written;
}

static struct input read_input(const struct contract *contract, const char *file, char *called,
                               size_t size)
{
    struct text text = text_read_input((char *)(uintptr_t)file);
    struct input input = input_of_text(contract, text.name, text.bytes, text.length, 0);
    snprintf(called, size, "%s", text.name);
    input.bins = must_have(calloc(num_bins(), sizeof(uint64_t)), "for bins"); /* as wide as any */
    return input;
}

const struct drawn_input texts_inputs = {.write = write_text, .read = read_input};
