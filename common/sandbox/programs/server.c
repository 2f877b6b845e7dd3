/* server.c - main() of the kernel's process: does what the judge asks, and knows no more: of units and
 * bins no more than their size.
 *
 *     kernel DESCRIPTOR [filtered]
 *
 * DESCRIPTOR is the channel: see wire.h. When it is closed, the process ends. With "filtered" it may
 * ask the system for little, from before any other code of this program runs: see confine.h. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"
#include "sim.h"
#include "target.h"
#include "wire.h"

enum { HIGH = 512, REPORTS = 1 << 16 };

static int channel;
static pid_t server; /* this process, and no child of it that comes here as well */
static struct wire_question question;
static unsigned char *bytes;
static size_t room;

/* Lines of reports that the judge has not heard of. */
static char reports[REPORTS];
static size_t reported;

static void note_report(const char *check, uintptr_t pc, void *unused)
{
    char where[512], line[600];
    (void)unused;
    int length = snprintf(line, sizeof line, "%s %s\n", check, sim_locate(pc, where, sizeof where));
    if (length < 0 || (size_t)length >= sizeof line || reported + (size_t)length > REPORTS)
        return;
    memcpy(reports + reported, line, (size_t)length);
    reported += (size_t)length;
}

/* Without the judge there is nothing to do. */
static void receive(void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = recv(channel, (char *)to + done, size - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            _exit(0);
        done += (size_t)got;
    }
}

static void deliver(const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t sent = send(channel, (const char *)from + done, size - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(0);
        done += (size_t)sent;
    }
}

static void answer(uint64_t value, const void *content, size_t size, enum wire_farewell farewell)
{
    struct wire_answer head = {.nonce = question.nonce,
                               .value = value,
                               .launches = sim_counters().launches,
                               .errors = sim_error_count(),
                               .farewell = farewell,
                               .reports = (uint32_t)reported,
                               .bytes = size};
    if (getpid() != server)
        _exit(0);
    if (farewell != WIRE_REFUSED) { /* it may have been refused while it held their locks */
        fflush(stdout);
        fflush(stderr);
    }
    deliver(&head, sizeof head);
    deliver(reports, reported);
    deliver(content, size);
    reported = 0;
}

static void serve_answer(uint64_t value, const void *content, size_t size)
{
    answer(value, content, size, WIRE_STAYS);
}

/* exit() was called: the last that the judge hears, unless it was _exit. */
static void say_farewell(void)
{
    answer(0, NULL, 0, WIRE_EXITS);
}

/* The system was asked for what no kernel needs. */
static void say_refused(int call, const char *place)
{
    char bytes_of_place[WIRE_PLACE];
    snprintf(bytes_of_place, sizeof bytes_of_place, "%s", place);
    answer((uint64_t)call, bytes_of_place, sizeof bytes_of_place, WIRE_REFUSED);
}

static void finish(void)
{
    struct wire_finished finished = {.fine = 0};
    finished.fine = target_finish(finished.error, sizeof finished.error);
    finished.shape = sim_last_launch();
    serve_answer(0, &finished, sizeof finished);
}

static void read_back(const void *memory, size_t size)
{
    unsigned char *content = malloc(size + 1);
    if (!content)
        abort();
    target_read(content, memory, size);
    serve_answer(0, content, size);
    free(content);
}

static void serve_held(void)
{
    const struct held held = target_held();
    serve_answer(0, &held, sizeof held);
}

static void serve_memory(void)
{
    const uint64_t *values = question.values;
    void *memory = (void *)(uintptr_t)values[0];
    if (question.what == WIRE_ALLOCATE)
        serve_answer((uintptr_t)target_allocate(values[0]), NULL, 0);
    else if (question.what == WIRE_RESERVE)
        serve_answer((uintptr_t)target_reserve(values[0]), NULL, 0);
    else if (question.what == WIRE_FREE)
        target_free(memory);
    else if (question.what == WIRE_FILL)
        target_fill(memory, (int)values[1], values[2]);
    else if (question.what == WIRE_WRITE)
        target_write(memory, bytes, question.bytes);
    else if (question.what == WIRE_READ)
        read_back(memory, values[1]);
    else if (question.what == WIRE_LEFT)
        serve_answer(target_memory_left(), NULL, 0);
    else if (question.what == WIRE_HELD)
        serve_held();
    else if (question.what == WIRE_IS_DEVICE)
        serve_answer(target_is_device(), NULL, 0);
    else
        finish();
}

static void try(void)
{
    struct wire_trial wire;
    if (question.bytes != sizeof wire) {
        sim_try(NULL);
        return;
    }
    memcpy(&wire, bytes, sizeof wire);
    struct sim_trial trial = wire_trial(&wire);
    sim_try(&trial);
}

static void serve_trial(void)
{
    char name[WIRE_NAME] = "", place[WIRE_PLACE] = "";
    if (question.what == WIRE_TRY)
        try();
    else if (question.what == WIRE_STOPPED) {
        const char *stopped = sim_trial_stopped();
        snprintf(name, sizeof name, "%s", stopped ? stopped : "");
        serve_answer(0, name, sizeof name);
    } else {
        sim_locate(question.values[0], place, sizeof place);
        serve_answer(0, place, sizeof place);
    }
}

static void set_budget(void)
{
    static char unit[WIRE_NAME];
    snprintf(unit, sizeof unit, "%.*s", (int)question.bytes, (const char *)bytes);
    sim_set_budget_for(question.values[0], question.values[1], unit);
}

