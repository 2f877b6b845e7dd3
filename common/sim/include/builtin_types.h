/* builtin_types.h - the types that every .cu file has. */
#ifndef __BUILTIN_TYPES_H__
#define __BUILTIN_TYPES_H__

#include "driver_types.h"
#include "vector_types.h"

#endif
