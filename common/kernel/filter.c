/* filter.c - what a process with a student's code may ask the system for; and which call was refused, and where
 * the student's code asked for it.
 *
 * The table below is all that it may. Whoever asks for anything else is ended by SIGSYS, before it is
 * done: another process, another program, another process's memory, signals and settings, a file
 * that is written, a connection, code that is made at run time. */
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "sim.h"

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Which processes may make the call, and what has to hold of an argument: it IS a value, ITSELF is this process,
 * the bits ARE all set, or are NOT set. Where a call has two lines, one of them has to hold. */
enum { K = 1, R = 2 }; /* a process with a kernel, a rank */
enum what { ANY, IS, ITSELF, ARE, NOT };

struct allowed {
    int call;
    unsigned int who;
    struct holds {
        enum what what;
        unsigned int argument, value;
    } holds[2];
};

enum {
    WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY),
    A_THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
    NO_THREAD = CLONE_PTRACE | CLONE_VFORK | CLONE_PARENT | CLONE_NEWNS | CLONE_UNTRACED |
                CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                CLONE_NEWNET | CLONE_IO
};

#define ALWAYS                                                                                     \
    {                                                                                              \
        {                                                                                          \
            ANY, 0, 0                                                                              \
        }                                                                                          \
    }

static const struct allowed table[] = {
    /* Questions of the judge, answers, and what is printed. The process uses the descriptors that it was given. */
    {SYS_recvfrom, K | R, ALWAYS},     /* a question; of Open MPI, what mpirun says */
    {SYS_sendto, K | R, {{IS, 4, 0}}}, /* an answer, whose receiver is fixed */
    {SYS_write, K | R, ALWAYS},        /* printf; bubblewrap says how the kernel ended */
    {SYS_writev, K | R, ALWAYS},       /* what the C library says before it aborts */
    {SYS_fcntl, K | R, {{IS, 1, F_DUPFD_CLOEXEC}}}, /* the channel goes where nobody looks */
    {SYS_fcntl, K | R, {{IS, 1, F_GETFL}}},         /* fdopen */
    {SYS_fcntl, K | R, {{IS, 1, F_GETFD}}},
    {SYS_fcntl, K | R, {{IS, 1, F_SETFD}}},
    {SYS_ioctl, K | R, {{IS, 1, TCGETS}}}, /* whether what it prints to is a terminal */

    /* Files that are read: a report names the line, from debug information and the source; a
     * kernel of several devices may map a file. None is written, made, removed or renamed. */
    {SYS_openat, K | R, {{NOT, 2, WRITING}}},
    {SYS_read, K | R, ALWAYS},
    {SYS_pread64, K | R, ALWAYS},
    {SYS_readv, K | R, ALWAYS},
    {SYS_preadv, K | R, ALWAYS},
    {SYS_lseek, K | R, ALWAYS},
    {SYS_close, K | R, ALWAYS},
    {SYS_fstat, K | R, ALWAYS},
    {SYS_newfstatat, K | R, ALWAYS},
    {SYS_statx, K | R, ALWAYS},
    {SYS_faccessat, K | R, ALWAYS},
    {SYS_readlinkat, K | R, ALWAYS},
    {SYS_getcwd, K | R, ALWAYS}, /* reports name files as seen from there */
    {SYS_fadvise64, K | R, ALWAYS},
#ifdef __x86_64__ /* older forms of the same */
    {SYS_open, K | R, {{NOT, 1, WRITING}}},
    {SYS_stat, K | R, ALWAYS},
    {SYS_lstat, K | R, ALWAYS},
    {SYS_access, K | R, ALWAYS},
    {SYS_readlink, K | R, ALWAYS},
#endif

    /* Memory. None of it becomes code: code comes from files, while the program is loaded. */
    {SYS_brk, K | R, ALWAYS},
    {SYS_mmap, K | R, {{NOT, 2, PROT_EXEC}}},
    {SYS_mmap, R, {{NOT, 2, PROT_WRITE}, {NOT, 3, MAP_ANONYMOUS}}}, /* libraries */
    {SYS_munmap, K | R, ALWAYS},
    {SYS_mremap, K | R, ALWAYS},
    {SYS_mprotect, K | R, {{NOT, 2, PROT_EXEC}}}, /* the simulator closes freed memory */
    {SYS_madvise, K | R, ALWAYS},                 /* and gives it back */
    {SYS_msync, K | R, ALWAYS},
    {SYS_mincore, K | R, ALWAYS},

    /* Threads of the host part, which share everything with the process that they are of. */
    {SYS_clone, K | R, {{ARE, 0, A_THREAD}, {NOT, 0, NO_THREAD}}},
    {SYS_futex, K | R, ALWAYS}, /* locks, and their end */
    {SYS_set_robust_list, K | R, ALWAYS},
    {SYS_rseq, K | R, ALWAYS},
    {SYS_set_tid_address, K | R, ALWAYS},
    {SYS_gettid, K | R, ALWAYS},
    {SYS_getpid, K | R, ALWAYS},
    {SYS_sched_yield, K | R, ALWAYS},
    {SYS_sched_getaffinity, K | R, {{IS, 0, 0}}}, /* how many cores there are */
    {SYS_membarrier, K | R, ALWAYS},

    /* Signals: the simulator looks after accesses that go nowhere and loops that do not end; the only process that
     * gets one is the one that sends it, by abort(). The handler that tells of a refused call stays as it is. */
    {SYS_rt_sigaction, K | R, ALWAYS},
    {SYS_rt_sigprocmask, K | R, ALWAYS},
    {SYS_rt_sigreturn, K | R, ALWAYS},
    {SYS_sigaltstack, K | R, ALWAYS},
    {SYS_setitimer, K | R, ALWAYS},
    {SYS_tgkill, K | R, {{ITSELF, 0, 0}}},

    /* Time, chance and this machine. */
    {SYS_clock_gettime, K | R, ALWAYS},
    {SYS_clock_getres, K | R, ALWAYS},
    {SYS_gettimeofday, K | R, ALWAYS},
    {SYS_nanosleep, K | R, ALWAYS},
    {SYS_clock_nanosleep, K | R, ALWAYS},
    {SYS_restart_syscall, K | R, ALWAYS}, /* a sleep goes on after a signal */
    {SYS_getrandom, K | R, ALWAYS},       /* malloc, and the number of the channel */
    {SYS_sysinfo, K | R, ALWAYS},         /* how much memory there is */
    {SYS_uname, K | R, ALWAYS},
    {SYS_getrusage, K | R, ALWAYS},
    {SYS_prlimit64, K | R, {{IS, 0, 0}, {IS, 2, 0}}}, /* its own limits, and not to change them */
#ifdef __x86_64__
    {SYS_time, K | R, ALWAYS},
#endif

    /* The end. */
    {SYS_exit, K | R, ALWAYS}, /* of a thread */
    {SYS_exit_group, K | R, ALWAYS},

    /* Ranks of MPI, beside what a kernel needs. Connections were made before: there is no socket
     * and no connect. */
    {SYS_epoll_pwait, R, ALWAYS}, /* threads of Open MPI wait for mpirun */
    {SYS_epoll_ctl, R, ALWAYS},
    {SYS_ppoll, R, ALWAYS},
    {SYS_recvmsg, R, ALWAYS},
    {SYS_sendmsg, R, ALWAYS},
    {SYS_statfs, R, ALWAYS}, /* MPI_File_open: on which file system a file lies */
    {SYS_fstatfs, R, ALWAYS},
    {SYS_umask, R, ALWAYS},        /* it asks for it, though it makes no file */
    {SYS_timer_create, R, ALWAYS}, /* where a rank waits is looked up after a while */
    {SYS_timer_settime, R, ALWAYS},
    {SYS_kill, R, {{IS, 1, 0}}}, /* whether another rank is there: no signal is sent */
#ifdef __x86_64__
    {SYS_epoll_wait, R, ALWAYS},
    {SYS_poll, R, ALWAYS},
#endif
};

