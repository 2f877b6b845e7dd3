/* nccl_check.h - what the chapters on several GPUs do when a call of NCCL fails: they say so and end. */
#ifndef NCCL_CHECK_H
#define NCCL_CHECK_H

#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>

/* CHECK_NCCL(ncclGroupEnd()) makes the call, once. When it returns an error, the program ends with
 * status 1 and one line on standard error, as with CHECK of cuda_check.h. */
#define CHECK_NCCL(call)                                                                           \
    do {                                                                                           \
        const ncclResult_t error = (call);                                                         \
        if (error != ncclSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    ncclGetErrorString(error));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
