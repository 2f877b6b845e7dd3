/* chapter.c - finds chapters, and reads names of folders, contracts and heads of suites. */
#define _GNU_SOURCE
#include "chapter.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Contracts whose input is an array without keys. */
static const struct contract arrays[] = {
    {.name = "reduce", .units = "values", .usual = 1 << 20},
    {.name = "k_means", .units = "points", .usual = 1 << 13},
    {.name = "joint_histogram", .units = "pairs", .usual = 1 << 13},
    {.name = "pair_counts", .units = "points", .usual = 1 << 9},
    {.name = "pair_forces", .units = "atoms", .usual = 1 << 12},
};

struct contract contract_of(const char *kernel_file)
{
    static const char batched[] = "_batched", of_operations[] = "#include \"operation.h\"";
    const char *file = base_name(kernel_file);
    char *name = format("%.*s", (int)strcspn(file, "."), file);
    struct contract contract = {
        .name = name, .in_c = ends_with(file, ".c"), .on_devices = strcmp(name, "many") == 0};
    for (size_t i = 0; i < LENGTH(arrays); i++)
        if (strcmp(name, arrays[i].name) == 0) {
            contract.of_array = true;
            contract.units = arrays[i].units;
            contract.usual = arrays[i].usual;
        }
    const size_t length = strlen(name) - (ends_with(name, batched) ? strlen(batched) : 0);
    contract.tools = format("%.*s", (int)length, name);
    for (struct lines in = lines_of(format("common/contract/%s.h", name)); next_line(&in);)
        contract.has_operations |= begins_with(in.line, of_operations);
    return contract;
}

bool is_for_ranks(const char *kernel_file)
{
    bool found = false;
    for (struct lines in = lines_of(kernel_file); next_line(&in);) {
        char header[8] = "";
        found |= sscanf(in.line, " # include %*1[<\"]%7[mpi.h]", header) == 1 &&
                 strcmp(header, "mpi.h") == 0;
    }
    return found;
}

/* The file in a folder that is named as a contract, as make finds it: see settings.mk. Where there
 * is none, the first that could be. */
static const char *kernel_in(const char *folder)
{
    static const char *const languages[] = {"cu", "c"};
    for (char **header = matches("common/contract/*.h"); *header; header++)
        for (size_t i = 0; i < LENGTH(languages); i++) {
            const char *name = base_name(*header);
            char *file = format("%s/%.*s.%s", folder, (int)strcspn(name, "."), name, languages[i]);
            if (exists(file))
                return file;
            free(file);
        }
    return format("%s/histogram.cu", folder);
}

/* What stands behind a word in a file, as far as the characters go. */
static const char *behind(const char *file, const char *word, const char *characters)
{
    const char *found = "";
    struct lines in = lines_of(file);
    while (!*found && next_line(&in)) {
        const char *at = strstr(in.line, word);
        if (at) {
            at += strlen(word);
            at += strspn(at, " ");
            found = format("%.*s", (int)strspn(at, characters), at);
        }
    }
    end_lines(&in);
    return found;
}

const char *operations_of(const char *stem)
{
    return behind(format("tests/%s.c", stem), "Operations:", "abcdefghijklmnopqrstuvwxyz_ ");
}

const char *first_operation(const char *operations)
{
    const int length = (int)strcspn(operations, " ");
    return length > 0 ? format("%.*s", length, operations) : "count";
}

unsigned int part_of(unsigned int number)
{
    static const unsigned int first[] = {20, 40, 60, 70, 80};
    unsigned int part = 1;
    for (size_t i = 0; i < LENGTH(first); i++)
        part += number >= first[i];
    return part;
}

struct chapter chapter_of(const char *folder, const char *stem)
{
    const char *bar = strchr(stem, '_'), *file = kernel_in(format("%s/%s", folder, stem));
    const unsigned int number = number_of(stem);
    return (struct chapter){.stem = stem,
                            .name = bar ? bar + 1 : stem,
                            .number = number,
                            .part = part_of(number),
                            .contract = contract_of(file),
                            .file = file,
                            .solution = format("solutions/%s/%s", stem, base_name(file)),
                            .lesson = format("docs/%s.md", stem),
                            .suite = format("tests/%s.c", stem),
                            .exercise = format("tests/further/%s.c", stem),
                            .operations = operations_of(stem)};
}

static int by_number(const void *one, const void *other)
{
    const struct chapter *first = one, *second = other;
    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return strcmp(first->stem, second->stem);
}

size_t chapters_of(const char *folder, struct chapter **chapters)
{
    size_t count = 0;
    *chapters = NULL;
    for (char **found = matches(format("%s/[0-9]*_*", folder)); *found; found++) {
        if (!exists(format("tests/%s.c", base_name(*found))))
            continue; /* a copy beside it, such as 05_backup */
        *chapters = grow(*chapters, count, 1, sizeof **chapters);
        (*chapters)[count++] = chapter_of(folder, base_name(*found));
    }
    if (count > 0)
        qsort(*chapters, count, sizeof **chapters, by_number);
    return count;
}
