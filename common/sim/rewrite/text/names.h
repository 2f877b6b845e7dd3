/* names.h - the names of a source, each by a number. */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Name 0 is nobody's; then come the known words of tokens.h, in their order. */
struct names *names_new(void);
void names_free(struct names *names);
/* The number of a name; a new one gets the next. `text` has to outlive the names. */
uint32_t name_id(struct names *names, const char *text, size_t length);

#endif
