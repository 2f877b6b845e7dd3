/* memory.h - the memory of the simulated device: who owns which address.
 *
 * Allocations live in a range of their own, each with unmapped guard space
 * around it; an address is never used twice. While the host runs, device memory
 * is closed to it (PROT_NONE); managed and pinned memory stays open. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum sim_memory_kind {
    SIM_DEVICE_MEMORY,  /* cudaMalloc */
    SIM_PINNED_MEMORY,  /* cudaMallocHost: host and kernels may use it */
    SIM_MANAGED_MEMORY, /* cudaMallocManaged: likewise */
    SIM_DEVICE_VARIABLE /* __device__ and __constant__ */
};

struct sim_allocation {
    uintptr_t base;
    size_t bytes; /* as asked for; the mapping is larger */
    enum sim_memory_kind kind;
    uintptr_t allocated_at;  /* program counters in the user's code, for sim_locate */
    uintptr_t freed_at;      /* 0 while it is live */
    struct shadow *shadow;   /* shadow.c: NULL until a kernel touches it */
    struct written *written; /* initcheck.c: by the host */
    int all_written;
};

/* Gives `bytes` (at least 1) of uninitialized memory at a multiple of 512.
 * Returns NULL when the device has not that much left. */
void *sim_memory_allocate(size_t bytes, enum sim_memory_kind kind, uintptr_t pc);

enum sim_free_result { SIM_FREED, SIM_FREED_BEFORE, SIM_NOT_AN_ALLOCATION };
enum sim_free_result sim_memory_free(void *base, uintptr_t pc);
/* Reports memory that is freed a second time, when memcheck is on. */
void sim_report_double_free(const struct sim_allocation *allocation, uintptr_t pc);
/* Reports all that is not freed. */
void sim_memory_report_leaks(void);
/* cudaDeviceReset: frees everything. */
void sim_memory_free_all(void);

/* The allocation, live or freed, that holds `address`, or NULL. Device
 * variables count as allocations. */
const struct sim_allocation *sim_memory_find(uintptr_t address);
/* The live allocation that is nearest to `address`, or NULL when there is none. */
const struct sim_allocation *sim_memory_nearest(uintptr_t address);

/* Copy and fill for the runtime, which may touch device memory at any time.
 * The caller has checked both ranges. */
void sim_memory_copy(void *to, const void *from, size_t bytes);
void sim_memory_fill(void *to, int value, size_t bytes);

/* Opens device memory to the host's own code, or closes it again: around a launch. */
void sim_memory_open(void);
void sim_memory_close(void);

/* Bytes of the whole device, and those not allocated. */
size_t sim_memory_total(void);
size_t sim_memory_available(void);

#endif
