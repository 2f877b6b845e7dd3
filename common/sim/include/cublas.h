/* cublas.h - the types of cuBLAS, for programs that include it: many do so and call nothing of it.
 * Its functions are not simulated: the rewriting step refuses a call by its name. */
#ifndef CUBLAS_CUBLAS_H_
#define CUBLAS_CUBLAS_H_

#include "cublas_api.h"

#endif
