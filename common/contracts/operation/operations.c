/* operations.c - the operations as the judge knows them, and which of them is judged now. */
#include "operations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words_in_bytes.h"

enum { KEY_BITS = 22, VALUE_BITS = 16, FLOATS = 8 };

static const struct {
    const char *name;
    size_t element, bin; /* bytes */
    bool has_atomic;
} table[OPERATIONS] = {
    [COUNT] = {"count", 4, 4, true},
    [SATURATE] = {"saturate", 4, 4, false},
    [FLOAT_SUM] = {"float_sum", 8, 4, true},
    [WIDE_SUM] = {"wide_sum", 8, 8, true},
    [ARGMAX] = {"argmax", 8, 8, false},
    [VECTOR_SUM] = {"vector_sum", 8, 4 * FLOATS, true},
    [MINMAX] = {"minmax", 8, 16, false},
    [SUM] = {"sum", 4, 4, true},
    [MAX] = {"max", 4, 4, true},
    [DOT] = {"dot", 8, 8, false},
    [HALF_LISTS] = {"half", 4, 16, true},
    [FULL_LISTS] = {"full", 4, 16, false},
};

static struct {
    enum operation list[OPERATIONS];
    size_t count; /* 0 until the environment has been read */
    size_t turn;
    bool chosen;
    bool named; /* the environment names them, so there is a kernel for each */
} asked;

static enum operation named(const char *name, size_t length)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
            return (enum operation)i;
    fprintf(stderr,
            "OPERATIONS: there is no operation '%.*s'; there are count, saturate, float_sum, "
            "wide_sum, argmax, vector_sum and minmax, sum, max and dot, half and full\n",
            (int)length, name);
    exit(2);
}

static bool is_asked(enum operation operation)
{
    for (size_t i = 0; i < asked.count; i++)
        if (asked.list[i] == operation)
            return true;
    return false;
}

static void read_environment(void)
{
    const char *names = getenv("OPERATIONS");
    asked.named = names && names[strspn(names, " ")];
    if (!asked.named)
        names = "count";
    for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
        const size_t length = strcspn(names, " ");
        const enum operation operation = named(names, length);
        if (!is_asked(operation))
            asked.list[asked.count++] = operation;
        names += length;
    }
}

size_t operations_asked(void)
{
    if (asked.count == 0)
        read_environment();
    return asked.count;
}

void operation_choose(size_t i)
{
    if (i >= operations_asked())
        i = 0;
    asked.turn = i;
    asked.chosen = true;
}

const char *operation_folder(enum operation operation)
{
    return operations_asked() > 0 && asked.named ? operation_name(operation) : "";
}

enum operation operation_chosen(void)
{
    if (!asked.chosen)
        operation_choose(0);
    return asked.list[asked.turn];
}

size_t operation_turn(enum operation operation)
{
    size_t turn = 0;
    while (turn + 1 < operations_asked() && asked.list[turn] != operation)
        turn++;
    return turn;
}

const char *operation_name(enum operation operation)
{
    return table[operation].name;
}

size_t operation_element_bytes(enum operation operation)
{
    return table[operation].element;
}

size_t operation_bin_bytes(enum operation operation)
{
    return table[operation].bin;
}

bool operation_has_atomic(enum operation operation)
{
    return table[operation].has_atomic;
}

uint32_t operation_largest_key(enum operation operation)
{
    return operation == ARGMAX ? (1u << KEY_BITS) - 1 : UINT32_MAX;
}

uint32_t operation_key(enum operation operation, const unsigned char *element)
{
    if (operation == ARGMAX)
        return wide_word_at(element, 0) & ((1u << KEY_BITS) - 1);
    return word_at(element, 0);
}

uint32_t operation_value(enum operation operation, const unsigned char *element)
{
    if (operation == COUNT || operation == SATURATE)
        return 1;
    if (operation == ARGMAX)
        return (uint32_t)(wide_word_at(element, 0) >> KEY_BITS) & ((1u << VALUE_BITS) - 1);
    return word_at(element, 1);
}

uint32_t operation_index(enum operation operation, const unsigned char *element)
{
    return operation == ARGMAX ? (uint32_t)(wide_word_at(element, 0) >> (KEY_BITS + VALUE_BITS))
                               : 0;
}

void operation_neutral(enum operation operation, unsigned char *bin)
{
    memset(bin, 0, operation_bin_bytes(operation));
    if (operation == ARGMAX)
        memset(bin + 4, 0xff, 4);
    if (operation == MINMAX)
        memcpy(bin, (const double[]){INFINITY, -INFINITY}, 16);
    if (operation == DOT)
        memcpy(bin, (const float[]){0, 1}, 8);
}
