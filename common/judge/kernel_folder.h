/* kernel_folder.h - what a suite judges: it takes the folder of its programs as an argument, and the number
 * of bins for which they were compiled. */
#ifndef KERNEL_FOLDER_H
#define KERNEL_FOLDER_H

/* Takes "--kernel FOLDER" and "--bins N" off the arguments, where they begin with them, for this process
 * and those that it starts. Without them the folder is that of this program, and the number that of
 * NUM_BINS in the environment, or 5 (bins.h). */
void kernel_folder_take(int *count, char **arguments);

/* The path of the program `kernel` there, or in a folder below, "argmax"; "" is none. It stays until
 * the next call. The test fails where there is none that can be run. */
const char *kernel_program(const char *below);

#endif
