/* room.c - memory of the host. */
#define _GNU_SOURCE
#include "room.h"

#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

enum { ALIGNMENT = 256 };

/* What Linux could give to a program now, in bytes; a lot where it does not say. */
static uint64_t memory_free(void)
{
    uint64_t kilobytes = UINT64_MAX >> 10;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes << 10;
}

bool room_take(struct room *room, size_t length, bool pinned)
{
    void *bytes = NULL;
    *room = (struct room){.length = length, .pinned = pinned};
    if (length > memory_free())
        return false;
    if (!pinned) {
        bytes = aligned_alloc(ALIGNMENT, (length / ALIGNMENT + 1) * ALIGNMENT);
    } else {
        const cudaError_t error = cudaHostAlloc(&bytes, length, cudaHostAllocPortable);
        if (error == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError(); // it is told, and no news for the next call
            return false;
        }
        must(error, "cudaHostAlloc of the text");
    }
    room->bytes = bytes;
    return bytes != NULL;
}

void room_give_back(struct room *room)
{
    if (room->pinned)
        must(cudaFreeHost(room->bytes), "cudaFreeHost");
    else
        free(room->bytes);
    room->bytes = NULL;
}

size_t size_typed(const char *size)
{
    static const char units[] = "KMGT";
    char *end;
    const unsigned long long number = strtoull(size, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (*size < '0' || *size > '9' || end[unit != NULL] != '\0' || number >= 1ULL << (50 - shift))
        return 0;
    return (size_t)number << shift;
}
