/* text.c - texts from files and from a generator that is the same on every machine. */
#define _POSIX_C_SOURCE 200809L
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "letters.h"
#include "random_numbers.h"

#define LONGEST UINT32_MAX /* characters */
static const char too_long[] = "longer than 4,294,967,295 characters, the most that a text may "
                               "have; SIZE=1M counts its beginning";
static const char no_memory[] = "too long for this machine's memory";

static const char *const kind_names[TEXT_KINDS] = {"english", "uniform", "zipf", "single", "runs"};

/* Characters of English prose and how many there are of each in about 12,000. */
static const struct {
    char character;
    unsigned short weight;
} english[] = {
    {' ', 2200}, {'e', 1210}, {'t', 890}, {'a', 790}, {'o', 740}, {'i', 690}, {'n', 690},
    {'s', 620},  {'h', 590},  {'r', 590}, {'d', 410}, {'l', 390}, {'u', 270}, {'c', 270},
    {'m', 230},  {'w', 220},  {'f', 220}, {'g', 190}, {'y', 190}, {'p', 180}, {'b', 140},
    {'v', 95},   {'k', 75},   {'x', 15},  {'j', 14},  {'q', 9},   {'z', 6},   {',', 110},
    {'.', 100},  {'\n', 90},  {'T', 40},  {'A', 35},  {'I', 45},  {'S', 20},  {'\'', 25},
    {'-', 20},   {'"', 20},   {';', 8},   {'?', 8},   {'!', 5},   {'1', 6},   {'0', 6},
};

/* How many characters are counted; the next function returns the one of a rank, the most frequent first. */
static uint32_t alphabet_size(void)
{
    return letters_alone() ? 26 : 256;
}
static unsigned char alphabet(uint32_t rank)
{
    if (!letters_alone())
        return (unsigned char)(rank * 149 + 'e'); /* odd, hence every value once */
    return (unsigned char)"etaoinshrdlcumwfgypbvkjxqz"[rank];
}

/* Fills `bytes` with draws: character i has the weight between ends[i - 1] and ends[i]. */
static void fill_weighted(struct text *text, uint64_t state, const unsigned char *characters,
                          const uint32_t *ends, uint32_t count)
{
    for (size_t i = 0; i < text->length; i++) {
        uint32_t draw = random_below(&state, ends[count - 1]);
        uint32_t low = 0, high = count - 1;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (draw < ends[middle])
                high = middle;
            else
                low = middle + 1;
        }
        text->bytes[i] = characters[low];
    }
}

static void fill_english(struct text *text, uint64_t state)
{
    enum { COUNT = sizeof english / sizeof *english };
    unsigned char characters[COUNT];
    uint32_t ends[COUNT], end = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        characters[i] = (unsigned char)english[i].character;
        ends[i] = end += english[i].weight;
    }
    fill_weighted(text, state, characters, ends, COUNT);
}

static void fill_zipf(struct text *text, uint64_t state)
{
    unsigned char characters[256];
    uint32_t ends[256], end = 0;
    for (uint32_t rank = 0; rank < alphabet_size(); rank++) {
        characters[rank] = alphabet(rank);
        ends[rank] = end += (1u << 20) / (rank + 1);
    }
    fill_weighted(text, state, characters, ends, alphabet_size());
}

static void fill_uniform(struct text *text, uint64_t state)
{
    for (size_t i = 0; i < text->length; i++)
        text->bytes[i] = alphabet(random_below(&state, alphabet_size()));
}

static void fill_runs(struct text *text, uint64_t state, size_t run_length)
{
    uint32_t rank = random_below(&state, alphabet_size());
    for (size_t i = 0; i < text->length; i++) {
        if (i > 0 && i % run_length == 0)
            rank = (rank + 1 + random_below(&state, alphabet_size() - 1)) % alphabet_size();
        text->bytes[i] = alphabet(rank);
    }
}

static void *allocate(size_t length)
{
    void *bytes = malloc(length > 0 ? length : 1);
    if (!bytes) {
        fprintf(stderr, "no memory for a text of %zu characters\n", length);
        exit(1);
    }
    return bytes;
}

static struct text empty_text(size_t length)
{
    struct text text = {.bytes = allocate(length), .length = length};
    return text;
}

struct text text_of(enum text_kind kind, uint64_t seed, size_t length)
{
    if (kind == TEXT_RUNS)
        return text_of_runs(RUN_LENGTH, seed, length);
    struct text text = empty_text(length);
    snprintf(text.name, sizeof text.name, "%s text of seed %llu", kind_names[kind],
             (unsigned long long)seed);
    if (kind == TEXT_ENGLISH)
        fill_english(&text, seed);
    else if (kind == TEXT_UNIFORM)
        fill_uniform(&text, seed);
    else if (kind == TEXT_ZIPF)
        fill_zipf(&text, seed);
    else
        memset(text.bytes, 'e', length);
    return text;
}

struct text text_of_values(unsigned int first, unsigned int count, uint64_t seed, size_t length)
{
    struct text text = empty_text(length);
    snprintf(text.name, sizeof text.name, "%u values from %u on, of seed %llu", count, first,
             (unsigned long long)seed);
    for (size_t i = 0; i < length; i++)
        text.bytes[i] = (unsigned char)(first + random_below(&seed, count));
    return text;
}

