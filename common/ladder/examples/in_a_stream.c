/* in_a_stream.c - a call whose memory and stream are the caller's. */
#include <ladder.h>

ladder_status sum_by_key(const uint32_t *keys, const float *values, size_t length, float *bins,
                         size_t num_bins, cudaStream_t stream)
{
    void *temporary = NULL;
    size_t bytes = 0;
    ladder_status status = ladder_reduce_by_index(NULL, &bytes, LADDER_SUM_F32, keys, values,
                                                  length, bins, num_bins, stream);
    if (status != LADDER_OK)
        return status;
    if (cudaMallocAsync(&temporary, bytes, stream) != cudaSuccess)
        return LADDER_CUDA_ERROR;
    status = ladder_reduce_by_index(temporary, &bytes, LADDER_SUM_F32, keys, values, length, bins,
                                    num_bins, stream);
    cudaFreeAsync(temporary, stream);
    return status;
}
