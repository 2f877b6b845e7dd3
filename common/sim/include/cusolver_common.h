/* cusolver_common.h - the types of cuSOLVER, for programs that include it: many do so and call nothing of it.
 * Its functions are not simulated: the rewriting step refuses a call by its name. */
#ifndef CUSOLVER_COMMON_H_
#define CUSOLVER_COMMON_H_

#include "library_types.h"

typedef enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1 } cusolverStatus_t;

#endif
