/* collectives.cu - nccl.h of the simulated GPU: one process with several devices. */
#include <nccl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "race_programs.h"

enum { DEVICES = 4, COUNT = 6 };
typedef unsigned long long count_t;

static void begin_all(void)
{
    setenv("SIM_PATIENCE", "2", 1);
    sim_set_devices(DEVICES);
    sim_set_checks("all");
}

TestSuite(collectives, .init = begin_all);

__global__ static void put(count_t *array, count_t value)
{
    array[threadIdx.x] = value * (threadIdx.x + 1);
}

__global__ static void read(const count_t *array, count_t *out)
{
    out[threadIdx.x] = array[threadIdx.x];
}

struct team {
    ncclComm_t comm[DEVICES];
    cudaStream_t stream[DEVICES];
    count_t *send[DEVICES], *receive[DEVICES];
};

/* Each device puts (1 + device) * (1 + i) into element i. */
static team make_team(void)
{
    team t;
    cr_assert_eq(ncclCommInitAll(t.comm, DEVICES, NULL), ncclSuccess);
    for (int i = 0; i < DEVICES; i++) {
        cudaSetDevice(i);
        cudaStreamCreateWithFlags(&t.stream[i], cudaStreamNonBlocking);
        cudaMalloc(&t.send[i], COUNT * sizeof(count_t));
        cudaMalloc(&t.receive[i], COUNT * sizeof(count_t));
        put<<<1, COUNT, 0, t.stream[i]>>>(t.send[i], (count_t)i + 1);
    }
    return t;
}

static void disband(team *t)
{
    for (int i = DEVICES - 1; i >= 0; i--) {
        ncclCommDestroy(t->comm[i]);
        cudaSetDevice(i);
        cudaDeviceReset();
    }
}

static void synchronize(const team *t)
{
    for (int i = 0; i < DEVICES; i++)
        cudaStreamSynchronize(t->stream[i]);
}

