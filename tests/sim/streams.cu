/* streams.cu - kernels and copies in different streams: ordered by events and waits, or not. */
#include <unistd.h>

#include "race_programs.h"

enum { COUNT = 256, THREADS = 64, BYTES = COUNT * sizeof(int) };

__global__ static void fill(int *array, int value)
{
    array[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ static void add_one(const int *in, int *out)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    out[i] = in[i] + 1;
}

__global__ static void tally(int *counter)
{
    atomicAdd(counter, 1);
}

struct two_streams {
    cudaStream_t one, other;
    cudaEvent_t event;
};

static two_streams make_streams(unsigned int flags)
{
    two_streams s;
    cudaStreamCreateWithFlags(&s.one, flags);
    cudaStreamCreateWithFlags(&s.other, flags);
    cudaEventCreate(&s.event);
    return s;
}

/* How the second stream waits for the first: by number, 1 not at all. */
static void wait_between(const two_streams &s, int how)
{
    if (how == 0 || how == 2) {
        cudaEventRecord(s.event, s.one);
        cudaStreamWaitEvent(how == 0 ? s.other : s.one, s.event, 0); /* 2: the wrong one waits */
    }
    if (how == 3)
        cudaStreamSynchronize(s.one);
    if (how == 4)
        cudaDeviceSynchronize();
    if (how == 5)
        fill<<<1, 1>>>(unfilled<int>(1), 0); /* the default stream lies in between */
    if (how == 6) {
        cudaEventRecord(s.event, s.one);
        cudaEventSynchronize(s.event);
    }
}

static void two_kernels(int how)
{
    int *a = unfilled<int>(COUNT), *b = unfilled<int>(COUNT);
    two_streams s = make_streams(cudaStreamDefault);
    fill<<<COUNT / THREADS, THREADS, 0, s.one>>>(a, 5);
    wait_between(s, how);
    add_one<<<COUNT / THREADS, THREADS, 0, s.other>>>(a, b);
    cudaDeviceSynchronize();
}

/* They share nothing but a counter, by atomics, and what both read. */
static void separate(int bug)
{
    int *a = filled<int>(COUNT, 0), *b = unfilled<int>(COUNT), *c = unfilled<int>(COUNT);
    int *counter = filled<int>(1, 0);
    two_streams s = make_streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    add_one<<<COUNT / THREADS, THREADS, 0, s.one>>>(a, b);
    tally<<<1, THREADS, 0, s.one>>>(counter);
    tally<<<1, THREADS, 0, s.other>>>(counter);
    add_one<<<COUNT / THREADS, THREADS, 0, s.other>>>(a, bug ? b : c);
    cudaDeviceSynchronize();
}

/* A stream that is cudaStreamNonBlocking does not wait for the default stream. */
static void beside_default(int bug)
{
    int *a = unfilled<int>(COUNT), *b = unfilled<int>(COUNT);
    two_streams s = make_streams(bug ? cudaStreamNonBlocking : cudaStreamDefault);
    fill<<<COUNT / THREADS, THREADS>>>(a, 5);
    add_one<<<COUNT / THREADS, THREADS, 0, s.one>>>(a, b);
    cudaDeviceSynchronize();
}

Test(streams, kernels_of_two_streams)
{
    static const char expected[] =
        "Race between two streams: nothing orders this kernel and another";
    CLEAN(two_kernels);
    BUG(two_kernels, 1, expected);
    BUG(two_kernels, 2, expected);
    unsigned long long errors;
    for (int how = 3; how <= 6; how++) {
        const char *text = run_program(two_kernels, how, 1, &errors);
        cr_expect(errors == 0, "way %d: %s", how, text);
    }
    CLEAN(separate);
    BUG(separate, 1, expected);
    CLEAN(beside_default);
    BUG(beside_default, 1, expected);
}

/* Halves of an array, each copied in, computed and copied out in a stream of its own. */
static void pipeline(int bug)
{
    enum { HALF = COUNT / 2 };
    int *host, *in = unfilled<int>(COUNT), *out = unfilled<int>(COUNT);
    cudaMallocHost(&host, BYTES);
    memset(host, 0, BYTES);
    two_streams s = make_streams(cudaStreamNonBlocking);
    for (int half = 0; half < 2; half++) {
        cudaStream_t stream = half ? s.other : s.one;
        size_t at = (size_t)half * HALF;
        cudaMemcpyAsync(in + at, host + at, BYTES / 2, cudaMemcpyHostToDevice,
                        bug == 1 && half ? s.one : stream);
        add_one<<<HALF / THREADS, THREADS, 0, stream>>>(in + at, out + at);
        cudaMemcpyAsync(host + at, out + at, BYTES / 2, cudaMemcpyDeviceToHost,
                        bug == 2 && half ? s.one : stream);
    }
    if (bug == 3)
        cudaMemsetAsync(out, 0, BYTES, s.one);
    cudaStreamSynchronize(s.one);
    if (bug != 4)
        cudaStreamSynchronize(s.other);
    for (int i = 0; i < COUNT; i++)
        cr_expect_eq(host[i], 1);
    cudaFreeHost(host);
}

Test(streams, copies_and_kernels)
{
    CLEAN(pipeline);
    BUG(pipeline, 1, "Race between two streams: nothing orders this copy and a kernel");
    BUG(pipeline, 2, "Race between two streams: nothing orders this copy and a kernel");
    BUG(pipeline, 3, "Race between two streams: nothing orders");
    BUG(pipeline, 4, "Host code reads what the device may not have written yet");
}

/* The host uses managed memory while a kernel may be running. */
static void managed(int bug)
{
    int *array;
    cudaMallocManaged(&array, BYTES);
    for (int i = 0; i < COUNT; i++)
        array[i] = i;
    fill<<<COUNT / THREADS, THREADS>>>(array, 5);
    if (bug != 1)
        cudaDeviceSynchronize();
    cr_expect_eq(array[7], 5);
    cudaFree(array);
}

/* A copy of pageable memory to the host has ended when the call returns. */
static void pageable(int bug)
{
    int host[COUNT], *array = unfilled<int>(COUNT);
    (void)bug;
    two_streams s = make_streams(cudaStreamNonBlocking);
    fill<<<COUNT / THREADS, THREADS, 0, s.one>>>(array, 5);
    cudaMemcpyAsync(host, array, BYTES, cudaMemcpyDeviceToHost, s.one);
    fill<<<COUNT / THREADS, THREADS, 0, s.other>>>(array, 6);
    cr_expect_eq(host[3], 5);
    cudaDeviceSynchronize();
}

/* The host fills pinned memory with memcpy, memset or from a file, from which the copy may still be made. */
static void refilled(int bug)
{
    int *host, *array = unfilled<int>(COUNT), next[COUNT] = {0};
    const size_t bytes = BYTES; /* the compiler knows it, and makes the call all the same */
    FILE *zeros = fopen("/dev/zero", "r");
    cudaMallocHost(&host, BYTES);
    memset(host, 0, bytes);
    two_streams s = make_streams(cudaStreamNonBlocking);
    cudaMemcpyAsync(array, host, BYTES, cudaMemcpyHostToDevice, s.one);
    if (!bug)
        cudaStreamSynchronize(s.one);
    if (bug < 2)
        memcpy(host, next, bytes);
    if (bug == 2)
        memmove(host + 9, next, bytes - 9 * sizeof *host);
    if (bug == 3)
        memset(host, 1, bytes / BYTES);
    if (bug == 4)
        memcpy(next, host, bytes); /* both read */
    if (bug == 5)
        cr_expect_eq(fread(host, 1, bytes, zeros), bytes);
    if (bug == 6)
        cr_expect_eq(read(fileno(zeros), host, bytes), (ssize_t)bytes);
    if (bug == 7)
        cr_expect_eq(pread(fileno(zeros), host, bytes, 0), (ssize_t)bytes);
    fclose(zeros);
    cudaFreeHost(host);
}

/* Memory of a stream is there for others when they have waited for it, and as long as it may not be released. */
static void pooled(int bug)
{
    int *array;
    cudaEvent_t made, used;
    two_streams s = make_streams(cudaStreamNonBlocking);
    cudaEventCreate(&made);
    cudaEventCreate(&used);
    cudaMallocAsync((void **)&array, BYTES, s.one);
    cudaEventRecord(made, s.one);
    if (bug != 1)
        cudaStreamWaitEvent(s.other, made, 0);
    fill<<<COUNT / THREADS, THREADS, 0, s.other>>>(array, 5);
    cudaEventRecord(used, s.other);
    if (bug != 2)
        cudaStreamWaitEvent(s.one, used, 0);
    cudaFreeAsync(array, s.one);
    cudaDeviceSynchronize();
}

/* What a card does without a word. */
static void silent(int bug)
{
    int host[COUNT], *array = unfilled<int>(COUNT);
    if (bug != 1)
        fill<<<COUNT / THREADS, THREADS>>>(array, 5);
    cudaMemcpy(host, array, BYTES, cudaMemcpyDeviceToHost);
    cudaError_t beside = cudaMemcpy(array, array + COUNT / 2, BYTES / 2, cudaMemcpyDeviceToDevice);
    cr_expect_eq(beside, cudaSuccess);
    if (bug == 2)
        cudaMemcpy(array, array + COUNT / 2 - 1, BYTES / 2, cudaMemcpyDeviceToDevice);
}

Test(streams, memory_of_a_stream)
{
    CLEAN(pooled);
    BUG(pooled, 1, "nothing orders this allocation and a kernel");
    BUG(pooled, 2, "nothing orders this release and a kernel");
}

Test(streams, copies_that_a_card_makes_without_a_word)
{
    CLEAN(silent);
    BUG(silent, 1, "nothing has written any of these bytes");
    BUG(silent, 2, "source and destination have bytes in common");
}

Test(streams, that_are_gone_take_no_kernel)
{
    two_streams s = make_streams(cudaStreamNonBlocking);
    cudaStreamDestroy(s.one);
    fill<<<1, 1, 0, s.one>>>(unfilled<int>(1), 5);
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

static volatile int done;

static void note(void *data)
{
    done = *(int *)data;
}

/* A function of the host comes when what is before it in the stream has ended. */
static void callback(int bug)
{
    (void)bug;
    int *host, *array = unfilled<int>(COUNT);
    cudaMallocHost(&host, BYTES);
    two_streams s = make_streams(cudaStreamNonBlocking);
    fill<<<COUNT / THREADS, THREADS, 0, s.one>>>(array, 5);
    cudaMemcpyAsync(host, array, BYTES, cudaMemcpyDeviceToHost, s.one);
    cudaLaunchHostFunc(s.one, note, host);
    cudaDeviceSynchronize();
    cr_expect_eq(done, 5);
    cudaFreeHost(host);
}

__global__ static void set_byte(char *byte)
{
    *byte = 1;
}

/* Host and device have bytes of their own, side by side in one word of four. */
static void side_by_side(int bug)
{
    char *host, *array = unfilled<char>(16);
    cudaMallocHost(&host, 16);
    two_streams s = make_streams(cudaStreamNonBlocking);
    memset(host, 0, 16);
    cudaMemset(array, 1, 16);
    set_byte<<<1, 1, 0, s.one>>>(host + 1);
    cudaMemcpyAsync(host + 6, array, 3, cudaMemcpyDeviceToHost, s.other);
    host[0] = host[2] = host[5] = host[9] = 1;
    if (bug == 1)
        host[1] = 2;
    if (bug == 2)
        host[8] = 2;
    if (bug == 3)
        memset(host, 3, 3);
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}

Test(streams, the_host)
{
    CLEAN(side_by_side);
    for (int bug : {1, 2, 3})
        BUG(side_by_side, bug, "let the host wait before it does: cudaStreamSynchronize");
    CLEAN(managed);
    BUG(managed, 1, "Host code reads what the device may not have written yet");
    CLEAN(pageable);
    CLEAN(callback);
    CLEAN(refilled);
    for (int bug : {1, 2, 3, 5, 6, 7})
        BUG(refilled, bug, "Host code writes what the device may still use");
    unsigned long long errors;
    const char *text = run_program(refilled, 4, 1, &errors);
    cr_expect(errors == 0, "%s", text);
}

/* What observers of copies and launches were told. */
struct observed {
    unsigned int copies, launches, host_copies;
    sim_copy_seen copy;
    sim_launch_seen launch;
    size_t host_bytes;
    uintptr_t loaded; /* the last address */
    int made;         /* what the observer of memcpy answers */
};

static void note_copy(const sim_copy_seen *seen, void *context)
{
    observed *t = static_cast<observed *>(context);
    t->copies++;
    t->copy = *seen;
}

static void note_launch(const sim_launch_seen *seen, void *context)
{
    observed *t = static_cast<observed *>(context);
    t->launches++;
    t->launch = *seen;
}

static int note_memcpy(void *, const void *, size_t bytes, void *context)
{
    observed *t = static_cast<observed *>(context);
    t->host_copies++;
    t->host_bytes = bytes;
    return t->made;
}

static void note_load(uintptr_t address, void *context)
{
    static_cast<observed *>(context)->loaded = address;
}

Test(streams, loads_of_the_host_are_told)
{
    observed t = {};
    int *host;
    cudaMallocHost(&host, BYTES);
    memset(host, 0, BYTES);
    sim_observe_host_loads(note_load, &t);
    const int loaded = host[3];
    sim_observe_host_loads(NULL, NULL);
    cr_expect_eq(loaded, 0);
    cr_expect_eq(t.loaded, (uintptr_t)&host[3]);
}

Test(streams, are_told_to_observers)
{
    observed t = {};
    int *host, *array = unfilled<int>(COUNT), plain[COUNT] = {1}, more[COUNT] = {2};
    int *other = unfilled<int>(COUNT);
    volatile size_t bytes = BYTES;
    cudaMallocHost(&host, BYTES);
    two_streams s = make_streams(cudaStreamNonBlocking);
    sim_observe_copies(note_copy, &t);
    sim_observe_launches(note_launch, &t);
    fill<<<COUNT / THREADS, THREADS, 0, s.one>>>(unfilled<int>(COUNT), 5);
    cr_expect(t.launches == 1 && strcmp(t.launch.kernel, "fill") == 0 && t.launch.device == 0);
    cudaMemcpyAsync(array, host, BYTES, cudaMemcpyHostToDevice, s.other);
    cr_expect(t.copies == 1 && t.copy.to == array && t.copy.from == host && t.copy.bytes == BYTES);
    cr_expect(t.copy.beside && !t.copy.pageable && t.copy.stream != t.launch.stream);
    cudaMemcpyAsync(other, plain, BYTES, cudaMemcpyHostToDevice, s.one);
    cr_expect(!t.copy.beside && t.copy.pageable && t.copy.stream == t.launch.stream);
    cudaMemsetAsync(other, 0, BYTES, s.one);
    cr_expect(t.copies == 3 && !t.copy.from);
    cr_expect_eq(sim_device_of((uintptr_t)array), 0);
    cr_expect_eq(sim_device_of((uintptr_t)host), -1);
    cr_expect_eq(sim_device_of((uintptr_t)plain), -1);
    sim_observe_copies(NULL, NULL);
    sim_observe_launches(NULL, NULL);
    sim_observe_host_copies(note_memcpy, &t);
    memcpy(plain, more, bytes);
    cr_expect(t.host_copies == 1 && t.host_bytes == BYTES && plain[0] == 1);
    t.made = 1;
    memcpy(plain, more, bytes);
    cr_expect(t.host_copies == 2 && plain[0] == 2);
    sim_observe_host_copies(NULL, NULL);
}

/* In a trial in which nothing runs all is told, and no memory is touched. */
Test(streams, are_told_of_what_does_not_run)
{
    observed t = {};
    const sim_trial idle = {.idle = 1};
    int *array = filled<int>(COUNT, 7), got[COUNT] = {0};
    const size_t before = sim_device_memory(0).bytes;
    sim_try(&idle);
    sim_observe_copies(note_copy, &t);
    sim_observe_launches(note_launch, &t);
    fill<<<COUNT / THREADS, THREADS>>>(array, 5);
    cudaMemcpy(array, reinterpret_cast<void *>(4096), BYTES, cudaMemcpyHostToDevice);
    sim_observe_copies(NULL, NULL);
    sim_observe_launches(NULL, NULL);
    sim_try(NULL);
    cr_expect(t.launches == 1 && t.copies == 1);
    cudaMemcpy(got, array, BYTES, cudaMemcpyDeviceToHost);
    cr_expect_eq(got[0], 0x07070707);
    sim_reset_device_memory(0);
    cudaFree(array);
    cr_expect_eq(sim_device_memory(0).bytes, before - BYTES);
    cr_expect_eq(sim_device_memory(0).most, before);
}
