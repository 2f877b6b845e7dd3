/* brackets.c - where template argument lists and attributes begin and end. */
#include "tokens.h"

enum { ANGLE_LIMIT = 10000 }; /* longer template argument lists are none */

/* Whether the `<` at `i` and the next one are a shift: no two template arguments begin so. */
static bool is_shift(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    return is_sign(source, i, '<') && is_sign(source, i + 1, '<') &&
           token->text + token->length == token_at(source, i + 1)->text;
}

size_t close_angle(const struct source *source, size_t i)
{
    size_t depth = 0;
    for (size_t last = i + ANGLE_LIMIT; i < last; i++) {
        const struct token *token = token_at(source, i);
        if (token->kind == TOKEN_END)
            return 0;
        if (token->kind != TOKEN_SIGN)
            continue;
        if (is_shift(source, i))
            i++;
        else if (token->id == '<')
            depth++;
        else if (token->id == '>' && --depth == 0)
            return i;
        else if (token->match > i)
            i = token->match;
        else if (token->id == ';' || token->id == ')' || token->id == ']' || token->id == '}')
            return 0;
    }
    return 0;
}

size_t open_angle(const struct source *source, size_t i)
{
    size_t depth = 0;
    for (size_t steps = 0; i > 0 && steps < ANGLE_LIMIT; i--, steps++) {
        const struct token *token = token_at(source, i);
        if (token->kind != TOKEN_SIGN)
            continue;
        if (token->id == '>')
            depth++;
        else if (is_shift(source, i - 1))
            i--;
        else if (token->id == '<' && --depth == 0)
            return i;
        else if (token->match && token->match < i)
            i = token->match;
        else if (token->id == ';' || token->id == '(' || token->id == '[' || token->id == '{')
            return 0;
    }
    return 0;
}

size_t skip_attribute(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    size_t close = match_of(source, i + 1);
    if (token->kind == TOKEN_NAME && is_sign(source, i + 1, '(') && close > i) {
        switch (token->id) {
        case WORD_ATTRIBUTE:
        case WORD_ALIGNAS:
        case WORD_DECLTYPE:
        case WORD_TYPEOF:
        case WORD_NOEXCEPT:
        case WORD_LAUNCH_BOUNDS:
            return close + 1;
        default:
            return i;
        }
    }
    if (is_sign(source, i, '[') && is_sign(source, i + 1, '[') && token->match > i)
        return token->match + 1;
    return i;
}
