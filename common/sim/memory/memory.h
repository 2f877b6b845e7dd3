/* memory.h - the memory of the simulated device: who owns which address.
 *
 * Allocations live in a range of their own, each with unmapped guard space
 * around it; an address is never used twice. While the host runs, device memory
 * is closed to it (PROT_NONE); managed and pinned memory stays open. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "report/report.h"

enum sim_memory_kind {
    SIM_DEVICE_MEMORY,    /* cudaMalloc */
    SIM_PINNED_MEMORY,    /* cudaMallocHost: host and kernels may use it */
    SIM_MANAGED_MEMORY,   /* cudaMallocManaged: likewise */
    SIM_DEVICE_VARIABLE,  /* __device__ and __constant__ */
    SIM_REGISTERED_MEMORY /* the host's own, after cudaHostRegister: likewise */
};

/* New memory is filled with SIM_POISON, up to so many bytes: larger allocations would cost too much to fill. */
enum { SIM_POISON = 0xa5, SIM_POISON_LIMIT = 16 << 20 };

struct sim_allocation {
    uintptr_t base;
    size_t bytes; /* as asked for; the mapping is larger */
    enum sim_memory_kind kind;
    unsigned int device;     /* whose it is; of the host's, that which was current */
    uintptr_t allocated_at;  /* program counters in the user's code, for sim_locate */
    uintptr_t freed_at;      /* 0 while it is live */
    struct shadow *shadow;   /* checks: NULL until a kernel touches it */
    struct written *written; /* checks: by the host */
    bool all_written;
    bool lent;   /* sim_lend */
    bool pooled; /* cudaMallocAsync: other devices need another permission */
    /* Called when the memory is freed. The checks set it when they hang something onto the
     * allocation, which they then drop; NULL when there is nothing. */
    void (*on_release)(struct sim_allocation *allocation);
};

/* All allocations but registered memory lie in [sim_arena_base, sim_arena_base + sim_arena_bytes). */
extern uintptr_t sim_arena_base;
extern size_t sim_arena_bytes;

/* Gives `bytes` (at least 1) of uninitialized memory at a multiple of 512.
 * Returns NULL when the device has not that much left. */
void *sim_memory_allocate(size_t bytes, enum sim_memory_kind kind, unsigned int device,
                          uintptr_t pc);

enum sim_free_result { SIM_FREED, SIM_FREED_BEFORE, SIM_NOT_AN_ALLOCATION };
enum sim_free_result sim_memory_free(void *base, uintptr_t pc);
/* Lets kernels use `bytes` of the host's memory, which no allocation overlaps, until it is
 * unregistered. NULL when the host is out of memory. */
struct sim_allocation *sim_memory_register(void *base, size_t bytes, unsigned int device,
                                           uintptr_t pc);
void sim_memory_unregister(struct sim_allocation *registered);
/* An allocation, live or freed, that shares a byte with the range, or NULL. */
const struct sim_allocation *sim_memory_overlap(uintptr_t address, size_t bytes);
/* Reports memory that is freed a second time, when memcheck is on. */
void sim_report_double_free(const struct sim_allocation *allocation, uintptr_t pc);
/* The live allocation behind `last`, in the order of their addresses; the first behind
 * NULL; NULL behind the last. */
const struct sim_allocation *sim_memory_next(const struct sim_allocation *last);
/* cudaDeviceReset: frees everything that is the device's. */
void sim_memory_free_all(unsigned int device);

/* The allocation, live or freed, that holds `address`, or NULL. Device
 * variables count as allocations. */
const struct sim_allocation *sim_memory_find(uintptr_t address);
/* The live allocation that is nearest to `address`, or NULL when there is none. */
const struct sim_allocation *sim_memory_nearest(uintptr_t address);

/* Opens one allocation to host code, until a launch has ended. */
void sim_memory_open_one(const struct sim_allocation *allocation);

/* Copy and fill for the runtime, which may touch device memory at any time.
 * The caller has checked both ranges. */
void sim_memory_copy(void *to, const void *from, size_t bytes);
void sim_memory_fill(void *to, int value, size_t bytes);

/* Opens device memory to the host's own code, or closes it again: around a launch. */
void sim_memory_open(void);
void sim_memory_close(void);

/* peers.c */
/* Lets kernels of a device touch memory of another one, its peer, or no longer; what is `pooled`, or
 * what is not. */
void sim_set_peer_access(unsigned int device, unsigned int peer, bool pooled, bool open);
bool sim_has_peer_access(unsigned int device, unsigned int peer, bool pooled);
/* The allocation that begins here comes from its device's pool. */
void sim_memory_is_pooled(const void *base);
/* Whether it belongs to a device, and not to the host, or to all. */
bool sim_is_of_device(const struct sim_allocation *allocation);
/* Whether kernels of the device may touch it. */
bool sim_may_touch(unsigned int device, const struct sim_allocation *allocation);