static void serve_simulator(void)
{
    const uint64_t value = question.values[0];
    if (question.what == WIRE_SEED)
        sim_set_seed(value);
    else if (question.what == WIRE_BUDGET)
        set_budget();
    else if (question.what == WIRE_MULTIPROCESSORS)
        sim_set_multiprocessors((unsigned int)value);
    else if (question.what == WIRE_L2_BYTES)
        sim_set_l2_bytes((unsigned int)value);
    else if (question.what == WIRE_RESET_COUNTERS)
        sim_reset_counters();
    else if (question.what == WIRE_COUNTERS) {
        struct sim_counters counters = sim_counters();
        serve_answer(0, &counters, sizeof counters);
    } else
        serve_trial();
}

static void serve_call(const struct call *call)
{
    struct wire_called called = {.is_device = target_is_device(), .launches = target_launches()};
    copies_begin(&called.copies, call->elements, call->length * call->unit_bytes, call->bins,
                 call->num_bins * call->bin_bytes);
    call_make(call);
    copies_end();
    called.launches = target_launches() - called.launches;
    called.failed = cudaPeekAtLastError() != cudaSuccess;
    serve_answer(0, &called, sizeof called);
}

static void serve_measure(const struct call *call)
{
    struct wire_measured measured = {.finished = 0};
    measured.finished = measure_run(call, &measured.result, measured.error, sizeof measured.error);
    serve_answer(0, &measured, sizeof measured);
}

static void serve_spoiled(const struct call *call)
{
    struct spoiled spoiled;
    spoil_run(call, (enum spoil)question.values[0], &spoiled);
    serve_answer(0, &spoiled, sizeof spoiled);
}

static void serve_far_end(void)
{
    struct wire_far_seen far = {.finished = 0};
    struct wire_far wire;
    const char *stopped = NULL;
    memcpy(&wire, bytes, sizeof wire);
    const struct sim_trial trial = wire_trial(&wire.trial);
    far.finished = measure_far_end(&wire.call, &wire.limits, &trial, &far.seen,
                                   wire.stops_late ? &stopped : NULL, far.error, sizeof far.error);
    snprintf(far.stopped, sizeof far.stopped, "%s", stopped ? stopped : "");
    serve_answer(0, &far, sizeof far);
}

static void serve_sparse(void)
{
    struct sparse sparse;
    struct sparse_seen seen;
    memcpy(&sparse, bytes, sizeof sparse);
    sparse_run(&sparse, &seen);
    serve_answer(0, &seen, sizeof seen);
}

static void serve_sample(void)
{
    struct sample sample;
    struct measurement seen;
    memcpy(&sample, bytes, sizeof sample);
    sample_run(&sample, &seen);
    serve_answer(0, &seen, sizeof seen);
}

static void serve_model(void)
{
    struct model model;
    memcpy(&model, bytes, sizeof model);
    if (kernel_half.model)
        kernel_half.model(&model);
    serve_answer(0, &model, sizeof model);
}

static void serve_contract(void)
{
    struct call call;
    if (question.what == WIRE_MODEL) {
        serve_model();
        return;
    }
    if (question.what == WIRE_FAR_END) {
        serve_far_end();
        return;
    }
    if (question.what == WIRE_SPARSE) {
        serve_sparse();
        return;
    }
    if (question.what == WIRE_SAMPLE) {
        serve_sample();
        return;
    }
    memcpy(&call, bytes, sizeof call);
    if (question.what == WIRE_CALL)
        serve_call(&call);
    else if (question.what == WIRE_SPOIL)
        serve_spoiled(&call);
    else
        serve_measure(&call);
}

/* What only this contract is asked. */
static void serve_own(void)
{
    size_t size = 0;
    const void *content = kernel_half.answer(&question, bytes, &size);
    serve_answer(0, content, size);
}

static void serve(void)
{
    if (getpid() != server)
        _exit(0);
    receive(&question, sizeof question);
    if (question.bytes > room) {
        free(bytes);
        bytes = malloc(room = question.bytes);
        if (!bytes)
            abort();
    }
    receive(bytes, question.bytes);
    if (question.what >= WIRE_CONTRACT)
        serve_own();
    else if (question.what >= WIRE_CALL)
        serve_contract();
    else if (question.what >= WIRE_SEED)
        serve_simulator();
    else
        serve_memory();
}

/* The channel to a number that nobody expects, and not to what the kernel may start. */
static int hidden(int descriptor)
{
    uint16_t drawn = 0;
    if (getrandom(&drawn, sizeof drawn, 0) < 0)
        drawn = 0;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH + drawn % HIGH);
    if (moved < 0)
        return descriptor;
    close(descriptor);
    return moved;
}

/* Comes before every constructor, of the student's, too: this file is linked first. */
static void begin(int count, char **arguments, char **environment)
{
    (void)environment;
    if (count < 2)
        return;
    server = getpid();
    channel = hidden(atoi(arguments[1]));
    if (count == 2 || strcmp(arguments[2], CONFINE_FILTERED) != 0)
        return;
    filter_tell(say_refused);
    filter_install(FILTER_KERNEL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = begin;

int main(int count, char **arguments)
{
    (void)arguments;
    if (count != 2 && count != 3) {
        fprintf(stderr, "usage: kernel DESCRIPTOR [filtered]: the judge starts this program\n");
        return 2;
    }
    sim_observe_reports(note_report, NULL);
    sim_watch_host(); /* plain C, too, which allocates nothing of the device's */
    atexit(say_farewell);
    for (;;)
        serve();
}
