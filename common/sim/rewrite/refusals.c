/* refusals.c - what nvcc refuses in device code, and any other C++ compiler takes: functions and
 * variables of the host, and the C++ library.
 *
 * The walk notes what the user's files declare. A name that is in doubt - an overload for the
 * device, a parameter, a local variable, a member of some class - is left alone. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

/* Functions of the C library for which there is no device version. */
static const char *const library_functions[] = {
    "rand",    "srand",   "puts",    "putchar", "fprintf", "sprintf", "snprintf", "strlen",
    "strcpy",  "strncpy", "strcmp",  "strncmp", "strcat",  "strchr",  "memcmp",   "exit",
    "scanf",   "getchar", "sleep",   "usleep",  "qsort",   "bsearch", "atoi",     "atof",
    "calloc",  "realloc", "isalpha", "isdigit", "isupper", "islower", "isspace",  "isalnum",
    "tolower", "toupper", "getenv",  "fopen",   "fclose",  "fflush",  "fputs",    "fwrite"};

/* Names of namespace std that are the host's, and those that are constexpr. */
static const char *const library_names[] = {"vector",        "string",
                                            "map",           "set",
                                            "unordered_map", "list",
                                            "deque",         "stack",
                                            "queue",         "unordered_set",
                                            "cout",          "cerr",
                                            "endl",          "sort",
                                            "stable_sort",   "swap",
                                            "accumulate",    "fill",
                                            "fill_n",        "copy",
                                            "copy_n",        "find",
                                            "find_if",       "count",
                                            "count_if",      "for_each",
                                            "transform",     "reverse",
                                            "iota",          "lower_bound",
                                            "upper_bound",   "mutex",
                                            "lock_guard",    "unique_ptr",
                                            "shared_ptr",    "make_unique",
                                            "make_shared",   "function",
                                            "to_string",     "thread",
                                            "atomic",        "partial_sum",
                                            "nth_element",   "max_element",
                                            "min_element",   "memory_order_relaxed"};
static const char *const constexpr_names[] = {"min", "max", "minmax", "clamp", "numeric_limits"};

#define COUNT(LIST) (sizeof(LIST) / sizeof *(LIST))

static bool is_one_of(const struct token *token, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == token->length && !memcmp(list[i], token->text, token->length))
            return true;
    return false;
}

/* Whether one of the tokens is this word. */
static bool has(const struct source *source, size_t first, size_t end, enum word word)
{
    for (size_t i = first; i < end; i++)
        if (is_word(source, i, word))
            return true;
    return false;
}

static void note(struct rewriting *rewriting, size_t i, enum name_flags flag)
{
    rewriting->flags[token_at(rewriting->source, i)->id] |= (uint16_t)flag;
}

void note_function(struct rewriting *rewriting, size_t start, size_t end)
{
    const struct source *source = rewriting->source;
    struct function function = find_function(source, start);
    if (function.name == 0 || function.name >= end || !is_other_name(source, function.name) ||
        has(source, start, function.name, WORD_RETURN))
        return;
    for (size_t i = start; i < function.qualified; i++)
        if (is_sign(source, i, '=') || is_sign(source, i, '.'))
            return;
    size_t head = function.body ? function.body : end;
    bool device = has(source, start, head, WORD_DEVICE) || has(source, start, head, WORD_GLOBAL);
    const bool in_class = current_scope(rewriting)->kind == SCOPE_CLASS;
    if (in_class || function.qualified != function.name)
        note(rewriting, function.name, NAME_IN_CLASS);
    else if (has(source, start, head, WORD_GLOBAL))
        note(rewriting, function.name, NAME_KERNEL);
    else if (device && !has(source, start, head, WORD_HOST) &&
             !has(source, start, head, WORD_GLOBAL) && !has(source, start, head, WORD_CONSTEXPR))
        note(rewriting, function.name, NAME_DEVICE_FUNCTION);
    if (token_at(source, function.name)->system)
        note(rewriting, function.name, NAME_OF_SYSTEM);
    else if (device || function.qualified == start) /* the second: a constructor, or a macro */
        note(rewriting, function.name, NAME_FOR_DEVICE);
    else if (has(source, start, function.name, WORD_CONSTEXPR))
        note(rewriting, function.name, NAME_CONSTEXPR_FUNCTION);
    else
        note(rewriting, function.name, NAME_HOST_FUNCTION);
}

