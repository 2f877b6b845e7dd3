/* graphs.cu - CUDA graphs: streams that are captured, and replayed. */
#include "race_programs.h"

enum { COUNT = 256 };

__global__ static void add(int *numbers, int amount)
{
    numbers[threadIdx.x] += amount;
}

static void count_call(void *calls)
{
    ++*(int *)calls;
}

static int *device_numbers()
{
    int *numbers;
    cr_assert_eq(cudaMalloc(&numbers, COUNT * sizeof *numbers), cudaSuccess);
    cr_assert_eq(cudaMemset(numbers, 0, COUNT * sizeof *numbers), cudaSuccess);
    return numbers;
}

static cudaStream_t new_stream()
{
    cudaStream_t stream;
    cr_assert_eq(cudaStreamCreate(&stream), cudaSuccess);
    return stream;
}

static int last_of(const int *numbers)
{
    int last;
    cr_assert_eq(cudaMemcpy(&last, numbers + COUNT - 1, sizeof last, cudaMemcpyDeviceToHost),
                 cudaSuccess);
    return last;
}

/* Fails with this error, after one line that has these words. */
#define EXPECT_REFUSED(call, expected, words)                                                      \
    do {                                                                                           \
        struct capture printed;                                                                    \
        capture_start(&printed);                                                                   \
        cudaError_t seen = (call);                                                                 \
        const char *text = capture_end(&printed);                                                  \
        cr_expect_eq(seen, expected, "%s", cudaGetErrorName(seen));                                \
        EXPECT_PRINTED(text, words);                                                               \
        EXPECT_PRINTED(text, "graphs.cu:");                                                        \
        cudaGetLastError();                                                                        \
    } while (0)

Test(graphs, do_nothing_until_they_are_launched)
{
    int *numbers = device_numbers(), calls = 0, host[COUNT];
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    cr_assert_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cudaMemsetAsync(numbers, 0, COUNT * sizeof *numbers, stream);
    cudaMemcpyAsync(numbers, host, sizeof host, cudaMemcpyHostToDevice, stream);
    for (int amount = 1; amount < 4; amount++)
        add<<<1, COUNT, 0, stream>>>(numbers, amount);
    void *arguments[] = {&numbers, &nodes};
    int ten = 10;
    arguments[1] = &ten;
    cudaLaunchKernel(add, dim3(1), dim3(COUNT), arguments, 0, stream);
    ten = 11; /* the argument was taken when it was recorded */
    cudaLaunchHostFunc(stream, count_call, &calls);
    cr_assert_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cr_expect_eq(calls, 0);
    cr_expect_eq(last_of(numbers), 0);
    cr_expect_eq(cudaGraphGetNodes(graph, NULL, &nodes), cudaSuccess);
    cr_expect_eq(nodes, 7);
    cr_assert_eq(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0), cudaSuccess);
    cr_expect_eq(cudaGraphDestroy(graph), cudaSuccess);
    for (int launch = 1; launch < 4; launch++) {
        host[COUNT - 1] = 1000 * launch; /* the copy reads when it is made */
        cr_expect_eq(cudaGraphLaunch(exec, stream), cudaSuccess);
        cr_expect_eq(cudaStreamSynchronize(stream), cudaSuccess);
        cr_expect_eq(last_of(numbers), 1000 * launch + 16);
        cr_expect_eq(calls, launch);
    }
    cr_expect_eq(cudaGraphExecDestroy(exec), cudaSuccess);
    cr_expect_eq(cudaStreamDestroy(stream), cudaSuccess);
}

Test(graphs, take_in_streams_that_wait_for_their_events)
{
    int *numbers = device_numbers();
    cudaStream_t stream = new_stream(), other = new_stream();
    cudaEvent_t fork, join;
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cr_assert_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    cr_expect_eq(cudaEventRecord(fork, stream), cudaSuccess);
    cr_expect_eq(cudaStreamWaitEvent(other, fork), cudaSuccess);
    cr_expect_eq(cudaStreamIsCapturing(other, &status), cudaSuccess);
    cr_expect_eq(status, cudaStreamCaptureStatusActive);
    add<<<1, COUNT, 0, other>>>(numbers, 5);
    cr_expect_eq(cudaEventRecord(join, other), cudaSuccess);
    cr_expect_eq(cudaStreamWaitEvent(stream, join), cudaSuccess);
    add<<<1, COUNT, 0, stream>>>(numbers, 7);
    cr_assert_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaStreamIsCapturing(other, &status);
    cr_expect_eq(status, cudaStreamCaptureStatusNone);
    cr_expect_eq(cudaGraphClone(&clone, graph), cudaSuccess);
    cr_assert_eq(cudaGraphInstantiate(&exec, clone, 0), cudaSuccess);
    cr_expect_eq(cudaGraphLaunch(exec, 0), cudaSuccess);
    cr_expect_eq(last_of(numbers), 12);

    cr_assert_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork, 0);
    add<<<1, COUNT, 0, other>>>(numbers, 5);
    EXPECT_REFUSED(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined,
                   "another stream has joined the capture");
}

