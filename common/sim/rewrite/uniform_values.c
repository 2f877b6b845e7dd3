/* uniform_values.c - which expressions have one value in every lane of a warp, given what is
 * known of the local variables. */
#include "uniform.h"

#include <string.h>

struct variable *find_variable(const struct body *body, size_t i)
{
    size_t at = body->latest[token_at(body->source, i)->id];
    while (at && (i < body->variables[at - 1].from || i > body->variables[at - 1].to))
        at = body->variables[at - 1].previous;
    return at ? &body->variables[at - 1] : NULL;
}

bool is_assignment(const struct source *source, size_t i)
{
    static const char first[] = "+-*/%&|^";
    const struct token *token = token_at(source, i);
    return token->kind == TOKEN_SIGN &&
           (token->id == '=' || (token->length == 2 && token->text[1] == '=' &&
                                 strchr(first, token->text[0]) && token->text[0]));
}

bool is_step(const struct source *source, size_t i)
{
    return is_sign(source, i, SIGN2('+', '+')) || is_sign(source, i, SIGN2('-', '-'));
}

bool is_member(const struct source *source, size_t i)
{
    return is_sign(source, i - 1, '.') || is_sign(source, i - 1, SIGN2('-', '>'));
}

bool ends_operand(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    if (token->kind == TOKEN_NAME)
        return token->id >= WORD_COUNT ||
               (token->id >= WORD_THREAD_INDEX && token->id <= WORD_GRID_DIM);
    return token->kind == TOKEN_NUMBER || is_sign(source, i, ')') || is_sign(source, i, ']');
}

/* Whether a name at `i`, which holds a value, has the same one in all lanes. */
static bool is_uniform_name(const struct body *body, size_t i)
{
    uint32_t id = token_at(body->source, i)->id;
    if (id < WORD_COUNT) /* a type, sizeof, a cast; but not threadIdx */
        return id != WORD_THREAD_INDEX;
    const struct variable *variable = find_variable(body, i);
    if (!variable) /* a constant, an array; a variable would have to be loaded */
        return !(body->rewriting->flags[id] & NAME_SCALAR);
    if (variable->varies || variable->parameter)
        return !variable->varies;
    for (size_t k = 0; k < body->count; k++) {
        const struct assignment *a = &body->assignments[k];
        if (&body->variables[a->variable] == variable && a->from <= i && i <= a->to)
            return true;
    }
    return false;
}

bool is_uniform_value(const struct body *body, size_t first, size_t last)
{
    const struct source *source = body->source;
    for (size_t i = first; i <= last && i < body->close; i++) {
        const struct token *token = token_at(source, i);
        bool call = is_sign(source, i + 1, '(') && !is_word(source, i, WORD_SIZEOF);
        if (is_word(source, i, WORD_SIZEOF) && match_of(source, i + 1) > i) {
            i = match_of(source, i + 1);
        } else if (token->kind == TOKEN_NAME) {
            if (!is_member(source, i) && (call || !is_uniform_name(body, i)))
                return false;
        } else if (token->kind == TOKEN_SIGN) {
            bool load = token->id == '*' && !ends_operand(source, i - 1) &&
                        !is_sign(source, i + 1, ')') && token_at(source, i - 1)->kind != TOKEN_NAME;
            if (load || token->id == '[' || token->id == '{' || token->id == '?' ||
                token->id == SIGN2('-', '>') || is_step(source, i) || is_assignment(source, i))
                return false;
        } else if (token->kind != TOKEN_NUMBER) {
            return false;
        }
    }
    return true;
}

bool is_uniform_address(const struct body *body, size_t first, size_t last)
{
    const struct source *source = body->source;
    bool reference = is_sign(source, first, '&');
    size_t base = first + reference, i = base;
    if (!is_other_name(source, base))
        return !reference && is_uniform_value(body, first, last);
    bool local = find_variable(body, base) != NULL;
    uint16_t flags = local ? 0 : body->rewriting->flags[token_at(source, base)->id];
    if (!reference)
        return is_uniform_value(body, first, last);
    while (is_sign(source, i + 1, '.') && token_at(source, i + 2)->kind == TOKEN_NAME)
        i += 2;
    bool bracket = is_sign(source, i + 1, '[');
    if (!flags && !(local && is_uniform_name(body, base)))
        return false;
    if (flags & NAME_SCALAR && bracket) /* a pointer, which has to be loaded */
        return false;
    if (!bracket && !flags) /* a local variable's own address; &pointer->member */
        return is_sign(source, i + 1, SIGN2('-', '>')) && i + 2 == last;
    size_t groups = 0;
    for (i++; is_sign(source, i, '[') && match_of(source, i) <= last; i = match_of(source, i) + 1) {
        groups++;
        if (!is_uniform_value(body, i + 1, match_of(source, i) - 1))
            return false;
    }
    return i == last + 1 && (groups <= 1 || flags & NAME_ARRAY);
}
