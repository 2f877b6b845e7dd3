/* common_functions.h - functions of host and device: all that there is stands in cuda_runtime.h, and the guard
 * is that of NVIDIA's header of this name. */
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime_api.h"

#endif
