/* chapter.c - finds chapters, and reads names of folders, contracts and heads of suites. */
#define _GNU_SOURCE
#include "chapter.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Of a contract what its name does not tell. */
static const struct contract known[] = {
    {.name = "histogram", .units = "characters", .usual = 5},
    {.name = "many", .units = "characters", .usual = 5},
    {.name = "reduce_by_index", .units = "keys", .usual = 12281},
    {.name = "reduce_by_index_batched", .units = "keys", .usual = 31, .batched = true},
    {.name = "reduce", .units = "values", .usual = 1 << 20, .of_array = true},
    {.name = "k_means", .units = "points", .usual = 1 << 13, .of_array = true},
    {.name = "joint_histogram", .units = "pairs", .usual = 1 << 13, .of_array = true},
    {.name = "pair_counts", .units = "points", .usual = 1 << 9, .of_array = true},
    {.name = "pair_forces", .units = "atoms", .usual = 1 << 12, .of_array = true},
};

struct contract contract_of(const char *kernel_file)
{
    static const char batched[] = "_batched", of_operations[] = "#include \"operation.h\"";
    const char *file = base_name(kernel_file);
    const int length = (int)strcspn(file, ".");
    struct contract contract = known[0];
    contract.name = format("%.*s", length, file);
    for (size_t i = 0; i < LENGTH(known); i++)
        if (strcmp(contract.name, known[i].name) == 0)
            contract = known[i];
    contract.tools =
        format("%.*s", length - (contract.batched ? (int)strlen(batched) : 0), contract.name);
    contract.in_c = ends_with(file, ".c");
    contract.on_devices = strcmp(contract.name, "many") == 0;
    for (struct lines in = lines_of(format("common/contract/%s.h", contract.name)); next_line(&in);)
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

/* The file in a folder that is named as a contract, as make finds it (sim.mk); NULL when there is none. */
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
    return NULL;
}

/* The same, or where it should be, by the name that it has in solutions/ or tests/stubs. */
static const char *kernel_of(const char *folder, const char *stem)
{
    const char *file = kernel_in(folder);
    if (file)
        return file;
    file = kernel_in(format("solutions/%s", stem));
    file = file ? file : kernel_in(format("tests/stubs/%s", stem));
    return format("%s/%s", folder, file ? base_name(file) : "histogram.cu");
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
            found = trimmed(at, at + strspn(at, characters));
        }
    }
    end_lines(&in);
    return found;
}

const char *operations_of(const char *suite)
{
    return behind(format("tests/%s.c", suite), "Operations:", "abcdefghijklmnopqrstuvwxyz_ ");
}

const char *first_operation(const char *operations)
{
    const int length = (int)strcspn(operations, " ");
    return length > 0 ? format("%.*s", length, operations) : "count";
}

static unsigned int part_of(unsigned int number)
{
    static const unsigned int first[] = {20, 40, 60, 70, 80};
    unsigned int part = 1;
    for (size_t i = 0; i < LENGTH(first); i++)
        part += number >= first[i];
    return part;
}

/* The part of a path that is called as a chapter, "05_name", and all before it. The whole path where there is
 * none. */
static const char *folder_in(const char *place)
{
    size_t length = strlen(place);
    for (const char *at = place; at; at = strchr(at, '/')) {
        at += *at == '/';
        const size_t digits = strspn(at, "0123456789");
        if (digits > 0 && at[digits] == '_')
            length = (size_t)(at - place) + strcspn(at, "/");
    }
    return format("%.*s", (int)length, place);
}

struct chapter chapter_at(const char *place)
{
    const char *folder = folder_in(place), *stem = base_name(folder), *bar = strchr(stem, '_'),
               *file = kernel_of(folder, stem);
    const unsigned int number = number_of(stem);
    return (struct chapter){
        .stem = stem,
        .name = bar ? bar + 1 : stem,
        .number = number,
        .part = part_of(number),
        .contract = contract_of(file),
        .above = stem > folder ? format("%.*s", (int)(stem - folder) - 1, folder) : ".",
        .folder = folder,
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

size_t chapters_in(const char *folder, struct chapter **chapters)
{
    size_t count = 0;
    *chapters = NULL;
    for (char **found = matches(format("%s/[0-9]*_*", folder)); *found; found++) {
        if (!exists(format("tests/%s.c", base_name(*found))))
            continue; /* a copy beside it, such as 05_backup */
        *chapters = grow(*chapters, count, 1, sizeof **chapters);
        (*chapters)[count++] = chapter_at(*found);
    }
    if (count > 0)
        qsort(*chapters, count, sizeof **chapters, by_number);
    return count;
}
