/* status_line.h - a line of standard error that says how far a program is. */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

/* From here on the line is there, and all that this process prints to standard error stands above it. It has the words
 * that `words` returns: those of now, and, if there can be a thread for that, those of five times a second; of once a
 * second where standard error is no terminal. */
void status_line_begin(const char *(*words)(const void *), const void *of);
/* With words it stays, and they are its last ones; with NULL it is taken away. */
void status_line_end(const char *words);

#endif
