/* functions.c - finds the parts of a function's declaration. */
#include "passes.h"

/* Passes `template <...>` headers; notes the last one. */
static size_t skip_templates(const struct source *source, size_t i, size_t *template_open)
{
    while (is_word(source, i, WORD_TEMPLATE)) {
        size_t close = is_sign(source, i + 1, '<') ? close_angle(source, i + 1) : 0;
        if (!close)
            return i + 1;
        *template_open = i + 1;
        i = close + 1;
    }
    return i;
}

/* The first word of the name that ends at `i`: `a` of `a::b::c`. */
static size_t first_word(const struct source *source, size_t i)
{
    while (is_sign(source, i - 1, SIGN2(':', ':')) && is_other_name(source, i - 2))
        i -= 2;
    return i;
}

/* The brace of the body behind the parameters that end at `close`, or 0. */
static size_t find_body(const struct source *source, size_t close)
{
    enum { FURTHEST = 64 };
    for (size_t i = close + 1; i < close + FURTHEST; i++) {
        const struct token *token = token_at(source, i);
        if (is_sign(source, i, '{'))
            return token->match > i ? i : 0;
        if (token->kind == TOKEN_END || is_sign(source, i, ';') || is_sign(source, i, '='))
            return 0;
        if (token->match > i)
            i = token->match;
    }
    return 0;
}

/* `operator+(...)`, whose name begins at `i`. */
static struct function operator_function(const struct source *source, size_t i,
                                         struct function function)
{
    function.name = function.qualified = i;
    size_t open = i + 2; /* `operator()` has a parenthesis in its name */
    while (!is_sign(source, open, '(') && token_at(source, open)->kind != TOKEN_END)
        open++;
    function.open = open;
    function.body = match_of(source, open) > open ? find_body(source, match_of(source, open)) : 0;
    return function;
}

struct function find_function(const struct source *source, size_t start)
{
    struct function function = {.name = 0};
    size_t i = skip_templates(source, start, &function.template_open);
    while (token_at(source, i)->kind != TOKEN_END) {
        const struct token *token = token_at(source, i);
        size_t after = skip_attribute(source, i);
        if (after > i) {
            i = after;
            continue;
        }
        if (token->kind == TOKEN_SIGN &&
            (token->id == ';' || token->id == '{' || token->id == '}' || token->id == '('))
            break;
        size_t open = i + 1;
        if (token->id == WORD_OPERATOR && token->kind == TOKEN_NAME)
            return operator_function(source, i, function);
        if (is_other_name(source, i) && is_sign(source, open, '<')) {
            size_t angle = close_angle(source, open);
            open = angle ? angle + 1 : open;
        }
        if (is_other_name(source, i) && is_sign(source, open, '(') &&
            match_of(source, open) > open) {
            function.name = i;
            function.qualified = first_word(source, i);
            function.open = open;
            function.body = find_body(source, match_of(source, open));
            return function;
        }
        i = open;
    }
    return (struct function){.name = 0};
}

/* Whether a token can only be a part of a type, so that it names no parameter. */
static bool is_type_word(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    return token->kind == TOKEN_NAME && token->id >= WORD_CONST && token->id <= WORD_AUTO;
}

/* Whether everything from `first` to `last` merely qualifies a type. */
static bool is_qualifiers(const struct source *source, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        if (!is_word(source, i, WORD_CONST) && !is_word(source, i, WORD_VOLATILE) &&
            !is_sign(source, i, SIGN2('.', '.')))
            return false;
    return true;
}

/* The name in a declarator whose last token is `last`: the last word, unless it
 * belongs to the type. */
static size_t declared_name(const struct source *source, size_t first, size_t last)
{
    bool qualified = is_sign(source, last - 1, SIGN2(':', ':'));
    bool tagged = is_word(source, last - 1, WORD_STRUCT) || is_word(source, last - 1, WORD_UNION) ||
                  is_word(source, last - 1, WORD_ENUM);
    if (last <= first || token_at(source, last)->kind != TOKEN_NAME || is_type_word(source, last) ||
        qualified || tagged || is_qualifiers(source, first, last - 1))
        return 0;
    return last;
}

size_t read_parameter(const struct source *source, size_t i, size_t close,
                      struct parameter *parameter)
{
    size_t first = i, last = 0, pointer = 0;
    *parameter = (struct parameter){.end = 0};
    for (; i < close && !is_sign(source, i, ','); i++) {
        const struct token *token = token_at(source, i);
        size_t after = skip_attribute(source, i);
        bool value = token->kind == TOKEN_SIGN && (token->id == '=' || token->id == '[');
        if (after > i) {
            i = after - 1;
            continue;
        }
        if (value && !parameter->end)
            parameter->end = i;
        parameter->pack |= is_sign(source, i, SIGN2('.', '.')) && !parameter->end;
        bool angle = is_sign(source, i, '<') && token_at(source, i - 1)->kind == TOKEN_NAME;
        size_t partner = angle ? close_angle(source, i) : match_of(source, i);
        if (is_sign(source, i, '(') && !pointer && !parameter->end) /* void (*name)(int) */
            for (pointer = i + 1; !is_other_name(source, pointer) && pointer < partner;)
                pointer++;
        if (partner > i && partner < close)
            i = partner;
        if (!parameter->end)
            last = i;
    }
    if (!parameter->end)
        parameter->end = i;
    if (pointer && is_other_name(source, pointer))
        parameter->name = pointer;
    else if (last)
        parameter->name = declared_name(source, first, last);
    return i < close ? i + 1 : close;
}
