/* run_kernel.c - runs one chapter on a text and keeps its row of the ladder; and what gdb begins with: the
 * same program, and how its bins are shown. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "csv.h"
#include "process.h"
#include "util.h"

/* What a kernel is compiled for, the folder of its programs: "26" of 05_name/26/row, or "argmax". */
static const char *variant_of(const char *program)
{
    const char *folder = format("%.*s", (int)(base_name(program) - program - 1), program);
    return base_name(folder);
}

/* ROW SOURCE INPUT: ROW is the program, linked with what SOURCE was compiled to. Its row goes to ROW.csv, the
 * counters of each launch to ROW.profile. When the result is wrong, standard error gets the gaps of SOURCE
 * that are still empty, and unless all of them are, what the program said. The status is 0 then, too: the row
 * says that it is wrong. */
int run_command(int count, char **arguments)
{
    static struct csv row;
    (void)count;
    const struct chapter chapter = chapter_at(arguments[2]);
    const char *bins = variant_of(arguments[1]), *log = format("%s.log", arguments[1]),
               *profile = format("%s.profile", arguments[1]);
    char *out = format("%s.csv", arguments[1]), *number = format("%u", chapter.number);
    unlink(out);
    unlink(profile);
    setenv("SIM_PROFILE", profile, 1);
    setenv("NUM_BINS", number_of(bins) > 0 ? bins : "5", 1);
    pid_t pid = process_start(
        (char *[]){arguments[1], arguments[3], number, (char *)chapter.name, out, NULL}, log,
        STDOUT_FILENO);
    const bool finished = process_wait(&pid) == 0, any = csv_first(&row, out);
    const struct gaps gaps = gaps_in(arguments[2], number_of(bins));
    if (finished && any && csv_is_correct(&row))
        return 0;
    if (!any || gaps_print(&gaps, stderr) != 2)
        process_repeat(lines_of(log), stderr);
    return any ? 0 : 1;
}

/* Of an operation: the type of a bin, of the kernel's file where it is a structure, and its bytes. */
static const struct bin {
    const char *operation, *type;
    unsigned int bytes;
} bins[] = {
    {"float_sum", "float", 4}, {"wide_sum", "unsigned long long", 8},
    {"argmax", "value_t", 8},  {"vector_sum", "value_t", 32},
    {"minmax", "value_t", 16}, {"dot", "value_t", 8},
};

static struct bin bin_of(const struct contract *contract, const char *operation)
{
    for (size_t i = 0; contract->has_operations && i < LENGTH(bins); i++)
        if (strcmp(bins[i].operation, operation) == 0)
            return bins[i];
    return contract->on_devices ? (struct bin){"", "unsigned long long", 8}
                                : (struct bin){"", "unsigned int", 4};
}

/* How many there are, as a program `row` takes them. */
static const char *bins_in_all(const struct contract *contract, const char *variant)
{
    if (!contract->has_operations)
        return variant;
    return *chosen("KEY_BINS")  ? chosen("KEY_BINS")
           : contract->of_array ? "1"
                                : format("%u", contract->usual);
}

/* The first kernel that a file defines, or NULL. Its name stands before a "(" that is not of
 * __launch_bounds__, in the line of __global__ or in the next one. */
static const char *kernel_in(const char *file)
{
    static const char bounds[] = "__launch_bounds__(";
    const char *found = NULL;
    bool begun = false;
    struct lines in = lines_of(file);
    while (!found && next_line(&in)) {
        const char *at = begun ? in.line : strstr(in.line, "__global__");
        begun |= at != NULL;
        const char *limited = at ? strstr(at, bounds) : NULL;
        if (limited)
            at = limited + strcspn(limited, ")");
        const char *open = at ? strchr(at, '(') : NULL, *name = open;
        while (name > at && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        if (name < open)
            found = format("%.*s", (int)(open - name), name);
    }
    end_lines(&in);
    return found;
}

/* Where to begin: the first kernel of a file, or of the given code that it includes, or where there is none
 * the function of the contract. */
static const char *first_kernel(const char *source)
{
    static const char include[] = "#include \"given/";
    const char *found = kernel_in(source);
    struct lines in = lines_of(source);
    while (!found && next_line(&in))
        if (begins_with(in.line, include))
            found = kernel_in(format("common/contract/given/%.*s",
                                     (int)strcspn(in.line + strlen(include), "\""),
                                     in.line + strlen(include)));
    end_lines(&in);
    return found ? found : contract_of(source).name;
}

/* ROW SOURCE INPUT: prints commands of gdb that run what make run does, and .gdbinit uses. Of the ranks of MPI
 * it is one, a job by itself. */
int debug_command(int count, char **arguments)
{
    (void)count;
    const char *row = arguments[1], *source = arguments[2], *variant = variant_of(row);
    const struct chapter chapter = chapter_at(source);
    const struct contract contract = contract_of(source);
    const struct bin bin = bin_of(&contract, variant);
    printf("file %s\nset args %s %u %s build/debug.csv\n", row, arguments[3], chapter.number,
           chapter.name);
    printf("set environment %s %s\n", contract.has_operations ? "OPERATIONS" : "NUM_BINS", variant);
    if (is_for_ranks(source))
        printf("set environment OMPI_COMM_WORLD_RANK 0\n"
               "set environment OMPI_MCA_ess_singleton_isolated 1\n"
               "set environment OMPI_MCA_btl self\n");
    printf("set $bins_in_all = %s\nset $bin_bytes = %u\nsource .gdbinit\ndefine values_as_bins\n"
           "output *(%s *)$values@$shown\nend\n",
           bins_in_all(&contract, variant), bin.bytes, bin.type);
    printf("echo To begin: break %s, then run. At a stop: lane, block, bins, when.\\n\n",
           first_kernel(source));
    return 0;
}
