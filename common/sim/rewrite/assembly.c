/* assembly.c - PTX in a kernel, which no other compiler understands: only what reads the registers of the lane's
 * own number, `mov.u32 %0, %laneid;` and its kind, has something that stands for it. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

/* Whether a string of the source is `mov.u32 %0, %NAME;`, however it is spaced. */
static bool reads_register(const struct token *string, const char *name)
{
    char text[80], wanted[80];
    size_t length = 0;
    for (uint32_t i = 0; i < string->length && length + 1 < sizeof text; i++)
        if (!strchr(" \"\t", string->text[i]) &&
            !(string->text[i] == '%' && i > 0 && string->text[i - 1] == '%'))
            text[length++] = string->text[i];
    text[length] = '\0';
    snprintf(wanted, sizeof wanted, "mov.u32%%0,%%%s;", name);
    return !strcmp(text, wanted);
}

/* `asm("mov.u32 %0, %laneid;" : "=r"(place));`: the parenthesis before the place, or 0. */
static size_t place_of(const struct source *source, size_t text)
{
    const size_t open = text + 3;
    const bool fits = is_sign(source, text + 1, ':') &&
                      token_at(source, text + 2)->kind == TOKEN_STRING &&
                      is_sign(source, open, '(');
    const size_t close = fits ? match_of(source, open) : 0;
    return close && is_sign(source, close + 1, ')') ? open : 0;
}

/* The first instruction of a string of PTX, `bfe.u32`: where it begins, and how long it is. A brace and escapes may
 * stand before it. */
static const char *instruction_in(const struct token *string, int *length)
{
    const char *at = string->text, *end = string->text + string->length;
    while (at < end && (strchr("\"{ \t", *at) || *at == '\\'))
        at += *at == '\\' ? 2 : 1;
    for (*length = 0; at + *length < end; ++*length)
        if (strchr(" ;\t\\\"", at[*length]))
            break;
    return at;
}

void rewrite_assembly(struct rewriting *rewriting, size_t i)
{
    static const char *const registers[] = {"laneid",      "lanemask_eq", "lanemask_lt",
                                            "lanemask_le", "lanemask_gt", "lanemask_ge"};
    const struct source *source = rewriting->source;
    size_t text = i + 1;
    while (token_at(source, text)->kind == TOKEN_NAME || is_sign(source, text, '('))
        text++;
    const struct token *string = token_at(source, text);
    if (!current_scope(rewriting)->device || string->kind != TOKEN_STRING ||
        string->length <= strlen("\"\""))
        return;
    const size_t open = place_of(source, text);
    for (size_t k = 0; open && k < sizeof registers / sizeof *registers; k++) {
        if (!reads_register(string, registers[k]))
            continue;
        for (size_t j = i; j < open; j++)
            remove_token(rewriting, j);
        struct text value = {.bytes = NULL};
        text_add(&value, " = ::sim_%s()", registers[k]);
        edit_after(rewriting->edits, match_of(source, open), value.bytes);
        remove_token(rewriting, match_of(source, open) + 1);
        free(value.bytes);
        return;
    }
    int length;
    const char *instruction = instruction_in(string, &length);
    fail_at(source, i,
            "%.*s: PTX assembly is not simulated; call the intrinsic that does the same, or write "
            "it in C++",
            length, instruction);
}
