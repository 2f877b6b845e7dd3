/* plan.c - the plan of a make: what each kernel is, and which take part: see driver.h. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "driver.h"
#include "util.h"

/* What is asked; "" where nothing is. */
struct plan {
    const char *device, *cxx, *from, *bins, *operation, *part;
    const char *of_ladder; /* the operation of a ladder of keys, or of values */
    const char *stems;     /* NULL: all chapters of the folder */
    bool mpi;              /* Open MPI is here */
    bool ladder, refuses; /* it matters which kernels refuse the number of bins, or the operation */
};

enum { ON_DEVICES = 4 }; /* a part */

/* A kernel that is told of. */
struct kernel {
    const char *key, *stem; /* "05_name/mutant", "05_name" */
    struct chapter chapter; /* in the folder where the kernel is */
    const char *taken;      /* operations */
    bool further, mpi;
};

/* All of a folder. */
struct kernels {
    struct kernel *all;
    size_t count;
};

static void put(const char *name, const char *key, const char *value)
{
    printf("%s/%s := %s\n", name, key, value);
}

/* Whether a chapter is for the ranks of MPI: its solution, its stub or a kernel of this folder is. */
static bool is_of_mpi(const char *from, const char *stem)
{
    bool found = false;
    const char *const folders[] = {"solutions", "tests/stubs", from};
    for (size_t i = 0; i < LENGTH(folders); i++)
        for (char **file = matches(format("%s/%s/*.c*", folders[i], stem)); *file; file++)
            found |= is_for_ranks(*file);
    return found;
}

/* Which operation is run: that of the ladder, that which was typed, or the first. */
static const char *operation_run(const struct plan *plan, const struct kernel *kernel)
{
    return *plan->of_ladder   ? plan->of_ladder
           : *plan->operation ? plan->operation
                              : first_operation(kernel->taken);
}

/* The operations that are judged: all, or the one that was typed. */
static void put_operations(const struct plan *plan, const struct kernel *kernel)
{
    if (!*plan->operation || is_in(plan->operation, kernel->taken))
        put("operations", kernel->key, *plan->operation ? plan->operation : kernel->taken);
    else
        printf("operations/%s = $(error chapter %u takes %s: OPERATION=%s is none of these)\n",
               kernel->key, kernel->chapter.number, kernel->taken, plan->operation);
}

static bool has_contract(const char *name)
{
    return exists(format("common/contracts/%s/contract.c", name));
}

/* On the simulated GPU a suite holds nothing of the student's: the kernel is a process of its own,
 * where its contract has a contract.c, and one program judges all kernels of a chapter. */
static bool is_sandboxed(const struct plan *plan, const struct contract *contract)
{
    return strcmp(plan->device, "sim") == 0 &&
           (has_contract(contract->name) || has_contract(contract->tools));
}

/* What programs with a kernel are made of: `key` is the kernel, or it compiled for an operation. */
static void put_parts(const struct kernel *kernel, const char *key)
{
    const struct contract *contract = &kernel->chapter.contract;
    const char *run_by =
        format("contracts/%s/by_%s", contract->tools, kernel->mpi ? "ranks" : "devices");
    printf("libraries/%s := $A/sandbox/target_%s.o $A/judge-%s.a $(LIBRARY)\n", key,
           contract->in_c ? "host" : "device", contract->name);
    put("server", key, kernel->mpi ? "$A/sandbox/rank/rank_main.o" : "$A/sandbox/server.o");
    if (kernel->mpi)
        printf("mpi/%s := yes\nbeside/%s = $(OF_RANK)\nlink/%s = $(MPI_LINK)\n", key, key, key);
    if (exists(format("common/%s.c", run_by)))
        printf("run_by/%s = $A/%s.o%s\n", key, run_by, kernel->mpi ? " $(SEES_RANK)" : "");
    if (contract->in_c)
        put("in_c", key, "yes");
    put("traced", key,
        contract->in_c ? format("$V/%s/lane.o $A/trace/one_lane.o", key)
                       : format("$V/%s/kernel.o", key));
}

