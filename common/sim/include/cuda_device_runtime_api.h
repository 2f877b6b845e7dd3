/* cuda_device_runtime_api.h - what kernels may call of the runtime: all that there is stands in cuda_runtime.h, and the guard
 * is that of NVIDIA's header of this name. */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#endif
