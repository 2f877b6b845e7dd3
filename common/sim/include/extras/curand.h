/* curand.h - the types of cuRAND. Its host functions are left out: they cannot be called. */
#ifndef CURAND_H_
#define CURAND_H_

#define CURANDAPI

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;

typedef struct curandGenerator_st *curandGenerator_t;

/* In no program that compiles: a call says what to do. */
#define SIM_NO_HOST_CURAND(NAME)                                                                   \
    __attribute__((unavailable("the host part of cuRAND is not simulated; call curand_init and "   \
                               "curand_uniform of curand_kernel.h in a kernel"))) curandStatus_t   \
    NAME();
#ifdef __cplusplus
#undef SIM_NO_HOST_CURAND
#define SIM_NO_HOST_CURAND(NAME)                                                                   \
    template <class... __Arguments>                                                                \
    __attribute__((unavailable("the host part of cuRAND is not simulated; call curand_init and "   \
                               "curand_uniform of curand_kernel.h in a kernel"))) curandStatus_t   \
    NAME(__Arguments...);
#endif
SIM_NO_HOST_CURAND(curandCreateGenerator)
SIM_NO_HOST_CURAND(curandCreateGeneratorHost)
SIM_NO_HOST_CURAND(curandDestroyGenerator)
SIM_NO_HOST_CURAND(curandSetPseudoRandomGeneratorSeed)
SIM_NO_HOST_CURAND(curandSetGeneratorOffset)
SIM_NO_HOST_CURAND(curandSetStream)
SIM_NO_HOST_CURAND(curandGenerate)
SIM_NO_HOST_CURAND(curandGenerateUniform)
SIM_NO_HOST_CURAND(curandGenerateUniformDouble)
SIM_NO_HOST_CURAND(curandGenerateNormal)
SIM_NO_HOST_CURAND(curandGenerateNormalDouble)
SIM_NO_HOST_CURAND(curandGenerateLogNormal)
SIM_NO_HOST_CURAND(curandGeneratePoisson)
#undef SIM_NO_HOST_CURAND

#endif