/* Who judges a kernel: a program that runs it as a process of its own, or holds it; and what is run. */
static void put_suite(const struct plan *plan, const struct kernel *kernel, const char *key,
                      const char *operations)
{
    const char *suite = format("%s%s", kernel->further ? "further/" : "", kernel->stem);
    put("judged_by", key, suite);
    put("judged", kernel->stem, kernel->chapter.contract.name);
    if (kernel->mpi)
        put("watched", kernel->stem, "$(objects/sandbox/ranks)");
    put("home", key, kernel->chapter.contract.tools);
    put("shown", key, has_contract(kernel->chapter.contract.tools) ? "run" : "test");
    if (!is_sandboxed(plan, &kernel->chapter.contract)) {
        put("suite", key, format("$V/%s/test", key));
        return;
    }
    put("suite", key, format("$A/suites/%s", suite));
    printf("sandboxed/%s := --kernel $V/%s\nkernels/%s := $V/%s/kernel%s", key, key, key, key,
           *operations ? ".seen" : "");
    for (const char **word = words_of(operations); *word; word++)
        printf(" $V/%s/%s/kernel", kernel->key, *word);
    puts("");
}

/* What is the same for a kernel, and for it compiled for an operation: `key`. */
static void put_common(const struct plan *plan, const struct kernel *kernel, const char *key,
                       const char *operations)
{
    const char *name = strchr(kernel->key, '_');
    put("source", key, kernel->chapter.file);
    put("contract", key, kernel->chapter.contract.name);
    printf("number/%s := %u\npart/%s := %u\n", key, kernel->chapter.number, key,
           kernel->chapter.part);
    put("name", key, kernel->further ? "further" : name ? name + 1 : kernel->key);
    put_parts(kernel, key);
    put_suite(plan, kernel, key, operations);
}

static void put_kernel(const struct plan *plan, const struct kernel *kernel)
{
    const bool keyed = kernel->chapter.contract.has_operations;
    const char *ran = operation_run(plan, kernel);
    printf("one/%s := %s%s%s\n", kernel->key, kernel->key, keyed ? "/" : "", keyed ? ran : "");
    if (!keyed) {
        put_common(plan, kernel, kernel->key, "");
        return;
    }
    put("taken", kernel->key, kernel->taken);
    put_operations(plan, kernel);
    put_common(plan, kernel, kernel->key, *plan->operation ? plan->operation : kernel->taken);
    for (const char **word = words_of(kernel->taken); *word; word++) {
        const char *key = format("%s/%s", kernel->key, *word);
        put("operations", key, *word);
        put_common(plan, kernel, key, "");
    }
}

/* The kernel in a folder, when there is one. */
static bool find_kernel(const char *from, const char *key, struct kernel *kernel)
{
    const char *stem = format("%.*s", (int)strcspn(key, "/"), key);
    *kernel = (struct kernel){.key = key, .stem = stem, .chapter = chapter_of(from, key)};
    kernel->further = strcmp(base_name(key), "further") == 0;
    const char *of_exercise = operations_of(format("further/%s", stem)),
               *taken = kernel->further && *of_exercise ? of_exercise : operations_of(stem);
    kernel->taken = trimmed(taken, taken + strlen(taken));
    kernel->mpi = is_of_mpi(from, stem);
    return exists(kernel->chapter.file);
}

/* All of a folder: NN_name; of one NN_name/what, or its exercise, NN_name/further; of that one
 * NN_name/what/further. */
static struct kernels kernels_in(const char *from)
{
    static const char *const keys[] = {"*", "*/*", "*/*/further"};
    struct kernels found = {NULL, 0};
    const size_t prefix = strlen(from) + 1;
    for (size_t i = 0; i < LENGTH(keys); i++)
        for (char **path = matches(format("%s/%s", from, keys[i])); *path; path++) {
            struct kernel kernel;
            if (!find_kernel(from, *path + prefix, &kernel))
                continue;
            found.all = grow(found.all, found.count, 1, sizeof kernel);
            found.all[found.count++] = kernel;
        }
    return found;
}

/* A chapter of the folder, which has a suite. */
static bool is_chapters(const struct kernel *kernel)
{
    return !strchr(kernel->key, '/') && exists(kernel->chapter.suite);
}

