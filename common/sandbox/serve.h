/* serve.h - how a contract serves its own questions in the kernel's process. */
#ifndef SERVE_H
#define SERVE_H

#include <stddef.h>

#include "wire.h"

/* Each contract has one, in served.c: answers a question from WIRE_CONTRACT on, with serve_answer
 * when one is wanted. `bytes` are those that came with it. */
void wire_serve(const struct wire_question *question, const unsigned char *bytes);

/* Answers the question at hand, once. */
void serve_answer(uint64_t value, const void *bytes, size_t size);

#endif
