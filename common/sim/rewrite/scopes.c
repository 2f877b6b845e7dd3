/* scopes.c - the walk over the text. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

/* Words that may stand between a function's parameters and its body. */
static bool may_precede_body(const struct source *source, size_t i)
{
    static const enum word words[] = {WORD_CONST, WORD_VOLATILE, WORD_NOEXCEPT, WORD_OVERRIDE,
                                      WORD_FINAL, WORD_MUTABLE,  WORD_TRY};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(source, i, words[k]))
            return true;
    return token_at(source, i)->kind != TOKEN_NAME && !is_sign(source, i, '>');
}

/* What a declaration's head holds outside of its brackets. */
struct head {
    bool parameters, type, enumeration, is_namespace, linkage, value, initializers;
};

static struct head read_head(const struct source *source, size_t start, size_t open)
{
    struct head head = {.parameters = false};
    for (size_t i = start; i < open; i++) {
        const struct token *token = token_at(source, i);
        size_t after = skip_attribute(source, i);
        if (after > i) {
            i = after - 1;
        } else if (token->kind == TOKEN_NAME) {
            size_t angle = is_sign(source, i + 1, '<') ? close_angle(source, i + 1) : 0;
            head.is_namespace |= token->id == WORD_NAMESPACE;
            head.linkage |= token->id == WORD_EXTERN &&
                            token_at(source, i + 1)->kind == TOKEN_STRING && i + 2 == open;
            head.type |=
                token->id == WORD_CLASS || token->id == WORD_STRUCT || token->id == WORD_UNION;
            head.enumeration |= token->id == WORD_ENUM;
            if (token->id == WORD_OPERATOR)
                i += is_sign(source, i + 3, '(') ? 2 : 1; /* operator()( */
            else if (angle && angle < open)
                i = angle;
        } else if (token->kind == TOKEN_SIGN) {
            head.parameters |= token->id == '(';
            head.value |= token->id == '=';
            head.initializers |= token->id == ':' && head.parameters;
            if (token->match > i)
                i = token->match;
        }
    }
    return head;
}

enum scope_kind outer_kind(const struct source *source, size_t start, size_t open)
{
    struct head head = read_head(source, start, open);
    if (head.is_namespace || head.linkage)
        return SCOPE_NAMESPACE;
    if (head.value)
        return SCOPE_INITIALIZER;
    if (head.parameters)
        return head.initializers && !may_precede_body(source, open - 1) ? SCOPE_INITIALIZER
                                                                        : SCOPE_FUNCTION;
    return head.type && !head.enumeration ? SCOPE_CLASS : SCOPE_INITIALIZER;
}

static enum scope_kind inner_kind(const struct source *source, size_t start, size_t open)
{
    struct head head = read_head(source, start, open);
    return head.type && !head.parameters && !head.value ? SCOPE_CLASS : SCOPE_BLOCK;
}

/* Notes for whom a function is. */
static void read_sides(const struct source *source, struct scope *function)
{
    function->device = function->host = false;
    for (size_t i = function->start; i < function->open; i++) {
        function->device |= is_word(source, i, WORD_DEVICE) || is_word(source, i, WORD_GLOBAL);
        function->host |= is_word(source, i, WORD_HOST);
    }
}

static void open_scope(struct rewriting *rewriting, size_t open)
{
    const struct source *source = rewriting->source;
    if (match_of(source, open) < open)
        return;
    const struct scope outer = *current_scope(rewriting);
    bool inside = outer.kind == SCOPE_FUNCTION || outer.kind == SCOPE_BLOCK;
    struct scope scope = {
        .open = open, .start = rewriting->start, .device = outer.device, .host = outer.host};
    if (inside)
        scope.kind = inner_kind(source, rewriting->start, open);
    else if (outer.kind == SCOPE_INITIALIZER)
        scope.kind = SCOPE_BLOCK;
    else
        scope.kind = outer_kind(source, rewriting->start, open);
    if (scope.kind == SCOPE_FUNCTION)
        read_sides(source, &scope);
    scope.mixed = outer.mixed;
    for (size_t i = scope.start; inside && i < open; i++)
        scope.mixed |= is_word(source, i, WORD_DEVICE);
    if (++rewriting->depth >= rewriting->scope_capacity) {
        rewriting->scope_capacity *= 2;
        rewriting->scopes =
            get_memory(rewriting->scopes, rewriting->scope_capacity, sizeof *rewriting->scopes);
    }
    rewriting->scopes[rewriting->depth] = scope;
    rewriting->start = open + 1;
    if (scope.kind == SCOPE_FUNCTION)
        enter_function(rewriting, &scope);
    if (scope.kind == SCOPE_FUNCTION && scope.device)
        refer_to_shared(rewriting, &scope);
    if (scope.kind == SCOPE_BLOCK && scope.device)
        refer_in_lambda(rewriting, open);
}

