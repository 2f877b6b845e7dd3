/* runtime.h - what the files of the CUDA runtime (runtime/) share.
 *
 * Every API function returns through sim_return or sim_refuse, so that
 * cudaGetLastError knows of every failure and an error of a stopped kernel
 * outlasts everything but cudaDeviceReset. */
#ifndef SIM_RUNTIME_H
#define SIM_RUNTIME_H

#include "engine/engine.h"

/* An API call, for messages: its name, and where the user's code made it. */
struct sim_call {
    const char *function;
    uintptr_t pc;
};
/* Only in the API function itself: a helper's caller is not the user. */
#define SIM_CALL(FUNCTION)                                                                         \
    (struct sim_call)                                                                              \
    {                                                                                              \
        FUNCTION, (uintptr_t)__builtin_return_address(0)                                           \
    }

/* Remembers `error` and returns it, or the sticky error when there is one. */
cudaError_t sim_return(cudaError_t error);
/* Prints one line, "file:line: function: message", then as sim_return. */
cudaError_t sim_refuse(struct sim_call call, cudaError_t error, const char *message, ...)
    __attribute__((format(printf, 3, 4)));
/* Remembers an error for cudaGetLastError and returns it; cudaSuccess changes nothing.
 * A sticky one, of a kernel that was stopped, stays until cudaDeviceReset. */
cudaError_t sim_set_error(cudaError_t error, bool sticky);
/* The sticky error, or cudaSuccess. */
cudaError_t sim_sticky_error(void);
/* Notes that a launch was refused, which is reported at the end of the program unless it asks
 * for the error before; sim_see_error: it has asked. */
void sim_refuse_launch(const struct sim_launch *request, cudaError_t error);
void sim_see_error(void);
/* Forgets all errors, the sticky one, too. */
void sim_forget_errors(void);

/* Where CUDA expects a range of memory to lie. Pinned and managed memory is both. */
enum sim_side { SIM_HOST_SIDE, SIM_DEVICE_SIDE, SIM_EITHER_SIDE };
struct sim_range {
    const char *role; /* "destination", for messages */
    const void *pointer;
    size_t bytes;
    enum sim_side side;
};
/* Returns cudaSuccess when all of the range may be used from its side; else says
 * what is wrong, as sim_refuse. */
cudaError_t sim_check_range(struct sim_call call, struct sim_range range);

/* Whoever observes copies hears of one: sim_observe_copies. */
void sim_tell_copy(const void *to, const void *from, size_t bytes);

/* cudaErrorInvalidResourceHandle unless the stream exists. */
cudaError_t sim_check_stream(struct sim_call call, cudaStream_t stream);
/* Destroys all streams and events: cudaDeviceReset. */
void sim_destroy_streams(void);

#endif
