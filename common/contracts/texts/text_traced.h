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
    CONTENTS
};

struct text_case {
    unsigned int content;
    size_t length, misalignment;
    unsigned int calls, devices;
};

extern const struct shape text_shape;

/* Draws a case; true. */
bool text_drawn(const struct text_case *drawn, struct traced_input *input);
/* Sentences, repeated or cut to a length. */
void text_tale(size_t length, unsigned int devices, struct traced_input *input);
/* A file that the program input wrote. */
void text_asked(const char *file, unsigned int devices, struct traced_input *input);

/* Members of struct traced_contract. */
void text_simplify(struct traced_input *input, size_t from, size_t count, unsigned int way);
void text_name_bin(size_t bin, char *name, size_t size);
void text_settings(char *text, size_t size);

#endif
