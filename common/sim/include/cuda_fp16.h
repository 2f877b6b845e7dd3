/* cuda_fp16.h - __half and __half2, numbers of 16 bits, on the host and in kernels.
 *
 * A sum, a product, a quotient and a fused product are rounded once, as on the card. The
 * mathematical functions are those of double, rounded. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "sim_half_device.h"

#endif
