/* shared_variables.c - __shared__ variables.
 *
 * `__shared__ int a[4], b;` becomes a struct with these members, never made, which
 * only says what their types are, and references of the same names to memory of
 * the block. At namespace scope the references cannot be made once and for all:
 * each function that mentions the name gets one. */
#include "passes.h"

#include <stdlib.h>

/* What the `__shared__` declaration at hand looks like. */
struct shared {
    size_t end; /* its semicolon */
    bool dynamic;
    unsigned int number;
};

/* Whether `i` is a declared name. */
static bool is_declared(const struct source *source, size_t i)
{
    bool ends = is_sign(source, i + 1, ';') || is_sign(source, i + 1, ',') ||
                is_sign(source, i + 1, '[') || is_sign(source, i + 1, ')');
    return is_other_name(source, i) && ends && !is_sign(source, i - 1, SIGN2(':', ':'));
}

/* The next declared name from `i` on, before `end`; or 0. `*i` goes behind it. */
static size_t next_declared(const struct source *source, size_t *i, size_t end)
{
    while (*i < end) {
        size_t here = *i, after = skip_attribute(source, here);
        size_t close = match_of(source, here);
        if (after > here) {
            *i = after;
        } else if (is_sign(source, here, '(') && close > here) { /* int (*pointer)[4] */
            *i = close + 1;
            for (size_t k = here + 1; k < close; k++)
                if (is_declared(source, k))
                    return k;
        } else if (close > here) {
            *i = close + 1;
        } else if (is_sign(source, here + 1, '<') && close_angle(source, here + 1)) {
            *i = close_angle(source, here + 1) + 1;
        } else {
            *i = here + 1;
            if (is_declared(source, here))
                return here;
        }
    }
    return 0;
}

static struct shared read_shared(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    struct shared shared = {.number = rewriting->number++};
    size_t end = rewriting->start;
    for (; !is_sign(source, end, ';'); end++) {
        const struct token *token = token_at(source, end);
        if (token->kind == TOKEN_END || is_sign(source, end, '}'))
            fail_at(source, i, "expected a semicolon after a __shared__ declaration");
        if (is_sign(source, end, '='))
            fail_at(source, end,
                    "a __shared__ variable cannot have an initial value; let one thread assign it, "
                    "then call __syncthreads()");
        shared.dynamic |= is_word(source, end, WORD_EXTERN);
        if (token->match > end)
            end = token->match;
    }
    shared.end = end;
    return shared;
}

/* Removes the words that a member of a struct cannot have, and gives arrays
 * without a bound one. */
static void make_members(struct rewriting *rewriting, const struct shared *shared)
{
    const struct source *source = rewriting->source;
    for (size_t i = rewriting->start; i < shared->end; i++) {
        if (is_word(source, i, WORD_SHARED) || is_word(source, i, WORD_STATIC) ||
            is_word(source, i, WORD_EXTERN) || is_word(source, i, WORD_DEVICE))
            remove_token(rewriting, i);
        if (shared->dynamic && is_sign(source, i, '[') && is_sign(source, i + 1, ']'))
            edit_after(rewriting->edits, i, "1");
        if (match_of(source, i) > i)
            i = match_of(source, i);
    }
    struct text text = {.bytes = NULL};
    text_add(&text, "struct sim_shared_%u { ", shared->number);
    edit_before(rewriting->edits, rewriting->start, text.bytes);
    free(text.bytes);
}

/* The expression that is a reference to the variable `name`, the declaration's
 * `index`th; `scope` stands before the names of our own. */
static void add_variable(struct text *text, const struct shared *shared, const struct token *name,
                         size_t index)
{
    int length = (int)name->length;
    if (shared->dynamic)
        text_add(text, "::sim_dynamic<decltype(sim_shared_%u::%.*s)>(\"%.*s\")", shared->number,
                 length, name->text, length, name->text);
    else
        text_add(text,
                 "::sim_shared<decltype(sim_shared_%u::%.*s)>(sim_key_%u + %zu, \"%.*s\", "
                 "__alignof__(static_cast<sim_shared_%u *>(nullptr)->%.*s))",
                 shared->number, length, name->text, shared->number, index, length, name->text,
                 shared->number, length, name->text);
}

