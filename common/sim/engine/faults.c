/* faults.c - what signals tell: host code in device memory, and lanes that
 * compute for ever without touching memory. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "engine/engine.h"

enum { HALF_A_SECOND = 500000 }; /* in microseconds */

static struct sigaction before_segv, before_bus;
static volatile uint64_t steps_seen;
static volatile unsigned int ticks;
static pthread_t launcher; /* the host thread on which the kernel runs */
static cudaError_t stop_error;
static volatile unsigned int host_patience, host_ticks; /* seconds, and half seconds so far */
void (*sim_host_watch)(uintptr_t address, size_t bytes, uintptr_t pc, bool writes);

void sim_host_fault(uintptr_t address, uintptr_t pc, bool is_return, bool writes)
{
    const struct sim_allocation *at = sim_memory_find(address);
    char detail[400], where[160];
    if (at && (at->kind == SIM_PINNED_MEMORY || at->kind == SIM_MANAGED_MEMORY) && !at->freed_at)
        return;
    if (sim_thrust_touches(at, pc, is_return))
        return;
    if (!at)
        at = sim_memory_nearest(address);
    snprintf(detail, sizeof detail, "0x%zx is device memory%s%s", (size_t)address,
             at && (!at->lent || at->freed_at) ? (at->freed_at ? ", freed at " : ", allocated at ")
                                               : "",
             at && (!at->lent || at->freed_at)
                 ? sim_locate(at->freed_at ? at->freed_at : at->allocated_at, where, sizeof where)
                 : "");
    sim_report(CHECK_MEMORY, NULL, pc + !is_return,
               writes ? "Host code writes device memory" : "Host code reads device memory", detail,
               "copy with cudaMemcpy, and use the host's own array here");
    fflush(NULL);
    _exit(86);
}

#if defined(__x86_64__)
#define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#define SP(context) (context)->uc_mcontext.gregs[REG_RSP]
#define CALL_ADJUST 8
#elif defined(__aarch64__)
#define PC(context) (context)->uc_mcontext.pc
#define SP(context) (context)->uc_mcontext.sp
#define CALL_ADJUST 0
#endif

static void leave_lane(void)
{
    sim_stop_launch(sim_running, stop_error);
}

/* Whether a lane has called so deep that its stack has ended. */
static bool is_out_of_stack(const ucontext_t *context)
{
#ifdef PC
    return (uintptr_t)SP(context) - sim_lane->stack_low >= STACK_BYTES;
#else
    (void)context;
    return false;
#endif
}

/* When the handler returns, the lane finds itself in leave_lane, with some stack: it needs what is there
 * no more. */
static void abandon_lane(ucontext_t *context, cudaError_t error)
{
    stop_error = error;
#ifdef PC
    uintptr_t stack = is_out_of_stack(context) ? sim_lane->stack_low + STACK_BYTES / 2
                                               : (uintptr_t)SP(context) - 512;
    stack &= ~(uintptr_t)15;
    SP(context) = (__typeof__(SP(context)))(stack - CALL_ADJUST);
    PC(context) = (__typeof__(PC(context)))(uintptr_t)leave_lane;
#else
    (void)context;
    _exit(86);
#endif
}

static uintptr_t interrupted_pc(const ucontext_t *context)
{
#ifdef PC
    return (uintptr_t)PC(context);
#else
    (void)context;
    return 0;
#endif
}

static bool is_write(const ucontext_t *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2;
#elif defined(__aarch64__)
    /* Not every kernel and emulator tells it, but the instruction does: bit 22 is set in
     * loads; those that extend a sign to 64 bits have bit 23 instead. */
    uint32_t instruction;
    uintptr_t pc = interrupted_pc(context);
    if (pc - sim_arena_base < sim_arena_bytes)
        return false;
    memcpy(&instruction, (const void *)pc, sizeof instruction);
    return !(instruction & 1u << 22) && (instruction & 0x3c800000) != 0x38800000;
#else
    (void)context;
    return false;
#endif
}

/* Whether a place is a line of the user's: no library's, which has no lines, and none of the simulator's. */
static bool is_users(uintptr_t pc, bool is_return)
{
    return sim_find_source(pc, is_return).line > 0 && !sim_is_own(pc + !is_return);
}

