/* by_value.c - whether a function that stays one may be given a structure by value.
 *
 * gcc reads such an argument for the call, with instructions of which its instrumentation knows nothing. Where the
 * function becomes a part of its caller there is no such argument. A function may stay one that says so, that is
 * virtual, that calls itself, that is only declared here, or that is called by way of a pointer. For a text that has
 * one simcc has gcc make a copy first, which is instrumented. In doubt there is one: a copy too many does no harm.
 * A function that calls itself and takes a structure is made to stay one, as nvcc has it. */
#include "passes.h"

#include <string.h>

/* Whether the name of a type is that of a number. */
static bool is_number_type(const struct token *token)
{
    static const char *const names[] = {
        "size_t",   "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",    "int64_t", "uint8_t",
        "uint16_t", "uint32_t",  "uint64_t", "intptr_t", "uintptr_t",  "clock_t", "uint",
        "ushort",   "uchar",     "ulong",    "half",     "cudaError_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == token->length && !memcmp(names[i], token->text, token->length))
            return true;
    return false;
}

/* Whether the parameter from `first` to before `end` may be a structure, and no pointer, reference or array. */
static bool may_be_structure(const struct source *source, size_t first, size_t end, size_t name)
{
    bool is_type = false;
    if (is_sign(source, end, '['))
        return false;
    for (size_t i = first; i < end; i++) {
        const size_t angle = is_sign(source, i, '<') ? close_angle(source, i) : 0;
        if (is_sign(source, i, '*') || is_sign(source, i, '&') || is_sign(source, i, '(') ||
            is_sign(source, i, SIGN2('&', '&')))
            return false;
        if (i != name && (is_word(source, i, WORD_STRUCT) || is_word(source, i, WORD_AUTO) ||
                          (is_other_name(source, i) && !is_number_type(token_at(source, i)))))
            is_type = true;
        if (angle > i)
            i = angle;
    }
    return is_type;
}

/* Whether one of the parameters behind the parenthesis at `open` may be a structure. */
static bool takes_structure(const struct source *source, size_t open)
{
    const size_t close = match_of(source, open);
    struct parameter parameter;
    for (size_t i = open + 1; i < close;) {
        const size_t next = read_parameter(source, i, close, &parameter);
        if (may_be_structure(source, i, parameter.end, parameter.name))
            return true;
        i = next;
    }
    return false;
}

/* Whether the words from `first` to before `end` say that a function stays one. */
static bool says_so(const struct source *source, size_t first, size_t end)
{
    static const char noinline_word[] = "noinline";
    for (size_t i = first; i < end; i++) {
        const struct token *token = token_at(source, i);
        if (is_word(source, i, WORD_NOINLINE) || is_word(source, i, WORD_VIRTUAL) ||
            is_word(source, i, WORD_OVERRIDE) ||
            (token->length == strlen(noinline_word) &&
             !memcmp(token->text, noinline_word, token->length)))
            return true;
    }
    return false;
}

static bool calls_itself(const struct source *source, const struct function *function)
{
    for (size_t i = function->body; i < match_of(source, function->body); i++)
        if (is_other_name(source, i) &&
            token_at(source, i)->id == token_at(source, function->name)->id)
            return true;
    return false;
}

void note_arguments(struct rewriting *rewriting, size_t start, size_t end)
{
    const struct source *source = rewriting->source;
    const struct function function = find_function(source, start);
    if (function.name == 0 || function.name >= end || token_at(source, function.name)->system)
        return;
    const size_t head = function.body ? function.body : end;
    size_t device = start;
    while (device < head && !is_word(source, device, WORD_DEVICE))
        device++;
    if (device == head || !takes_structure(source, function.open))
        return;
    const bool is_recursive = function.body && calls_itself(source, &function);
    if (is_recursive) /* gcc would make a part of the caller of each call whose depth it knows */
        edit_after(rewriting->edits, device, " __attribute__((noinline))");
    if (is_recursive || !function.body || says_so(source, start, head))
        rewriting->by_value = true;
}

void note_pointer(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    const size_t close = match_of(source, i);
    if (is_sign(source, i + 1, '*') && close > i && close <= i + 4 &&
        is_sign(source, close + 1, '(') && !token_at(source, i)->system &&
        match_of(source, close + 1) > close && takes_structure(source, close + 1))
        rewriting->by_value = true;
}