static void expect_elements(const void *device_array, count_t first)
{
    count_t host[COUNT];
    cr_expect_eq(cudaMemcpy(host, device_array, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        cr_expect_eq(host[i], first * (count_t)(i + 1), "element %d is %llu", i, host[i]);
}

Test(collectives, reduce_to_one)
{
    team t = make_team();
    cr_expect_eq(ncclGroupStart(), ncclSuccess);
    for (int i = 0; i < DEVICES; i++) /* who is not the root receives nothing */
        cr_expect_eq(ncclReduce(t.send[i], i == 2 ? t.receive[2] : NULL, COUNT, ncclUint64, ncclSum,
                                2, t.comm[i], t.stream[i]),
                     ncclSuccess);
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    synchronize(&t);
    expect_elements(t.receive[2], 1 + 2 + 3 + 4);
    cr_expect_eq(sim_error_count(), 0u);
}

static count_t all_reduced(ncclRedOp_t operation, ncclDataType_t type, const void *values,
                           size_t bytes)
{
    ncclComm_t comm[DEVICES];
    void *array[DEVICES];
    count_t result = 0;
    ncclCommInitAll(comm, DEVICES, NULL);
    for (int i = 0; i < DEVICES; i++) {
        cudaSetDevice(i);
        cudaMalloc(&array[i], bytes);
        cudaMemcpy(array[i], (const char *)values + (size_t)i * bytes, bytes,
                   cudaMemcpyHostToDevice);
    }
    ncclGroupStart();
    for (int i = 0; i < DEVICES; i++) /* in place, in the default stream of each */
        cr_expect_eq(ncclAllReduce(array[i], array[i], 1, type, operation, comm[i], 0),
                     ncclSuccess);
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    for (int i = 0; i < DEVICES; i++) {
        count_t again = 0;
        cudaSetDevice(i);
        cudaMemcpy(&again, array[i], bytes, cudaMemcpyDeviceToHost);
        cr_expect(i == 0 || again == result);
        result = again;
        ncclCommDestroy(comm[i]);
    }
    return result;
}

#define ALL_REDUCED(TYPE, NCCL, OPERATION, ...)                                                    \
    ({                                                                                             \
        const TYPE values[DEVICES] = {__VA_ARGS__};                                                \
        count_t bits = all_reduced(OPERATION, NCCL, values, sizeof *values);                       \
        TYPE result;                                                                               \
        memcpy(&result, &bits, sizeof result);                                                     \
        result;                                                                                    \
    })

Test(collectives, know_types_and_operations)
{
    cr_expect_eq(ALL_REDUCED(unsigned int, ncclUint32, ncclSum, 4000000000u, 1, 2, 3), 4000000006u);
    cr_expect_eq(ALL_REDUCED(count_t, ncclUint64, ncclSum, 1ull << 40, 1, 2, 3), (1ull << 40) + 6);
    cr_expect_eq(ALL_REDUCED(float, ncclFloat, ncclSum, 0.5f, 0.25f, 1, 2), 3.75f);
    cr_expect_eq(ALL_REDUCED(double, ncclDouble, ncclMin, 0.5, -0.25, 1, 2), -0.25);
    cr_expect_eq(ALL_REDUCED(int, ncclInt32, ncclMax, -5, -3, -4, -9), -3);
    cr_expect_eq(ALL_REDUCED(long long, ncclInt64, ncclMin, -5, 3, -4, 1), -5);
    cr_expect_eq(ALL_REDUCED(int, ncclInt, ncclProd, 2, -3, 5, 7), -210);
    cr_expect_eq(ALL_REDUCED(unsigned char, ncclUint8, ncclSum, 200, 50, 6, 1), 1);
    cr_expect_eq(ALL_REDUCED(signed char, ncclInt8, ncclMax, -3, -2, -1, -4), -1);
    cr_expect_eq(ALL_REDUCED(float, ncclFloat32, ncclAvg, 1, 2, 3, 4), 2.5f);
    cr_expect_eq(ALL_REDUCED(unsigned int, ncclUint32, ncclAvg, 1, 2, 3, 5), 2u);
}

Test(collectives, say_who_they_are)
{
    const int devices[] = {3, 1};
    ncclComm_t comm[2];
    int value = -1;
    cr_assert_eq(ncclCommInitAll(comm, 2, devices), ncclSuccess);
    cr_expect_eq(ncclCommCount(comm[0], &value), ncclSuccess);
    cr_expect_eq(value, 2);
    cr_expect_eq(ncclCommCuDevice(comm[0], &value), ncclSuccess);
    cr_expect_eq(value, 3);
    cr_expect_eq(ncclCommUserRank(comm[1], &value), ncclSuccess);
    cr_expect_eq(value, 1);
    cr_expect_eq(ncclGetVersion(&value), ncclSuccess);
    cr_expect_eq(value, NCCL_VERSION_CODE);
    cr_expect_str_eq(ncclGetErrorString(ncclSuccess), "no error");
    cr_expect_str_eq(ncclGetErrorString(ncclInvalidUsage), "invalid usage");
    cr_expect_str_eq(ncclGetErrorString((ncclResult_t)99), "unknown result code");
    ncclResult_t state = ncclInternalError;
    cr_expect_eq(ncclCommGetAsyncError(comm[0], &state), ncclSuccess);
    cr_expect_eq(state, ncclSuccess);
    cr_expect_eq(ncclCommFinalize(comm[0]), ncclSuccess);
    cr_expect_eq(ncclCommDestroy(comm[0]), ncclSuccess);
    cr_expect_eq(ncclCommAbort(comm[1]), ncclSuccess);
}

#define EXPECT_REFUSED(CALL, RESULT, PRINTED)                                                      \
    do {                                                                                           \
        static struct capture capture;                                                             \
        capture_start(&capture);                                                                   \
        ncclResult_t is = (CALL);                                                                  \
        const char *text = capture_end(&capture);                                                  \
        cr_expect_eq(is, RESULT, "%s", ncclGetErrorString(is));                                    \
        EXPECT_PRINTED(text, "tests/sim/collectives.cu:");                                         \
        EXPECT_PRINTED(text, PRINTED);                                                             \
        cr_expect(strstr(text, ncclGetLastError(NULL)) != NULL);                                   \
    } while (0)

Test(collectives, refuse_communicators_that_make_no_sense)
{
    const int twice[] = {1, 1}, beyond[] = {0, 4};
    ncclComm_t comm[9];
    int value;
    EXPECT_REFUSED(ncclCommInitAll(comm, 0, NULL), ncclInvalidArgument, "0 devices are none");
    EXPECT_REFUSED(ncclCommInitAll(NULL, 1, NULL), ncclInvalidArgument, "NULL");
    EXPECT_REFUSED(ncclCommInitAll(comm, 5, NULL), ncclUnhandledCudaError,
                   "there is no device 4: the number of devices is 4");
    EXPECT_REFUSED(ncclCommInitAll(comm, 2, beyond), ncclUnhandledCudaError, "no device 4");
    EXPECT_REFUSED(ncclCommInitAll(comm, 2, twice), ncclInvalidUsage,
                   "device 1 stands in the list twice");
    cr_assert_eq(ncclCommInitAll(comm, 1, NULL), ncclSuccess);
    cr_expect_eq(ncclCommDestroy(comm[0]), ncclSuccess);
    EXPECT_REFUSED(ncclCommDestroy(comm[0]), ncclInvalidArgument, "is no communicator");
    EXPECT_REFUSED(ncclCommCount(NULL, &value), ncclInvalidArgument, "is no communicator");
    EXPECT_REFUSED(ncclGroupEnd(), ncclInvalidUsage, "no group was begun");
}

static ncclResult_t reduce_one(const team *t, const void *send, void *receive, ncclDataType_t type,
                               int root, cudaStream_t stream)
{
    return ncclReduce(send, receive, COUNT, type, ncclSum, root, t->comm[0], stream);
}

Test(collectives, refuse_what_no_rank_may_ask_for)
{
    team t = make_team();
    count_t host[COUNT];
    EXPECT_REFUSED(reduce_one(&t, t.send[1], t.receive[0], ncclUint64, 0, t.stream[0]),
                   ncclInvalidArgument,
                   "is memory of device 1, and the communicator is that of device 0: allocated at "
                   "tests/sim/collectives.cu:");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[3], ncclUint64, 0, t.stream[0]),
                   ncclInvalidArgument, "the receive buffer");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[0], ncclUint64, 0, t.stream[2]),
                   ncclUnhandledCudaError,
                   "the stream belongs to device 2, and the communicator is that of device 0: "
                   "create the stream after cudaSetDevice(0)");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[0], ncclUint64, 4, t.stream[0]),
                   ncclInvalidArgument, "there is no rank 4");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[0], ncclUint64, -1, t.stream[0]),
                   ncclInvalidArgument, "there is no rank");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[0], ncclHalf, 0, t.stream[0]),
                   ncclInvalidArgument, "ncclFloat16 is not simulated");
    EXPECT_REFUSED(reduce_one(&t, t.send[0], t.receive[0], (ncclDataType_t)77, 0, t.stream[0]),
                   ncclInvalidArgument, "no type");
    static struct capture capture;
    capture_start(&capture);
    cr_expect_eq(reduce_one(&t, host, t.receive[0], ncclUint64, 0, t.stream[0]),
                 ncclInvalidArgument);
    cr_expect_eq(reduce_one(&t, t.send[0], NULL, ncclUint64, 0, t.stream[0]), ncclInvalidArgument);
    cr_expect_eq(reduce_one(&t, t.send[0] + 1, t.receive[0], ncclUint64, 0, t.stream[0]),
                 ncclInvalidArgument);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "ncclReduce: the send buffer, ");
    EXPECT_PRINTED(text, "is host memory: device memory is expected here");
    EXPECT_PRINTED(text, "the receive buffer is NULL");
    EXPECT_PRINTED(text, "48 bytes from byte 8 of the send buffer do not fit");
}

