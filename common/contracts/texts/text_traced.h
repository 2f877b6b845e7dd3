/* text_traced.h - what the contracts that count texts share of traced_contract.h. */
#ifndef TEXT_TRACED_H
#define TEXT_TRACED_H

#include "text.h"
#include "traced_contract.h"

/* What kind of text: of text.h, or of these. */
enum content {
    CONTENT_HIGH = TEXT_KINDS, /* bytes above 127 */
    CONTENT_ALL_VALUES,
    CONTENT_BRACES,
    CONTENT_LAST_LETTER,
    CONTENT_IN_TURN,
    CONTENT_TALE /* sentences, repeated or cut to a length */
};

/* Members of struct traced_contract. */
struct input text_made(const struct traced_case *drawn, uint64_t unused);
struct input text_asked(const char *file);
void text_simplify(struct input *input, size_t from, size_t count, unsigned int way);
void text_name_bin(size_t bin, char *name, size_t size);
void text_settings(char *text, size_t size);

#endif