static bool is_keyed(const struct plan *plan)
{
    return strcmp(plan->bins, "keys") == 0;
}

/* Whether a kernel is of the part that was asked for, where that is not the first. */
static bool is_of_part(const struct plan *plan, const struct kernel *kernel)
{
    return number_of(plan->part) < 2 || kernel->chapter.part == number_of(plan->part);
}

/* What an #error in a kernel says to this number of bins; or NULL. */
static const char *error_of(const struct plan *plan, const char *file)
{
    const char *message = NULL;
    bool has_error = false;
    for (struct lines in = lines_of(file); next_line(&in);) {
        const char *at = skip_blanks(in.line);
        has_error |= *at == '#' && begins_with(skip_blanks(at + 1), "error");
    }
    FILE *compiler =
        has_error ? popen(format("%s -E -x c++ -DBINS=%s -Icommon/contract -Icommon/sim/include "
                                 "%s 2>&1 >/dev/null",
                                 plan->cxx, plan->bins, file),
                          "r")
                  : NULL;
    for (struct lines in = {.file = compiler}; compiler && next_line(&in);) {
        char *error = strstr(in.line, " error: "), *begin = error ? strchr(error, '"') : NULL;
        if (begin && !message)
            message = format("%.*s", (int)strcspn(begin + 1, "\""), begin + 1);
    }
    return message;
}

static const char *refusal_of(const struct plan *plan, const struct kernel *kernel)
{
    if (!kernel->chapter.contract.has_operations)
        return error_of(plan, kernel->chapter.file);
    return is_in(operation_run(plan, kernel), kernel->taken)
               ? NULL
               : format("It takes %s.", kernel->taken);
}

/* Whether the variant runs a kernel: those of a ladder of texts are of Part I, or on several devices. */
static bool is_run(const struct plan *plan, const struct kernel *kernel)
{
    const unsigned int part = number_of(plan->part) == ON_DEVICES ? ON_DEVICES : 1;
    return has_contract(kernel->chapter.contract.name) &&
           (is_keyed(plan) || kernel->chapter.part == part);
}

static void put_to(const char *list, const char *key)
{
    printf("%s += %s\n", list, key);
}

/* Puts a kernel that is meant to the lists that it belongs to. Returns whether a ladder tells of it. */
static bool put_meant(const struct plan *plan, const struct kernel *kernel)
{
    if (kernel->mpi && !plan->mpi) {
        put_to("NO_MPI", kernel->key);
        return false;
    }
    if (plan->ladder && is_keyed(plan) && !is_of_part(plan, kernel))
        return false;
    const char *refusal = plan->refuses ? refusal_of(plan, kernel) : NULL;
    const bool run = !refusal && is_run(plan, kernel);
    const bool all = plan->ladder || number_of(plan->part) == ON_DEVICES; /* of a ladder */
    put_to("KERNELS", kernel->key);
    if (strcmp(kernel->chapter.contract.name, "histogram") == 0)
        put_to("HISTOGRAMS", kernel->key);
    if (refusal)
        put("refusal", kernel->key, refusal);
    put_to(refusal ? "REFUSED" : "ACCEPTED", kernel->key);
    if (run)
        put_to("RUN", kernel->key);
    if (all ? run : plan->stems || !kernel->chapter.contract.on_devices)
        put_to("ROWS", format("$V/$(one/%s)/row.csv", kernel->key));
    return run || refusal;
}

/* Those that were named. */
static void put_named(const struct plan *plan, const struct kernels *kernels)
{
    for (const char **word = words_of(plan->stems); *word; word++) {
        size_t i = 0;
        while (i < kernels->count && strcmp(kernels->all[i].key, *word) != 0)
            i++;
        if (i < kernels->count)
            put_meant(plan, &kernels->all[i]);
        else
            put_to("MISSING", *word);
    }
}

