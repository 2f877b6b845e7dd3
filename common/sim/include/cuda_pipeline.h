/* cuda_pipeline.h - asynchronous copies of a thread, as plain functions. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif
