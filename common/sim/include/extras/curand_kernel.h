/* curand_kernel.h - random numbers in kernels: cuRAND's XORWOW and Philox4_32_10 generators, with
 * NVIDIA's own sequences for each seed, sequence and offset.
 *
 * Integers and uniform numbers are the same bit for bit. Normal numbers come from the same
 * integers by this machine's logarithm, sine and cosine, and differ in the last digits. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#include "sim_random_xorwow.h"
#include "sim_random_philox.h"
#include "sim_random_distributions.h"

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;

/* In no program that compiles. */
#define SIM_NO_GENERATOR(NAME)                                                                     \
    typedef struct sim_no_generator NAME __attribute__((unavailable(                               \
        "this generator is not simulated; use curandState or curandStatePhilox4_32_10_t")));
SIM_NO_GENERATOR(curandStateMRG32k3a)
SIM_NO_GENERATOR(curandStateMRG32k3a_t)
SIM_NO_GENERATOR(curandStateMtgp32)
SIM_NO_GENERATOR(curandStateMtgp32_t)
SIM_NO_GENERATOR(curandStateSobol32)
SIM_NO_GENERATOR(curandStateSobol32_t)
SIM_NO_GENERATOR(curandStateSobol64)
SIM_NO_GENERATOR(curandStateSobol64_t)
SIM_NO_GENERATOR(curandStateScrambledSobol32_t)
SIM_NO_GENERATOR(curandStateScrambledSobol64_t)
#undef SIM_NO_GENERATOR

#endif
