/* filter.c - every call of the system, tried from a process that is filtered as a kernel's or a rank's.
 *
 * What is allowed stands here once more, by its name; anything else has to end the process. Arguments are zero, but where something is tried that is allowed in part. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"

/* No filter sees two calls of x86-64, which do nothing in a process that nobody probes. */
enum { URETPROBE = 335, UPROBE = 336 };
enum { LAST = 600, REFUSED = 77, PATIENCE = 20 /* times 100 ms */ };

/* With zeros for arguments. */
static const char kernels[] =
    " recvfrom sendto write writev openat read pread64 readv preadv lseek close fstat newfstatat "
    "statx "
    "faccessat readlinkat getcwd fadvise64 brk mmap munmap mremap mprotect madvise msync mincore "
    "futex "
    "set_robust_list rseq set_tid_address gettid getpid sched_yield sched_getaffinity membarrier "
    "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack setitimer clock_gettime clock_getres "
    "gettimeofday "
    "nanosleep clock_nanosleep restart_syscall getrandom sysinfo uname getrusage prlimit64 exit "
    "exit_group "
#ifdef __x86_64__
    "open stat lstat access readlink time "
#endif
    ;
static const char ranks[] = " statfs fstatfs umask epoll_pwait epoll_ctl ppoll recvmsg sendmsg "
                            "timer_create timer_settime kill "
#ifdef __x86_64__
                            "epoll_wait poll "
#endif
    ;

static int pipe_ends[2];

/* What a refused call leaves: its name, and where it was. */
static void tell(int call, const char *place)
{
    dprintf(pipe_ends[1], "%s %s\n", filter_name(call), place);
    _exit(REFUSED);
}

/* Waits for a process, which may wait for ever. */
static int end_of(pid_t process)
{
    int status = 0;
    for (int tick = 0; waitpid(process, &status, WNOHANG) == 0; tick++) {
        if (tick == PATIENCE * 100)
            kill(process, SIGKILL);
        usleep(1000);
    }
    return status;
}

/* Makes a call in a filtered process of its own. Returns whether it was refused. */
static bool is_refused(enum filter_list list, int call, const long a[6])
{
    pid_t process = fork();
    if (process == 0) {
        if (!freopen("/dev/null", "r+", stdin) || !filter_install(list))
            _exit(1);
        syscall(call, a[0], a[1], a[2], a[3], a[4], a[5]);
        _exit(0);
    }
    const int status = end_of(process);
    cr_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 1, "no filter on this machine");
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static bool is_listed(const char *list, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word);
}

static void try_all(enum filter_list list, const char *more)
{
    const long zeros[6] = {0};
    for (int call = 0; call <= LAST; call++) {
        if (call == URETPROBE || call == UPROBE)
            continue;
        const char *name = filter_name(call);
        const bool allowed = is_listed(kernels, name) || is_listed(more, name) ||
                             strcmp(name, "clone3") == 0; /* there is none, it is told */
        const bool refused = is_refused(list, call, zeros);
        cr_expect(refused != allowed, "%s, %d: %s", name, call, refused ? "refused" : "allowed");
    }
}

Test(filter, ends_a_kernel_at_every_call_but_those_it_needs)
{
    try_all(FILTER_KERNEL, " ");
}

Test(filter, ends_a_rank_at_every_call_but_those_it_needs)
{
    try_all(FILTER_RANK, ranks);
}

/* A call with arguments, on both lists. */
static void tries(bool refused, int call, const long arguments[6])
{
    for (enum filter_list list = FILTER_KERNEL; list <= FILTER_RANK; list++)
        cr_expect(is_refused(list, call, arguments) == refused, "%s(%ld, %ld, %ld): %s",
                  filter_name(call), arguments[0], arguments[1], arguments[2],
                  refused ? "allowed" : "refused");
}
#define ENDS(call, ...) tries(true, SYS_##call, (const long[6]){__VA_ARGS__})
#define MAY(call, ...) tries(false, SYS_##call, (const long[6]){__VA_ARGS__})

