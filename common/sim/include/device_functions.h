/* device_functions.h - the device functions, which every .cu file has. */
#ifndef DEVICE_FUNCTIONS_H
#define DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