/* Two branches add to the same numbers, and the second waits for the first, or not. */
static void two_branches(int bug)
{
    int *numbers = device_numbers();
    cudaStream_t stream = new_stream(), other = new_stream();
    cudaEvent_t fork, first, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEventCreate(&fork);
    cudaEventCreate(&first);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, COUNT, 0, stream>>>(numbers, 1);
    cudaEventRecord(fork, stream);
    if (bug != 2)
        add<<<1, COUNT, 0, stream>>>(numbers, 2);
    cudaEventRecord(first, stream);
    cudaStreamWaitEvent(other, bug ? fork : first);
    add<<<1, COUNT, 0, other>>>(numbers, 3);
    if (bug == 2)
        cudaMemsetAsync(numbers, 0, sizeof *numbers, stream);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join);
    add<<<1, COUNT, 0, stream>>>(numbers, 4);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream); /* behind the first one, all branches of it */
    add<<<1, COUNT, 0, stream>>>(numbers, 5);
    cudaDeviceSynchronize();
}

Test(graphs, race_between_branches_that_nothing_orders)
{
    CLEAN(two_branches);
    BUG(two_branches, 1, "Race between two streams: nothing orders this kernel and another");
    BUG(two_branches, 2, "Race between two streams: nothing orders this copy and a kernel");
}

/* A graph inside another; and one whose operations are exchanged. */
Test(graphs, are_launched_into_a_capture_and_updated)
{
    int *numbers = device_numbers();
    cudaStream_t stream = new_stream();
    cudaGraph_t graph[3];
    cudaGraphExec_t inner, outer;
    for (int i = 0; i < 3; i++) {
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        add<<<1, COUNT, 0, stream>>>(numbers, i == 1 ? 100 : 1);
        if (i == 2)
            cudaGraphLaunch(inner, stream);
        cr_assert_eq(cudaStreamEndCapture(stream, &graph[i]), cudaSuccess);
        if (i == 0)
            cr_assert_eq(cudaGraphInstantiateWithFlags(&inner, graph[0], 0), cudaSuccess);
    }
    cr_assert_eq(cudaGraphInstantiate(&outer, graph[2], 0), cudaSuccess);
    cudaGraphLaunch(outer, stream);
    cr_expect_eq(last_of(numbers), 2);
    cudaGraphExecUpdateResultInfo info;
    cr_expect_eq(cudaGraphExecUpdate(inner, graph[1], &info), cudaSuccess);
    cudaGraphLaunch(inner, stream);
    cr_expect_eq(last_of(numbers), 102);
    EXPECT_REFUSED(cudaGraphExecUpdate(inner, graph[2], &info), cudaErrorGraphExecUpdateFailure,
                   "different operations");
}

Test(graphs, may_be_made_empty_before_they_are_captured)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t count = 1;
    cr_assert_eq(cudaGraphCreate(&graph, 0), cudaSuccess);
    cr_expect_eq(cudaGraphGetNodes(graph, NULL, &count), cudaSuccess);
    cr_expect_eq(count, 0);
    cr_assert_eq(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    cr_expect_eq(cudaGraphLaunch(exec, 0), cudaSuccess);
    cr_expect_eq(cudaGraphExecDestroy(exec), cudaSuccess);
    cr_expect_eq(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_REFUSED(cudaGraphCreate(&graph, 1), cudaErrorInvalidValue, "the flags have to be 0");
}

Test(graphs, refuse_to_wait_for_what_does_not_run)
{
    int *numbers = device_numbers(), host;
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cr_assert_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_REFUSED(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported,
                   "not allowed while a stream is captured");
    EXPECT_REFUSED(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported, "not allowed");
    EXPECT_REFUSED(cudaMemcpy(&host, numbers, sizeof host, cudaMemcpyDeviceToHost),
                   cudaErrorStreamCaptureUnsupported, "not allowed");
    EXPECT_REFUSED(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated,
                   "was spoiled");
    EXPECT_REFUSED(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState, "is not captured");
    EXPECT_REFUSED(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
                   cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
    EXPECT_REFUSED(cudaGraphLaunch((cudaGraphExec_t)&host, stream), cudaErrorInvalidValue,
                   "is no executable graph");
    cr_expect_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

/* What goes wrong in a graph is told of the line that recorded it. */
Test(graphs, tell_where_a_wrong_operation_was_recorded)
{
    int *numbers = device_numbers(), host[COUNT];
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    struct capture printed;
    char place[32];
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(host, numbers, 2 * sizeof host, cudaMemcpyDeviceToHost, stream);
    snprintf(place, sizeof place, "graphs.cu:%d", __LINE__ - 1);
    cr_assert_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cr_assert_eq(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    capture_start(&printed);
    cr_expect_eq(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
    EXPECT_PRINTED(capture_end(&printed), place);
    sim_reset_errors();
}