static void add_local(struct rewriting *rewriting, uint32_t name, char *accessor)
{
    rewriting->locals =
        get_memory(rewriting->locals, rewriting->local_count + 1, sizeof *rewriting->locals);
    rewriting->locals[rewriting->local_count++] =
        (struct local_shared){name, rewriting->function_number, accessor};
}

static void add_global(struct rewriting *rewriting, uint32_t name, char *accessor)
{
    rewriting->globals =
        get_memory(rewriting->globals, rewriting->global_count + 1, sizeof *rewriting->globals);
    rewriting->globals[rewriting->global_count++] = (struct global_shared){name, accessor};
    rewriting->flags[name] |= NAME_GLOBAL_SHARED;
}

/* At namespace scope: a function that gives the reference. */
static void add_accessor(struct rewriting *rewriting, struct text *text,
                         const struct shared *shared, const struct token *name, size_t index)
{
    struct text path = {.bytes = NULL};
    add_namespace(rewriting, &path);
    text_add(&path, "sim_variable_%u_%zu()", shared->number, index);
    add_global(rewriting, name->id, path.bytes);
    text_add(text, " static inline auto &sim_variable_%u_%zu() { return ", shared->number, index);
    add_variable(text, shared, name, index);
    text_add(text, "; }");
}

void rewrite_shared(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    if (i < rewriting->start) /* `__shared__ __shared__` */
        return;
    enum scope_kind scope = current_scope(rewriting)->kind;
    if (scope == SCOPE_CLASS)
        fail_at(source, i, "a member of a class cannot be __shared__");
    struct shared shared = read_shared(rewriting, i);
    make_members(rewriting, &shared);
    struct text text = {.bytes = NULL};
    text_add(&text, " };");
    size_t count = 0;
    for (size_t k = rewriting->start; next_declared(source, &k, shared.end); count++)
        ;
    if (!shared.dynamic && count)
        text_add(&text, " static const char sim_key_%u[%zu] = {};", shared.number, count);
    size_t k = rewriting->start, name, index = 0;
    for (; (name = next_declared(source, &k, shared.end)) != 0; index++) {
        const struct token *token = token_at(source, name);
        rewriting->flags[token->id] |= is_sign(source, name + 1, '[') ? NAME_ARRAY : NAME_SCALAR;
        if (scope == SCOPE_NAMESPACE) {
            add_accessor(rewriting, &text, &shared, token, index);
        } else {
            struct text accessor = {.bytes = NULL};
            add_variable(&accessor, &shared, token, index);
            text_add(&text, " auto &%.*s = %s;", (int)token->length, token->text, accessor.bytes);
            add_local(rewriting, token->id, accessor.bytes);
        }
    }
    edit_after(rewriting->edits, shared.end, text.bytes);
    free(text.bytes);
    rewriting->start = shared.end; /* nothing more to do with this declaration */
}

/* Whether a function's head, its parameters above all, has this name. */
static bool head_mentions(const struct source *source, const struct scope *function, uint32_t name)
{
    for (size_t i = function->start; i < function->open; i++)
        if (is_other_name(source, i) && token_at(source, i)->id == name)
            return true;
    return false;
}

static const char *find_global(const struct rewriting *rewriting, uint32_t name)
{
    for (size_t i = rewriting->global_count; i-- > 0;)
        if (rewriting->globals[i].name == name)
            return rewriting->globals[i].accessor;
    return "";
}

