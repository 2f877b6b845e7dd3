/* kernels.c - __global__ functions.
 *
 * A kernel stays a function with its name and its parameters. Its body gets a
 * first statement: when the host calls it, within a launch, that statement packs
 * the arguments and starts the lanes; each lane then calls the function again and
 * goes on with the body. So a launch is an ordinary call, with all that C++ says
 * about calls: conversions, deduced template arguments, default arguments,
 * overloads, and the compiler's own error messages. */
#include "passes.h"

#include <stdlib.h>

/* What the first statement needs to know of the parameters. */
struct parameters {
    struct text types, names;
};

static void add_name(const struct source *source, struct text *text, const struct parameter *p,
                     const char *format, const char *name)
{
    const struct token *token = token_at(source, p->name);
    struct text word = {.bytes = NULL};
    if (name)
        text_add(&word, "%s", name);
    else
        text_add(&word, "%.*s", (int)token->length, token->text);
    text_add(text, text->length ? ", " : "");
    text_add(text, format, word.bytes);
    text_add(text, p->pack ? "..." : "");
    free(word.bytes);
}

/* Reads the parameters of a kernel; those without a name get one. */
static struct parameters read_parameters(struct rewriting *rewriting, size_t open)
{
    const struct source *source = rewriting->source;
    size_t close = match_of(source, open);
    struct parameters parameters = {.types = {.bytes = NULL}};
    if (close == open + 2 && is_word(source, open + 1, WORD_VOID))
        return parameters;
    for (size_t i = open + 1; i < close;) {
        struct parameter parameter;
        i = read_parameter(source, i, close, &parameter);
        char name[32];
        bool unnamed = parameter.name == 0;
        snprintf(name, sizeof name, "sim_unnamed_%u", rewriting->number++);
        if (unnamed) {
            edit_before(rewriting->edits, parameter.end, " ");
            edit_before(rewriting->edits, parameter.end, name);
        }
        add_name(source, &parameters.types, &parameter, "::sim_parameter<decltype(%s)>",
                 unnamed ? name : NULL);
        add_name(source, &parameters.names, &parameter, "%s", unnamed ? name : NULL);
    }
    return parameters;
}

/* `<T, N>`, so that a template names itself. Of a specialization, what it says. */
static void add_template_arguments(const struct source *source, const struct function *function,
                                   struct text *text)
{
    if (function->open > function->name + 1) {
        text_add_tokens(text, source, function->name + 1, function->open - 1);
        return;
    }
    if (!function->template_open)
        return;
    size_t close = close_angle(source, function->template_open);
    struct text names = {.bytes = NULL};
    for (size_t i = function->template_open + 1; i < close;) {
        struct parameter parameter;
        i = read_parameter(source, i, close, &parameter);
        if (parameter.name)
            add_name(source, &names, &parameter, "%s", NULL);
    }
    if (names.length)
        text_add(text, "<%s>", names.bytes);
    free(names.bytes);
}

/* The first argument of __launch_bounds__, or 0: as many threads as a block may have. */
static void add_most_threads(const struct source *source, size_t start,
                             const struct function *function, struct text *text)
{
    for (size_t i = start; i < function->name; i++) {
        if (!is_word(source, i, WORD_LAUNCH_BOUNDS))
            continue;
        size_t close = match_of(source, i + 1), end = i + 2;
        while (end < close && !is_sign(source, end, ','))
            end = match_of(source, end) > end ? match_of(source, end) + 1 : end + 1;
        text_add_tokens(text, source, i + 2, end - 1);
        return;
    }
    text_add(text, "0");
}

/* The statement at the start of the body. */
static void add_start(struct rewriting *rewriting, const struct function *function)
{
    const struct source *source = rewriting->source;
    const struct token *name = token_at(source, function->name);
    struct parameters parameters = read_parameters(rewriting, function->open);
    struct text text = {.bytes = NULL};
    text_add(
        &text,
        " struct sim_self { static constexpr auto __kernel() { return static_cast<void (*)(%s)>(",
        parameters.types.length ? parameters.types.bytes : "");
    add_namespace(rewriting, &text);
    for (size_t i = function->qualified; i < function->name; i++)
        text_add_tokens(&text, source, i, i);
    text_add(&text, "%.*s", (int)name->length, name->text);
    add_template_arguments(source, function, &text);
    text_add(&text,
             "); } static constexpr const char *__name() { return \"%.*s\"; } "
             "static constexpr const char *__parameters() { return \"%s\"; } "
             "static constexpr unsigned int __most_threads() { return (unsigned int)(",
             (int)name->length, name->text, parameters.names.length ? parameters.names.bytes : "");
    add_most_threads(source, rewriting->start, function, &text);
    text_add(&text,
             "); } }; if (::sim_called_by_host()) { ::sim_kernel_of<sim_self>::__launch"
             "(__builtin_return_address(0)%s%s); return; }",
             parameters.names.length ? ", " : "",
             parameters.names.length ? parameters.names.bytes : "");
    edit_after(rewriting->edits, function->body, text.bytes);
    free(text.bytes);
    free(parameters.types.bytes);
    free(parameters.names.bytes);
}

/* A kernel returns void; ends the program when it does not. */
static void check_result(const struct source *source, size_t start, const struct function *function)
{
    bool value = false, nothing = false;
    for (size_t i = start; i < function->qualified; i++) {
        const struct token *token = token_at(source, i);
        size_t close = is_sign(source, i, '<') ? close_angle(source, i) : match_of(source, i);
        if (close > i)
            i = close;
        else if (token->kind == TOKEN_NAME && token->id >= WORD_BOOL && token->id <= WORD_DOUBLE)
            value = true;
        nothing |= is_word(source, i, WORD_VOID);
    }
    if (value && !nothing)
        fail_at(source, function->name,
                "a kernel cannot return a value: its result has to be void");
}

void rewrite_kernel(struct rewriting *rewriting, size_t i)
{
    /* As nvcc does, all that a kernel calls becomes a part of it. */
    edit_instead(rewriting->edits, i, "__attribute__((noinline, flatten))");
    enum scope_kind kind = current_scope(rewriting)->kind;
    struct function function = find_function(rewriting->source, rewriting->start);
    if (function.name == 0 || function.body == 0 || kind == SCOPE_FUNCTION || kind == SCOPE_BLOCK)
        return;
    if (kind != SCOPE_NAMESPACE)
        fail_at(rewriting->source, i,
                "a kernel cannot be a member of a class; "
                "make it a function outside of the class");
    check_result(rewriting->source, rewriting->start, &function);
    add_start(rewriting, &function);
}
