/* cuda_copy.c - cudaMemcpy, cudaMemset and their kind: ranges are checked
 * before anything is touched.
 *
 * The real runtime copies past the end of an allocation without a word as long as the pages
 * are mapped, and a host pointer in the place of a device pointer ends in "invalid argument".
 * Here each range must lie in one allocation on the side where it is expected, and what is
 * wrong is said. */
#include "runtime/runtime.h"

enum { WHERE_BYTES = 512 };

/* The range begins at an address that no allocation holds. */
static cudaError_t refuse_unowned(struct sim_call call, struct sim_range range)
{
    uintptr_t address = (uintptr_t)range.pointer;
    const struct sim_allocation *near = sim_memory_nearest(address);
    char where[WHERE_BYTES];
    if (address - sim_arena_base >= sim_arena_bytes)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, is host memory: device memory is expected here", range.role,
                          range.pointer);
    if (!near)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, belongs to no allocation of the device", range.role,
                          range.pointer);
    sim_locate(near->allocated_at, where, sizeof where);
    return sim_refuse(call, cudaErrorInvalidValue,
                      "the %s, %p, belongs to no allocation; the nearest is the %zu bytes at %p, "
                      "allocated at %s",
                      range.role, range.pointer, near->bytes, (void *)near->base, where);
}

/* The range begins in `a`: is that the right side, and does it end there, too? */
static cudaError_t check_owned(struct sim_call call, struct sim_range range,
                               const struct sim_allocation *a)
{
    char where[WHERE_BYTES], freed[WHERE_BYTES];
    size_t offset = (uintptr_t)range.pointer - a->base;
    bool is_variable = a->kind == SIM_DEVICE_VARIABLE;
    bool is_device = is_variable || a->kind == SIM_DEVICE_MEMORY;
    bool is_misplaced = is_device && range.side == SIM_HOST_SIDE;
    if (!a->freed_at && !is_misplaced && range.bytes <= a->bytes - offset)
        return cudaSuccess;
    sim_locate(a->allocated_at, where, sizeof where); /* reads the debug information */
    if (a->freed_at)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, was allocated at %s and has been freed at %s", range.role,
                          range.pointer, where, sim_locate(a->freed_at, freed, sizeof freed));
    if (is_misplaced)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, is device memory%s%s: host memory is expected here",
                          range.role, range.pointer, is_variable ? "" : ", allocated at ",
                          is_variable ? "" : where);
    return sim_refuse(call, cudaErrorInvalidValue,
                      "%zu bytes from byte %zu of the %s do not fit: it has %zu bytes%s%s",
                      range.bytes, offset, range.role, a->bytes,
                      is_variable ? "" : ", allocated at ", is_variable ? "" : where);
}

static cudaError_t check_range(struct sim_call call, struct sim_range range)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)range.pointer);
    if (range.bytes == 0)
        return cudaSuccess;
    if (!range.pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the %s is NULL", range.role);
    if (a)
        return check_owned(call, range, a);
    if (range.side == SIM_DEVICE_SIDE ||
        (uintptr_t)range.pointer - sim_arena_base < sim_arena_bytes)
        return refuse_unowned(call, range);
    return cudaSuccess;
}

/* What does not fit was told by the refusal; to memcheck it is an error like any other. */
cudaError_t sim_check_range(struct sim_call call, struct sim_range range)
{
    cudaError_t error = check_range(call, range);
    if (error && sim_checks(CHECK_MEMORY))
        sim_count_error(true);
    return error;
}

/* Rows of bytes: a copy of one row is a plain copy. */
struct rows {
    size_t width, height;
    size_t to_pitch, from_pitch;
    enum cudaMemcpyKind kind;
};

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
    sim_memory_copy(to, from, bytes);
    sim_init_host_copies(to, from, bytes);
}

/* What all copies end in. After a kernel was stopped nothing is copied any more. */
static cudaError_t copy_rows(struct sim_call call, void *to, const void *from, struct rows rows)
{
    if (sim_sticky_error())
        return sim_return(cudaSuccess);
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
    sim_stream_copies(call, to, to_bytes, from, from_bytes);
    for (size_t row = 0; to_bytes && row < rows.height; ++row)
        copy_row((char *)to + row * rows.to_pitch, (const char *)from + row * rows.from_pitch,
                 rows.width);
    return sim_return(cudaSuccess);
}