struct text text_of_runs(size_t run_length, uint64_t seed, size_t length)
{
    struct text text = empty_text(length);
    snprintf(text.name, sizeof text.name, "runs of %zu and seed %llu", run_length,
             (unsigned long long)seed);
    fill_runs(&text, seed, run_length > 0 ? run_length : 1);
    return text;
}

struct text text_from(const char *name, const void *bytes, size_t length)
{
    struct text text = empty_text(length);
    snprintf(text.name, sizeof text.name, "%s", name);
    memcpy(text.bytes, bytes, length);
    return text;
}

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text){.length = 0};
}

enum text_kind text_kind_named(const char *name)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        if (strcmp(name, kind_names[kind]) == 0)
            return (enum text_kind)kind;
    return TEXT_KINDS;
}

const char *text_kind_name(enum text_kind kind)
{
    return kind < TEXT_KINDS ? kind_names[kind] : "unknown";
}

/* Says what is wrong with an open file before it is read. Only regular files have an end for certain. */
static const char *no_text(const struct stat *status, size_t most)
{
    if (S_ISDIR(status->st_mode))
        return "this is a directory, and a text is a file";
    if (S_ISFIFO(status->st_mode))
        return "this is a pipe, and a text is a file: write what comes out of it into one first";
    if (!S_ISREG(status->st_mode))
        return "this is a device, and a text is a file";
    return most == LONGEST && status->st_size > (off_t)LONGEST ? too_long : NULL;
}

/* Copies a file to the end of `all`, which may get as long as `most`. Returns what is wrong with
 * it, or NULL. */
static const char *append_file(FILE *all, const char *name, size_t most)
{
    struct stat status;
    int descriptor = open(name, O_RDONLY | O_NONBLOCK); /* a pipe that nobody writes opens, too */
    FILE *file =
        descriptor >= 0 && fstat(descriptor, &status) == 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        return strerror(errno);
    const char *problem = no_text(&status, most);
    unsigned char piece[1 << 16];
    size_t room = most - (size_t)ftell(all), got;
    while (!problem && room > 0 &&
           (got = fread(piece, 1, room < sizeof piece ? room : sizeof piece, file)) > 0) {
        room -= got;
        if (fwrite(piece, 1, got, all) != got)
            problem = no_memory;
    }
    if (!problem && ferror(file))
        problem = "cannot be read";
    if (!problem && room == 0 && most == LONGEST && getc(file) != EOF)
        problem = too_long;
    fclose(file);
    return problem;
}

/* Names a text after its file, or the directory of its files. */
static void name_text(struct text *text, const char *file, size_t count)
{
    const char *slash = strrchr(file, '/');
    if (count > 1 && slash)
        snprintf(text->name, sizeof text->name, "%zu files in %.*s", count,
                 (int)(slash - file < 40 ? slash - file : 40), file);
    else
        snprintf(text->name, sizeof text->name, "%.60s", slash ? slash + 1 : file);
}

struct text text_read(char *const *files, size_t count, size_t most, char *error, size_t error_size)
{
    if (most == 0)
        most = LONGEST;
    struct text text = {.length = 0};
    char *bytes = NULL;
    size_t length = 0;
    const char *problem = NULL;
    FILE *all = open_memstream(&bytes, &length);
    size_t i = 0;
    while (all && !problem && i < count)
        problem = append_file(all, files[i++], most);
    if (!all || fclose(all) != 0)
        problem = no_memory;
    else if (!problem && length == 0)
        problem = "there is nothing in it to count";
    if (problem) {
        snprintf(error, error_size, "%s: %s", i > 0 ? files[i - 1] : "no file", problem);
        free(bytes);
        return text;
    }
    text.bytes = (unsigned char *)bytes;
    text.length = length;
    name_text(&text, files[0], count);
    return text;
}

struct text text_read_input(char *file)
{
    char error[512], name_file[4096];
    struct text text = text_read(&file, 1, 0, error, sizeof error);
    if (!text.bytes) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    snprintf(name_file, sizeof name_file, "%s.name", file);
    FILE *name = fopen(name_file, "r");
    if (name && !fgets(text.name, sizeof text.name, name))
        text.name[0] = '\0';
    if (name)
        fclose(name);
    return text;
}

void text_resize(struct text *text, size_t length)
{
    unsigned char *bytes = allocate(length);
    for (size_t done = 0; done < length;) {
        size_t piece = length - done < text->length ? length - done : text->length;
        memcpy(bytes + done, text->bytes, piece);
        done += piece;
    }
    free(text->bytes);
    text->bytes = bytes;
    text->length = length;
}

static int write_text_file(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        return -1;
    size_t written = fwrite(bytes, 1, length, file);
    return fclose(file) == 0 && written == length ? 0 : -1;
}

int text_write(const struct text *text, const char *file)
{
    char name_file[4096];
    snprintf(name_file, sizeof name_file, "%s.name", file);
    if (write_text_file(file, text->bytes, text->length) != 0)
        return -1;
    return write_text_file(name_file, text->name, strlen(text->name));
}