/* variables_of_devices.c */
/* What touches variables from here on means those of this device. */
void sim_use_variables(unsigned int device);
bool sim_is_variable(uintptr_t address);
/* The bytes from the first variable to an address for which sim_is_variable is true. */
uintptr_t sim_place_of_variable(uintptr_t address);
/* The type of the variable that holds an address for which sim_is_variable is true; NULL where it is not known. */
const struct sim_variable *sim_type_of_variable(uintptr_t address);
/* The variable that holds an address for which sim_is_variable is true, of the device that
 * sim_use_variables named; NULL between two. Without symbols: all of them. */
const struct sim_allocation *sim_find_variable(uintptr_t address);

/* constants.c */
/* Whether [low, high) lies in what the program has and nothing changes: text, tables of constants. */
bool sim_is_constant(uintptr_t low, uintptr_t high);

/* array.c: what the reader of a kernel has a name for */
struct sim_array {
    char name[64];
    uintptr_t base; /* element 0; the array ends `bytes` behind it */
    size_t bytes, element;
    const size_t *rows; /* the extents but the first, and a 0 */
    bool is_scalar;
};
/* A variable in the shared memory of `block`. */
struct sim_array sim_shared_array(const struct block *block,
                                  const struct shared_variable *variable);
/* What parameter `i` of the running kernel points to; false when that is not in `allocation`, or has no name. */
bool sim_parameter_array(const struct launch *launch, const struct sim_allocation *allocation,
                         size_t i, struct sim_array *array);
/* What a parameter of the running kernel points to, in `allocation`: of the parameter that is
 * nearest at or below `address`, or else above. False when none points there. */
bool sim_find_parameter(const struct launch *launch, const struct sim_allocation *allocation,
                        uintptr_t address, struct sim_array *array);
/* "bins and copies", of two parameters that point to the same element 0, where the one that is found points;
 * false where no other does. */
bool sim_find_alias(const struct launch *launch, const struct sim_allocation *allocation,
                    uintptr_t address, char *names, size_t size);
/* At the start of a launch: what its parameters point to. */
void sim_note_types(struct launch *launch);
/* As the parameter that points there says, nearest at or below, or else the type of the variable: of what its elements
 * begin at a multiple, and their size; 0 when nothing says it. */
size_t sim_type_at(uintptr_t address, size_t *element);
/* The name of the parameter by which the kernel was given host memory, shortly before `address`; false:
 * there is none. */
bool sim_find_host_parameter(const struct launch *launch, uintptr_t address, char *name,
                             size_t size);
/* Which element lies at `address`, counted from 0 through all rows; below 0 before the array. */
long long sim_array_index(const struct sim_array *array, uintptr_t address);
/* "table[3][1]", inside of the array or not. */
char *sim_name_element(const struct sim_array *array, uintptr_t address, char *text, size_t size);
/* "bins has 5 elements", "table is [256][32]" */
char *sim_count_elements(const struct sim_array *array, char *text, size_t size);

/* address.c: what the reader is told of an address */
/* "bins[3]", by the kernel's own parameter, or "element 3 of the 20-byte allocation made at
 * file:line", of an access by a thread of `block`; `allocation` is NULL for shared memory. */
char *sim_describe_address(const struct block *block, const struct sim_allocation *allocation,
                           uintptr_t address, unsigned int bytes, char *text, size_t size);
/* "bins was allocated at file:line", where that is the reader's line and not in the description
 * above; else the empty text. */
char *sim_describe_origin(const struct block *block, const struct sim_allocation *allocation,
                          uintptr_t address, char *text, size_t size);

/* Whether an address is what a pointer holds that nobody has set: kernels and their callers are compiled so that it is no
 * memory's. */
bool sim_is_never_set(uintptr_t address);
/* outside.c: the same of an access of `bytes` bytes that a lane of `warp` may not make: what it
 * meets, and what to do about it. */
struct sim_outside {
    char what[400], advice[200];
};
struct sim_outside sim_describe_outside(const struct warp *warp, unsigned int lane,
                                        unsigned int bytes);
/* The __shared__ variable of the running launch that holds `offset`, or NULL. */
const struct shared_variable *sim_find_shared(const struct launch *launch, size_t offset);

/* The most that can be allocated of a device, and how much of it is not. */
size_t sim_memory_total(void);
size_t sim_memory_available(unsigned int device);
/* Whether the process has addresses for device memory at all. */
bool sim_memory_reserved(void);
/* capacity.c: the bytes of a device that a program is told of: it may touch them all, of all. */
size_t sim_memory_for_programs(void);

#endif
