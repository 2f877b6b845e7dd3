/* kernels.c - tells make what each kernel is: see driver.h. */
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>

#include "chapter.h"
#include "driver.h"
#include "util.h"

/* A kernel that is told of. */
struct kernel {
    const char *key, *stem; /* "05_name/mutant", "05_name" */
    struct chapter chapter; /* in the folder where the kernel is */
    const char *taken;      /* operations */
    bool further;
};

static void put(const char *name, const char *key, const char *value)
{
    printf("%s/%s := %s\n", name, key, value);
}

/* "05_name" of "05_name/mutant". */
static const char *stem_of(const char *key)
{
    return format("%.*s", (int)strcspn(key, "/"), key);
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

/* The operations that are judged: all, or the one that was typed. */
static void put_operations(const struct asked_kernels *asked, const struct kernel *kernel)
{
    if (!*asked->operation || is_in(asked->operation, kernel->taken))
        put("operations", kernel->key, *asked->operation ? asked->operation : kernel->taken);
    else
        printf("operations/%s = $(error chapter %u takes %s: OPERATION=%s is none of these)\n",
               kernel->key, kernel->chapter.number, kernel->taken, asked->operation);
}

/* Why a variant has no such kernel. What an #error says, make asks the compiler when it wants to know. */
static void put_refusal(const struct kernel *kernel, const char *ran)
{
    bool has_error = false;
    if (kernel->chapter.contract.by_operation) {
        if (!is_in(ran, kernel->taken))
            printf("refusal/%s := It takes %s.\n", kernel->key, kernel->taken);
        return;
    }
    for (struct lines in = lines_of(kernel->chapter.file); next_line(&in);) {
        const char *at = skip_blanks(in.line);
        has_error |= *at == '#' && begins_with(skip_blanks(at + 1), "error");
    }
    if (has_error)
        printf("refusal/%s = $(shell $(preprocess) %s 2>&1 >/dev/null | $(said_by_error))\n",
               kernel->key, kernel->chapter.file);
}

/* What is the same for a kernel, and for it compiled for an operation: `key`. */
static void put_common(const struct kernel *kernel, const char *key, bool mpi)
{
    const char *name = strchr(kernel->key, '_');
    put("source", key, kernel->chapter.file);
    put("contract", key, kernel->chapter.contract.name);
    printf("number/%s := %u\npart/%s := %u\n", key, kernel->chapter.number, key,
           kernel->chapter.part);
    put("name", key, kernel->further ? "further" : name ? name + 1 : kernel->key);
    printf("suite/%s := %s%s\n", key, kernel->further ? "further/" : "", kernel->stem);
    if (mpi)
        printf("mpi/%s := yes\n", key);
}

static void put_kernel(const struct asked_kernels *asked, const struct kernel *kernel)
{
    const bool mpi = is_of_mpi(asked->from, kernel->stem);
    const bool keyed = kernel->chapter.contract.by_operation;
    const char *first = *asked->operation ? asked->operation : first_operation(kernel->taken);
    const char *ran = *asked->of_ladder ? asked->of_ladder : first;
    put_common(kernel, kernel->key, mpi);
    put_refusal(kernel, ran);
    printf("one/%s := %s%s%s\n", kernel->key, kernel->key, keyed ? "/" : "", keyed ? ran : "");
    if (mpi)
        printf("MPI += %s\n", kernel->key);
    if (strcmp(kernel->chapter.contract.name, "histogram") == 0)
        printf("TEXTS += %s\n", kernel->key);
    if (!keyed)
        return;
    printf("KEYED += %s\n", kernel->key);
    put("taken", kernel->key, kernel->taken);
    put_operations(asked, kernel);
    for (const char **word = words_of(kernel->taken); *word; word++) {
        const char *key = format("%s/%s", kernel->key, *word);
        put_common(kernel, key, mpi);
        put("operations", key, *word);
    }
}

/* The kernel in a folder, when there is one. */
static bool find_kernel(const char *from, const char *key, struct kernel *kernel)
{
    const char *stem = stem_of(key);
    *kernel = (struct kernel){.key = key, .stem = stem, .chapter = chapter_of(from, key)};
    kernel->further = strcmp(base_name(key), "further") == 0;
    const char *of_exercise = operations_of(format("further/%s", stem)),
               *taken = kernel->further && *of_exercise ? of_exercise : operations_of(stem);
    kernel->taken = trimmed(taken, taken + strlen(taken));
    return exists(kernel->chapter.file);
}

/* The contracts that suites judge, and which of them are for ranks. */
static void put_suites(const struct asked_kernels *asked)
{
    const char *const folders[] = {"solutions", asked->chapters,
                                   asked->from}; /* the last one counts */
    for (size_t i = 0; i < LENGTH(folders); i++)
        for (char **found = matches(format("%s/*/*.c*", folders[i])); *found; found++) {
            const char *stem =
                base_name(format("%.*s", (int)(strrchr(*found, '/') - *found), *found));
            const struct chapter chapter = chapter_of(folders[i], stem);
            if (!exists(chapter.file))
                continue;
            put("judged", stem, chapter.contract.name);
            if (is_of_mpi(asked->from, stem))
                put("mpi", stem, "yes");
        }
    for (char **found = matches("common/contract/*.h"); *found; found++) {
        const struct contract contract = contract_of(*found);
        const char *own = strcmp(contract.name, contract.tools) == 0
                              ? contract.name
                              : format("%s %s", contract.name, contract.tools);
        put("judged", contract.name, contract.name);
        printf("rooms/%s := %s operation%s\n", contract.name, own,
               contract.by_operation ? "" : " texts");
    }
}

void print_kernels(const struct asked_kernels *asked)
{
    struct kernel kernel;
    const size_t prefix = strlen(asked->from) + 1;
    put_suites(asked);
    /* NN_name; of one NN_name/what, or its exercise, NN_name/further; of that one NN_name/what/further */
    const char *const keys[] = {"*", "*/*", "*/*/further"};
    for (size_t i = 0; i < LENGTH(keys); i++)
        for (char **found = matches(format("%s/%s", asked->from, keys[i])); *found; found++) {
            if (!find_kernel(asked->from, *found + prefix, &kernel))
                continue;
            put_kernel(asked, &kernel);
            if (i == 0 && exists(kernel.chapter.suite))
                printf("EVERY += %s\n", kernel.key);
        }
}
