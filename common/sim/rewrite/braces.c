/* braces.c - a brace that is missing, or one too many. A compiler complains of what follows, far from it.
 *
 * Which one is missing nobody knows for sure. But a line that begins with a brace, further to the left than
 * the line of the brace that it would close, closes another one: that one's own is missing. */
#include "passes.h"

#include <stdlib.h>

/* The first token of the line that token `i` stands in. */
static const struct token *begin_of_line(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    while (i > 1 && token_at(source, i - 1)->line == token->line &&
           token_at(source, i - 1)->file == token->file)
        i--;
    return token_at(source, i);
}

/* Whether the brace `close` stands further to the left than the line in which `open` does, in the file that
 * is compiled. */
static bool is_left_of(const struct source *source, size_t close, size_t open)
{
    const struct token *right = token_at(source, close);
    const uint32_t compiled = token_at(source, source->count - 2)->file;
    return token_at(source, open)->file == compiled && begin_of_line(source, close) == right &&
           right->column < begin_of_line(source, open)->column;
}

void refuse_open_braces(const struct source *source)
{
    size_t *open = get_memory(NULL, source->count, sizeof *open);
    size_t depth = 0, suspect = 0;
    for (size_t i = 1; i + 1 < source->count; i++) {
        if (token_at(source, i)->system)
            continue;
        if (is_sign(source, i, '{'))
            open[depth++] = i;
        else if (is_sign(source, i, '}') && depth == 0)
            fail_at(source, i, "this } has no {: there is one too many, or a { is missing above");
        else if (is_sign(source, i, '}') && is_left_of(source, i, open[--depth]) && !suspect)
            suspect = open[depth];
    }
    if (depth > 0)
        fail_at(source, suspect ? suspect : open[depth - 1],
                "the { in this line has no }: put one where its block ends");
    free(open);
}
