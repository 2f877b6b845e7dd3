/* status.c - what a status says. */
#include "ladder.h"

const char *ladder_status_text(ladder_status status)
{
    switch (status) {
    case LADDER_OK:
        return "The work is in the stream.";
    case LADDER_NULL:
        return "A pointer that the call needs is NULL.";
    case LADDER_MISALIGNED:
        return "An address is not a multiple of what it has to be.";
    case LADDER_OVERLAP:
        return "Memory that the call writes overlaps other memory of the call.";
    case LADDER_TEMPORARY_SHORT:
        return "The temporary memory is smaller than the call asks for with temporary == NULL.";
    case LADDER_UNKNOWN:
        return "There is no such operation, type or number of bits.";
    case LADDER_TOO_LARGE:
        return "A length or a number of bins is above its limit.";
    case LADDER_BAD_TABLE:
        return "The table of bins has an entry that is neither -1 nor below the number of bins.";
    case LADDER_NO_DEVICE:
        return "There is no CUDA device of compute capability 8.0 or newer.";
    case LADDER_CUDA_ERROR:
        return "A call of CUDA failed; cudaGetLastError() tells which error it was.";
    }
    return "There is no such status.";
}

int ladder_version(void)
{
    return LADDER_VERSION;
}
