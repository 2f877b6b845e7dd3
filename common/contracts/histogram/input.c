/* input.c - writes the text that all chapters count.
 *
 *     input OUT DEFAULT-FILE...
 *
 * INPUT, TEXT, TEXT_SEED and SIZE in the environment say which: a file, a kind of
 * generated text with its seed, a length. Without INPUT and TEXT it is the default
 * files, one after the other; without SIZE 1 MiB, or the whole of INPUT. The bytes
 * go to OUT, their name to OUT.name. What is wrong is said in one line; status 1. */
#include <errno.h>
#include <string.h>

#include "asked_input.h"
#include "verify.h"
#include "text.h"

enum { DEFAULT_LENGTH = 1 << 20 };

static struct text generate(const char *kind_name, size_t length)
{
    enum text_kind kind = text_kind_named(kind_name);
    if (kind == TEXT_KINDS)
        refuse("TEXT=%s is unknown: choose english, uniform, zipf, single or runs", kind_name);
    return text_of(kind, asked_seed(), length > 0 ? length : DEFAULT_LENGTH);
}

/* With a length no more than that is read. */
static struct text read_files(char *const *files, size_t count, size_t length, const char *whose)
{
    char error[512];
    struct text text = text_read(files, count, length, error, sizeof error);
    if (!text.bytes)
        refuse("%s%s", whose, error);
    return text;
}

static struct text make_text(char *const *default_files, size_t count)
{
    size_t length = asked_length("characters", 0);
    const char *kind = setting("TEXT"), *file = setting("INPUT");
    if (kind && file)
        refuse("INPUT=%s and TEXT=%s: choose one of them", file, kind);
    if (kind)
        return generate(kind, length);
    if (setting("TEXT_SEED"))
        refuse("TEXT_SEED=%s: is the seed of a generated text: add TEXT=english, uniform, zipf, "
               "single or runs",
               setting("TEXT_SEED"));
    char *one_file[] = {(char *)(uintptr_t)file};
    struct text text = file ? read_files(one_file, 1, length, "INPUT=")
                            : read_files(default_files, count, length, "");
    if (!file && length == 0)
        length = DEFAULT_LENGTH;
    if (length > 0)
        text_resize(&text, length);
    return text;
}

int main(int count, char **arguments)
{
    if (count < 3)
        refuse("usage: %s OUT DEFAULT-FILE...", arguments[0]);
    struct text text = make_text(arguments + 2, (size_t)count - 2);
    if (text_write(&text, arguments[1]) != 0)
        refuse("cannot write %s: %s", arguments[1], strerror(errno));
    text_free(&text);
    return 0;
}
