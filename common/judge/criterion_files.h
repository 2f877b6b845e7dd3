/* criterion_files.h - keeps the files of Criterion in TMPDIR. */
#ifndef CRITERION_FILES_H
#define CRITERION_FILES_H

/* To be called by main, so that the linker takes what stands in for the functions that make them. */
void criterion_files_in_folder(void);

#endif