/* The user's code that has led to `pc`, by way of the C library or the simulator. */
static uintptr_t caller_of(uintptr_t pc)
{
    enum { FRAMES = 64 };
    void *frame[FRAMES];
    if (is_users(pc, false))
        return pc;
    const int frames = backtrace(frame, FRAMES);
    bool behind_fault = false;
    for (int i = 0; i < frames; i++) {
        if (behind_fault && is_users((uintptr_t)frame[i], true))
            return (uintptr_t)frame[i] - 1;
        behind_fault = behind_fault || (uintptr_t)frame[i] == pc;
    }
    return pc;
}

/* The same of a lane: where it is no further than the function it has called, the block of code that it entered
 * last. A lane's stack cannot always be walked: the entries in assembly say nothing of their frames. */
static uintptr_t place_of_lane(uintptr_t pc)
{
    enum { A_BLOCK = 256 };
    if (is_users(pc, false) || !sim_lane->code_at)
        return pc;
    // A block that the compiler has added begins at no line. Then it is the next one that has a line.
    for (uintptr_t place = sim_lane->code_at - 1; place < sim_lane->code_at + A_BLOCK; place++)
        if (is_users(place, false))
            return place;
    return sim_lane->code_at - 1;
}

/* Whether the host's stack has ended: the address is just below where it stands. */
static bool is_out_of_host_stack(uintptr_t address, const ucontext_t *context)
{
#ifdef PC
    enum { A_FRAME = 1 << 16 };
    return address - ((uintptr_t)SP(context) - A_FRAME) < A_FRAME + 4096u;
#else
    (void)address, (void)context;
    return false;
#endif
}

static void report_deep_calls(uintptr_t pc)
{
    sim_report(CHECK_MEMORY, NULL, pc + 1, "Stack overflow of host code",
               "functions have called each other so deep that the stack is full",
               "look for the call that should end the recursion; put large arrays into "
               "memory from malloc");
    fflush(NULL);
    _exit(86);
}

/* Host code at an address of nobody, which would end the program without a word of where. */
static void report_lost_pointer(uintptr_t address, uintptr_t pc, bool writes)
{
    enum { A_PAGE = 4096 };
    char detail[100];
    snprintf(detail, sizeof detail, "0x%zx %s", (size_t)address,
             address < A_PAGE ? "is next to a pointer that is NULL"
                              : "is no memory of this program");
    sim_report(CHECK_MEMORY, NULL, pc + 1,
               writes ? "Host code writes where there is no memory"
                      : "Host code reads where there is no memory",
               detail,
               "look at where the pointer comes from, at the index, and at where the loop ends");
    fflush(NULL);
    _exit(86);
}

/* Device memory is closed to host code (memory/memory.h), so that a fault in it is a mistake
 * of the program. Any other goes to whoever handled it before. */
static void on_fault(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    uintptr_t address = (uintptr_t)info->si_addr, pc = interrupted_pc(context);
    if (sim_lane && sim_running && is_out_of_stack(context)) {
        sim_report(CHECK_MEMORY, sim_lane, place_of_lane(pc) + 1, "Stack overflow",
                   SIM_STACK_DETAIL, SIM_STACK_ADVICE);
        abandon_lane(context, cudaErrorLaunchFailure);
        return;
    }
    if (sim_lane && sim_running) {
        char detail[160], name[64];
        snprintf(detail, sizeof detail, "address 0x%zx belongs to nobody", (size_t)address);
        if (sim_line_element(pc + 1, name, sizeof name)) {
            const size_t used = strlen(detail);
            snprintf(detail + used, sizeof detail - used, ": far outside of %s", name);
            sim_report(CHECK_MEMORY, sim_lane, pc + 1, "Invalid access", detail,
                       "compare the index in this line with the number of elements of the array");
            abandon_lane(context, cudaErrorIllegalAddress);
            return;
        }
        sim_report(CHECK_MEMORY, sim_lane, pc + 1,
                   "Invalid access by a function that kernels cannot call", detail,
                   "check the pointers that the kernel hands to library functions");
        abandon_lane(context, cudaErrorIllegalAddress);
        return;
    }
    if (address - sim_arena_base < sim_arena_bytes)
        sim_host_fault(address, caller_of(pc), false, is_write(context));
    const struct sigaction *before = number == SIGSEGV ? &before_segv : &before_bus;
    const uintptr_t place = caller_of(pc);
    if (before->sa_handler == SIG_DFL && is_out_of_host_stack(address, context))
        report_deep_calls(place);
    if (before->sa_handler == SIG_DFL && sim_find_source(place, false).line > 0)
        report_lost_pointer(address, place, is_write(context));
    sigaction(number, before, NULL);
}

