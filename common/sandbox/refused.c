/* refused.c - which call was refused, and where the student's code asked for it: of confine.h. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "confine.h"
#include "sim.h"

enum { PLACE = 512, FRAMES = 64 };

/* The innermost frame in this program and in a file that is neither the system's nor the course's. */
struct search {
    char place[PLACE];
    unsigned int frames;
};

extern const char __executable_start, etext; /* from the linker: the code of this program */

static void (*told_of)(int call, const char *place);

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *data)
{
    struct search *search = data;
    const uintptr_t pc = _Unwind_GetIP(frame);
    if (pc == 0 || search->frames++ == FRAMES)
        return _URC_END_OF_STACK;
    if (pc < (uintptr_t)&__executable_start || pc > (uintptr_t)&etext)
        return _URC_NO_REASON;
    sim_locate(pc, search->place, sizeof search->place);
    if (strchr(search->place, ':') && strncmp(search->place, "/usr/", 5) != 0 &&
        strncmp(search->place, "common/", 7) != 0)
        return _URC_NORMAL_STOP;
    search->place[0] = '\0';
    return _URC_NO_REASON;
}

/* The system ends the call, and calls this in its place. */
static void on_refusal(int number, siginfo_t *info, void *context)
{
    static struct search search;
    (void)number, (void)context;
    _Unwind_Backtrace(look, &search);
    told_of(info->si_syscall, search.place[0] ? search.place : "?");
    signal(SIGSYS, SIG_DFL); /* refused as well: this ends the process */
    _exit(128 + SIGSYS);
}

void filter_tell(void (*told)(int call, const char *place))
{
    struct sigaction action = {.sa_sigaction = on_refusal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    told_of = told;
    sigaction(SIGSYS, &action, NULL);
}

const char *filter_name(int call)
{
#define NAMED(name) [SYS_##name] = #name,
    static const char *const names[] = {
#include "call_names.h" /* made by make: NAMED(read) and so on */
    };
#undef NAMED
    static char number[32];
    if (call >= 0 && (size_t)call < sizeof names / sizeof *names && names[call])
        return names[call];
    snprintf(number, sizeof number, "call %d", call);
    return number;
}
