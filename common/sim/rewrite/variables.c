/* variables.c - __device__, __constant__ and __managed__.
 *
 * A variable goes into a section of its own, by which the simulator tells it from
 * the host's memory. Constant data stays where the compiler puts it: host and
 * kernels may both read it. In front of a function the word only goes away. */
#include "passes.h"

#include <stdlib.h>

enum { FURTHEST = 4096 }; /* no declaration's head has more tokens */

/* What the declaration at hand declares. */
struct declaration {
    bool variable, constant;
    bool shared;   /* `__device__ __shared__` says no more than `__shared__` */
    bool external; /* extern */
    bool internal; /* static, extern, inline, ...: its linkage is not ours to choose */
    size_t end;    /* ( ; = [ { or , after the first name; after the words of a function */
};

static bool fixes_linkage(const struct source *source, size_t i)
{
    static const enum word words[] = {WORD_STATIC,    WORD_EXTERN,     WORD_INLINE,
                                      WORD_CONSTEXPR, WORD_INLINE_GNU, WORD_FRIEND,
                                      WORD_VIRTUAL,   WORD_TEMPLATE,   WORD_GLOBAL};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(source, i, words[k]))
            return true;
    return false;
}

/* Whether the parenthesis at `i` belongs to a variable: `int (*f)(int)`, `dim3 d(8)`. */
static bool is_variable_parenthesis(const struct source *source, size_t i)
{
    return is_sign(source, i + 1, '*') || is_sign(source, i + 1, '&') ||
           token_at(source, i + 1)->kind == TOKEN_NUMBER ||
           token_at(source, i + 1)->kind == TOKEN_STRING;
}

static struct declaration read_declaration(const struct source *source, size_t start, size_t word)
{
    struct declaration d = {.variable = true};
    for (size_t i = start; i < start + FURTHEST; i++) {
        const struct token *token = token_at(source, i);
        size_t after = skip_attribute(source, i);
        d.end = i;
        if (after > i) {
            i = after - 1;
        } else if (token->kind == TOKEN_NAME) {
            size_t angle = is_sign(source, i + 1, '<') ? close_angle(source, i + 1) : 0;
            d.shared |= token->id == WORD_SHARED;
            d.internal |= fixes_linkage(source, i);
            d.external |= token->id == WORD_EXTERN;
            d.constant |= token->id == WORD_CONST || token->id == WORD_CONSTEXPR;
            if (token->id == WORD_OPERATOR)
                d.variable = false;
            else if (angle)
                i = angle;
        } else if (token->kind == TOKEN_SIGN) {
            if (token->id == '(' && i > word)
                d.variable &= is_variable_parenthesis(source, i);
            if (token->id == '*')
                d.constant = false;
            bool between = i < word || !d.variable; /* a lambda's [], operator[] */
            bool end = token->id == ';' || token->id == '}' || token->id == ')' ||
                       (!between && (token->id == '(' || token->id == '=' || token->id == '[' ||
                                     token->id == '{' || token->id == ','));
            if (end || (i > word && token->id == '(') || token->kind == TOKEN_END)
                break;
        } else if (token->kind == TOKEN_END) {
            break;
        }
    }
    if (is_sign(source, d.end, '{') && d.end == word + 1) /* [] __device__ { ... } */
        d.variable = false;
    d.variable &= !is_sign(source, d.end, ')') && !is_sign(source, d.end, '}');
    return d;
}

/* Notes the names that the declaration declares, up to its semicolon. */
static void note_names(struct rewriting *rewriting, size_t i, bool external)
{
    const struct source *source = rewriting->source;
    bool constant = false;
    for (size_t k = rewriting->start; k <= i; k++)
        constant |= is_word(source, k, WORD_CONSTANT);
    for (size_t last = i + FURTHEST; i < last; i++) {
        const struct token *token = token_at(source, i);
        bool array = is_sign(source, i + 1, '[');
        bool name = is_other_name(source, i) &&
                    (array || is_sign(source, i + 1, '=') || is_sign(source, i + 1, ';') ||
                     is_sign(source, i + 1, ',') || is_sign(source, i + 1, '{'));
        if (name)
            rewriting->flags[token->id] |=
                (uint16_t)((array ? NAME_ARRAY : NAME_SCALAR) | (external ? NAME_EXTERN : 0) |
                           (constant ? NAME_CONSTANT : 0));
        if (token->kind == TOKEN_END || is_sign(source, i, ';'))
            return;
        if (match_of(source, i) > i)
            i = match_of(source, i);
    }
}

/* The semicolon of a declaration. */
static size_t semicolon_of(const struct source *source, const struct declaration *d)
{
    size_t end = d->end;
    while (!is_sign(source, end, ';') && token_at(source, end)->kind != TOKEN_END)
        end = match_of(source, end) > end ? match_of(source, end) + 1 : end + 1;
    return end;
}

/* nvcc refuses more __constant__ memory than a card has. */
static void bound_constant(struct rewriting *rewriting, const struct declaration *d)
{
    const struct source *source = rewriting->source;
    const struct token *name = token_at(source, d->end - 1);
    struct text text = {.bytes = NULL};
    text_add(&text,
             " static_assert(sizeof %.*s <= 65536, \"__constant__ memory has 65,536 bytes\");",
             (int)name->length, name->text);
    edit_after(rewriting->edits, semicolon_of(source, d), text.bytes);
    free(text.bytes);
}

