/* device_functions.h - the device functions, which every .cu file has. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
