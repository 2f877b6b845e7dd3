/* cuda_runtime.h - CUDA C++ on the simulated GPU: the runtime API, and what kernels
 * call. simcc includes it before the first line of a .cu file, as nvcc does.
 *
 * A .cu file is compiled once, and the same code serves host and device. Where it asks for
 * __CUDA_ARCH__ it is preprocessed twice, as with nvcc, and ../rewrite/sides.c puts together
 * what each side is to see. In a .c or .cpp file, __CUDACC__ is not defined, and there is the
 * runtime API without device functions. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus

#include "sim_api_templates.h"

#ifdef __CUDACC__

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

/* What nvcc includes unasked. */
#include <initializer_list>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim_language.h"
#include "sim_integers.h"
#include "sim_simd.h"
#include "sim_math.h"
#include "sim_math_inverse.h"
#include "sim_rounded.h"
#include "sim_loads.h"
#include "sim_sync.h"
#include "sim_atomics.h"
#include "sim_atomic_builtins.h"
#include "sim_warp.h"

#endif

#endif

/* Thrust's back end for plain C++. */
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM 4
#endif

#endif