/* How a variable is aligned nvcc knows from its type (engine/wide.c): behind its declaration comes a note of
 * that. Of several in one declaration the first has one. */
static void note_type(struct rewriting *rewriting, const struct declaration *d)
{
    const struct source *source = rewriting->source;
    const struct token *name = token_at(source, d->end - 1);
    const int length = (int)name->length;
    struct text text = {.bytes = NULL};
    text_add(&text,
             " static struct ::sim_variable sim_type_of_%.*s"
             " __attribute__((section(\"sim_types\"), used)) ="
             " ::sim_type_of<decltype(%.*s)>(__builtin_addressof(%.*s));",
             length, name->text, length, name->text, length, name->text);
    edit_after(rewriting->edits, semicolon_of(source, d), text.bytes);
    free(text.bytes);
}

static bool has_note(const struct rewriting *rewriting, const struct declaration *d)
{
    const struct source *source = rewriting->source;
    if (current_scope(rewriting)->kind != SCOPE_NAMESPACE || d->external ||
        is_sign(source, d->end - 2, SIGN2(':', ':')) || !is_other_name(source, d->end - 1) ||
        is_sign(source, d->end, '('))
        return false;
    for (size_t i = rewriting->start; i < d->end; i++)
        if (is_word(source, i, WORD_TEMPLATE))
            return false;
    return true;
}

static void rewrite_variable(struct rewriting *rewriting, size_t i, const struct declaration *d)
{
    const struct source *source = rewriting->source;
    const struct token *name = token_at(source, d->end - 1);
    note_names(rewriting, i, d->external);
    if (d->constant) {
        remove_token(rewriting, i);
        return;
    }
    /* nvcc keeps a file's device variables to that file, unless told -rdc=true. */
    bool qualified = is_sign(source, d->end - 2, SIGN2(':', ':'));
    bool own = current_scope(rewriting)->kind == SCOPE_NAMESPACE && !d->internal &&
               !rewriting->separate && !qualified &&
               !(name->kind == TOKEN_NAME && rewriting->flags[name->id] & NAME_EXTERN);
    if (own && is_word(source, i, WORD_CONSTANT) && !is_sign(source, d->end, '{'))
        bound_constant(rewriting, d);
    if (has_note(rewriting, d))
        note_type(rewriting, d);
    /* The host may read what kernels only store: the stores stay. Behind most variables there is a
     * gap, for alignment, which belongs to nobody. */
    edit_instead(rewriting->edits, i,
                 own ? "static __attribute__((section(\"sim_device\"), aligned(64), used))"
                 : d->external ? "__attribute__((section(\"sim_device\"), aligned(64)))"
                               : "__attribute__((section(\"sim_device\"), aligned(64), used))");
}

/* Two files may include the same definition, for nvcc keeps a function of the
 * device to its file; and one file may call what another defines. */
static void rewrite_function(struct rewriting *rewriting, size_t i, const struct declaration *d)
{
    struct function function = find_function(rewriting->source, rewriting->start);
    bool own = current_scope(rewriting)->kind == SCOPE_NAMESPACE && !d->internal && function.body;
    edit_instead(rewriting->edits, i, own ? "inline __attribute__((used))" : "");
}

void rewrite_device(struct rewriting *rewriting, size_t i)
{
    if (i < rewriting->start)
        return;
    if (rewriting->handled == rewriting->start) { /* __device__ __managed__ */
        remove_token(rewriting, i);
        return;
    }
    struct declaration declaration = read_declaration(rewriting->source, rewriting->start, i);
    rewriting->handled = rewriting->start;
    if (declaration.shared)
        rewriting->handled = 0;
    else if (declaration.variable)
        rewrite_variable(rewriting, i, &declaration);
    else
        rewrite_function(rewriting, i, &declaration);
}

void rewrite_static(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    size_t end = i, name = 0;
    bool constant = false;
    for (; !is_sign(source, end, ';'); end++) {
        if (token_at(source, end)->kind == TOKEN_END || is_sign(source, end, '}') ||
            is_word(source, end, WORD_SHARED) || is_word(source, end, WORD_CONSTEXPR))
            return;
        const bool ends = is_sign(source, end, '=') || is_sign(source, end, '[') ||
                          is_sign(source, end, '{') || is_sign(source, end, '(');
        if (!name && ends)
            name = end - 1;
        constant |= !name && is_word(source, end, WORD_CONST);
        if (!name && is_sign(source, end, '*'))
            constant = false;
        if (match_of(source, end) > end)
            end = match_of(source, end);
    }
    name = name ? name : end - 1;
    if (constant || !is_other_name(source, name))
        return;
    for (size_t k = i; k < name; k++) /* `static __device__ int count` is the same */
        if (is_word(source, k, WORD_DEVICE))
            remove_token(rewriting, k);
    struct text text = {.bytes = NULL};
    text_add(&text, " ::sim_local_static(%.*s);", (int)token_at(source, name)->length,
             token_at(source, name)->text);
    edit_after(rewriting->edits, end, text.bytes);
    free(text.bytes);
    rewriting->handled = rewriting->start;
}
