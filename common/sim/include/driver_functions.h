/* driver_functions.h - make_cudaPitchedPtr and its kind: all that there is stands in cuda_runtime.h, and the guard
 * is that of NVIDIA's header of this name. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "cuda_runtime_api.h"

#endif
