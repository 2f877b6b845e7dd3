/* text_input.h - a text as the judge has inputs; and that which all chapters count (run.h). */
#ifndef TEXT_INPUT_H
#define TEXT_INPUT_H

#include "drawn_input.h"

/* A text as the judge has inputs; it stays whose it is. `what` describes it. */
extern const struct drawn_input texts_inputs; /* those that are run */
struct input input_of_text(const struct contract *contract, const char *what,
                           const unsigned char *text, size_t length, size_t misalignment);

#endif
