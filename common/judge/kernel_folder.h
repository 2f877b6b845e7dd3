/* kernel_folder.h - where the programs lie that a suite judges: in the folder that KERNEL_FOLDER in the environment
 * names, or where the suite itself lies. */
#ifndef KERNEL_FOLDER_H
#define KERNEL_FOLDER_H

/* The path of the program `kernel` there, or in a folder below, "argmax"; "" is none. It stays until
 * the next call. The test fails where there is none that can be run. */
const char *kernel_program(const char *below);

#endif
