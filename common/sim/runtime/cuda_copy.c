/* cuda_copy.c - cudaMemcpy, cudaMemset and their kind: ranges are checked
 * before anything is touched.
 *
 * The real runtime copies past the end of an allocation without a word as long as the pages
 * are mapped, and a host pointer in the place of a device pointer ends in "invalid argument".
 * Here each range must lie in one allocation on the side where it is expected, and what is
 * wrong is said. */
#include "runtime/runtime.h"

/* Rows of bytes: a copy of one row is a plain copy. */
struct rows {
    size_t width, height;
    size_t to_pitch, from_pitch;
    enum cudaMemcpyKind kind;
    unsigned int device; /* that was current when the program asked */
};

static struct rows one_row(size_t bytes, enum cudaMemcpyKind kind)
{
    return (struct rows){bytes, 1, bytes, bytes, kind, sim_current_device()};
}

/* cudaMemcpyDefault leaves it to the pointers. */
static enum sim_side side_of_destination(enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return SIM_EITHER_SIDE;
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? SIM_DEVICE_SIDE
                                                                              : SIM_HOST_SIDE;
}

static enum sim_side side_of_source(enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return SIM_EITHER_SIDE;
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? SIM_DEVICE_SIDE
                                                                              : SIM_HOST_SIDE;
}

/* Bytes from the first of the first row to the last of the last; SIZE_MAX when
 * that is too many. */
