/* loops.c - loops that begin where a loop in them begins.
 *
 * Nothing stands between the head of `do { do { ... } while (a); } while (b);` and that of the inner
 * loop, and the compiler would make one block of both. Rounds are counted by the block to which a
 * jump goes back: two loops with one head would be taken for one. */
#include "passes.h"

static bool holds_loop(const struct source *source, size_t open)
{
    for (size_t i = open + 1; i < match_of(source, open); i++)
        if (is_word(source, i, WORD_DO) || is_word(source, i, WORD_WHILE) ||
            is_word(source, i, WORD_FOR))
            return true;
    return false;
}

/* `for (;;)`, `while (true)`, `while (1)`: nothing is computed in the head. */
static bool has_empty_head(const struct source *source, size_t i)
{
    const size_t close = match_of(source, i + 1);
    if (is_word(source, i, WORD_FOR))
        return is_sign(source, close - 1, ';') && is_sign(source, close - 2, ';');
    return close == i + 3;
}

void rewrite_loop(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    const bool is_do = is_word(source, i, WORD_DO);
    size_t open = i + 1;
    if (!current_scope(rewriting)->device)
        return;
    if (!is_do) {
        if (!is_sign(source, i + 1, '(') || !has_empty_head(source, i))
            return;
        open = match_of(source, i + 1) + 1;
    }
    if (is_sign(source, open, '{') && holds_loop(source, open))
        edit_after(rewriting->edits, open, " ::sim_loop_begins();");
}
