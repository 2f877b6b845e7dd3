/* kernel_process.h - the process in which the kernel runs, seen from the judge's: what job.h does not say of it.
 *
 * The judge's program knows what is right and holds nothing of the student's. This one, `kernel` in the folder that the
 * judge was told (kernel_folder.h), holds the student's object and knows nothing. It is started by the first job. */
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

/* The function that is called, "histogram()": for sentences. It is the contract's, unless whoever has kernels of
 * several functions defines another. */
const char *kernel_function(void);

#endif
