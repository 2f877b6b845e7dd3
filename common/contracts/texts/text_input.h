/* text_input.h - a text as the judge has inputs; and what the contracts that count texts share of to_run.h. */
#ifndef TEXT_INPUT_H
#define TEXT_INPUT_H

#include "text.h"
#include "to_run.h"

/* A unit is a letter. */
#define TEXT_SHAPE                                                                                 \
    {                                                                                              \
        1, 1, 1,                                                                                   \
        {                                                                                          \
            {                                                                                      \
                "letter", FIELD_LETTER, 0, 8                                                       \
            }                                                                                      \
        }                                                                                          \
    }

/* Makes an input of a text, which stays the caller's. `what` describes it. */
struct input input_of_text(const struct contract *contract, const char *what,
                           const unsigned char *text, size_t length, size_t misalignment);

/* Kinds of text that are traced, beside those of text.h. */
enum content_of_text {
    CONTENT_HIGH = TEXT_KINDS, /* bytes above 127 */
    CONTENT_ALL_VALUES,
    CONTENT_BRACES,
    CONTENT_LAST_LETTER,
    CONTENT_IN_TURN,
    CONTENT_TALE /* sentences, repeated or cut to a length */
};

/* These are for struct to_run. A text is drawn for its contract. */
struct input text_drawn(const struct contract *contract, const struct drawn_case *drawn);
int text_write_asked(const char *file, char *const *default_files, size_t count);
struct input text_read_asked(const char *file, size_t unused, char *called, size_t size);
void text_simplify(struct input *input, size_t from, size_t count, unsigned int way);
void text_name_bin(size_t bin, char *name, size_t size);

#endif
