/* at_hand.h - the input that the kernel is working on, for whoever has to say that it ended. */
#ifndef AT_HAND_H
#define AT_HAND_H

/* The kernel begins to work on an input; with NULL it has returned. The text is copied. A program
 * that ends in between says on standard error which input it was. */
void at_hand_set(const char *input);
/* That input; NULL when there is none. */
const char *at_hand(void);

#endif