/* A group in which one call was refused does nothing, and says so. */
Test(collectives, a_refused_call_spoils_its_group)
{
    team t = make_team();
    static struct capture capture;
    capture_start(&capture);
    ncclGroupStart();
    for (int i = 0; i < DEVICES; i++)
        ncclReduce(t.send[i], t.receive[0], COUNT, ncclUint64, ncclSum, i == 3 ? 9 : 0, t.comm[i],
                   t.stream[i]);
    cr_expect_eq(ncclGroupEnd(), ncclInvalidArgument);
    EXPECT_PRINTED(capture_end(&capture), "there is no rank 9");
    ncclGroupStart();
    for (int i = 0; i < DEVICES; i++)
        ncclReduce(t.send[i], t.receive[i], COUNT, ncclUint64, ncclSum, 0, t.comm[i], t.stream[i]);
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    synchronize(&t);
    expect_elements(t.receive[0], 10);
}

/* What hangs on a GPU. Bugs: 1 no group; 2 a device does not join; 3 one joins for all; another
 * 4 count, 5 type, 6 operation, 7 root, 8 collective; 9 a device with nothing to do has returned
 * before; 10 joins once more. */
static void join(const team *t, int i, int bug)
{
    size_t count = bug == 4 && i == 2 ? COUNT - 1 : COUNT;
    ncclDataType_t type = bug == 5 && i == 3 ? ncclInt64 : ncclUint64;
    ncclRedOp_t operation = bug == 6 && i == 1 ? ncclMax : ncclSum;
    int root = bug == 7 && i == 1 ? 1 : 0, as = bug == 3 ? 0 : i;
    if ((bug == 2 && i == 1) || (bug == 9 && i == DEVICES - 1))
        return;
    for (int times = bug == 10 && i == 2 ? 2 : 1; times > 0; times--)
        if (bug == 8 && i == 1)
            ncclAllReduce(t->send[i], t->receive[i], count, type, operation, t->comm[i],
                          t->stream[i]);
        else
            ncclReduce(t->send[as], t->receive[as], count, type, operation, root, t->comm[as],
                       t->stream[as]);
}

