/* launches.c - kernel<<<grid, block, shared, stream>>>(arguments). */
#include "passes.h"

#include <stdlib.h>

/* Whether a word before a parenthesis makes it a statement's, not a call's. */
static bool is_statement_word(const struct source *source, size_t i)
{
    static const enum word words[] = {WORD_IF,   WORD_FOR, WORD_WHILE, WORD_SWITCH, WORD_RETURN,
                                      WORD_ELSE, WORD_DO,  WORD_CASE,  WORD_THROW};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(source, i, words[k]))
            return true;
    return false;
}

/* The first token of the operand that ends at `i`: a name, perhaps with template
 * arguments, or something in brackets; 0 when there is none. */
static size_t operand_start(const struct source *source, size_t i)
{
    for (;;) {
        if (is_sign(source, i, '>')) {
            size_t open = open_angle(source, i);
            return open && is_other_name(source, open - 1) ? open - 1 : 0;
        }
        if (!is_sign(source, i, ')') && !is_sign(source, i, ']'))
            return token_at(source, i)->kind == TOKEN_NAME && !is_statement_word(source, i) ? i : 0;
        size_t open = match_of(source, i);
        if (!open)
            return 0;
        bool follows = (token_at(source, open - 1)->kind == TOKEN_NAME &&
                        !is_statement_word(source, open - 1)) ||
                       is_sign(source, open - 1, ']') ||
                       (is_sign(source, open, '[') && is_sign(source, open - 1, ')'));
        if (!follows)
            return is_sign(source, open, '(') ? open : 0;
        i = open - 1;
    }
}

/* The first token of the kernel's name, which ends before the launch at `i`. */
static size_t kernel_start(const struct source *source, size_t i)
{
    size_t start = operand_start(source, i - 1);
    while (start) {
        bool scope = is_sign(source, start - 1, SIGN2(':', ':'));
        if (scope && !is_other_name(source, start - 2) && !is_sign(source, start - 2, '>'))
            return start - 1; /* ::name */
        if (is_word(source, start - 1, WORD_TEMPLATE))
            start--;
        else if (scope || is_sign(source, start - 1, '.') ||
                 is_sign(source, start - 1, SIGN2('-', '>')))
            start = operand_start(source, start - 2);
        else
            break;
    }
    const struct token *before = token_at(source, start ? start - 1 : 0);
    bool wrong = before->kind == TOKEN_SIGN && (before->id == '<' || before->id == '>');
    if (!start || wrong || before->kind == TOKEN_NUMBER)
        fail_at(source, i,
                "cannot tell which kernel is launched; put its name, with its template arguments, "
                "in parentheses or into a variable of its own: auto kernel = ...; "
                "kernel<<<grid, block>>>(...)");
    return start;
}

/* The first `>` of the launch's `>>>`, which stands before a parenthesis. Counts
 * the commas on the way. */
static size_t configuration_end(const struct source *source, size_t i, size_t *commas)
{
    *commas = 0;
    for (size_t k = i + 3; token_at(source, k)->kind != TOKEN_END; k++) {
        if (is_sign(source, k, '>') && is_sign(source, k + 1, '>') && is_sign(source, k + 2, '>')) {
            if (is_sign(source, k + 3, '('))
                return k;
            if (!is_sign(source, k + 3, '>'))
                fail_at(source, i, "expected the kernel's arguments in parentheses after >>>");
        }
        if (is_sign(source, k, ';') || is_sign(source, k, '}'))
            break;
        *commas += is_sign(source, k, ',');
        if (match_of(source, k) > k)
            k = match_of(source, k);
    }
    fail_at(source, i, "<<< without >>>: a launch is kernel<<<grid, block>>>(arguments)");
}

/* Refuses the launch at `i` of a function that nobody has declared as a kernel. */
static void check_kernel(const struct rewriting *rewriting, size_t start, size_t i)
{
    if (start != i - 1 || !is_other_name(rewriting->source, start))
        return; /* flags are of names */
    const struct token *name = token_at(rewriting->source, start);
    const unsigned int of_a_function = NAME_HOST_FUNCTION | NAME_FOR_DEVICE;
    if ((rewriting->flags[name->id] & of_a_function) == NAME_HOST_FUNCTION)
        fail_at(rewriting->source, i,
                "%.*s is launched, and is a function of the host: write __global__ in front of it",
                (int)name->length, name->text);
}

/* Refuses a lambda of the host among the arguments from `open` to `close`: a kernel could not call it. */
static void check_lambdas(const struct source *source, size_t open, size_t close)
{
    for (size_t k = open + 1; k < close; k++) {
        const bool begins =
            is_sign(source, k, '[') && (is_sign(source, k - 1, '(') || is_sign(source, k - 1, ','));
        const size_t end = match_of(source, k);
        if (begins && !is_word(source, end + 1, WORD_DEVICE) &&
            !is_word(source, end + 1, WORD_HOST))
            fail_at(source, k,
                    "a lambda of the host is given to a kernel; write [=] __device__ (...) {...}, "
                    "and give nvcc --extended-lambda");
        if (end > k)
            k = end;
    }
}

void rewrite_launch(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    size_t commas;
    if (current_scope(rewriting)->device && !current_scope(rewriting)->host)
        fail_at(source, i,
                "a kernel that launches kernels (dynamic parallelism) is not simulated; "
                "launch them from the host");
    size_t start = kernel_start(source, i);
    check_kernel(rewriting, start, i);
    size_t end = configuration_end(source, i, &commas);
    size_t close = match_of(source, end + 3);
    if (commas == 0)
        fail_at(source, i,
                "a launch needs the number of blocks and of threads in a block: "
                "kernel<<<grid, block>>>(arguments)");
    if (close < end)
        fail_at(source, end, "the parenthesis after >>> is never closed");
    check_lambdas(source, end + 3, close);
    struct text kernel = {.bytes = NULL};
    text_add(&kernel, "), ");
    text_add_tokens(&kernel, source, start, i - 1);
    edit_before(rewriting->edits, start, "(");
    for (size_t k = start; k < i; k++)
        remove_token(rewriting, k);
    edit_instead(rewriting->edits, i, "::sim_configuration(");
    remove_token(rewriting, i + 1);
    remove_token(rewriting, i + 2);
    edit_instead(rewriting->edits, end, kernel.bytes);
    remove_token(rewriting, end + 1);
    remove_token(rewriting, end + 2);
    edit_after(rewriting->edits, close, ")");
    free(kernel.bytes);
}
