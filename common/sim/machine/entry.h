/* entry.h - functions that kernels call to stop, without the way back through C.
 *
 * A kernel's lanes stop at millions of accesses. A function in C would return through its
 * own frames when its lane goes on; but between call and return other lanes have run, and
 * the processor, which remembers whom it was called by, predicts each of these returns
 * wrongly. An entry saves the kernel's registers, asks a function in C who goes on, and jumps
 * straight to where that lane called: calls and returns stay paired, and one jump remains,
 * which is predicted well, since lanes that go on come from one place. What it leaves on the
 * stack is what sim_fiber_switch leaves, so either can wake the other's lanes. */
#ifndef SIM_ENTRY_H
#define SIM_ENTRY_H

#if defined(__x86_64__)
#define SIM_ENTRIES

enum { SAVED_PC = 6, SAVED_FRAME = 7, LANE_STACK_LOW = 16 };

/* NAME, a function that kernels call: in a lane it saves the stack pointer in the lane and goes
 * on with what `void *FUNCTION(...)` returns, which gets NAME's arguments; on the host it is
 * HOST. LOCAL: what comes first in a lane, whose address is in rax. */
#define SIM_ENTRY(NAME, FUNCTION, HOST, LOCAL)                                                     \
    __asm__(".text\n    .p2align 4\n    .globl " NAME "\n    .type " NAME ", @function\n" NAME     \
            ":\n"                                                                                  \
            "    mov sim_lane@gottpoff(%rip), %rax\n    mov %fs:(%rax), %rax\n"                    \
            "    test %rax, %rax\n    je " HOST "\n" LOCAL                                         \
            "    push %rbp\n    push %rbx\n    push %r12\n"                                        \
            "    push %r13\n    push %r14\n    push %r15\n"                                        \
            "    mov %rsp, (%rax)\n"                                                               \
            "    sub $8, %rsp\n"                                                                   \
            "    call " FUNCTION "\n"                                                              \
            "    mov %rax, %rsp\n"                                                                 \
            "    pop %r15\n    pop %r14\n    pop %r13\n"                                           \
            "    pop %r12\n    pop %rbx\n    pop %rbp\n"                                           \
            "    pop %rcx\n"                                                                       \
            "    jmp *%rcx\n"                                                                      \
            ".size " NAME ", . - " NAME "\n")

/* The lane's own stack is local memory, which no other lane can see: no need to stop. */
#define SIM_ENTRY_LOCAL                                                                            \
    "    mov %rdi, %rcx\n    sub 16(%rax), %rcx\n"                                                 \
    "    cmp $0x40000, %rcx\n    jb 1f\n"                                                          \
    "    .subsection 1\n1:  ret\n    .previous\n"

/* The same before a load; but what is loaded may be what a store waits for that is kept: tsan_interface.c. */
#define SIM_ENTRY_LOCAL_LOAD                                                                       \
    "    mov %rdi, %rcx\n    sub 16(%rax), %rcx\n"                                                 \
    "    cmp $0x40000, %rcx\n    jb 1f\n2:\n"                                                      \
    "    .subsection 1\n1:  mov sim_kept_bytes@gottpoff(%rip), %rcx\n"                             \
    "    cmpq $0, %fs:(%rcx)\n    jne 2b\n    ret\n    .previous\n"

#endif
#endif
