/* updates.cu - one request of a warp at a time: the atomics of Part II, whose rules the simulator had
 * from smaller ones by analogy, until an H200 counted these launches and confirmed them.
 *
 *     updates OUT.csv
 *
 * Exchange and compare-and-swap of 4, 8 and 16 bytes, with the result used and dropped; atomicAdd of
 * float2 and float4; 64-bit maxima. OUT.csv gets a line for each launch, as patterns.cu's. Under
 * Nsight Compute the counters of the same launches lie beside it: common/bench/fidelity.py
 * updates. */
#include "requests.h"

/* 16 bytes that are compared and exchanged as one. */
struct __align__(16) quad
{
    u64 low, high;
    __host__ __device__ quad &operator=(int value)
    {
        low = (u64)value;
        high = 0;
        return *this;
    }
};

__device__ static inline quad of(u64 low)
{
    quad q;
    q.low = low;
    q.high = low + 1;
    return q;
}

/* As IN_SHARED, of 16 bytes. */
#define QUADS_IN_SHARED(name, statement)                                                           \
    __global__ void name(const int *place, quad *out)                                              \
    {                                                                                              \
        __shared__ quad s[SHARED_PLACES];                                                          \
        for (int k = threadIdx.x; k < SHARED_PLACES; k += blockDim.x)                              \
            s[k] = 0;                                                                              \
        __syncthreads();                                                                           \
        const int p = place[threadIdx.x % LANES];                                                  \
        if (p < SHARED_PLACES) {                                                                   \
            statement;                                                                             \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (s[threadIdx.x].low == 77777)                                                           \
            out[0] = 1;                                                                            \
    }

/* --- The requests --- */

IN_SHARED(shared_u32_exch, u32, atomicExch(&s[p], 5u))
IN_SHARED(shared_u64_exch, u64, atomicExch(&s[p], 5ull))
IN_SHARED(shared_u32_cas, u32, atomicCAS(&s[p], 0u, 5u))
IN_SHARED(shared_u64_cas, u64, atomicCAS(&s[p], 0ull, 5ull))
IN_SHARED(shared_u32_cas_read, u32, if (atomicCAS(&s[p], s[p], 5u) == 77777) out[0] = 1)
IN_SHARED(shared_u64_add_value, u64, atomicAdd(&s[p], (u64)threadIdx.x << 32))
IN_SHARED(shared_s64_min, long long, atomicMin(&s[p], -(long long)(threadIdx.x + 1)))
QUADS_IN_SHARED(shared_b128_exch, atomicExch(&s[p], of(5)))
QUADS_IN_SHARED(shared_b128_exch_used, if (atomicExch(&s[p], of(5)).low == 77777) out[0] = 1)
QUADS_IN_SHARED(shared_b128_cas_used, if (atomicCAS(&s[p], of(3), of(5)).low == 77777) out[0] = 1)

IN_GLOBAL(red_f32x2, float2, atomicAdd(&bins[p], make_float2(1, 2)))
IN_GLOBAL(red_f32x4, float4, atomicAdd(&bins[p], make_float4(1, 2, 3, 4)))
IN_GLOBAL(red_f64, double, atomicAdd(&bins[p], 1.0))
IN_GLOBAL(red_u64_max, u64, atomicMax(&bins[p], (u64)threadIdx.x << 40))
IN_GLOBAL(atom_f32x4_used, float4,
          if (atomicAdd(&bins[p], make_float4(1, 2, 3, 4)).x < 0) bins[0].x = 0)
IN_GLOBAL(atom_u64_max_used, u64,
          if (atomicMax(&bins[p], (u64)threadIdx.x << 40) == 77777) bins[0] = 0)
IN_GLOBAL(atom_u32_exch, u32, atomicExch(&bins[p], 5u))
IN_GLOBAL(atom_u64_exch, u64, atomicExch(&bins[p], 5ull))
IN_GLOBAL(atom_u64_exch_used, u64, if (atomicExch(&bins[p], 5ull) == 77777) bins[0] = 0)
IN_GLOBAL(atom_u32_cas, u32, atomicCAS(&bins[p], 7u, 8u))
IN_GLOBAL(atom_u64_cas, u64, atomicCAS(&bins[p], 7ull, 8ull))
IN_GLOBAL(atom_u64_cas_used, u64, if (atomicCAS(&bins[p], 7ull, 8ull) == 77777) bins[0] = 0)
IN_GLOBAL(atom_b128_exch, quad, atomicExch(&bins[p], of(5)))
IN_GLOBAL(atom_b128_exch_used, quad, if (atomicExch(&bins[p], of(5)).low == 77777) bins[0] = 0)
IN_GLOBAL(atom_b128_cas_used, quad, if (atomicCAS(&bins[p], of(7), of(8)).low == 77777) bins[0] = 0)

/* --- The launches --- */

static void few_patterns_of_sectors(void)
{
    pattern_count = 0;
    PATTERN("own", 32, lane);
    PATTERN("first", 1, lane < 1 ? lane : NOWHERE);
    PATTERN("first", 16, lane < 16 ? lane : NOWHERE);
    PATTERN("odd", 16, lane % 2 ? lane : NOWHERE);
    for (int n = 2; n <= 32; n *= 4) {
        PATTERN("same", n, lane < n ? 0 : lane);
        PATTERN("neighbors", n, lane / n);
        PATTERN("far", n, lane % (LANES / n));
        PATTERN("stride", n, lane * n);
    }
    for (int n = 0; n < 4; n++) {
        PATTERN("random_of_32", n, draw_below(32));
        PATTERN("random_of_256", n, draw_below(256));
        PATTERN("random_of_2048", n, draw_below(2048));
    }
}

int main(int count, char **arguments)
{
    if (begin(count > 1 ? arguments[1] : NULL, "updates.csv"))
        return 1;
    patterns_of_banks();
    ONE(shared_u32_exch);
    ONE(shared_u64_exch);
    ONE(shared_u32_cas);
    ONE(shared_u64_cas);
    ONE(shared_u32_cas_read);
    ONE(shared_u64_add_value);
    ONE(shared_s64_min);
    ONE(shared_b128_exch);
    ONE(shared_b128_exch_used);
    ONE(shared_b128_cas_used);
    few_patterns_of_sectors();
    ONE(red_f32x2);
    ONE(red_f32x4);
    ONE(red_f64);
    ONE(red_u64_max);
    ONE(atom_f32x4_used);
    ONE(atom_u64_max_used);
    ONE(atom_u32_exch);
    ONE(atom_u64_exch);
    ONE(atom_u64_exch_used);
    ONE(atom_u32_cas);
    ONE(atom_u64_cas);
    ONE(atom_u64_cas_used);
    ONE(atom_b128_exch);
    ONE(atom_b128_exch_used);
    ONE(atom_b128_cas_used);
    CHECK(cudaDeviceSynchronize());
    return fclose(list) != 0;
}
