/* uniform.c - atomics whose address is the same in every lane of a warp.
 *
 * nvcc adds up the operands of such an atomic in the warp, so that one lane asks
 * the memory. It proves it from the data flow. We prove it from the tokens, and
 * only where that is easy: a kernel's parameters are uniform, so are constants,
 * blockIdx, the names of shared and device arrays, and a local variable that is
 * assigned nothing but uniform values, where all lanes pass: at its declaration,
 * in the same block as its declaration, or in the head of a for loop, for as long
 * as the loop lasts. */
#include "uniform.h"

#include <stdlib.h>
#include <string.h>

static void add_variable(struct body *body, struct variable variable)
{
    if (body->variable_count == body->variable_capacity) {
        body->variable_capacity = body->variable_capacity * 2 + 64;
        body->variables =
            get_memory(body->variables, body->variable_capacity, sizeof *body->variables);
    }
    variable.previous = body->latest[variable.name];
    body->variables[body->variable_count++] = variable;
    body->latest[variable.name] = body->variable_count;
}

static void add_assignment(struct body *body, struct assignment assignment)
{
    if (body->count == body->capacity) {
        body->capacity = body->capacity * 2 + 64;
        body->assignments =
            get_memory(body->assignments, body->capacity, sizeof *body->assignments);
    }
    body->assignments[body->count++] = assignment;
}

/* The last token of the value that begins at `i`. */
static size_t value_end(const struct source *source, size_t i, size_t close)
{
    for (; i < close; i++) {
        bool ends = is_sign(source, i, ';') || is_sign(source, i, ',') || is_sign(source, i, ')') ||
                    is_sign(source, i, '}') || is_sign(source, i, ']');
        if (ends)
            return i - 1;
        if (match_of(source, i) > i)
            i = match_of(source, i);
    }
    return close;
}

/* The last token of the statement that follows a for's parenthesis at `close`. */
static size_t loop_end(const struct source *source, size_t close, size_t limit)
{
    if (is_sign(source, close + 1, '{'))
        return match_of(source, close + 1);
    for (size_t i = close + 1; i < limit; i++) {
        if (is_sign(source, i, ';'))
            return i;
        if (is_sign(source, i, '{'))
            return match_of(source, i);
        if (match_of(source, i) > i)
            i = match_of(source, i);
    }
    return limit;
}

/* Whether the name at `i` is declared here: the words before it are a type that
 * begins a statement or is behind a parenthesis. */
static bool is_declared_here(const struct source *source, size_t i)
{
    size_t k = i - 1;
    for (;
         token_at(source, k)->kind == TOKEN_NAME || is_sign(source, k, '*') ||
         is_sign(source, k, '&') || is_sign(source, k, '>') || is_sign(source, k, SIGN2(':', ':'));
         k--) {
        if (is_word(source, k, WORD_RETURN) || is_word(source, k, WORD_ELSE) ||
            is_word(source, k, WORD_GOTO) || is_word(source, k, WORD_CASE))
            return false;
        size_t open = is_sign(source, k, '>') ? open_angle(source, k) : 0;
        k = open ? open : k;
    }
    return token_at(source, k + 1)->kind == TOKEN_NAME && k < i - 1 &&
           (is_sign(source, k, ';') || is_sign(source, k, '{') || is_sign(source, k, '}') ||
            is_sign(source, k, '(') || is_sign(source, k, ')') || is_sign(source, k, ':'));
}

/* Where the walk through a body is. */
struct code_position {
    size_t block;     /* the innermost brace */
    size_t for_open;  /* the parenthesis of the for head that we are in, or 0 */
    size_t for_end;   /* the last token of that loop */
    size_t depth;     /* of brackets, in this statement */
    size_t declaring; /* the depth, plus 1, of the declaration that we are in, or 0 */
};

/* Whether the name at `i` is given whole to a function, which may change it
 * through a reference, or its address is taken. */
