/* device_launch_parameters.h - threadIdx and its kind, which every .cu file has. */
#ifndef DEVICE_LAUNCH_PARAMETERS_H
#define DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