/* The host waits for these, which it cannot while a stream is captured. */
static cudaError_t copy(struct sim_call call, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    cudaError_t error = sim_check_no_capture(call, NULL, true);
    return error ? error : copy_rows(call, to, from, (struct rows){bytes, 1, bytes, bytes, kind});
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

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy(SIM_CALL("cudaMemcpy"), to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    struct copy_job job = {to, from, {bytes, 1, bytes, bytes, kind}};
    return sim_in_stream(SIM_CALL("cudaMemcpyAsync"), stream, run_copy, &job, sizeof job);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(SIM_CALL("cudaMemcpy2D"), to, from,
                     (struct rows){width, height, to_pitch, from_pitch, kind});
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct copy_job job = {to, from, {width, height, to_pitch, from_pitch, kind}};
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
    struct rows rows = {c->extent.width, c->extent.height, c->dstPtr.pitch, c->srcPtr.pitch,
                        c->kind};
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
    if (rows.height > 1 && rows.width > rows.to_pitch)
        return sim_refuse(call, cudaErrorInvalidPitchValue,
                          "rows of %zu bytes do not fit in a pitch of %zu bytes", rows.width,
                          rows.to_pitch);
    size_t bytes = span(rows.to_pitch, rows.width, rows.height);
    cudaError_t error =
        sim_check_range(call, (struct sim_range){"destination", pointer, bytes, SIM_DEVICE_SIDE});
    if (error)
        return error;
    sim_stream_copies(call, pointer, bytes, NULL, 0);
    for (size_t row = 0; bytes && row < rows.height; ++row) {
        char *start = (char *)pointer + row * rows.to_pitch;
        sim_tell_copy(start, NULL, rows.width);
        sim_memory_fill(start, value, rows.width);
        sim_init_host_writes(start, rows.width);
    }
    return sim_return(cudaSuccess);
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
    return fill_rows(call, pointer, value,
                     (struct rows){.width = bytes, .height = 1, .to_pitch = bytes});
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    struct fill_job job = {pointer, value, {.width = bytes, .height = 1, .to_pitch = bytes}};
    return sim_in_stream(SIM_CALL("cudaMemsetAsync"), stream, run_fill, &job, sizeof job);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return fill_rows(SIM_CALL("cudaMemset2D"), pointer, value,
                     (struct rows){.width = width, .height = height, .to_pitch = pitch});
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    struct fill_job job = {pointer, value, {.width = width, .height = height, .to_pitch = pitch}};
    return sim_in_stream(SIM_CALL("cudaMemset2DAsync"), stream, run_fill, &job, sizeof job);
}

/* Symbols: variables of the device */

/* A managed variable is an allocation of its own; it is a symbol, too. */
static const struct sim_allocation *find_symbol(const void *symbol)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)symbol);
    return a && a->kind == SIM_DEVICE_VARIABLE ? a : NULL;
}

static cudaError_t check_symbol(struct sim_call call, const void *symbol)
{
    if (find_symbol(symbol))
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidSymbol,
                      "%p is not a __device__ or __constant__ variable: name the variable itself, "
                      "without &",
                      symbol);
}

static cudaError_t copy_symbol(struct sim_call call, void *to, const void *from, size_t bytes,
                               enum cudaMemcpyKind kind, const void *symbol)
{
    cudaError_t error = check_symbol(call, symbol);
    return error ? error : copy(call, to, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_symbol(SIM_CALL("cudaMemcpyToSymbol"), (char *)symbol + offset, from, bytes, kind,
                       symbol);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return copy_symbol(SIM_CALL("cudaMemcpyFromSymbol"), to, (const char *)symbol + offset, bytes,
                       kind, symbol);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpyToSymbolAsync");
    struct copy_job job = {(char *)symbol + offset, from, {bytes, 1, bytes, bytes, kind}};
    cudaError_t error = check_symbol(call, symbol);
    return error ? error : sim_in_stream(call, stream, run_copy, &job, sizeof job);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpyFromSymbolAsync");
    struct copy_job job = {to, (const char *)symbol + offset, {bytes, 1, bytes, bytes, kind}};
    cudaError_t error = check_symbol(call, symbol);
    return error ? error : sim_in_stream(call, stream, run_copy, &job, sizeof job);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    struct sim_call call = SIM_CALL("cudaGetSymbolAddress");
    if (!pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_symbol(call, symbol);
    if (error)
        return error;
    *pointer = (void *)symbol;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    struct sim_call call = SIM_CALL("cudaGetSymbolSize");
    if (!bytes)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_symbol(call, symbol);
    if (error)
        return error;
    *bytes = find_symbol(symbol)->bytes;
    return sim_return(cudaSuccess);
}
