/* grouped.h - numbers as people read them. */
#ifndef GROUPED_H
#define GROUPED_H

/* A number with thousands separators, "1,048,576". One of 16 buffers that are
 * used in turn: for the arguments of one message. */
const char *grouped(unsigned long long number);

#endif