static bool is_exposed(const struct source *source, size_t i)
{
    bool address = is_sign(source, i - 1, '&') && !ends_operand(source, i - 2) &&
                   !is_sign(source, i + 1, '[') && !is_sign(source, i + 1, '.') &&
                   !is_sign(source, i + 1, SIGN2('-', '>'));
    bool whole = (is_sign(source, i - 1, '(') || is_sign(source, i - 1, ',')) &&
                 (is_sign(source, i + 1, ')') || is_sign(source, i + 1, ','));
    return address || whole;
}

static void declare(struct body *body, const struct code_position *place, size_t i)
{
    bool head = place->for_open != 0;
    size_t end = head ? place->for_end : match_of(body->source, place->block);
    add_variable(body, (struct variable){.name = token_at(body->source, i)->id,
                                         .from = i,
                                         .to = end,
                                         .block = head ? place->for_open : place->block});
}

/* Notes what happens to the local variable or parameter at `i`. */
static void note_use(struct body *body, const struct code_position *place, size_t i, bool declared)
{
    const struct source *source = body->source;
    struct variable *variable = find_variable(body, i);
    bool step = is_step(source, i - 1) || is_step(source, i + 1);
    if (!variable)
        return;
    variable->varies |= !declared && !variable->parameter && is_exposed(source, i);
    if (!step && !is_assignment(source, i + 1))
        return;
    size_t first = step ? 1 : i + 2, last = step ? 0 : value_end(source, i + 2, body->close);
    bool first_in_statement = is_sign(source, i - 1, ';') || is_sign(source, i - 1, '{') ||
                              is_sign(source, i - 1, '}') || is_step(source, i - 1);
    struct assignment assignment = {(size_t)(variable - body->variables), first, last, i,
                                    variable->to};
    if (place->for_open && variable->block != place->for_open)
        assignment.to = place->for_end; /* declared outside: afterwards, lanes may differ */
    else if (!place->for_open && !declared &&
             (!first_in_statement || variable->block != place->block))
        variable->varies = true;
    variable->varies |= variable->parameter;
    add_assignment(body, assignment);
}

/* Whether the body holds something that this simple proof does not understand. */
static bool is_beyond_us(const struct source *source, size_t i)
{
    bool lambda = is_sign(source, i, '[') && !ends_operand(source, i - 1) &&
                  !is_sign(source, i + 1, '[') && !is_sign(source, i - 1, '[');
    bool assembly = is_word(source, i, WORD_ASM) || is_word(source, i, WORD_ASM_GNU) ||
                    is_word(source, i, WORD_ASM_SHORT);
    return is_word(source, i, WORD_GOTO) || is_word(source, i, WORD_SWITCH) || lambda || assembly;
}

/* Follows brackets and statements. */
static void move_on(struct code_position *place, const struct source *source, size_t limit,
                    size_t i, size_t *outer, size_t *depth)
{
    if (is_word(source, i, WORD_FOR) && match_of(source, i + 1) > i) {
        place->for_open = i + 1;
        place->for_end = loop_end(source, match_of(source, i + 1), limit);
    }
    if (place->for_open && i >= match_of(source, place->for_open))
        place->for_open = 0;
    if (is_sign(source, i, '{') && match_of(source, i) > i) {
        outer[(*depth)++] = place->block;
        place->block = i;
    } else if (is_sign(source, i, '}') && *depth > 0) {
        place->block = outer[--*depth];
    }
    if (is_sign(source, i, ';') || is_sign(source, i, '{') || is_sign(source, i, '}'))
        place->declaring = 0;
    if (is_sign(source, i, '(') || is_sign(source, i, '['))
        place->depth++;
    else if ((is_sign(source, i, ')') || is_sign(source, i, ']')) && place->depth > 0)
        place->depth--;
}

/* Collects the local variables and what is assigned to them. Returns false when
 * nothing can be said of this body. */
