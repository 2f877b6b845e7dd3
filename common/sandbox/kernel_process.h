/* kernel_process.h - the process in which the kernel runs, seen from the judge's.
 *
 * The judge's program knows what is right and holds nothing of the student's. This one, `kernel` in
 * the folder that the judge was told (kernel_folder.h), holds the student's object and knows nothing: see wire.h. It is started by the first
 * question. When it ends or does not answer, the test fails with a sentence that says how, and on
 * which input (current_input.h). */
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "wire.h"

/* The function that is called, "histogram()": for sentences. It is the contract's, unless whoever has kernels of
 * several functions defines another. */
const char *kernel_function(void);

/* What is asked, with its numbers and bytes. */
struct kernel_question {
    uint32_t what; /* enum wire_what, or the contract's own */
    uint64_t values[WIRE_VALUES];
    const void *bytes;
    size_t size;
};

/* What follows is asked of the program in this folder below, "argmax"; "" is that in the folder itself. Of
 * several, and of several numbers of one, each has a process of its own, which stays. */
void kernel_choose(const char *folder, unsigned int number);

/* Sends it, and does not wait. */
void kernel_tell(const struct kernel_question *question);
/* Sends it, waits for the answer, and returns its number; the bytes that come with it, exactly
 * `size`, are put into `answer`. */
uint64_t kernel_ask(const struct kernel_question *question, void *answer, size_t size);

/* Launches and errors that the simulator had counted when it last answered, or said farewell. */
uint64_t kernel_launches(void);
uint64_t kernel_errors(void);

/* From here on it is right to end with this exit status, and this program then ends with it, too;
 * what the kernel prints is dropped. */
void kernel_may_end_with(int status);

#endif
