/* cublasLt.h - the types of cuBLASLt, for programs that include it: many do so and call nothing of it.
 * Its functions are not simulated: the rewriting step refuses a call by its name. */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include "cublas_api.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef enum { CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_BIAS = 4 } cublasLtEpilogue_t;

#endif