static void reduce_with(int bug)
{
    team t = make_team();
    if (bug != 1)
        ncclGroupStart();
    for (int i = 0; i < DEVICES; i++)
        join(&t, i, bug);
    ncclResult_t result = bug == 1 ? ncclInvalidUsage : ncclGroupEnd();
    cr_expect_eq(result, bug ? ncclInvalidUsage : ncclSuccess);
    cr_expect_eq(cudaStreamSynchronize(t.stream[0]), bug ? cudaErrorLaunchTimeout : cudaSuccess);
    disband(&t);
}

Test(collectives, that_would_hang_are_told)
{
    CLEAN(reduce_with);
    BUG(reduce_with, 1,
        "ncclReduce outside of a group waits for ever: device 0 waits for 3 others");
    BUG(reduce_with, 2, "ncclReduce waits for devices that do not join it: not joined by rank 1");
    BUG(reduce_with, 3, "not joined by rank 1, 2, 3; device 0 has called it 4 times");
    BUG(reduce_with, 9, "not joined by rank 3");
    BUG(reduce_with, 10, "not joined by rank 0, 1, 3");
}

Test(collectives, that_are_joined_in_different_ways_are_told)
{
    BUG(reduce_with, 4,
        "ncclReduce: the devices disagree on the number of elements: device 2 has "
        "ncclReduce of 5 ncclUint64 by ncclSum to rank 0, device 0 has ncclReduce "
        "of 6 ncclUint64 by ncclSum to rank 0 at tests/sim/collectives.cu:");
    BUG(reduce_with, 5, "ncclReduce: the devices disagree on the type of the elements");
    BUG(reduce_with, 6, "ncclReduce: the devices disagree on the operation");
    BUG(reduce_with, 7, "ncclReduce: the devices disagree on the root");
    BUG(reduce_with, 8, "ncclAllReduce: the devices disagree on which collective it is");
}

/* With all checks off, too: nothing may hang. */
Test(collectives, never_hang)
{
    sim_set_checks("none");
    for (int bug = 1; bug <= 10; bug++) {
        static struct capture capture;
        capture_start(&capture);
        reduce_with(bug);
        const char *text = capture_end(&capture);
        cr_expect_gt(sim_error_count(), 0u, "bug %d: %s", bug, text);
        sim_reset_errors();
    }
}

