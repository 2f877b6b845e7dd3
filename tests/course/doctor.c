/* doctor.c - make doctor: what this machine lacks, said also where nothing can be compiled. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What a command printed, standard error included, and its exit status. */
static char said[16384];

static int run(const char *command)
{
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define EXPECT_SAID(part) cr_expect(strstr(said, part), "expected %s in\n%s", part, said)
#define DOCTOR "common/tools/doctor/doctor.sh gcc g++ 2>&1"
/* A PATH with all programs of this machine but those whose names match one of the patterns of sh. */
#define WITHOUT(PATTERNS)                                                                          \
    "t=$(mktemp -d); trap 'rm -r $t' EXIT; ln -s /usr/bin/* $t; (cd $t && rm -f " PATTERNS         \
    "); PATH=$t; "
#define COMPILERS "*gcc* *g++* *clang* cc c++ c[89]9*"

Test(doctor, prints_a_block_to_paste_and_is_content_with_this_machine)
{
    cr_expect(run(DOCTOR) == 0, "%s", said);
    cr_expect(strncmp(said, "----- paste from here -----\ncourse  ", 36) == 0, "%s", said);
    EXPECT_SAID("\nmake          GNU Make");
    EXPECT_SAID("\ncompiles      yes, with ThreadSanitizer's calls: yes\n");
    EXPECT_SAID("----- to here -----\nAll that a chapter needs is here.\n");
}

/* Also where packages are missing that come before it in the alphabet. */
Test(doctor, works_without_a_compiler)
{
    static const char *const lacking[] = {WITHOUT(COMPILERS) DOCTOR,
                                          WITHOUT(COMPILERS " bwrap") DOCTOR};
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        cr_expect(run(lacking[i]) == 1, "%s", said);
        EXPECT_SAID("What is missing:\n  - the compiler gcc is not installed\n");
        const char *command = strstr(said, "\nOn Debian or Ubuntu: sudo apt-get install -y ");
        cr_expect(command && strstr(command, " build-essential"), "%s", said);
    }
}

Test(doctor, is_named_by_a_make_without_a_compiler)
{
    cr_expect(run("unset MAKEFLAGS MFLAGS MAKELEVEL CC CXX; " WITHOUT(
                  COMPILERS) "make CC=gcc chapter5 test 2>&1") == 2,
              "%s", said);
    EXPECT_SAID("*** the compiler gcc is not installed: sudo apt-get install build-essential; "
                "make doctor says what else is missing.  Stop.\n");
}

Test(doctor, names_the_package_of_what_could_be_better)
{
    run(WITHOUT("bwrap gnuplot") DOCTOR);
    EXPECT_SAID("  - bubblewrap is missing: kernels under test are not kept from your files\n");
    EXPECT_SAID("sudo apt-get install -y bubblewrap gnuplot-nox");
}

/* Half of it is none: what compiles, and what starts. Catches one that looks for only one of the two. */
Test(doctor, looks_for_open_mpi_and_nccl)
{
    static const char *const lacking[] = {WITHOUT("mpicc*") DOCTOR, WITHOUT("mpirun*") DOCTOR};
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        cr_expect(run(lacking[i]) == 0, "%s", said);
        EXPECT_SAID("\nMPI           not installed\n");
        EXPECT_SAID("  - Open MPI is missing: the chapter on many machines is left out\n");
        EXPECT_SAID(" libopenmpi-dev openmpi-bin");
    }
    cr_expect(run("d=$(mktemp -d); mkdir $d/include; printf '#define NCCL_MAJOR 2\\n#define "
                  "NCCL_MINOR 27\\n#define NCCL_PATCH 3\\n' >$d/include/nccl.h; NCCL_HOME=$d; "
                  "export NCCL_HOME; " DOCTOR "; rm -r $d") == 0,
              "%s", said);
    EXPECT_SAID("\nNCCL          2.27.3\n");
}

/* The proof of the course goes on without Open MPI, also where it names its chapters. Catches a make
 * that compiles them all the same: it changes by "override" alone what a command line sets. */
Test(proof, leaves_a_chapter_out_that_needs_open_mpi)
{
    run("unset MAKEFLAGS MFLAGS MAKELEVEL; " WITHOUT(
        "mpicc* mpirun*") "make -n -B -f common/make/variant.mk KIND=solution BINS=64 "
                          "STEMS='60_many_gpus 61_many_nodes' verdicts 2>&1 | "
                          "grep -o 'left out:.*\\|-c solutions/[^ ]*\\|[*][*][*].*'");
    cr_expect_str_eq(said, "left out: chapter 61; sudo apt-get install -y libopenmpi-dev "
                           "openmpi-bin && make chapter61 solution test'; \\\n"
                           "-c solutions/60_many_gpus/many.cu\n");
}

Test(doctor, says_what_is_wrong_with_the_folder_for_temporary_files)
{
    cr_expect(run("TMPDIR=/there/is/none " DOCTOR) == 1, "%s", said);
    EXPECT_SAID("  - no file can be made in /there/is/none: set TMPDIR to a folder that can be ");
}