/* The names that a declaration declares, as far as these are the last words before its signs. */
static void note_declared(struct rewriting *rewriting, size_t start, size_t end,
                          enum name_flags flag)
{
    const struct source *source = rewriting->source;
    for (size_t i = start + 1; i < end; i++) {
        bool ends = is_sign(source, i + 1, ';') || is_sign(source, i + 1, '=') ||
                    is_sign(source, i + 1, '[') || is_sign(source, i + 1, ',') ||
                    is_sign(source, i + 1, '{');
        if (is_other_name(source, i) && ends && !is_sign(source, i - 1, SIGN2(':', ':')))
            note(rewriting, i, flag);
        if (is_sign(source, i, '<') && close_angle(source, i))
            i = close_angle(source, i);
        else if (match_of(source, i) > i)
            i = match_of(source, i);
        else if (is_sign(source, i, '=')) /* its value */
            while (i + 1 < end && !is_sign(source, i + 1, ','))
                i = match_of(source, i + 1) > i ? match_of(source, i + 1) : i + 1;
    }
}

/* `static const float table[] = {...};` of the host: a kernel may use constants of its, but not index such an array. */
static void note_table(struct rewriting *rewriting, size_t start, size_t end)
{
    static const enum word others[] = {WORD_DEVICE,    WORD_CONSTANT, WORD_MANAGED, WORD_SHARED,
                                       WORD_CONSTEXPR, WORD_TEMPLATE, WORD_TYPEDEF, WORD_USING};
    const struct source *source = rewriting->source;
    if (current_scope(rewriting)->kind != SCOPE_NAMESPACE || token_at(source, start)->system ||
        !has(source, start, end, WORD_CONST))
        return;
    for (size_t k = 0; k < COUNT(others); k++)
        if (has(source, start, end, others[k]))
            return;
    for (size_t i = start; i < end && !is_sign(source, i, '=') && !is_sign(source, i, '('); i++)
        if (is_other_name(source, i) && is_sign(source, i + 1, '['))
            note(rewriting, i, NAME_HOST_TABLE);
}

void note_declaration(struct rewriting *rewriting, size_t end)
{
    static const enum word others[] = {WORD_DEVICE,    WORD_CONSTANT, WORD_MANAGED,  WORD_SHARED,
                                       WORD_GLOBAL,    WORD_CONST,    WORD_USING,    WORD_TYPEDEF,
                                       WORD_CONSTEXPR, WORD_FRIEND,   WORD_TEMPLATE, WORD_OPERATOR,
                                       WORD_NAMESPACE};
    const struct source *source = rewriting->source;
    size_t start = rewriting->start;
    enum scope_kind kind = current_scope(rewriting)->kind;
    if (kind == SCOPE_CLASS)
        note_declared(rewriting, start, end, NAME_FOR_DEVICE);
    if (kind != SCOPE_NAMESPACE && kind != SCOPE_CLASS)
        return;
    if (find_function(source, start).name) {
        note_function(rewriting, start, end);
        note_arguments(rewriting, start, end);
        return;
    }
    bool variable = kind == SCOPE_NAMESPACE && !token_at(source, start)->system;
    for (size_t k = 0; k < COUNT(others); k++)
        variable &= !has(source, start, end, others[k]);
    bool type = is_word(source, start, WORD_STRUCT) || is_word(source, start, WORD_CLASS) ||
                is_word(source, start, WORD_UNION) || is_word(source, start, WORD_ENUM);
    if (variable && !type)
        note_declared(rewriting, start, end, NAME_HOST_VARIABLE);
    note_table(rewriting, start, end);
}

void enter_function(struct rewriting *rewriting, const struct scope *function)
{
    const struct source *source = rewriting->source;
    note_function(rewriting, function->start, function->open);
    note_arguments(rewriting, function->start, function->open);
    if (!function->device)
        return;
    rewriting->function_number++;
    for (size_t i = function->start; i < function->open; i++)
        if (is_other_name(source, i))
            rewriting->local_in[token_at(source, i)->id] = rewriting->function_number;
}