/* x86 ends a program that divides an integer so; other processors go on, and so does a GPU. */
static void on_division(int number, siginfo_t *info, void *data)
{
    (void)number, (void)info;
    if (!sim_lane || !sim_running) {
        sim_report(CHECK_PROGRESS, NULL, interrupted_pc(data) + 1, "Integer division by zero",
                   "host code divides an integer by 0",
                   "look at where the divisor comes from, or do not divide when it is 0");
        fflush(NULL);
        _exit(86);
    }
    sim_report(CHECK_PROGRESS, sim_lane, place_of_lane(interrupted_pc(data)) + 1,
               "Integer division by zero",
               "the divisor is 0, or the smallest number is divided by -1: a GPU goes on, with any "
               "result",
               "look at where the divisor comes from, or do not divide when it is 0");
    abandon_lane(data, cudaErrorLaunchFailure);
}

/* No kernel runs, and the host has computed for so long. */
static void note_host_tick(const ucontext_t *context)
{
    if (sim_lane || ++host_ticks < 2 * host_patience)
        return;
    const uintptr_t pc = interrupted_pc(context);
    if (host_patience == 0) {
        if (sim_host_is_due(host_ticks / 2.0, pc))
            sim_tell_host(host_ticks / 2.0, caller_of(pc));
        return;
    }
    sim_report(CHECK_PROGRESS, NULL, caller_of(pc) + 1, "Endless loop of host code",
               "it has computed for seconds without a launch",
               "look for a loop whose condition never becomes false");
    fflush(NULL);
    _exit(86);
}

/* Twice a second of processor time: has any warp made a step since? */
static void on_tick(int number, siginfo_t *info, void *data)
{
    (void)info;
    if (!sim_running)
        note_host_tick(data);
    if (sim_running && !pthread_equal(pthread_self(), launcher)) {
        pthread_kill(launcher, number);
        return;
    }
    sim_time_to_look = true;
    if (!sim_running || !sim_lane || sim_running->steps != steps_seen) {
        steps_seen = sim_running ? sim_running->steps : 0;
        ticks = 0;
        return;
    }
    if (++ticks < 2 * sim_options()->patience)
        return;
    ticks = 0;
    sim_report(CHECK_PROGRESS, sim_lane, place_of_lane(interrupted_pc(data)) + 1,
               "Endless kernel: a thread computes for ever",
               "it has touched no memory for seconds (SIM_PATIENCE sets how many)",
               "look for a loop whose condition never becomes false");
    abandon_lane(data, cudaErrorLaunchTimeout);
}

/* On a stack of its own: a lane's may be what has overflowed. */
static void install(int number, void (*handler)(int, siginfo_t *, void *), struct sigaction *before)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

/* Each host thread has one of its own. */
static void need_alternate_stack(void)
{
    static _Thread_local bool present;
    enum { BYTES = 128 * 1024 };
    stack_t stack = {.ss_sp = present ? NULL : malloc(BYTES), .ss_size = BYTES};
    if (stack.ss_sp)
        present = sigaltstack(&stack, NULL) == 0;
}

static void set_timer(suseconds_t interval)
{
    struct itimerval timer = {{0, interval}, {0, interval}};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

/* While no kernel runs. */
static void set_timer_of_host(void)
{
    set_timer(host_patience > 0 || sim_tells_of_host() ? HALF_A_SECOND : 0);
}

void sim_watch_host(void)
{
    static bool installed;
    need_alternate_stack();
    if (installed)
        return;
    installed = true;
    install(SIGSEGV, on_fault, &before_segv);
    install(SIGBUS, on_fault, &before_bus);
    install(SIGFPE, on_division, NULL);
    install(SIGVTALRM, on_tick, NULL);
    set_timer_of_host();
}

void sim_watch_start(void)
{
    sim_watch_host();
    launcher = pthread_self();
    ticks = host_ticks = 0;
    sim_progress_start();
    set_timer(HALF_A_SECOND);
}

void sim_watch_stop(void)
{
    host_ticks = 0;
    set_timer_of_host();
}

void sim_set_host_patience(unsigned int seconds)
{
    host_patience = seconds;
    host_ticks = 0;
    sim_watch_host();
    if (!sim_running)
        set_timer_of_host();
}
