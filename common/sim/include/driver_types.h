/* driver_types.h - the types of the runtime API. */
#ifndef DRIVER_TYPES_H
#define DRIVER_TYPES_H

#include "cuda_runtime_api.h"

#endif
