/* kernel_folder.h - where the programs lie that a suite judges: it takes their folder as an argument. */
#ifndef KERNEL_FOLDER_H
#define KERNEL_FOLDER_H

/* Takes "--kernel FOLDER" off the arguments, where they begin with it, for this process and those
 * that it starts. Without it the folder is that of this program. */
void kernel_folder_take(int *count, char **arguments);

/* The path of the program `kernel` there, or in a folder below, "argmax"; "" is none. It stays until
 * the next call. The test fails where there is none that can be run. */
const char *kernel_program(const char *below);

#endif
