/* copies_alone.h - what the links to the cards do: a text is copied, and nothing else. */
#ifndef COPIES_ALONE_H
#define COPIES_ALONE_H

#include <stddef.h>

/* Buffers of several devices: BUFFERS of a size of BUFFER_BYTES on each. */
struct copies_alone;

struct copies_alone *copies_alone_make(int devices);
void copies_alone_free(struct copies_alone *copies);

/* Copies a text of host memory once, each device an equal share, all at the same time: a thread for each
 * device, which waits until all is there. */
void copies_alone_run(struct copies_alone *copies, const unsigned char *text, size_t length);

#endif