Test(filter, lets_nobody_end_or_change_another_process)
{
    ENDS(kill, -1, SIGKILL);
    ENDS(kill, getpid(), SIGTERM);
    ENDS(tkill, getpid(), SIGTERM);
    ENDS(tgkill, getpid(), getpid(),
         SIGTERM); /* which is the judge's: the process is a child of it */
    ENDS(rt_sigqueueinfo, getpid(), SIGTERM);
    ENDS(prlimit64, getpid(), RLIMIT_CPU);
    ENDS(prlimit64, 0, RLIMIT_CPU, 4096);
    MAY(prlimit64, 0, RLIMIT_STACK, 0, 0);
    ENDS(setpriority, PRIO_USER, 0, 19);
    ENDS(sched_setaffinity, getpid());
    ENDS(sched_getaffinity, getpid());
    ENDS(fcntl, 0, F_SETOWN, getpid());
    ENDS(fcntl, 0, F_SETLK);
    MAY(fcntl, 0, F_GETFL);
    ENDS(ioctl, 0, 0x5412 /* TIOCSTI */);
}

Test(filter, lets_nobody_write_a_file_make_code_or_a_process)
{
    ENDS(openat, AT_FDCWD, 0, O_WRONLY);
    ENDS(openat, AT_FDCWD, 0, O_RDWR);
    ENDS(openat, AT_FDCWD, 0, O_RDONLY | O_CREAT);
    ENDS(openat, AT_FDCWD, 0, O_RDONLY | O_TRUNC);
    MAY(openat, AT_FDCWD, 0, O_RDONLY | O_CLOEXEC);
    ENDS(mmap, 0, 4096, PROT_READ | PROT_EXEC | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    ENDS(mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    ENDS(mprotect, 0, 0, PROT_EXEC);
    ENDS(clone, SIGCHLD);
    ENDS(clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM |
                    CLONE_NEWUSER);
}

Test(filter, keeps_its_own_signal_to_itself)
{
    ENDS(rt_sigaction, SIGSYS);
    MAY(rt_sigaction, SIGTERM);
}

enum { LINE = __LINE__ + 4 };
__attribute__((noinline)) static void ask(void)
{
    static volatile long parent;
    parent = syscall(SYS_getppid); /* whose result keeps this function from being left before */
    (void)parent;
}

Test(filter, names_the_line)
{
    char wanted_text[600] = "", expected[64];
    cr_assert(pipe(pipe_ends) == 0);
    pid_t process = fork();
    if (process == 0) {
        filter_tell(tell);
        filter_install(FILTER_KERNEL);
        ask();
        _exit(0);
    }
    end_of(process);
    ssize_t got = read(pipe_ends[0], wanted_text, sizeof wanted_text - 1);
    wanted_text[got > 0 ? got : 0] = '\0';
    snprintf(expected, sizeof expected, "getppid tests/course/histogram/filter.c:%d\n", LINE);
    cr_expect(strcmp(wanted_text, expected) == 0, "%s, not %s", wanted_text, expected);
}

/* What a program's host part does. */
static void *in_thread(void *result)
{
    *(int *)result = 1;
    return NULL;
}

Test(filter, lets_printf_malloc_threads_and_abort_work)
{
    pid_t process = fork();
    if (process == 0) {
        pthread_t thread;
        int seen = 0;
        filter_tell(tell);
        filter_install(FILTER_KERNEL);
        char *volatile large = malloc(1 << 26), *volatile small = malloc(10);
        printf("%p %p\n", (void *)large, (void *)small);
        fflush(stdout);
        free(large);
        if (pthread_create(&thread, NULL, in_thread, &seen) != 0 ||
            pthread_join(thread, NULL) != 0 || !seen)
            _exit(2);
        abort();
    }
    const int status = end_of(process);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%d", status);
}