void refer_to_shared(struct rewriting *rewriting, const struct scope *function)
{
    enum { DEEPEST = 64 };
    const struct source *source = rewriting->source;
    size_t close = match_of(source, function->open), references = 0;
    if (rewriting->global_count == 0 || rewriting->depth > DEEPEST)
        return;
    for (size_t i = function->open + 1; i < close; i++) {
        const struct token *token = token_at(source, i);
        bool member = is_sign(source, i - 1, '.') || is_sign(source, i - 1, SIGN2('-', '>'));
        if (!is_other_name(source, i) || !(rewriting->flags[token->id] & NAME_GLOBAL_SHARED) ||
            member || head_mentions(source, function, token->id))
            continue;
        struct text text = {.bytes = NULL};
        text_add(&text, " __attribute__((unused)) auto &%.*s = %s;", (int)token->length,
                 token->text, find_global(rewriting, token->id));
        edit_after(rewriting->edits, function->open, text.bytes);
        free(text.bytes);
        rewriting->flags[token->id] &=
            (uint16_t)~NAME_GLOBAL_SHARED; /* once is enough; see below */
        references++;
    }
    if (references == 0)
        return;
    for (size_t i = 0; i < rewriting->global_count; i++)
        rewriting->flags[rewriting->globals[i].name] |= NAME_GLOBAL_SHARED;
    /* In braces of its own, the body may declare the name again. */
    edit_after(rewriting->edits, function->open, " {");
    edit_before(rewriting->edits, close, "}");
}

/* The `[` of the lambda whose body begins at `open`; 0 when no lambda's does. */
static size_t lambda_start(const struct source *source, size_t open)
{
    for (size_t i = open - 1; i > 0; i--) {
        const struct token *token = token_at(source, i);
        const size_t begin = match_of(source, i);
        if (is_sign(source, i, ']') && begin) {
            const struct token *before = token_at(source, begin - 1);
            const bool is_index =
                is_other_name(source, begin - 1) ||
                (before->kind == TOKEN_SIGN && (before->id == ')' || before->id == ']'));
            if (!is_index && !is_sign(source, begin + 1, '[')) /* no attribute */
                return begin;
        }
        if (is_sign(source, i, ')') && begin)
            i = begin;
        else if (token->kind != TOKEN_NAME && !is_sign(source, i, SIGN2('-', '>')) &&
                 !is_sign(source, i, SIGN2(':', ':')) && !is_sign(source, i, '*') &&
                 !is_sign(source, i, '&') && !is_sign(source, i, '<') && !is_sign(source, i, '>'))
            return 0;
    }
    return 0;
}

static bool mentions(const struct source *source, size_t from, size_t to, uint32_t name)
{
    for (size_t i = from; i < to; i++)
        if (is_other_name(source, i) && token_at(source, i)->id == name &&
            !is_sign(source, i - 1, '.') && !is_sign(source, i - 1, SIGN2('-', '>')))
            return true;
    return false;
}

void refer_in_lambda(struct rewriting *rewriting, size_t open)
{
    const struct source *source = rewriting->source;
    const size_t start = rewriting->local_count ? lambda_start(source, open) : 0;
    const size_t close = match_of(source, open);
    size_t references = 0;
    if (start == 0)
        return;
    for (size_t i = rewriting->local_count; i-- > 0;) {
        const struct local_shared *local = &rewriting->locals[i];
        if (local->function != rewriting->function_number)
            break;
        if (mentions(source, match_of(source, start), open, local->name) ||
            !mentions(source, open, close, local->name))
            continue;
        struct text text = {.bytes = NULL};
        size_t length;
        const char *name = source_name(source, local->name, &length);
        text_add(&text, " __attribute__((unused)) auto &%.*s = %s;", (int)length, name,
                 local->accessor);
        edit_after(rewriting->edits, open, text.bytes);
        free(text.bytes);
        references++;
    }
    if (references == 0)
        return;
    edit_after(rewriting->edits, open, " {");
    edit_before(rewriting->edits, close, "}");
}
