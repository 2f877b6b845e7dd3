/* devices.cu - a host with several devices: what is each one's own, and what they share. */
#include <pthread.h>

#include "race_programs.h"

enum { DEVICES = 4, COUNT = 32, BYTES = COUNT * sizeof(int) };

static void begin_all(void)
{
    sim_set_devices(DEVICES);
    sim_set_checks("all");
}

TestSuite(devices, .init = begin_all);

/* Programs leave nothing behind. */
static void reset_all(void)
{
    for (int device = DEVICES - 1; device >= 0; device--) {
        cudaSetDevice(device);
        cudaDeviceReset();
    }
}

/* The call fails with this error, and says this. */
#define EXPECT_REFUSED(CALL, ERROR, PRINTED)                                                       \
    do {                                                                                           \
        static struct capture capture;                                                             \
        capture_start(&capture);                                                                   \
        cudaError_t is = (CALL);                                                                   \
        const char *text = capture_end(&capture);                                                  \
        cr_expect_eq(is, ERROR, "%s", cudaGetErrorName(is));                                       \
        EXPECT_PRINTED(text, PRINTED);                                                             \
        cudaGetLastError();                                                                        \
    } while (0)

__global__ static void fill(int *array, int value)
{
    array[threadIdx.x] = value;
}

__global__ static void add_one(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

static int *on_device(int device)
{
    int *array = NULL;
    cudaSetDevice(device);
    cr_assert_eq(cudaMalloc(&array, BYTES), cudaSuccess);
    return array;
}

/* Which devices there are */

Test(devices, are_as_many_as_asked_for)
{
    int count = 0, device = -1;
    cr_expect_eq(cudaGetDeviceCount(&count), cudaSuccess);
    cr_expect_eq(count, DEVICES);
    cr_expect_eq(cudaSetDevice(3), cudaSuccess);
    cr_expect_eq(cudaGetDevice(&device), cudaSuccess);
    cr_expect_eq(device, 3);
    EXPECT_REFUSED(cudaSetDevice(4), cudaErrorInvalidDevice,
                   "there is no device 4: the 4 devices have the numbers 0 to 3; SIM_DEVICES=5 in "
                   "the environment makes one");
    EXPECT_REFUSED(cudaSetDevice(-1), cudaErrorInvalidDevice, "there is no device -1");
    cudaDeviceProp properties;
    cr_expect_eq(cudaGetDeviceProperties(&properties, 2), cudaSuccess);
    cr_expect_eq(properties.pciBusID, 2);
    sim_set_devices(2); /* a current device that is no longer there */
    cr_expect_eq(cudaGetDevice(&device), cudaSuccess);
    cr_expect_eq(device, 0);
}

static void expect_of_environment(const char *value, int devices)
{
    int count = 0;
    setenv("SIM_DEVICES", value, 1);
    cudaGetDeviceCount(&count);
    cr_expect_eq(count, devices, "%d devices", count);
}

Test(devices_of_the_environment, one_unless_asked)
{
    unsetenv("SIM_DEVICES");
    int count = 0;
    cudaGetDeviceCount(&count);
    cr_expect_eq(count, 1);
}

Test(devices_of_the_environment, eight)
{
    expect_of_environment("8", 8);
}

Test(devices_of_the_environment, refuses_none, .exit_code = 2)
{
    expect_of_environment("0", 0);
}

Test(devices_of_the_environment, refuses_nine, .exit_code = 2)
{
    expect_of_environment("9", 0);
}

Test(devices_of_the_environment, refuses_what_is_no_number, .exit_code = 2)
{
    expect_of_environment("2x", 0);
}

Test(devices, refuse_to_be_none, .exit_code = 2)
{
    sim_set_devices(0);
}

/* A host thread begins with device 0, whatever another one has set. */
static void *set_another(void *argument)
{
    int device = -1;
    cudaGetDevice(&device);
    *(int *)argument = device;
    cudaSetDevice(3);
    return NULL;
}

Test(devices, each_host_thread_has_one)
{
    pthread_t thread;
    int first_of_other = -1, device = -1;
    cudaSetDevice(2);
    cr_assert_eq(pthread_create(&thread, NULL, set_another, &first_of_other), 0);
    pthread_join(thread, NULL);
    cudaGetDevice(&device);
    cr_expect_eq(first_of_other, 0);
    cr_expect_eq(device, 2);
}

/* Memory */

static size_t in_use(int device)
{
    size_t available = 0, total = 0;
    cudaSetDevice(device);
    cr_assert_eq(cudaMemGetInfo(&available, &total), cudaSuccess);
    return total - available;
}

static int owner(const void *pointer)
{
    cudaPointerAttributes attributes;
    cr_assert_eq(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.device;
}

Test(devices, memory_belongs_to_the_current_one)
{
    int *array = on_device(2), *of_stream = NULL;
    cr_expect_eq(owner(array), 2);
    cr_expect_eq(in_use(2), BYTES);
    cr_expect_eq(in_use(0), 0u);
    cudaStream_t stream;
    cudaSetDevice(1);
    cudaStreamCreate(&stream);
    cudaSetDevice(0);
    cr_assert_eq(cudaMallocAsync(&of_stream, BYTES, stream), cudaSuccess);
    cr_expect_eq(owner(of_stream), 1);
    cr_expect_eq(cudaFree(array), cudaSuccess); /* from another device, too */
    cr_expect_eq(in_use(2), 0u);
}

Test(devices, share_the_memory_of_the_machine)
{
    size_t available, of_four, of_one;
    cudaMemGetInfo(&available, &of_four);
    sim_set_devices(1);
    cudaMemGetInfo(&available, &of_one);
    cr_expect_eq(of_four, of_one / DEVICES);
}

/* Bugs 1 to 3: device 0 reads, writes, and adds to memory of device 1; 4: device 1 that of device 0,
 * which only device 0 was given; 5: it was, and no longer is. */
__global__ static void add_all(int *sum)
{
    atomicAdd(sum, 1);
}

static void touch_peer(int bug)
{
    int *own = on_device(0), *theirs = on_device(1);
    cudaMemset(theirs, 0, BYTES);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaMemset(own, 0, BYTES);
    cudaDeviceSynchronize();
    if (bug == 0 || bug >= 4)
        cr_expect_eq(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    if (bug == 5)
        cr_expect_eq(cudaDeviceDisablePeerAccess(1), cudaSuccess);
    if (bug == 4)
        cudaSetDevice(1);
    if (bug == 2)
        fill<<<1, COUNT>>>(theirs, 1);
    else if (bug == 3)
        add_all<<<1, COUNT>>>(theirs);
    else if (bug == 4)
        add_one<<<1, COUNT>>>(own, theirs);
    else
        add_one<<<1, COUNT>>>(theirs, own);
    cudaError_t error = cudaDeviceSynchronize();
    cr_expect_eq(error, bug ? cudaErrorIllegalAddress : cudaSuccess);
    reset_all();
}

Test(devices, memory_of_another_one_needs_peer_access)
{
    CLEAN(touch_peer);
    BUG(touch_peer, 1,
        "in[0] is memory of device 1, without peer access of device 0, on which "
        "add_one runs; allocated at tests/sim/devices.cu:");
    BUG(touch_peer, 1, "Invalid __global__ read of size 4 bytes");
    BUG(touch_peer, 1, "by thread (0,0,0) in block (0,0,0) on device 0");
    BUG(touch_peer, 1, "or call cudaDeviceEnablePeerAccess(1, 0) there");
    BUG(touch_peer, 2, "array[0] is memory of device 1");
    BUG(touch_peer, 3, "sum[0] is memory of device 1");
    BUG(touch_peer, 4, "in[0] is memory of device 0, without peer access of device 1");
    BUG(touch_peer, 5, "in[0] is memory of device 1");
}

/* Memory of a pool is opened by the pool: bug 1 by cudaDeviceEnablePeerAccess, 2 not any longer. */
static void touch_pooled(int bug)
{
    int *own = on_device(0), *pooled;
    cudaMemPool_t pool;
    struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0},
                                       cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags;
    cudaSetDevice(1);
    cudaMallocAsync(&pooled, BYTES, 0);
    cudaMemset(pooled, 0, BYTES);
    cudaDeviceSynchronize();
    cudaDeviceGetDefaultMemPool(&pool, 1);
    cudaSetDevice(0);
    if (bug == 1)
        cudaDeviceEnablePeerAccess(1, 0);
    else
        cr_expect_eq(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
    access.flags = cudaMemAccessFlagsProtNone;
    if (bug == 2)
        cr_expect_eq(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
    cr_expect_eq(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaSuccess);
    cr_expect_eq(flags, bug ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite);
    add_one<<<1, COUNT>>>(pooled, own);
    cr_expect_eq(cudaDeviceSynchronize(), bug ? cudaErrorIllegalAddress : cudaSuccess);
    cudaMemPoolSetAccess(pool, &access, 1);
    reset_all();
}

Test(devices, memory_of_a_pool_is_opened_by_the_pool)
{
    CLEAN(touch_pooled);
    BUG(touch_pooled, 1, "memory of cudaMallocAsync needs cudaMemPoolSetAccess for device 0");
    BUG(touch_pooled, 2, "in[0] is memory of device 1");
    cudaMemPool_t pool;
    struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 7}, cudaMemAccessFlagsProtNone};
    cudaDeviceGetDefaultMemPool(&pool, 1);
    EXPECT_REFUSED(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice, "no device 7");
    access.location.id = 1;
    EXPECT_REFUSED(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue, "its own pool");
    EXPECT_REFUSED(cudaMemPoolSetAccess(NULL, &access, 1), cudaErrorInvalidValue, "no memory pool");
}

Test(devices, peers_are_asked_about)
{
    int can = -1;
    cr_expect_eq(cudaDeviceCanAccessPeer(&can, 0, 3), cudaSuccess);
    cr_expect_eq(can, 1);
    cr_expect_eq(cudaDeviceCanAccessPeer(&can, 2, 2), cudaSuccess);
    cr_expect_eq(can, 0);
    cr_expect_eq(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1), cudaSuccess);
    cr_expect_eq(can, 1);
    EXPECT_REFUSED(cudaDeviceCanAccessPeer(&can, 0, 4), cudaErrorInvalidDevice, "no device 4");
    EXPECT_REFUSED(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice,
                   "device 0 is no peer of itself");
    EXPECT_REFUSED(cudaDeviceEnablePeerAccess(7, 0), cudaErrorInvalidDevice, "no device 7");
    EXPECT_REFUSED(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue, "flags");
    EXPECT_REFUSED(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled,
                   "device 0 may not touch the memory of device 1 anyway");
    cr_expect_eq(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    EXPECT_REFUSED(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled, "already");
    cudaDeviceReset();
    cr_expect_eq(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
}

/* Every device may touch pinned and managed memory. */
Test(devices, share_memory_of_the_host)
{
    int *pinned, *managed;
    cudaHostAlloc(&pinned, BYTES, cudaHostAllocDefault);
    cudaMallocManaged(&managed, BYTES);
    for (int device = 0; device < DEVICES; device++) {
        cudaSetDevice(device);
        fill<<<1, COUNT>>>(pinned, device);
        add_one<<<1, COUNT>>>(pinned, managed);
        cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
        cr_expect_eq(managed[COUNT - 1], device + 1);
    }
    cr_expect_eq(sim_error_count(), 0u);
}

/* Variables */

__device__ int calls = 5;
__constant__ int step = 1;

__global__ static void call(void)
{
    atomicAdd(&calls, step);
}

Test(devices, each_has_its_own_variables)
{
    int ten = 10, value = 0;
    cudaSetDevice(1);
    cudaMemcpyToSymbol(step, &ten, sizeof ten);
    for (int device = 0; device < DEVICES; device++) {
        cudaSetDevice(device);
        call<<<1, 1 + device>>>();
    }
    for (int device = 0; device < DEVICES; device++) {
        cudaSetDevice(device);
        cudaMemcpyFromSymbol(&value, calls, sizeof value);
        cr_expect_eq(value, 5 + (device == 1 ? 20 : 1 + device), "device %d: %d", device, value);
    }
    cr_expect_eq(sim_error_count(), 0u);
}

/* The same variable of two devices is two; of one device it is one. */
__global__ static void set_calls(int value)
{
    calls = value;
}

static void variables(int bug)
{
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(bug ? 1 : i);
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        set_calls<<<1, 1, 0, stream[i]>>>(i);
    }
    reset_all();
}

static void copied_variables(int bug)
{
    int *pinned;
    cudaMallocHost(&pinned, 2 * sizeof *pinned);
    pinned[0] = pinned[1] = 3;
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(bug ? 1 : i);
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        if (i == 0 || bug != 2)
            cudaMemcpyToSymbolAsync(calls, &pinned[i], sizeof *pinned, 0, cudaMemcpyHostToDevice,
                                    stream[i]);
        else
            set_calls<<<1, 1, 0, stream[i]>>>(i);
    }
    reset_all();
}

Test(devices, variables_of_two_do_not_race)
{
    CLEAN(variables);
    BUG(variables, 1, "nothing orders this kernel and another one");
    CLEAN(copied_variables);
    BUG(copied_variables, 1, "nothing orders two copies");
    BUG(copied_variables, 2, "nothing orders this copy and a kernel");
}

/* Streams and events */

Test(devices, kernels_run_in_streams_of_their_own)
{
    int *array = on_device(1);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaSetDevice(0);
    static struct capture capture;
    capture_start(&capture);
    fill<<<1, COUNT, 0, stream>>>(array, 1);
    const char *text = capture_end(&capture);
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    EXPECT_PRINTED(text, "tests/sim/devices.cu:");
    EXPECT_PRINTED(text, "launch of fill: its stream belongs to device 1, and device 0 is current: "
                         "cudaSetDevice(1) comes before the launch");
    cr_expect_eq(cudaMemsetAsync(array, 0, BYTES, stream), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(stream), cudaSuccess);
    cr_expect_eq(cudaStreamDestroy(stream), cudaSuccess);
}

Test(devices, events_are_recorded_on_their_own)
{
    cudaEvent_t event, other;
    cudaStream_t stream;
    float milliseconds;
    cudaEventCreate(&event);
    cudaSetDevice(1);
    cudaStreamCreate(&stream);
    cudaEventCreate(&other);
    EXPECT_REFUSED(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle,
                   "the event was created while device 0 was current, and the stream belongs to "
                   "device 1: create it after cudaSetDevice(1)");
    EXPECT_REFUSED(cudaEventRecord(event, 0), cudaErrorInvalidResourceHandle, "device 0");
    cr_expect_eq(cudaEventRecord(other, stream), cudaSuccess);
    cudaSetDevice(0);
    cr_expect_eq(cudaEventRecord(event, 0), cudaSuccess);
    cr_expect_eq(cudaEventSynchronize(other), cudaSuccess);
    cr_expect_eq(cudaStreamWaitEvent(0, other, 0), cudaSuccess);
    EXPECT_REFUSED(cudaEventElapsedTime(&milliseconds, event, other),
                   cudaErrorInvalidResourceHandle, "the events belong to two devices, 0 and 1");
}

/* Device 1 fills what device 0 then reads, or the host. Bug 1: nothing orders the two; 2: the host
 * waits for the other device; 3: the wrong default stream lies in between. */
static void hand_over(int bug)
{
    int *pinned, *out = on_device(0);
    cudaEvent_t filled;
    cudaMallocHost(&pinned, BYTES);
    cudaSetDevice(1);
    cudaEventCreate(&filled);
    fill<<<1, COUNT>>>(pinned, 5);
    if (bug == 0)
        cudaEventRecord(filled, 0);
    if (bug == 2)
        cudaSetDevice(0);
    if (bug == 2)
        cudaDeviceSynchronize();
    cudaSetDevice(0);
    if (bug == 3)
        fill<<<1, COUNT>>>(out, 1);
    if (bug == 0)
        cudaStreamWaitEvent(0, filled, 0);
    add_one<<<1, COUNT>>>(pinned, out);
    reset_all();
}

static void host_reads(int bug)
{
    int *pinned;
    cudaMallocHost(&pinned, BYTES);
    cudaSetDevice(1);
    fill<<<1, COUNT>>>(pinned, 5);
    if (bug)
        cudaSetDevice(0);
    cudaDeviceSynchronize();
    cr_expect_eq(pinned[3], 5);
    reset_all();
}

Test(devices, wait_for_each_other_only_when_told)
{
    CLEAN(hand_over);
    for (int bug = 1; bug <= 3; bug++)
        BUG(hand_over, bug, "nothing orders this kernel and another one");
    CLEAN(host_reads);
    BUG(host_reads, 1, "Host code reads what the device may not have written yet");
}

/* Copies between devices */

Test(devices, copy_between_each_other)
{
    int *from = on_device(1), *to = on_device(2), host[COUNT];
    cudaSetDevice(1);
    fill<<<1, COUNT>>>(from, 7);
    cudaSetDevice(0);
    cr_expect_eq(cudaMemcpyPeer(to, 2, from, 1, BYTES), cudaSuccess);
    cr_expect_eq(cudaMemcpy(host, to, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(host[COUNT - 1], 7);
    EXPECT_REFUSED(cudaMemcpyPeer(to, 1, from, 1, BYTES), cudaErrorInvalidValue,
                   "is memory of device 2, and not of device 1: allocated at "
                   "tests/sim/devices.cu:");
    EXPECT_REFUSED(cudaMemcpyPeerAsync(to, 2, from, 0, BYTES, 0), cudaErrorInvalidValue,
                   "the source");
    EXPECT_REFUSED(cudaMemcpyPeer(to, 2, from, 9, BYTES), cudaErrorInvalidDevice, "no device 9");
    EXPECT_REFUSED(cudaMemcpyPeer(to, 2, host, 1, BYTES), cudaErrorInvalidValue, "host memory");
    EXPECT_REFUSED(cudaMemcpyPeer(to, 2, from, 1, BYTES + 1), cudaErrorInvalidValue, "do not fit");
}

/* In the default stream a copy between two devices waits for both, and both for it; in a stream
 * that is nobody's (bugs) it does not. */
static void copy_and_use(int bug)
{
    int *from = on_device(1), *to = on_device(0);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaSetDevice(1);
    fill<<<1, COUNT>>>(from, 7);
    cudaSetDevice(0);
    if (bug == 1)
        cudaMemcpyPeerAsync(to, 0, from, 1, BYTES, stream);
    else if (bug == 2)
        cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDefault, stream);
    else
        cudaMemcpyPeer(to, 0, from, 1, BYTES);
    cudaSetDevice(1);
    fill<<<1, COUNT>>>(from, 8);
    reset_all();
}

Test(devices, copies_between_two_wait_for_both)
{
    CLEAN(copy_and_use);
    BUG(copy_and_use, 1, "nothing orders this copy and a kernel");
    BUG(copy_and_use, 2, "nothing orders this copy and a kernel");
}

/* What else is each one's own */

__global__ static void use_much(int *out)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = shared[threadIdx.x];
}

Test(devices, each_is_asked_for_more_shared_memory)
{
    int bytes = 100 * 1024;
    cudaFuncSetAttribute(use_much, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    int *here = on_device(0), *there = on_device(1);
    cudaSetDevice(0);
    use_much<<<1, COUNT, bytes>>>(here);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
    cudaSetDevice(1);
    static struct capture capture;
    capture_start(&capture);
    use_much<<<1, COUNT, bytes>>>(there);
    EXPECT_PRINTED(capture_end(&capture), "unless cudaFuncSetAttribute allows more");
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidValue);
}

static void note_device(const struct sim_event *event, void *context)
{
    *(unsigned int *)context |= 1u << event->device;
}

Test(devices, each_is_counted)
{
    unsigned int seen = 0;
    sim_observe(note_device, &seen);
    for (int device = 1; device < 3; device++) {
        int *array = on_device(device);
        fill<<<device, COUNT>>>(array, device);
        cr_expect_eq(sim_last_launch().device, (unsigned int)device);
    }
    sim_observe(NULL, NULL);
    cr_expect_eq(seen, 6u);
    cr_expect_eq(sim_counters_of(0).launches, 0u);
    cr_expect_eq(sim_counters_of(1).blocks, 1u);
    cr_expect_eq(sim_counters_of(2).blocks, 2u);
    cr_expect_eq(sim_counters().blocks, 3u);
    cr_expect_eq(sim_counters().global[SIM_STORE].lanes, 3u * COUNT);
    sim_reset_counters();
    cr_expect_eq(sim_counters_of(2).blocks, 0u);
}

Test(devices, each_is_reset_for_itself)
{
    int *array = on_device(0), *other = on_device(1), host[COUNT];
    cudaStream_t stream, of_other;
    cudaStreamCreate(&of_other);
    cudaSetDevice(0);
    cudaStreamCreate(&stream);
    cudaSetDevice(1);
    cudaDeviceReset();
    cr_expect_eq(cudaMemcpy(array, host, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_REFUSED(cudaFree(other), cudaErrorInvalidValue, "has been freed");
    EXPECT_REFUSED(cudaStreamSynchronize(of_other), cudaErrorInvalidResourceHandle, "no stream");
}

Test(devices, each_has_settings)
{
    size_t value = 0;
    cr_expect_eq(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0), cudaSuccess);
    cr_expect_eq(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    cr_expect_eq(value, 0u);
    cudaSetDevice(1);
    cr_expect_eq(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    cr_expect_eq(value, (size_t)8 << 20);
    cudaMemPool_t pool, other;
    cr_expect_eq(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    cr_expect_eq(cudaDeviceGetDefaultMemPool(&other, 1), cudaSuccess);
    cr_expect_neq(pool, other);
}

/* A kernel of a graph runs where its stream was. */
Test(devices, a_captured_kernel_keeps_its_own)
{
    int *array = on_device(1), host[COUNT];
    cudaStream_t stream, other;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, COUNT, 0, stream>>>(array, 9);
    cr_assert_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cr_assert_eq(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    cudaSetDevice(0);
    cudaStreamCreate(&other);
    cr_expect_eq(cudaGraphLaunch(exec, other), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(other), cudaSuccess);
    cr_expect_eq(cudaMemcpy(host, array, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(host[0], 9);
    cr_expect_eq(sim_last_launch().device, 1u);
}

/* A kernel's malloc is memory of its device. */
__global__ static void allocate(int **array)
{
    *array = (int *)malloc(BYTES);
}

Test(devices, a_kernel_allocates_on_its_own)
{
    int **pointer;
    cudaSetDevice(3);
    cudaMallocManaged(&pointer, sizeof *pointer);
    allocate<<<1, 1>>>(pointer);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(owner(*pointer), 3);
}

/* As many streams as one likes: those that share a clock invent no race. */
Test(devices, have_many_streams)
{
    enum { STREAMS = 100 };
    for (int i = 0; i < STREAMS; i++) {
        int *array = on_device(i % DEVICES);
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        fill<<<1, COUNT, 0, stream>>>(array, i);
        fill<<<1, COUNT>>>(array, i);
    }
    cr_expect_eq(sim_error_count(), 0u);
}
