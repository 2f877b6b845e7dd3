/* cusolverDn.h - the types of cuSOLVER, for programs that include it: many do so and call nothing of it.
 * Its functions are not simulated: the rewriting step refuses a call by its name. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;

#endif
