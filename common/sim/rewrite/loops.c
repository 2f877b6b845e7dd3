/* loops.c - loops that begin where a loop in them begins.
 *
 * Nothing stands between the head of `do { do { ... } while (a); } while (b);` and that of the inner
 * loop, and the compiler would make one block of both. Rounds are counted by the block to which a
 * jump goes back: two loops with one head would be taken for one.
 *
 * And switches that jump into the middle of a loop, as Duff's device does. On a card lanes that have
 * entered such a loop at different labels stay apart until the switch ends. So each label in a loop
 * says by which number a lane has come in, where it comes by a jump, and the end of the switch
 * forgets it. */
#include "passes.h"

#include <stdlib.h>

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

/* The braces of the loop whose word is at `i`; 0 when it has none. */
static size_t body_of_loop(const struct source *source, size_t i)
{
    size_t open = i + 1;
    if (!is_word(source, i, WORD_DO))
        open = is_sign(source, open, '(') ? match_of(source, open) + 1 : 0;
    return open && is_sign(source, open, '{') ? open : 0;
}

/* Marks the labels of a switch that stand in the braces at `open` of a loop. Returns how many there are before. */
static unsigned int mark_labels(struct rewriting *rewriting, size_t open, unsigned int number)
{
    const struct source *source = rewriting->source;
    for (size_t i = open + 1; i < match_of(source, open); i++) {
        if (is_word(source, i, WORD_SWITCH) &&
            is_sign(source, i + 1, '(')) { /* its labels are its own */
            const size_t inner = match_of(source, i + 1) + 1;
            i = is_sign(source, inner, '{') ? match_of(source, inner) : i;
            continue;
        }
        if (!is_word(source, i, WORD_CASE) && !is_word(source, i, WORD_DEFAULT))
            continue;
        size_t colon = i + 1;
        while (colon < match_of(source, open) && !is_sign(source, colon, ':'))
            colon = match_of(source, colon) > colon ? match_of(source, colon) + 1 : colon + 1;
        struct text text = {.bytes = NULL};
        text_add(&text, " ::sim_enters_loop(%u); }", ++number);
        edit_before(rewriting->edits, i, " if (false) { ");
        edit_after(rewriting->edits, colon, text.bytes);
        free(text.bytes);
        i = colon;
    }
    return number;
}

void rewrite_switch(struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    const size_t open = is_sign(source, i + 1, '(') ? match_of(source, i + 1) + 1 : 0;
    const size_t close = open && is_sign(source, open, '{') ? match_of(source, open) : 0;
    unsigned int labels = 0;
    if (!current_scope(rewriting)->device || is_word(source, close + 1, WORD_ELSE))
        return;
    for (size_t k = open + 1; k < close; k++) {
        const bool is_loop = is_word(source, k, WORD_DO) || is_word(source, k, WORD_FOR) ||
                             is_word(source, k, WORD_WHILE);
        const size_t body = is_loop ? body_of_loop(source, k) : 0;
        if (is_word(source, k, WORD_SWITCH) && is_sign(source, k + 1, '(')) {
            const size_t inner = match_of(source, k + 1) + 1;
            k = is_sign(source, inner, '{') ? match_of(source, inner) : k;
        } else if (body) {
            labels = mark_labels(rewriting, body, labels);
            k = match_of(source, body);
        }
    }
    if (labels)
        edit_after(rewriting->edits, close, " ::sim_leaves_loop();");
}