Test(collectives, a_group_that_never_ends, .exit_code = 86)
{
    team t = make_team();
    ncclGroupStart();
    join(&t, 0, 0);
    exit(0);
}

/* In which order things are: bug 1: nobody waits for the stream of the root; 2: a device counts in
 * another stream; 3: the result is used in another stream; 4: of a device that nothing has
 * written; 5: the stream of a rank that receives nothing was waited for instead. */
static void order(int bug)
{
    team t = make_team();
    count_t host[COUNT], *out;
    cudaStream_t other;
    cudaSetDevice(1);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    if (bug == 2)
        put<<<1, COUNT, 0, other>>>(t.send[1], 2);
    if (bug == 4) {
        cudaFree(t.send[1]);
        cudaMalloc(&t.send[1], COUNT * sizeof(count_t));
    }
    ncclGroupStart();
    for (int i = 0; i < DEVICES; i++)
        join(&t, i, 0);
    ncclGroupEnd();
    cudaSetDevice(0);
    if (bug == 3) {
        cudaStream_t third;
        cudaMalloc(&out, sizeof host);
        cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
        read<<<1, COUNT, 0, third>>>(t.receive[0], out);
    }
    if (bug == 5)
        cudaStreamSynchronize(t.stream[1]);
    else if (bug != 1)
        cudaStreamSynchronize(t.stream[0]);
    cudaMemcpy(host, t.receive[0], sizeof host, cudaMemcpyDeviceToHost);
    disband(&t);
}

Test(collectives, happen_in_their_streams)
{
    CLEAN(order);
    BUG(order, 1, "nothing orders this copy and a collective");
    BUG(order, 2, "nothing orders this kernel and another one");
    BUG(order, 3, "nothing orders this collective and a kernel");
    BUG(order, 4,
        "ncclReduce reads what nothing has written: element 0 of the send buffer of "
        "device 1");
    BUG(order, 5, "nothing orders this copy and a collective");
}

/* Two collectives in one group, and others in groups inside of it. */
Test(collectives, go_in_order)
{
    team t = make_team();
    ncclGroupStart();
    for (int i = 0; i < DEVICES; i++) {
        ncclGroupStart();
        ncclAllReduce(t.send[i], t.receive[i], COUNT, ncclUint64, ncclSum, t.comm[i], t.stream[i]);
        ncclAllReduce(t.receive[i], t.receive[i], COUNT, ncclUint64, ncclMax, t.comm[i],
                      t.stream[i]);
        cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    }
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    synchronize(&t);
    for (int i = 0; i < DEVICES; i++)
        expect_elements(t.receive[i], 10);
    cr_expect_eq(sim_error_count(), 0u);
}

/* One device alone needs no group. */
Test(collectives, of_one_device)
{
    ncclComm_t comm;
    count_t *array;
    cr_assert_eq(ncclCommInitAll(&comm, 1, NULL), ncclSuccess);
    cudaMalloc(&array, COUNT * sizeof *array);
    put<<<1, COUNT>>>(array, 3);
    cr_expect_eq(ncclReduce(array, array, COUNT, ncclUint64, ncclSum, 0, comm, 0), ncclSuccess);
    expect_elements(array, 3);
    cr_expect_eq(ncclAllReduce(array, array, 0, ncclUint64, ncclSum, comm, 0), ncclSuccess);
}

/* A host thread for each device needs no group either; one that returns early is missed. */
struct of_thread {
    const team *t;
    int rank;
    bool joins;
    ncclResult_t result;
};

static void *reduce_in_thread(void *argument)
{
    of_thread *own = (of_thread *)argument;
    const team *t = own->t;
    int i = own->rank;
    own->result = ncclSuccess;
    if (own->joins)
        own->result = ncclAllReduce(t->send[i], t->receive[i], COUNT, ncclUint64, ncclSum,
                                    t->comm[i], t->stream[i]);
    return NULL;
}

