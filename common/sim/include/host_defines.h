/* host_defines.h - __host__, __device__ and their kind. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#include "sim_attributes.h"

#endif
