/* built_program.h - has make build a program that a kernel is linked to. */
#ifndef BUILT_PROGRAM_H
#define BUILT_PROGRAM_H

#include "chapter.h"

/* Builds the program NAME, "row", "replay" or "expose", of the kernel in a chapter's folder, compiled for a number
 * of bins or an operation, "26" or "argmax". BUILD is the folder of programs, "build/sim-gcc". Returns its path;
 * NULL when it cannot be built, and build/built.log says why. */
const char *built_program(const char *build, const struct chapter *chapter, const char *variant,
                          const char *name);

#endif