static bool is_statement_word(const struct token *token)
{
    return token->kind == TOKEN_NAME &&
           (token->id == WORD_RETURN || token->id == WORD_CASE || token->id == WORD_ELSE ||
            token->id == WORD_DO || token->id == WORD_SIZEOF);
}

/* Whether the statement that begins at `start` declares what it names at `i`: `T name`,
 * `T *name`, `a::b<c> x = 1, name`. What is in doubt is one: a * b begins no statement. */
static bool is_declared(const struct source *source, size_t start, size_t i)
{
    unsigned int words = 0;
    if (is_sign(source, start, ',')) /* goes on behind the braces of a value */
        return true;
    if (is_word(source, start, WORD_FOR))
        start += 2;
    for (size_t k = start; k < i; k++) {
        const struct token *token = token_at(source, k);
        size_t angle = is_sign(source, k, '<') ? close_angle(source, k) : 0;
        bool type = token->kind == TOKEN_NAME || is_sign(source, k, '*') ||
                    is_sign(source, k, '&') || is_sign(source, k, SIGN2('&', '&')) ||
                    is_sign(source, k, SIGN2(':', ':')) || angle;
        if (is_statement_word(token) || (!type && words < 2 && !is_word(source, start, WORD_AUTO)))
            return false;
        words += token->kind == TOKEN_NAME && !is_sign(source, k - 1, SIGN2(':', ':'));
        size_t close = angle ? angle : match_of(source, k);
        if (close > i)
            return is_sign(source, k, '[') && is_word(source, start, WORD_AUTO);
        if (close > k)
            k = close;
    }
    return words > 0;
}

/* Whether the name at `i` is being declared here, or was, in this function. */
static bool is_local(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    uint32_t *where = &rewriting->local_in[token_at(source, i)->id];
    const struct token *before = token_at(source, i - 1);
    bool after_type = (before->kind == TOKEN_NAME && !is_statement_word(before)) ||
                      (is_sign(source, i - 1, '>') && open_angle(source, i - 1) != 0);
    bool after_sign = is_sign(source, i - 1, '*') || is_sign(source, i - 1, '&') ||
                      is_sign(source, i - 1, ',') || is_sign(source, i - 1, '[');
    if (*where == rewriting->function_number)
        return true;
    if (after_type || (after_sign && is_declared(source, rewriting->start, i)))
        *where = rewriting->function_number;
    return *where == rewriting->function_number;
}

/* Whether the value may be computed by the compiler, so that nobody calls anything. */
static bool is_constant(const struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    static const enum word words[] = {WORD_CONSTEXPR, WORD_CONST,    WORD_CASE,   WORD_SHARED,
                                      WORD_DECLTYPE,  WORD_SIZEOF,   WORD_ENUM,   WORD_USING,
                                      WORD_STATIC,    WORD_NOEXCEPT, WORD_TYPEDEF};
    for (size_t k = 0; k < COUNT(words); k++)
        if (has(source, rewriting->start, i, words[k]))
            return true;
    for (size_t k = rewriting->start; k < i; k++) {
        bool bracket = is_sign(source, k, '[') && match_of(source, k) > i;
        bool angle = is_sign(source, k, '<') && close_angle(source, k) > i;
        const struct token *token = token_at(source, k);
        if (bracket || angle || (token->length == 13 && !memcmp(token->text, "static_assert", 13)))
            return true;
    }
    return false;
}

/* The innermost function. */
static const struct scope *current_function(const struct rewriting *rewriting)
{
    size_t depth = rewriting->depth;
    while (rewriting->scopes[depth].kind != SCOPE_FUNCTION && depth > 0)
        depth--;
    return &rewriting->scopes[depth];
}

/* Whether it is a member of a class, whose other members may follow. */
static bool is_member_function(const struct rewriting *rewriting, const struct scope *function)
{
    size_t name = find_function(rewriting->source, function->start).name;
    return function > rewriting->scopes && ((function - 1)->kind == SCOPE_CLASS ||
                                            is_sign(rewriting->source, name - 1, SIGN2(':', ':')));
}

