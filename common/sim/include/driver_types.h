/* driver_types.h - the types of the runtime API. Programs ask for its guard: with it, and those
 * of cuda_runtime.h and cuda_runtime_api.h, NVIDIA's helper_cuda.h defines checkCudaErrors. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include "cuda_runtime_api.h"

#endif
