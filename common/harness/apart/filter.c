/* filter.c - what the kernel's process may ask the system for.
 *
 * Whoever asks for one of these things is ended at once, by SIGSYS: for another process, since
 * a kernel needs none and a loop that starts some ends the machine; to look into other processes;
 * to make code that can be executed, which would be another program than the one that is judged. */
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* The lower half of an argument; both machines are little-endian. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define SKIP_UNLESS_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define SKIP_UNLESS_SET(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count)
#define END SECCOMP_RET_KILL_PROCESS
#define ALLOW SECCOMP_RET_ALLOW
#define REFUSED(call) SKIP_UNLESS_EQUAL(call, 1), RETURN(END)

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    RETURN(END),
    LOAD(nr),
#ifdef __x86_64__
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0,
             1), /* the calls of another kind of program */
    RETURN(END),
    REFUSED(SYS_fork),
    REFUSED(SYS_vfork),
#endif
    REFUSED(SYS_ptrace),
    REFUSED(SYS_process_vm_readv),
    REFUSED(SYS_process_vm_writev),
    REFUSED(SYS_pidfd_getfd),
    REFUSED(SYS_memfd_create),
    REFUSED(SYS_userfaultfd),
    REFUSED(SYS_io_uring_setup),
    REFUSED(SYS_unshare),
    REFUSED(SYS_setns),
    REFUSED(SYS_mount),
    REFUSED(SYS_bpf),
    REFUSED(SYS_perf_event_open),
    REFUSED(SYS_pkey_mprotect),
    SKIP_UNLESS_EQUAL(SYS_clone3, 1), /* its flags cannot be seen: the C library then uses clone */
    RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    SKIP_UNLESS_EQUAL(SYS_clone, 4), /* a thread is no process */
    LOAD(args[0]),
    SKIP_UNLESS_SET(CLONE_THREAD, 1),
    RETURN(ALLOW),
    RETURN(END),
    SKIP_UNLESS_EQUAL(SYS_mprotect, 4),
    LOAD(args[2]),
    SKIP_UNLESS_SET(PROT_EXEC, 1),
    RETURN(END),
    RETURN(ALLOW),
    SKIP_UNLESS_EQUAL(SYS_mmap, 5), /* code comes from files only, and not writable */
    LOAD(args[2]),
    SKIP_UNLESS_SET(PROT_EXEC, 3),
    LOAD(args[3]),
    SKIP_UNLESS_SET(MAP_ANONYMOUS, 1),
    RETURN(END),
    RETURN(ALLOW),
};

int filter_open(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    if (write(ends[1], filter, sizeof filter) != (ssize_t)sizeof filter) {
        close(ends[0]);
        ends[0] = -1;
    }
    close(ends[1]);
    return ends[0];
}

bool filter_install(void)
{
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

int filter_open(void)
{
    return -1;
}

bool filter_install(void)
{
    return false;
}

#endif