__attribute__((noreturn)) static void refuse_call(const struct rewriting *rewriting, size_t i,
                                                  const char *kind, const char *prefix,
                                                  const char *advice)
{
    const struct source *source = rewriting->source;
    const struct scope *scope = current_function(rewriting);
    const struct token *callee = token_at(source, i);
    const struct token *caller = token_at(source, find_function(source, scope->start).name);
    fail_at(source, i,
            "calling a %s__host__ function(\"%s%.*s\") from a %s function(\"%.*s\") is not "
            "allowed; %s",
            kind, prefix, (int)callee->length, callee->text,
            has(source, scope->start, scope->open, WORD_GLOBAL) ? "__global__" : "__device__",
            (int)caller->length, caller->text, advice);
}

/* A name behind `std::`. */
static void check_library_name(const struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    const struct token *token = token_at(source, i);
    if (is_sign(source, i - 3, SIGN2(':', ':')) && token_at(source, i - 4)->kind == TOKEN_NAME)
        return; /* cuda::std:: */
    if (is_one_of(token, library_names, COUNT(library_names)))
        refuse_call(rewriting, i, "", "std::", "kernels have no C++ library: write it yourself");
    if (is_one_of(token, constexpr_names, COUNT(constexpr_names)) && !rewriting->relaxed &&
        !is_constant(rewriting, i))
        refuse_call(rewriting, i, "constexpr ", "std::",
                    "leave std:: out where CUDA has such a function, or use "
                    "--expt-relaxed-constexpr");
}

static bool is_std(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    return token->length == 3 && !memcmp(token->text, "std", 3);
}

/* Whether the name at `i` is a parameter or a variable of the function's own. */
static bool is_own(const struct source *source, const struct scope *function, size_t i)
{
    for (size_t k = function->start; k < i; k++) {
        const struct token *before = token_at(source, k - 1);
        const bool declares = (before->kind == TOKEN_NAME && !is_statement_word(before)) ||
                              is_sign(source, k - 1, '*') || is_sign(source, k - 1, '&') ||
                              is_sign(source, k - 1, '>');
        if (token_at(source, k)->id == token_at(source, i)->id && is_other_name(source, k) &&
            declares)
            return true;
    }
    return false;
}

/* In a function of the host: a call of one that is for the device alone, or of a kernel that is not launched. */
static void refuse_device_function(const struct rewriting *rewriting, size_t i)
{
    enum {
        IN_DOUBT = NAME_HOST_FUNCTION | NAME_CONSTEXPR_FUNCTION | NAME_OF_SYSTEM | NAME_IN_CLASS
    };
    const struct source *source = rewriting->source;
    const struct scope *scope = current_scope(rewriting);
    const struct token *token = token_at(source, i), *before = token_at(source, i - 1);
    const unsigned int flags = rewriting->flags[token->id];
    if (scope->mixed || (scope->kind != SCOPE_FUNCTION && scope->kind != SCOPE_BLOCK) ||
        !(flags & (NAME_DEVICE_FUNCTION | NAME_KERNEL)) || flags & IN_DOUBT ||
        !is_sign(source, i + 1, '(') || is_sign(source, i - 1, '.') ||
        is_sign(source, i - 1, SIGN2('-', '>')) || is_sign(source, i - 1, SIGN2(':', ':')) ||
        (before->kind == TOKEN_NAME && !is_statement_word(before)) || is_constant(rewriting, i))
        return;
    const struct scope *function = current_function(rewriting);
    if (is_own(source, function, i))
        return;
    if (flags & NAME_KERNEL && !(flags & NAME_DEVICE_FUNCTION))
        fail_at(source, i,
                "the kernel %.*s was called like a function; launch it: %.*s<<<grid, block>>>(...)",
                (int)token->length, token->text, (int)token->length, token->text);
    const struct token *caller = token_at(source, find_function(source, function->start).name);
    fail_at(source, i,
            "calling a __device__ function(\"%.*s\") from a __host__ function(\"%.*s\") is not "
            "allowed; write __host__ in front of that function, too, or call it in a kernel",
            (int)token->length, token->text, (int)caller->length, caller->text);
}

/* Whether the variable at `i`, an element or a member of it, is given a value there. What may be memory that it points
 * to, `rows[i][j]` or `given.out[i]`, is in doubt. */
