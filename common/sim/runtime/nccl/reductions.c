/* reductions.c - two arrays into one, element by element. */
#include "runtime/nccl/collectives.h"

/* Whole numbers wrap around, as on a GPU: they are added without a sign. */
#define INTO(TYPE, UNSIGNED)                                                                       \
    static void combine_##TYPE(TYPE *into, const TYPE *from, size_t count, ncclRedOp_t operation)  \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            TYPE a = into[i], b = from[i];                                                         \
            into[i] = operation == ncclMax    ? (a > b ? a : b)                                    \
                      : operation == ncclMin  ? (a < b ? a : b)                                    \
                      : operation == ncclProd ? (TYPE)((UNSIGNED)a * (UNSIGNED)b)                  \
                                              : (TYPE)((UNSIGNED)a + (UNSIGNED)b);                 \
        }                                                                                          \
    }                                                                                              \
    static void divide_##TYPE(TYPE *values, size_t count, int ranks)                               \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            values[i] = (TYPE)(values[i] / (TYPE)ranks);                                           \
    }
INTO(int8_t, uint64_t)
INTO(uint8_t, uint64_t)
INTO(int32_t, uint64_t)
INTO(uint32_t, uint64_t)
INTO(int64_t, uint64_t)
INTO(uint64_t, uint64_t)
INTO(float, float)
INTO(double, double)

/* OF(the type's name in NCCL, that in C): what a switch over the types has to do for each. */
#define FOR_EACH_TYPE                                                                              \
    OF(ncclInt8, int8_t);                                                                          \
    OF(ncclUint8, uint8_t);                                                                        \
    OF(ncclInt32, int32_t);                                                                        \
    OF(ncclUint32, uint32_t);                                                                      \
    OF(ncclInt64, int64_t);                                                                        \
    OF(ncclUint64, uint64_t);                                                                      \
    OF(ncclFloat32, float);                                                                        \
    OF(ncclFloat64, double)

void sim_nccl_combine(void *into, const void *from, const struct collective *what)
{
#define OF(NCCL, TYPE)                                                                             \
    case NCCL:                                                                                     \
        combine_##TYPE(into, from, what->count, what->operation);                                  \
        break
    switch (what->type) {
        FOR_EACH_TYPE;
    default:
        break;
    }
#undef OF
}

void sim_nccl_divide(void *values, const struct collective *what, int ranks)
{
#define OF(NCCL, TYPE)                                                                             \
    case NCCL:                                                                                     \
        divide_##TYPE(values, what->count, ranks);                                                 \
        break
    switch (what->type) {
        FOR_EACH_TYPE;
    default:
        break;
    }
#undef OF
}
