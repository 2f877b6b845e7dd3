/* patterns.cu - one request of a warp at a time: what does the card count for these addresses?
 *
 *     patterns OUT.csv [contended]
 *
 * kernels.cu asks whether the simulator's rules hold; this program is for finding a rule. Most
 * launches are one warp that makes one atomic, each lane at the place that a pattern gives it.
 * The last ones are many warps that meet at few counters, where the card adds passes of its own:
 * with a second argument only these. OUT.csv gets a line for each launch, in their order: its
 * number, kernel, pattern, and the lanes' places, "-" for a lane that does nothing. Under Nsight
 * Compute the counters of the same launches lie beside it: common/bench/fidelity.py patterns. */
#include "requests.h"

/* --- The requests --- */

IN_SHARED(shared_float_add, float, atomicAdd(&s[p], 1.0f))
IN_SHARED(shared_double_add, double, atomicAdd(&s[p], 1.0))
IN_SHARED(shared_u64_add, u64, atomicAdd(&s[p], 1ull))
IN_SHARED(shared_u64_max, u64, atomicMax(&s[p], (u64)(threadIdx.x + 1)))
IN_SHARED(shared_u64_exch_used, u64, if (atomicExch(&s[p], 5ull) == 77777) out[0] = 1)
IN_SHARED(shared_u64_cas_used, u64, if (atomicCAS(&s[p], 0ull, 5ull) == 77777) out[0] = 1)
IN_SHARED(shared_u32_cas_used, u32, if (atomicCAS(&s[p], 0u, 5u) == 77777) out[0] = 1)
IN_SHARED(shared_u32_exch_used, u32, if (atomicExch(&s[p], 5u) == 77777) out[0] = 1)
IN_SHARED(shared_u32_add, u32, atomicAdd(&s[p], threadIdx.x))
IN_SHARED(shared_u32_max, u32, atomicMax(&s[p], threadIdx.x))
IN_SHARED(shared_u32_increment, u32, atomicAdd(&s[p], 1u))

IN_GLOBAL(red_u32, u32, atomicAdd(&bins[p], 1u))
IN_GLOBAL(red_u64, u64, atomicAdd(&bins[p], 1ull))
IN_GLOBAL(atom_u32, u32, if (atomicAdd(&bins[p], 1u) == 0xffffffff) bins[0] = 0)
IN_GLOBAL(atom_cas_u32, u32, if (atomicCAS(&bins[p], 7u, 8u) == 0xffffffff) bins[0] = 0)

/* --- Many warps: one lane of each adds, or all lanes by a loop around compare-and-swap --- */

/* `place` has one number: how many counters there are. */
#define CONTENDED(name, type, condition, value)                                                    \
    __global__ void name(const int *place, type *out)                                              \
    {                                                                                              \
        __shared__ type s[SHARED_PLACES];                                                          \
        for (int k = threadIdx.x; k < SHARED_PLACES; k += blockDim.x)                              \
            s[k] = 0;                                                                              \
        __syncthreads();                                                                           \
        const int counters = place[0];                                                             \
        for (int round = 0, counter = 0; round < ROUNDS; round++) {                                \
            if (condition)                                                                         \
                atomicAdd(&s[counter], value);                                                     \
            counter = counter + 1 < counters ? counter + 1 : 0;                                    \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (s[threadIdx.x] == (type)77777)                                                         \
            out[0] = 1;                                                                            \
    }
CONTENDED(single_lane_add, u32, threadIdx.x % LANES == 0, threadIdx.x + 2u)
CONTENDED(single_lane_increment, u32, threadIdx.x % LANES == 0, 1u)
CONTENDED(single_lane_float, float, threadIdx.x % LANES == 0, 1.0f)

/* --- The launches --- */

template <typename T> static void many_warps(const char *name, void (*kernel)(const int *, T *))
{
    static const int blocks[] = {1, 132}, warps[] = {1, 2, 4, 8, 32}, counters[] = {1, 5, 26};
    for (int b : blocks)
        for (int w : warps)
            for (int c : counters) {
                char pattern[64];
                CHECK(cudaMemcpy(device_place, &c, sizeof c, cudaMemcpyHostToDevice));
                kernel<<<b, w * LANES>>>(device_place, (T *)device_out);
                CHECK(cudaGetLastError());
                snprintf(pattern, sizeof pattern, "%d_blocks_%d_warps_%d_counters", b, w, c);
                note(name, pattern, &c, 1);
            }
}
#define MANY(kernel) many_warps(#kernel, kernel)

static void one_warp(void)
{
    patterns_of_banks();
    ONE(shared_float_add);
    ONE(shared_double_add);
    ONE(shared_u64_add);
    ONE(shared_u64_max);
    ONE(shared_u64_exch_used);
    ONE(shared_u64_cas_used);
    ONE(shared_u32_cas_used);
    ONE(shared_u32_exch_used);
    ONE(shared_u32_add);
    ONE(shared_u32_max);
    ONE(shared_u32_increment);
    patterns_of_sectors(12, 40);
    ONE(red_u32);
    patterns_of_sectors(31, 8);
    ONE(red_u64);
    ONE(atom_u32);
    ONE(atom_cas_u32);
}

int main(int count, char **arguments)
{
    if (begin(count > 1 ? arguments[1] : NULL, "patterns.csv"))
        return 1;
    if (count < 3)
        one_warp();
    MANY(single_lane_add);
    MANY(single_lane_increment);
    MANY(single_lane_float);
    CHECK(cudaDeviceSynchronize());
    return fclose(list) != 0;
}