static bool is_stored(const struct source *source, size_t i, bool is_array)
{
    static const char *const assigns[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"};
    size_t end = i + 1;
    if (is_array && is_sign(source, end, '['))
        end = match_of(source, end) + 1;
    while (is_sign(source, end, '.'))
        end += 2;
    const bool is_whole = !is_sign(source, end, '[') && !is_sign(source, end, SIGN2('-', '>'));
    return is_one_of(token_at(source, end), assigns, COUNT(assigns)) ||
           (is_whole &&
            (is_sign(source, i - 1, SIGN2('+', '+')) || is_sign(source, i - 1, SIGN2('-', '-'))));
}

void refuse_word(const struct rewriting *rewriting, size_t i)
{
    const struct scope *scope = current_scope(rewriting);
    const struct token *token = token_at(rewriting->source, i);
    if (!scope->device || scope->host || scope->mixed || token->system)
        return;
    fail_at(rewriting->source, i,
            "%.*s: device code has no exceptions and no types at run time; %s", (int)token->length,
            token->text,
            token->id == WORD_THROW || token->id == WORD_TRY
                ? "write down that something went wrong, and look on the host"
                : "call a virtual function, or keep a number that says the type");
}

void refuse_host_name(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    const struct token *token = token_at(source, i);
    const struct scope *scope = current_scope(rewriting);
    if (!scope->device && !token->system)
        refuse_device_function(rewriting, i);
    if (!scope->device || scope->host || token->system)
        return;
    if (i <
        rewriting->start) { /* in a declaration of __shared__ variables, whose names are local */
        rewriting->local_in[token->id] = rewriting->function_number;
        return;
    }
    if (is_sign(source, i - 1, SIGN2(':', ':')) && is_std(source, i - 2)) {
        check_library_name(rewriting, i);
        return;
    }
    unsigned int flags = rewriting->flags[token->id];
    bool member = is_sign(source, i - 1, '.') || is_sign(source, i - 1, SIGN2('-', '>'));
    bool qualified = is_sign(source, i - 1, SIGN2(':', ':'));
    bool called = is_sign(source, i + 1, '(');
    bool scopes = is_sign(source, i + 1, SIGN2(':', ':'));
    if (flags & NAME_FOR_DEVICE || (!qualified && is_local(rewriting, i)))
        return;
    if (flags & NAME_CONSTANT && !member && !qualified && is_stored(source, i, flags & NAME_ARRAY))
        fail_at(source, i,
                "%.*s is __constant__: device code reads it, and cannot store to it; set it on the "
                "host with cudaMemcpyToSymbol, or declare it __device__",
                (int)token->length, token->text);
    if (called && !member && flags & NAME_OF_SYSTEM && !(flags & NAME_HOST_FUNCTION) &&
        is_one_of(token, library_functions, COUNT(library_functions)))
        refuse_call(rewriting, i, "", "",
                    "kernels have no C library but for printf, malloc, "
                    "memcpy and mathematics");
    if (flags & NAME_OF_SYSTEM || is_member_function(rewriting, current_function(rewriting)))
        return;
    if (called && flags & NAME_HOST_FUNCTION)
        refuse_call(rewriting, i, "", "", "write __device__ in front of that function");
    if (called && flags & NAME_CONSTEXPR_FUNCTION && !rewriting->relaxed &&
        !is_constant(rewriting, i))
        refuse_call(rewriting, i, "constexpr ", "",
                    "write __device__ in front of it, or use --expt-relaxed-constexpr");
    if (is_sign(source, i + 1, '[') && !member && !qualified && flags & NAME_HOST_TABLE &&
        !(flags & (NAME_ARRAY | NAME_SCALAR)) && token_at(source, i + 2)->kind != TOKEN_NUMBER &&
        !is_constant(rewriting, i))
        fail_at(source, i,
                "identifier \"%.*s\" is undefined in device code: it is an array of the host; "
                "declare it "
                "__constant__ or __device__",
                (int)token->length, token->text);
    if (!called && !scopes && !member && !qualified && flags & NAME_HOST_VARIABLE &&
        !(flags & (NAME_ARRAY | NAME_SCALAR)) && !is_constant(rewriting, i))
        fail_at(source, i,
                "identifier \"%.*s\" is undefined in device code: it is a variable of the host; "
                "pass it to the kernel, or declare it __device__ or __constant__",
                (int)token->length, token->text);
}
