/* sim_attributes.h - CUDA's words for properties of types and functions. */
#ifndef SIM_ATTRIBUTES_H
#define SIM_ATTRIBUTES_H

#define __align__(BYTES) __attribute__((__aligned__(BYTES)))
#define __builtin_align__(BYTES) __align__(BYTES)
#define __forceinline__ inline __attribute__((__always_inline__))

/* In a .cu file the rewriting step reads these; in a .c or .cpp file, where headers
 * shared with kernels have them, they mean nothing, as with NVIDIA's headers. */
#ifndef __CUDACC__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

/* Hints about registers, which are not simulated. */
#define __maxnreg__(REGISTERS)
#define __cluster_dims__(...)
#define __grid_constant__

#if defined(__cplusplus) && !defined(__clang__)
#define __builtin_assume(CONDITION) ((void)0)
#endif

#endif
