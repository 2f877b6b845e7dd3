/* contract.c - what a contract leaves to all, and what rows of several have in common: see contract.h. */
#include "contract.h"

#include <stdlib.h>

#include "must_have.h"

bool contract_counts_text(const struct contract *contract)
{
    return strcmp(contract->words.input, "text") == 0;
}

void contract_function(const struct contract *contract, const struct call *call, char *name,
                       size_t size)
{
    const char *function = contract->words.function;
    if (call->batch > 0)
        snprintf(name, size, "%.*s_batched()", (int)strcspn(function, "("), function);
    else
        snprintf(name, size, "%s", function);
}

const char *operation_prefix(const struct contract *contract, enum operation operation)
{
    static char prefix[40] = "";
    if (contract->has_operation)
        snprintf(prefix, sizeof prefix, "%s: ", operation_name(operation));
    return contract->has_operation ? prefix : "";
}

/* A header lies before each thing of an oracle, and links it to the thing that was made before it. That of the oracle
 * itself links to the last one. */
struct thing {
    struct thing *other;
    max_align_t content[];
};

static struct thing *thing_of(struct oracle *oracle)
{
    return (struct thing *)(void *)((char *)oracle - offsetof(struct thing, content));
}

void *oracle_room(struct oracle *oracle, size_t count, size_t bytes)
{
    struct thing *thing = must_have(calloc(1, sizeof *thing + (count + 1) * bytes),
                                    "to work out what a kernel should");
    if (oracle) {
        thing->other = thing_of(oracle)->other;
        thing_of(oracle)->other = thing;
    }
    return thing->content;
}

void *oracle_copy(struct oracle *oracle, const void *from, size_t bytes)
{
    return memcpy(oracle_room(oracle, bytes, 1), from, bytes);
}

void contract_forget(struct oracle *oracle)
{
    for (struct thing *thing = thing_of(oracle), *next; thing; thing = next) {
        next = thing->other;
        free(thing);
    }
}

const struct count *contract_columns(const struct contract *contract)
{
    static const struct count columns[] = {COLUMNS_OF_APPLICATIONS, {NULL, {0}, NULL}};
    return contract->columns ? contract->columns : columns;
}

const struct count *contract_costs(const struct contract *contract)
{
    static const struct count costs[] = {
        {"global atomics", {OF(elsewhere.atomic.lanes), OF(bins.atomic.lanes)}, NULL},
        {"shared atomics", {OF(shared.atomic.lanes)}, NULL},
        {"loads of the input", {OF(elements.load.lanes)}, NULL},
        {NULL, {0}, NULL}};
    return contract->costs ? contract->costs : costs;
}

void print_operation(FILE *file, const struct input *input, const struct measurement *cost)
{
    (void)cost;
    fprintf(file, "%s", operation_name(input->operation));
}

void print_passes(FILE *file, const struct input *input, const struct measurement *cost)
{
    const double bytes = (double)(input->length * unit_bytes(input));
    fprintf(file, "%.10g", (double)cost->bytes_read / (bytes > 0 ? bytes : 1));
}