static void close_scope(struct rewriting *rewriting, size_t close)
{
    const struct scope *scope = current_scope(rewriting);
    if (rewriting->depth == 0 || match_of(rewriting->source, close) != scope->open)
        return;
    if (scope->kind == SCOPE_FUNCTION && scope->device)
        mark_uniform(rewriting, scope);
    /* `int a[] = {1}, b;` goes on after its brace. */
    rewriting->start = scope->kind == SCOPE_INITIALIZER ? scope->start : close + 1;
    rewriting->depth--;
}

void add_namespace(const struct rewriting *rewriting, struct text *text)
{
    const struct source *source = rewriting->source;
    text_add(text, "::");
    for (size_t k = 1; k <= rewriting->depth; k++) {
        const struct scope *scope = &rewriting->scopes[k];
        bool found = false;
        for (size_t i = scope->start; i < scope->open && scope->kind == SCOPE_NAMESPACE; i++) {
            size_t after = skip_attribute(source, i);
            if (after > i)
                i = after - 1;
            else if (is_word(source, i, WORD_NAMESPACE))
                found = true;
            else if (found && is_other_name(source, i))
                text_add(text, "%.*s::", (int)token_at(source, i)->length,
                         token_at(source, i)->text);
        }
    }
}

/* Whether the colon at `i` ends a label, so that a statement begins after it. */
static bool ends_label(const struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    size_t start = rewriting->start;
    return is_word(source, start, WORD_CASE) || is_word(source, i - 1, WORD_PUBLIC) ||
           is_word(source, i - 1, WORD_PRIVATE) || is_word(source, i - 1, WORD_PROTECTED) ||
           is_word(source, i - 1, WORD_DEFAULT) ||
           (i == start + 1 && token_at(source, start)->kind == TOKEN_NAME);
}

/* threadIdx and its kind, unless the name is being declared here as the user's own. */
static void rewrite_index(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    bool global = is_sign(source, i - 1, SIGN2(':', ':')) &&
                  token_at(source, i - 2)->kind != TOKEN_NAME; /* ::gridDim */
    bool member = is_sign(source, i - 1, '.') || is_sign(source, i - 1, SIGN2('-', '>')) ||
                  (is_sign(source, i - 1, SIGN2(':', ':')) && !global);
    bool ends = is_sign(source, i + 1, ')');
    bool whole = (is_sign(source, i - 1, '(') && (ends || is_sign(source, i + 1, ','))) ||
                 (is_sign(source, i - 1, ',') && ends) || is_sign(source, i - 1, '=') ||
                 is_word(source, i - 1, WORD_RETURN);
    if (member || (!is_sign(source, i + 1, '.') && !whole))
        return;
    edit_before(rewriting->edits, i - global, " ::sim_index("); /* %: and <: mean something else */
    edit_after(rewriting->edits, i, ")");
}

/* Of `printf` in a kernel a card tells how many arguments it was given, and not how many characters it printed. */
static void rewrite_printf(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    static const char name[] = "printf";
    const struct token *token = token_at(source, i), *before = token_at(source, i - 1);
    const size_t close = match_of(source, i + 1);
    const bool is_used = is_sign(source, i - 1, '=') || is_sign(source, i - 1, '(') ||
                         is_sign(source, i - 1, ',') || is_word(source, i - 1, WORD_RETURN) ||
                         is_sign(source, i - 1, '+') || is_sign(source, i - 1, '<');
    unsigned int arguments = 0;
    if (token->length != strlen(name) || memcmp(token->text, name, token->length) || close < i ||
        before->kind == TOKEN_END || !is_used || !current_scope(rewriting)->device)
        return;
    for (size_t k = i + 2; k < close; k++) {
        arguments += is_sign(source, k, ',');
        if (is_sign(source, k, '.'))
            return; /* a pack of them */
        if (match_of(source, k) > k)
            k = match_of(source, k);
    }
    struct text text = {.bytes = NULL};
    text_add(&text, ", %u)", arguments);
    edit_before(rewriting->edits, i, "::sim_printed(");
    edit_after(rewriting->edits, close, text.bytes);
    free(text.bytes);
}

