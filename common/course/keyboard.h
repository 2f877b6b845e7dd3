/* keyboard.h - single keys from a terminal, and signals, while other work goes on. */
#ifndef KEYBOARD_H
#define KEYBOARD_H

#include <stdbool.h>

enum { KEY_NONE = 0, KEY_QUIT = 'q', KEY_ENTER = '\n' };

/* Takes the keyboard, when standard input is a terminal that is ours: keys come at once and are not
 * shown. At every end of the program, a signal included, the terminal is as it was. Returns whether
 * there are keys. */
bool keyboard_take(void);
/* Waits until a key, a signal or the end of a child comes, or so many milliseconds have passed.
 * Returns the key, in lower case, KEY_QUIT also for Ctrl-C, Ctrl-D and a terminal that is gone, or
 * KEY_NONE. */
int keyboard_wait(int milliseconds);
/* The signal that asked for the end, or 0. */
int keyboard_signal(void);
/* Gives the terminal back. */
void keyboard_give_back(void);

#endif
