/* current_input.h - the input that the kernel is working on, for whoever has to say that it ended. */
#ifndef CURRENT_INPUT_H
#define CURRENT_INPUT_H

/* The kernel begins to work on an input; with NULL it has returned. The text is copied. A program
 * that ends in between says on standard error which input it was. */
void current_input_set(const char *input);
/* That input; NULL when there is none. */
const char *current_input(void);

#endif