enum { RULES = sizeof table / sizeof *table, ROOM = 16 * RULES + 16 };

struct program {
    struct sock_filter line[ROOM];
    unsigned short count;
};

static void add_instruction(struct program *program, unsigned int code, unsigned int value,
                            unsigned int yes, unsigned int no)
{
    program->line[program->count++] = (struct sock_filter){.code = (unsigned short)code,
                                                           .jt = (unsigned char)yes,
                                                           .jf = (unsigned char)no,
                                                           .k = value};
}

static void load_word(struct program *program, size_t field)
{
    add_instruction(program, BPF_LD | BPF_W | BPF_ABS, (unsigned int)field, 0, 0);
}

static void end_process(struct program *program, unsigned int how)
{
    add_instruction(program, BPF_RET | BPF_K, how, 0, 0);
}

/* Goes on to the next line if the argument is as it has to be; else it skips `rest` more. The lower half of an
 * argument comes first on both machines; the upper half counts only where the argument IS a value. */
static void add_condition(struct program *program, const struct holds *holds, unsigned int rest)
{
    const size_t at = offsetof(struct seccomp_data, args) + 8 * holds->argument;
    const unsigned int value = holds->what == ITSELF ? (unsigned int)getpid() : holds->value;
    load_word(program, at);
    if (holds->what == NOT)
        add_instruction(program, BPF_JMP | BPF_JSET | BPF_K, value, rest, 0);
    if (holds->what == ARE) {
        add_instruction(program, BPF_ALU | BPF_AND | BPF_K, value, 0, 0);
        add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, rest);
    }
    if (holds->what == ITSELF)
        add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, rest);
    if (holds->what == IS) {
        add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, rest + 2);
        load_word(program, at + 4);
        add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, rest);
    }
}