/* A chapter of the folder; where none was named it is meant, when the variant is of its kind. */
static void put_chapter(const struct plan *plan, const struct kernel *kernel)
{
    const bool keyed = kernel->chapter.contract.has_operations;
    bool is_reported = false;
    put_to("EVERY", kernel->key);
    put_to("JUDGED", kernel->chapter.contract.name);
    if (keyed)
        put_to("KEYED", kernel->key);
    if (!kernel->mpi || plan->mpi)
        put_to("SUITES", format("$(suite/%s)", kernel->key));
    if (!plan->stems && keyed == is_keyed(plan))
        is_reported = put_meant(plan, kernel);
    if (!is_reported && is_keyed(plan) && is_of_part(plan, kernel))
        put_to("NOT_RUN", kernel->key);
}

/* The lists: what there is in the folder, and what is meant. */
static void put_lists(const struct plan *plan, const struct kernels *kernels)
{
    puts("EVERY :=\nKEYED :=\nJUDGED :=\nSUITES :=\nKERNELS :=\nMISSING :=\nNO_MPI :=\nREFUSED :=\n"
         "ACCEPTED :=\nRUN :=\nNOT_RUN :=\nROWS :=\nHISTOGRAMS :=");
    printf("MPI := %s\n", plan->mpi ? "yes" : "");
    for (size_t i = 0; i < kernels->count; i++)
        if (is_chapters(&kernels->all[i]))
            put_chapter(plan, &kernels->all[i]);
    if (plan->stems)
        put_named(plan, kernels);
}

/* What a contract's judge is made of: A_batched has the files of A, too. */
static void put_contract(const struct contract *contract)
{
    const bool alone = strcmp(contract->name, contract->tools) == 0;
    const char *more = alone ? "" : contract->tools;
    put("judged", contract->name, contract->name);
    put_to("CONTRACTS", contract->name);
    printf("parts_of/%s := %s %s\n", contract->name, contract->name, more);
    printf("parts/%s := $(objects/contracts/%s) $(objects/contracts/%s) "
           "$(objects/contracts/operation) $(objects/contracts/%s)\n",
           contract->name, contract->name, more, contract->has_operations ? "" : "texts");
}

/* The objects of each folder of common/ that has C files. */
static void put_objects(void)
{
    static const char *const depths[] = {"common/*/*.c", "common/*/*/*.c"};
    for (size_t i = 0; i < LENGTH(depths); i++)
        for (char **file = matches(depths[i]); *file; file++) {
            const char *path = *file + strlen("common/");
            printf("objects/%.*s += $A/%.*s.o\n", (int)(base_name(path) - path - 1), path,
                   (int)strlen(path) - 2, path);
        }
}

/* What is asked is in the environment. */
static struct plan asked(void)
{
    static const char judging[] = "verdicts english tests judge programs peers cells";
    static const char *const counted_with[] = {"", "", "count", "sum"}; /* of a part */
    struct plan plan = {
        .device = chosen("DEVICE"),
        .cxx = chosen("CXX"),
        .from = chosen("FROM"),
        .bins = chosen("BINS"),
        .operation = chosen("OPERATION"),
        .part = chosen("PART"),
        .of_ladder = "",
        .stems = getenv("STEMS"),
        .mpi = system("command -v mpirun >/dev/null && command -v mpicc >/dev/null") == 0,
        .ladder = *chosen("LADDER")};
    const unsigned int part = number_of(plan.part);
    if (plan.ladder && (*plan.operation || part < LENGTH(counted_with)))
        plan.of_ladder = *plan.operation ? plan.operation : counted_with[part];
    plan.refuses = plan.ladder || part == ON_DEVICES;
    for (const char **goal = words_of(chosen("GOALS")); *goal; goal++)
        plan.refuses |= is_in(*goal, judging) || strstr(*goal, "/kit-");
    return plan;
}

void print_plan(void)
{
    const struct plan plan = asked();
    const struct kernels kernels = kernels_in(plan.from);
    puts("CONTRACTS :=");
    put_objects();
    for (char **found = matches("common/contract/*.h"); *found; found++) {
        const struct contract contract = contract_of(*found);
        put_contract(&contract);
    }
    for (size_t i = 0; i < kernels.count; i++)
        put_kernel(&plan, &kernels.all[i]);
    put_lists(&plan, &kernels);
}
