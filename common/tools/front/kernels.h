/* kernels.h - tells make what each kernel is, in plain variables. */
#ifndef KERNELS_H
#define KERNELS_H

/* Of what is asked: "solution" or another KIND, the folder of the kernels, that of the student's; the
 * operation that was typed, and that of a ladder; or "". */
struct asked_kernels {
    const char *kind, *from, *chapters, *operation, *of_ladder;
};

/* Prints a file for make. A kernel K is a folder of `from`, "05_name", or one in it, "05_name/mutant";
 * "21_name/argmax" is the first compiled for an operation; of KIND=cross "05_name/06_name" is the
 * kernel of the second, which the suite of the first judges. For each of them
 *
 *     source/K, contract/K    its file, and what that is called after
 *     number/K, name/K        5, privatized_global
 *     object/K                the folder of what it is compiled to
 *     suite/K, judged/K       its suite; the contract of that
 *     operations/K, one/K     those that it is judged with; the kernel that is run
 *     taken/K, refusal/K      all that the chapter takes; why there is none in this variant, or nothing
 *     mpi/K                   yes, when it is for the ranks of MPI
 *
 * of a contract C rooms/C, the folders of common/contracts that it is made of;
 * and the lists EVERY (with a suite), KEYED (with an operation), TEXTS (of the contract histogram),
 * MPI. */
void print_kernels(const struct asked_kernels *asked);

#endif