static unsigned int length_of(const struct holds *holds)
{
    static const unsigned int lines[] = {[ANY] = 0, [IS] = 4, [ITSELF] = 2, [ARE] = 3, [NOT] = 2};
    return lines[holds->what];
}

static void add_rule(struct program *program, const struct allowed *rule)
{
    const unsigned int second = length_of(&rule->holds[1]);
    const unsigned int first = length_of(&rule->holds[0]);
    load_word(program, offsetof(struct seccomp_data, nr));
    add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)rule->call, 0,
                    first + second + 1);
    if (first)
        add_condition(program, &rule->holds[0], second + 1);
    if (second)
        add_condition(program, &rule->holds[1], 1);
    end_process(program, SECCOMP_RET_ALLOW);
}

/* No process may replace the handler of refused calls. */
static void keep_signal(struct program *program)
{
    load_word(program, offsetof(struct seccomp_data, nr));
    add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 3);
    load_word(program, offsetof(struct seccomp_data, args));
    add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 0, 1);
    end_process(program, SECCOMP_RET_KILL_PROCESS);
}

static void make_program(struct program *program, enum filter_list list)
{
    const unsigned int who = list == FILTER_KERNEL ? K : R;
    program->count = 0;
    load_word(program,
              offsetof(struct seccomp_data, arch)); /* a program of another machine has others */
    add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end_process(program, SECCOMP_RET_KILL_PROCESS);
    keep_signal(program);
    for (size_t i = 0; i < RULES; i++)
        if (table[i].who & who)
            add_rule(program, &table[i]);
    /* Its flags cannot be seen: the C library then uses clone. */
    load_word(program, offsetof(struct seccomp_data, nr));
    add_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    end_process(program, SECCOMP_RET_ERRNO | ENOSYS);
    end_process(program, SECCOMP_RET_TRAP);
}

bool filter_install(enum filter_list list)
{
    static struct program program;
    make_program(&program, list);
    struct sock_fprog all = {.len = program.count, .filter = program.line};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

#else

bool filter_install(enum filter_list list)
{
    (void)list;
    return false;
}

#endif

enum { PLACE = 512, FRAMES = 64 };

/* Finds the innermost frame of this program whose file is neither the system's nor the course's. */
struct search {
    char place[PLACE];
    unsigned int frames;
};

extern const char __executable_start, etext; /* from the linker: the code of this program */

static void (*on_refused)(int call, const char *place);

static _Unwind_Reason_Code look_at_call(struct _Unwind_Context *frame, void *data)
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
    _Unwind_Backtrace(look_at_call, &search);
    on_refused(info->si_syscall, search.place[0] ? search.place : "?");
    signal(SIGSYS, SIG_DFL); /* refused as well: this ends the process */
    _exit(128 + SIGSYS);
}

void filter_tell(void (*on_call)(int call, const char *place))
{
    struct sigaction action = {.sa_sigaction = on_refusal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    on_refused = on_call;
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
