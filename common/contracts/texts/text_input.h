/* text_input.h - a text as the judge has inputs; and that which all chapters count (run.h). */
#ifndef TEXT_INPUT_H
#define TEXT_INPUT_H

#include "call_arrays.h"

/* A text as the judge has inputs; it stays whose it is. `what` describes it. */
struct input input_of_text(const char *what, const unsigned char *text, size_t length,
                           size_t misalignment);

#endif