static void in_threads(const team *t, bool all, ncclResult_t expected)
{
    pthread_t thread[DEVICES];
    of_thread own[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        own[i] = {t, i, all || i != 2, ncclInternalError};
        cr_assert_eq(pthread_create(&thread[i], NULL, reduce_in_thread, &own[i]), 0);
    }
    for (int i = 0; i < DEVICES; i++) {
        pthread_join(thread[i], NULL);
        cr_expect(!own[i].joins || own[i].result == expected, "rank %d: %s", i,
                  ncclGetErrorString(own[i].result));
    }
}

Test(collectives, of_a_host_thread_for_each_device)
{
    team t = make_team();
    in_threads(&t, true, ncclSuccess);
    synchronize(&t);
    for (int i = 0; i < DEVICES; i++)
        expect_elements(t.receive[i], 10);
    cr_expect_eq(sim_error_count(), 0u);
}

/* One that takes longer than SIM_PATIENCE, but is at work, is waited for. */
static void *reduce_late(void *argument)
{
    for (int i = 0; i < 35; i++) {
        usleep(100000);
        cudaDeviceSynchronize();
    }
    return reduce_in_thread(argument);
}

Test(collectives, of_a_host_thread_that_is_late)
{
    team t = make_team();
    pthread_t thread[DEVICES];
    of_thread own[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        own[i] = {&t, i, true, ncclInternalError};
        pthread_create(&thread[i], NULL, i == 3 ? reduce_late : reduce_in_thread, &own[i]);
    }
    for (int i = 0; i < DEVICES; i++) {
        pthread_join(thread[i], NULL);
        cr_expect_eq(own[i].result, ncclSuccess);
    }
    cr_expect_eq(sim_error_count(), 0u);
}

Test(collectives, of_host_threads_one_of_which_has_returned)
{
    team t = make_team();
    static struct capture capture;
    capture_start(&capture);
    in_threads(&t, false, ncclInvalidUsage);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text,
                   "ncclAllReduce waits for devices that do not join it: not joined by rank 2");
}

/* Ranks in several processes. Bugs: 1 the second has ended, 2 asks for fewer elements, 3 has
 * destroyed its communicator, 4 says that there are more ranks, 5 has the device of the first, 6 has a
 * device of that number on another host. */
enum { RANKS = 3 };

static int run_rank(ncclUniqueId id, int rank, int bug)
{
    count_t *array, host[COUNT] = {0};
    ncclComm_t comm;
    bool is_wrong = bug > 0 && rank == 1;
    cudaSetDevice(is_wrong && bug >= 5 ? 0 : rank);
    sim_set_host(is_wrong && bug == 6);
    ncclResult_t result = ncclCommInitRank(&comm, RANKS + (is_wrong && bug == 4), id, rank);
    if (is_wrong && bug == 1)
        return 0;
    cudaMalloc(&array, sizeof host);
    for (int round = 1; round <= 2 && result == ncclSuccess; round++) {
        put<<<1, COUNT>>>(array, (count_t)(rank + round));
        result = ncclReduce(array, array, is_wrong && bug == 2 ? 3 : COUNT, ncclUint64, ncclSum, 0,
                            comm, 0);
        if (rank == 0)
            cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
        if (rank == 0 && result == ncclSuccess && host[1] != 2u * (0 + 1 + 2 + RANKS * round))
            return 2;
        if (is_wrong && bug == 3)
            ncclCommDestroy(comm);
        if (is_wrong && bug == 3)
            sleep(1);
        if (is_wrong && bug == 3)
            return 0;
    }
    if (result == ncclSuccess)
        result = ncclCommDestroy(comm);
    return result == ncclSuccess && sim_error_count() == 0 ? 0 : 1;
}

/* The statuses of the processes, by rank, as digits. */
static int run_ranks(int bug, const char **text)
{
    static const int digit[RANKS] = {100, 10, 1};
    static struct capture capture;
    ncclUniqueId id;
    pid_t process[RANKS], ended;
    int statuses = 0, status;
    capture_start(&capture);
    cr_assert_eq(ncclGetUniqueId(&id), ncclSuccess);
    for (int rank = 0; rank < RANKS; rank++)
        if ((process[rank] = fork()) == 0)
            _exit(run_rank(id, rank, bug));
    while ((ended = wait(&status)) > 0) /* in any order: who is not waited for has not gone yet */
        for (int rank = 0; rank < RANKS; rank++)
            if (process[rank] == ended)
                statuses += digit[rank] * (WIFEXITED(status) ? WEXITSTATUS(status) : 9);
    *text = capture_end(&capture);
    return statuses;
}

