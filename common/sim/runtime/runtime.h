/* runtime.h - what the files of the CUDA runtime (runtime/) share.
 *
 * Every API function returns through sim_return or sim_refuse, so that
 * cudaGetLastError knows of every failure and an error of a stopped kernel
 * outlasts everything but cudaDeviceReset. */
#ifndef SIM_RUNTIME_H
#define SIM_RUNTIME_H

#include "engine/engine.h"

/* one_at_a_time.c: host threads that call at the same time come one after the other. A thread
 * that is inside already stays there. */
void sim_enter(void);
void sim_leave(void);
/* A number that others may look at: it grows with each call, and is odd within one. */
void sim_pulse_begins(_Atomic uint64_t *pulse);
void sim_pulse_ends(const _Atomic uint64_t *pulse);
/* Within a call: lets others call for a millisecond. */
void sim_rest(void);
/* How many threads have called so far; how many calls they have made. */
unsigned int sim_host_threads(void);
unsigned long long sim_entries(void);

/* An API call, for messages: its name, and where the user's code made it. It is entered, until
 * sim_return or sim_refuse. */
struct sim_call {
    const char *function;
    uintptr_t pc;
};
/* Only in the API function itself: a helper's caller is not the user. */
#define SIM_CALL(FUNCTION)                                                                         \
    (sim_enter(), (struct sim_call){FUNCTION, (uintptr_t)__builtin_return_address(0)})

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

/* cuda_devices.c: the device that this host thread's calls are about. */
unsigned int sim_current_device(void);
/* cudaErrorInvalidDevice unless there is a device of this number. */
cudaError_t sim_check_device(struct sim_call call, int device);
/* cudaErrorInvalidValue when the pointer for a result is NULL. */
cudaError_t sim_check_result(struct sim_call call, const void *result);

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

/* cuda_copy.c: of bytes; the host waits for it, or a stream makes it. Each ends the call. */
cudaError_t sim_copy_and_wait(struct sim_call call, void *to, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t sim_copy_in_stream(struct sim_call call, cudaStream_t stream, void *to,
                               const void *from, size_t bytes, enum cudaMemcpyKind kind);

/* host_seen.c: whoever observes copies hears of the one that sim_stream_copies has begun. */
void sim_tell_copy(const void *to, const void *from, size_t bytes);
struct sim_launch_seen;
void sim_tell_start(const struct sim_launch_seen *launch);

/* cuda_launch.c: threads that a block of this kernel may have: what __launch_bounds__ says, or the card. */
unsigned int sim_most_threads(const void *kernel);

/* cudaErrorInvalidResourceHandle unless the stream exists. */
cudaError_t sim_check_stream(struct sim_call call, cudaStream_t stream);
/* Whose it is: a default stream is the current device's. */
unsigned int sim_stream_device(cudaStream_t stream);
/* stream_order.c: who is behind how many operations of each stream. */
enum { SIM_STREAM_CLOCKS = 64 };
struct sim_clocks {
    uint32_t of[SIM_STREAM_CLOCKS];
};
/* The number of its clock: on device 0 0 for the default stream, 1 for that of the thread. */
unsigned int sim_stream_clock(cudaStream_t stream);
/* The clock of a default stream. */
unsigned int sim_default_clock(unsigned int device, bool of_thread);
/* The clock of a new stream; `apart`: it does not wait for the default stream. */
unsigned int sim_stream_begins(unsigned int device, bool is_non_blocking);
void sim_stream_ends(unsigned int clock);
/* What the running call does is put into this stream; until sim_stream_later. */
void sim_stream_select(cudaStream_t stream);
void sim_stream_later(void);
/* What has been put into the stream so far; what it puts next is behind these. */
struct sim_clocks sim_stream_clocks(cudaStream_t stream);
void sim_stream_waits_for(cudaStream_t stream, const struct sim_clocks *clocks);
/* To each clock the greater of the two. */
void sim_clocks_join(struct sim_clocks *clocks, const struct sim_clocks *others);
/* A branch of a graph that runs in `stream`: a clock of its own, behind what the stream is behind;
 * what the running call does is put into it; it is behind `number` operations of another clock;
 * it ends, and the stream is behind it. */
unsigned int sim_branch_begins(cudaStream_t stream);
void sim_branch_select(unsigned int clock);
uint32_t sim_branch_is_at(unsigned int clock);
void sim_branch_waits_for(unsigned int clock, unsigned int other, uint32_t number);
void sim_branch_ends(unsigned int clock, cudaStream_t stream);
/* The same of a clock: what its stream is behind, and to be behind these, too. */
struct sim_clocks sim_clocks_of(unsigned int clock);
void sim_clock_waits_for(unsigned int clock, const struct sim_clocks *clocks);
void sim_host_waits_for(const struct sim_clocks *clocks);
void sim_host_waits_for_stream(cudaStream_t stream);
void sim_host_waits_for_all(void);
void sim_host_waits_for_device(unsigned int device);
/* The running call copies, or does something of the kind; `from` is NULL when it fills. */
struct sim_transfer {
    const char *what;    /* for messages: "copy" */
    unsigned int device; /* that is current, or whose variables are meant */
    const void *to;
    size_t to_bytes;
    const void *from;
    size_t from_bytes;
};
void sim_stream_copies(struct sim_call call, struct sim_transfer transfer);
/* Host memory that is not pinned. */
bool sim_is_pageable(const void *address);
/* Of the last one: the clock of its stream, and whether a kernel of its device may run beside it. */
struct sim_copy_order {
    unsigned int stream;
    bool beside;
};
struct sim_copy_order sim_last_copy(void);
/* Runs a kernel of a device in a stream. */
cudaError_t sim_stream_runs(const struct sim_launch *request, unsigned int device,
                            cudaStream_t stream);

/* What a stream does: at once, or when the graph into which the stream is captured is launched.
 * The payload is copied. */
typedef cudaError_t sim_job(struct sim_call call, const void *payload);
cudaError_t sim_in_stream(struct sim_call call, cudaStream_t stream, sim_job *job,
                          const void *payload, size_t bytes);
bool sim_is_captured(cudaStream_t stream);
/* Refuses to wait for a stream that is captured; or, `of_all`, for any. */
cudaError_t sim_check_no_capture(struct sim_call call, cudaStream_t stream, bool of_all);
/* Where in a capture an event was recorded; all 0 when its stream was not captured. Whoever waits
 * for it joins the capture. */
struct sim_mark {
    unsigned long long capture;
    cudaStream_t stream;
    struct sim_clocks behind; /* operations of the graph, by branch */
};
struct sim_mark sim_capture_mark(cudaStream_t stream);
cudaError_t sim_capture_wait(struct sim_call call, cudaStream_t stream, struct sim_mark mark);
/* Ends all captures. */
void sim_capture_forget(void);
/* Destroy all of a device: cudaDeviceReset. */
void sim_destroy_streams(unsigned int device);
void sim_destroy_events(unsigned int device);
size_t sim_live_events(void); /* that were created and not destroyed */

#include "runtime/graph.h"

#endif