static size_t span(size_t pitch, size_t width, size_t height)
{
    size_t bytes;
    if (width == 0 || height == 0)
        return 0;
    if (__builtin_mul_overflow(pitch, height - 1, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* initcheck learns which bytes are written; a copy of unwritten ones leaves them so. */
static void copy_row(void *to, const void *from, size_t bytes)
{
    sim_tell_copy(to, from, bytes);
    if (sim_is_idle())
        return;
    sim_memory_copy(to, from, bytes);
    sim_init_host_copies(to, from, bytes);
}

/* A card copies memory that nobody has written without a word, and memory that overlaps in any order. */
static void check_contents(struct sim_call call, const void *to, const void *from, size_t bytes)
{
    const uintptr_t one = (uintptr_t)to, other = (uintptr_t)from;
    if (one < other + bytes && other < one + bytes && sim_checks(CHECK_MEMORY))
        sim_report(CHECK_MEMORY, NULL, call.pc, "Copy of memory that overlaps",
                   "source and destination have bytes in common: on a card any may result",
                   "copy by way of other memory, or in parts that have none in common");
    if (sim_checks(CHECK_INIT) && sim_is_pageable(to) && !sim_init_any(from, bytes))
        sim_report(CHECK_INIT, NULL, call.pc, "Uninitialized copy to the host",
                   "nothing has written any of these bytes of the device",
                   "launch the kernel that writes them first, and check that it ran");
}

/* What all copies end in. After a kernel was stopped nothing is copied any more. */
static cudaError_t copy_rows(struct sim_call call, void *to, const void *from, struct rows rows)
{
    if (sim_sticky_error())
        return sim_return(cudaSuccess);
    sim_use_variables(rows.device);
    if ((unsigned int)rows.kind > cudaMemcpyDefault)
        return sim_refuse(call, cudaErrorInvalidMemcpyDirection,
                          "%d is not a direction: see enum cudaMemcpyKind", (int)rows.kind);
    if (rows.height > 1 && (rows.width > rows.to_pitch || rows.width > rows.from_pitch))
        return sim_refuse(call, cudaErrorInvalidPitchValue,
                          "rows of %zu bytes do not fit in a pitch of %zu bytes", rows.width,
                          rows.width > rows.to_pitch ? rows.to_pitch : rows.from_pitch);
    size_t to_bytes = span(rows.to_pitch, rows.width, rows.height);
    size_t from_bytes = span(rows.from_pitch, rows.width, rows.height);
    cudaError_t error = sim_check_range(
        call, (struct sim_range){"destination", to, to_bytes, side_of_destination(rows.kind)});
    if (!error)
        error = sim_check_range(
            call, (struct sim_range){"source", from, from_bytes, side_of_source(rows.kind)});
    if (error)
        return error;
    if (rows.height == 1 && from_bytes && !sim_is_idle())
        check_contents(call, to, from, from_bytes);
    sim_stream_copies(call,
                      (struct sim_transfer){"copy", rows.device, to, to_bytes, from, from_bytes});
    for (size_t row = 0; to_bytes && row < rows.height; ++row)
        copy_row((char *)to + row * rows.to_pitch, (const char *)from + row * rows.from_pitch,
                 rows.width);
    return sim_return(cudaSuccess);
}

/* The host waits for these, which it cannot while a stream is captured. */
cudaError_t sim_copy_and_wait(struct sim_call call, void *to, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    cudaError_t error = sim_check_no_capture(call, NULL, true);
    return error ? error : copy_rows(call, to, from, one_row(bytes, kind));
}

/* A copy that a stream makes. */
struct copy_job {
    void *to;
    const void *from;
    struct rows rows;
};

static cudaError_t run_copy(struct sim_call call, const void *payload)
{
    const struct copy_job *job = payload;
    return copy_rows(call, job->to, job->from, job->rows);
}

cudaError_t sim_copy_in_stream(struct sim_call call, cudaStream_t stream, void *to,
                               const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    struct copy_job job = {to, from, one_row(bytes, kind)};
    return sim_in_stream(call, stream, run_copy, &job, sizeof job);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return sim_copy_and_wait(SIM_CALL("cudaMemcpy"), to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return sim_copy_in_stream(SIM_CALL("cudaMemcpyAsync"), stream, to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(
        SIM_CALL("cudaMemcpy2D"), to, from,
        (struct rows){width, height, to_pitch, from_pitch, kind, sim_current_device()});
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct copy_job job = {
        to, from, {width, height, to_pitch, from_pitch, kind, sim_current_device()}};
    return sim_in_stream(SIM_CALL("cudaMemcpy2DAsync"), stream, run_copy, &job, sizeof job);
}

/* A three-dimensional array lies slice by slice, each of ysize rows of pitch bytes. */
static char *slice_start(struct cudaPitchedPtr memory, struct cudaPos at, size_t slice)
{
    size_t row = (at.z + slice) * memory.ysize + at.y;
    return (char *)memory.ptr + row * memory.pitch + at.x;
}

static cudaError_t copy_slices(struct sim_call call, const void *parameters)
{
    const struct cudaMemcpy3DParms *c = parameters;
    if (!c)
        return sim_refuse(call, cudaErrorInvalidValue, "the parameters are NULL");
    struct rows rows = {c->extent.width, c->extent.height, c->dstPtr.pitch,
                        c->srcPtr.pitch, c->kind,          sim_current_device()};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; !error && i < c->extent.depth; ++i)
        error = copy_rows(call, slice_start(c->dstPtr, c->dstPos, i),
                          slice_start(c->srcPtr, c->srcPos, i), rows);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
    return copy_slices(SIM_CALL("cudaMemcpy3D"), parameters);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpy3DAsync");
    if (!parameters)
        return copy_slices(call, NULL);
    return sim_in_stream(call, stream, copy_slices, parameters, sizeof *parameters);
}

static cudaError_t fill_rows(struct sim_call call, void *pointer, int value, struct rows rows)
{
    if (sim_sticky_error())
        return sim_return(cudaSuccess);
    sim_use_variables(rows.device);
    if (rows.height > 1 && rows.width > rows.to_pitch)
        return sim_refuse(call, cudaErrorInvalidPitchValue,
                          "rows of %zu bytes do not fit in a pitch of %zu bytes", rows.width,
                          rows.to_pitch);
    size_t bytes = span(rows.to_pitch, rows.width, rows.height);
    cudaError_t error =
        sim_check_range(call, (struct sim_range){"destination", pointer, bytes, SIM_DEVICE_SIDE});
    if (error)
        return error;
    sim_stream_copies(call, (struct sim_transfer){"copy", rows.device, pointer, bytes, NULL, 0});
    for (size_t row = 0; bytes && row < rows.height; ++row) {
        char *start = (char *)pointer + row * rows.to_pitch;
        sim_tell_copy(start, NULL, rows.width);
        sim_memory_fill(start, value, rows.width);
        sim_init_host_writes(start, rows.width);
    }
    return sim_return(cudaSuccess);
}

static struct rows rows_to_fill(size_t pitch, size_t width, size_t height)
{
    return (struct rows){
        .width = width, .height = height, .to_pitch = pitch, .device = sim_current_device()};
}

/* A fill that a stream makes. */
struct fill_job {
    void *pointer;
    int value;
    struct rows rows;
};

static cudaError_t run_fill(struct sim_call call, const void *payload)
{
    const struct fill_job *job = payload;
    return fill_rows(call, job->pointer, job->value, job->rows);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    struct sim_call call = SIM_CALL("cudaMemset");
    cudaError_t error = sim_check_no_capture(call, NULL, true);
    if (error)
        return error;
    return fill_rows(call, pointer, value, one_row(bytes, cudaMemcpyDefault));
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    struct fill_job job = {pointer, value, one_row(bytes, cudaMemcpyDefault)};
    return sim_in_stream(SIM_CALL("cudaMemsetAsync"), stream, run_fill, &job, sizeof job);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return fill_rows(SIM_CALL("cudaMemset2D"), pointer, value, rows_to_fill(pitch, width, height));
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    struct fill_job job = {pointer, value, rows_to_fill(pitch, width, height)};
    return sim_in_stream(SIM_CALL("cudaMemset2DAsync"), stream, run_fill, &job, sizeof job);
}

/* A box that a stream fills, slice by slice. */
struct box_job {
    struct cudaPitchedPtr pitched;
    int value;
    struct cudaExtent extent;
};

static cudaError_t run_box(struct sim_call call, const void *payload)
{
    const struct box_job *job = payload;
    const size_t slice = job->pitched.pitch * job->pitched.ysize;
    for (size_t z = 0; z < job->extent.depth; z++) {
        cudaError_t error =
            fill_rows(call, (char *)job->pitched.ptr + z * slice, job->value,
                      rows_to_fill(job->pitched.pitch, job->extent.width, job->extent.height));
        if (error)
            return error;
    }
    return sim_return(cudaSuccess);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent)
{
    struct sim_call call = SIM_CALL("cudaMemset3D");
    cudaError_t error = sim_check_no_capture(call, NULL, true);
    if (error)
        return error;
    struct box_job job = {pitched, value, extent};
    return run_box(call, &job);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    struct box_job job = {pitched, value, extent};
    return sim_in_stream(SIM_CALL("cudaMemset3DAsync"), stream, run_box, &job, sizeof job);
}

/* Between two devices, each with the memory that the call says it has. */
static cudaError_t check_owner(struct sim_call call, const char *role, const void *pointer,
                               int device)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)pointer);
    if (sim_check_device(call, device))
        return cudaErrorInvalidDevice;
    if (!a || a->kind != SIM_DEVICE_MEMORY || a->device == (unsigned int)device)
        return cudaSuccess;
    char where[512];
    return sim_refuse(call, cudaErrorInvalidValue,
                      "the %s, %p, is memory of device %u, and not of device %d: allocated at %s",
                      role, pointer, a->device, device,
                      sim_locate(a->allocated_at, where, sizeof where));
}

static cudaError_t check_peers(struct sim_call call, const void *to, int to_device,
                               const void *from, int from_device, size_t bytes)
{
    cudaError_t error = check_owner(call, "destination", bytes ? to : NULL, to_device);
    return error ? error : check_owner(call, "source", bytes ? from : NULL, from_device);
}

/* The host does not wait for it. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    struct sim_call call = SIM_CALL("cudaMemcpyPeer");
    cudaError_t error = sim_check_no_capture(call, NULL, true);
    if (!error)
        error = check_peers(call, to, to_device, from, from_device, bytes);
    if (error)
        return error;
    return sim_copy_in_stream(call, NULL, to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpyPeerAsync");
    cudaError_t error = check_peers(call, to, to_device, from, from_device, bytes);
    if (error)
        return error;
    return sim_copy_in_stream(call, stream, to, from, bytes, cudaMemcpyDeviceToDevice);
}
