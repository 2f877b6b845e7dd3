/* device_types.h - the types of device code: all that there is stands in cuda_runtime.h, and the guard
 * is that of NVIDIA's header of this name. */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include "cuda_runtime_api.h"

#endif