static void rewrite_word(struct rewriting *rewriting, size_t i)
{
    switch (token_at(rewriting->source, i)->id) {
    case WORD_GLOBAL:
        rewrite_kernel(rewriting, i);
        break;
    case WORD_DEVICE:
    case WORD_CONSTANT:
    case WORD_MANAGED:
        rewrite_device(rewriting, i);
        break;
    case WORD_SHARED:
        rewrite_shared(rewriting, i);
        break;
    case WORD_ASM:
    case WORD_ASM_GNU:
    case WORD_ASM_SHORT:
        rewrite_assembly(rewriting, i);
        break;
    case WORD_HOST:
        remove_token(rewriting, i);
        break;
    case WORD_STATIC:
        if (i == rewriting->start && current_scope(rewriting)->device &&
            (current_scope(rewriting)->kind == SCOPE_FUNCTION ||
             current_scope(rewriting)->kind == SCOPE_BLOCK))
            rewrite_static(rewriting, i);
        break;
    case WORD_THROW:
    case WORD_TRY:
    case WORD_DYNAMIC_CAST:
    case WORD_TYPEID:
        refuse_word(rewriting, i);
        break;
    case WORD_SWITCH:
        rewrite_switch(rewriting, i);
        break;
    case WORD_DO:
    case WORD_FOR:
    case WORD_WHILE:
        rewrite_loop(rewriting, i);
        break;
    case WORD_LAUNCH_BOUNDS: /* rewrite_kernel has read it */
        for (size_t end = match_of(rewriting->source, i + 1); i <= end; i++)
            remove_token(rewriting, i);
        break;
    case WORD_NOINLINE: /* but not in __attribute__((__noinline__)) */
        if (!is_sign(rewriting->source, i + 1, ')') && !is_sign(rewriting->source, i + 1, ','))
            edit_instead(rewriting->edits, i, "__attribute__((noinline))");
        break;
    case WORD_THREAD_INDEX:
    case WORD_BLOCK_INDEX:
    case WORD_BLOCK_DIM:
    case WORD_GRID_DIM:
        rewrite_index(rewriting, i);
        break;
    default:
        if (is_other_name(rewriting->source, i)) {
            if (rewrite_old_name(rewriting, i))
                break;
            refuse_left_out(rewriting, i);
            refuse_host_name(rewriting, i);
            rewrite_printf(rewriting, i);
        }
        break;
    }
}

static void rewrite_sign(struct rewriting *rewriting, size_t i)
{
    switch (token_at(rewriting->source, i)->id) {
    case '<':
        if (is_launch(rewriting->source, i))
            rewrite_launch(rewriting, i);
        break;
    case '(':
        note_pointer(rewriting, i);
        break;
    case '{':
        open_scope(rewriting, i);
        break;
    case '}':
        close_scope(rewriting, i);
        break;
    case ';':
        note_declaration(rewriting, i);
        rewriting->start = i + 1;
        break;
    case ':':
        if (ends_label(rewriting, i))
            rewriting->start = i + 1;
        break;
    default:
        break;
    }
}

void rewrite(struct rewriting *rewriting)
{
    const struct source *source = rewriting->source;
    rewriting->scope_capacity = 64;
    rewriting->scopes = get_memory(NULL, rewriting->scope_capacity, sizeof *rewriting->scopes);
    rewriting->scopes[0] = (struct scope){.kind = SCOPE_NAMESPACE};
    size_t names = source_name_count(source);
    rewriting->flags = get_memory(NULL, names, sizeof *rewriting->flags);
    rewriting->local_in = get_memory(NULL, names, sizeof *rewriting->local_in);
    memset(rewriting->flags, 0, names * sizeof *rewriting->flags);
    memset(rewriting->local_in, 0, names * sizeof *rewriting->local_in);
    rewriting->start = 1;
    for (size_t i = 1; i + 1 < source->count; i++) {
        uint8_t kind = token_at(source, i)->kind;
        if (kind == TOKEN_NAME)
            rewrite_word(rewriting, i);
        else if (kind == TOKEN_SIGN)
            rewrite_sign(rewriting, i);
    }
    for (size_t i = 0; i < rewriting->global_count; i++)
        free(rewriting->globals[i].accessor);
    free(rewriting->globals);
    for (size_t i = 0; i < rewriting->local_count; i++)
        free(rewriting->locals[i].accessor);
    free(rewriting->locals);
    free(rewriting->flags);
    free(rewriting->local_in);
    free(rewriting->scopes);
}