static bool collect(struct body *body)
{
    const struct source *source = body->source;
    struct code_position place = {.block = body->open};
    size_t *outer = get_memory(NULL, body->close - body->open + 1, sizeof *outer), depth = 0;
    bool understood = true, shared = false;
    for (size_t i = body->open + 1; i < body->close && understood; i++) {
        understood = !is_beyond_us(source, i);
        move_on(&place, source, body->close, i, outer, &depth);
        shared = (shared || is_word(source, i, WORD_SHARED)) && !is_sign(source, i, ';');
        if (!is_other_name(source, i) || is_member(source, i) || shared)
            continue;
        bool declared = is_declared_here(source, i) && !is_sign(source, i + 1, SIGN2(':', ':')) &&
                        token_at(source, i + 1)->kind != TOKEN_NAME;
        bool next = place.declaring == place.depth + 1 && is_sign(source, i - 1, ',');
        if (declared)
            place.declaring = place.depth + 1;
        if (declared || next)
            declare(body, &place, i);
        note_use(body, &place, i, declared || next);
    }
    free(outer);
    return understood;
}

/* A kernel's parameters are the same in all lanes; those of other functions need not be. */
static void add_parameters(struct body *body, const struct function *function, bool kernel)
{
    const struct source *source = body->source;
    size_t close = match_of(source, function->open);
    for (size_t i = function->open + 1; i < close;) {
        struct parameter parameter;
        i = read_parameter(source, i, close, &parameter);
        if (parameter.name)
            add_variable(body, (struct variable){.name = token_at(source, parameter.name)->id,
                                                 .to = body->close,
                                                 .block = body->open,
                                                 .parameter = true,
                                                 .varies = !kernel});
    }
}

/* Marks the variables that get a value which varies, until no more are found. */
static bool settle(struct body *body)
{
    enum { MOST_ROUNDS = 16 };
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool changed = false;
        for (size_t k = 0; k < body->count; k++) {
            const struct assignment *a = &body->assignments[k];
            struct variable *variable = &body->variables[a->variable];
            if (variable->varies || is_uniform_value(body, a->first, a->last))
                continue;
            variable->varies = changed = true;
        }
        if (!changed)
            return true;
    }
    return false;
}

static void mark_atomics(struct rewriting *rewriting, const struct body *body)
{
    const struct source *source = body->source;
    for (size_t i = body->open + 1; i < body->close; i++) {
        const struct token *token = token_at(source, i);
        bool atomic = token->kind == TOKEN_NAME && token->id >= WORD_ATOMIC_ADD &&
                      token->id <= WORD_ATOMIC_XOR && is_sign(source, i + 1, '(');
        if (!atomic)
            continue;
        size_t last = value_end(source, i + 2, body->close);
        bool index = is_word(source, i + 2, WORD_BLOCK_INDEX) ||
                     is_word(source, i + 2, WORD_BLOCK_DIM) ||
                     is_word(source, i + 2, WORD_GRID_DIM); /* it has an edit of its own */
        if (last < i + 2 || index || !is_sign(source, last + 1, ',') ||
            !is_uniform_address(body, i + 2, last))
            continue;
        edit_before(rewriting->edits, i + 2, "::sim_uniform(");
        edit_after(rewriting->edits, last, ")");
    }
}

static bool has_atomics(const struct source *source, size_t open, size_t close)
{
    for (size_t i = open; i < close; i++) {
        const struct token *token = token_at(source, i);
        if (token->kind == TOKEN_NAME && token->id >= WORD_ATOMIC_ADD &&
            token->id <= WORD_ATOMIC_XOR)
            return true;
    }
    return false;
}

void mark_uniform(struct rewriting *rewriting, const struct scope *scope)
{
    const struct source *source = rewriting->source;
    size_t close = match_of(source, scope->open);
    struct function function = find_function(source, scope->start);
    bool kernel = false;
    for (size_t i = scope->start; i < scope->open; i++)
        kernel |= is_word(source, i, WORD_GLOBAL);
    if (!function.name || function.body != scope->open || token_at(source, scope->open)->system ||
        !has_atomics(source, scope->open, close))
        return;
    size_t names = source_name_count(source);
    struct body body = {.rewriting = rewriting,
                        .source = source,
                        .open = scope->open,
                        .close = close,
                        .latest = get_memory(NULL, names, sizeof *body.latest)};
    memset(body.latest, 0, names * sizeof *body.latest);
    add_parameters(&body, &function, kernel);
    if (collect(&body) && settle(&body))
        mark_atomics(rewriting, &body);
    free(body.latest);
    free(body.variables);
    free(body.assignments);
}