static void expect_ranks(int bug, int statuses, const char *wanted_text)
{
    const char *text;
    int seen = run_ranks(bug, &text);
    cr_expect_eq(seen, statuses, "bug %d: %03d\n%s", bug, seen, text);
    EXPECT_PRINTED(text, wanted_text);
}

/* Whoever is missing here has ended, which is seen; nobody else is waited for in vain, however late. */
Test(collectives, of_several_processes)
{
    expect_ranks(0, 0, "");
    expect_ranks(1, 101, "ncclReduce waits for devices that do not join it: not joined by rank 1");
    expect_ranks(2, 111,
                 "ncclReduce: the ranks disagree on the number of elements: rank 1 has "
                 "ncclReduce of 3 ncclUint64 by ncclSum at tests/sim/collectives.cu:");
    expect_ranks(3, 101, "not joined by rank 1 (which has ended)");
    expect_ranks(4, 111, "ncclCommInitRank");
    expect_ranks(5, 111, "ncclCommInitRank: ranks 0 and 1 both have device 0");
    expect_ranks(6, 0, "");
}

/* All ranks of a communicator in one process: in a group. */
Test(collectives, of_ranks_that_begin_one_by_one)
{
    ncclUniqueId id;
    ncclComm_t comm[2], more;
    count_t *array[2];
    cr_assert_eq(ncclGetUniqueId(&id), ncclSuccess);
    ncclGroupStart();
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaMalloc(&array[i], COUNT * sizeof(count_t));
        put<<<1, COUNT>>>(array[i], (count_t)i + 1);
        cr_expect_eq(ncclCommInitRank(&comm[i], 2, id, i), ncclSuccess);
    }
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    ncclGroupStart();
    for (int i = 0; i < 2; i++)
        for (int times = 0; times < 2; times++)
            ncclAllReduce(array[i], array[i], COUNT, ncclUint64, ncclSum, comm[i], 0);
    cr_expect_eq(ncclGroupEnd(), ncclSuccess);
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        expect_elements(array[i], 6);
    }
    cr_expect_eq(sim_error_count(), 0u);
    ncclUniqueId none = {""};
    EXPECT_REFUSED(ncclCommInitRank(&more, 2, none, 0), ncclInvalidArgument, "give all ranks");
    EXPECT_REFUSED(ncclCommInitRank(&more, 2, id, 2), ncclInvalidArgument, "rank 2 of 2");
    EXPECT_REFUSED(ncclReduce(array[0], array[0], 1 << 20, ncclUint64, ncclSum, 0, comm[0], 0),
                   ncclInvalidArgument, "between processes a rank sends at most 1048576 bytes");
    for (int i = 0; i < 2; i++)
        cr_expect_eq(ncclCommDestroy(comm[i]), ncclSuccess);
}

Test(collectives, of_a_rank_that_begins_alone)
{
    ncclUniqueId id;
    ncclComm_t comm;
    cr_assert_eq(ncclGetUniqueId(&id), ncclSuccess);
    static struct capture capture;
    capture_start(&capture);
    cr_expect_eq(ncclCommInitRank(&comm, 2, id, 0), ncclInvalidUsage);
    EXPECT_PRINTED(capture_end(&capture),
                   "ncclCommInitRank waits for devices that do not join it: not joined by rank 1");
}

static void note(const struct sim_collective_seen *seen, void *context)
{
    cr_expect_str_eq(seen->name, "ncclReduce");
    cr_expect_eq(seen->devices, (unsigned int)DEVICES);
    cr_expect_eq(seen->elements, (size_t)COUNT);
    cr_expect_eq(seen->bytes, COUNT * sizeof(count_t));
    cr_expect_eq(seen->root, 0);
    ++*(int *)context;
}

Test(collectives, are_observed)
{
    int count = 0;
    sim_observe_collectives(note, &count);
    reduce_with(0);
    cr_expect_eq(count, 1);
}
