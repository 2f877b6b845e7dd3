/* driver.h - what the parts of the driver ask of each other. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdbool.h>

/* The words of a command line, and what is said when they are wrong. */

/* Says what is wrong in one line, and ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) void refuse(const char *format, ...);

/* "one, two or three", of a list with blanks. */
const char *choices_of(const char *list);

bool is_one_of(const char *word, const char *const *words);
/* Whether a list with blanks has the word; it never has one that is empty, or two words. */
bool is_in(const char *word, const char *list);
bool is_number(const char *text);
/* "chapter5". */
bool is_chapter(const char *word);
/* The name of a folder of common/programs: of a program that make builds, to keep. */
bool is_program(const char *word);

/* Ends the program with one line: there is no goal, or variable, of that name; and which of `words`, which
 * end with NULL, may have been meant: one letter more or less, another, two that changed places;
 * capitals are no difference. */
__attribute__((noreturn)) void refuse_unknown(const char *kind, const char *word,
                                              const char *const *words);

/* What the parts of the course differ in: what their kernels go through, and the settings
 * that are for it. */

/* Numbers of a text's characters, elements by key, an array, a text on several devices: a part each. */
enum kind { TEXTS, KEYS, VALUES, MANY, POINTS, INPUT_KINDS };
#define OF(kind) (1u << (kind))

/* What the command line says. */
struct command {
    const char **words;  /* the goals, the last is NULL */
    const char *chapter; /* the first of these, or NULL */
    bool gpu, further, solution, everything;
    const char *goal; /* the first one that says what to do, or NULL */
};

/* The kind of a chapter, "chapter5", whose kernel's file tells it. */
enum kind kind_of(const char *chapter);
/* Whether its kernel is plain C. */
bool is_in_c(const char *chapter);
/* "counts a text", of a kind. */
const char *does(enum kind kind);
/* The first chapter of a kind in the command; without chapters "", when the part is of that kind;
 * else NULL. */
const char *about(const struct command *command, enum kind kind);

/* Ends the program with one line when OPERATION or BINS are nothing that the command's chapters have;
 * or when it wants a goal shown that is for texts only. */
void check_parts(const struct command *command);

/* Which goal uses which setting, for which kernels, and what its value may be. */

/* Takes what was typed, NAME=VALUE each, or is in the environment: the value of a setting, "" where
 * nothing is. Ends the program with one line when a name is unknown. */
void settings_take(char **typed, int count);
const char *setting(const char *name);

/* Ends the program with one line when a setting has a value that is none, or was typed for goals of
 * which none uses it. What is in the environment may be for other commands. */
void check_settings(const struct command *command);

/* Whether a setting has a use: it is for one of the command's goals, and for its kernels. */
bool is_setting_used(const char *name, const struct command *command);

/* What other programs are told of a command: FORMAT=json, FORMAT=junit. Without that these do nothing. */

/* Looks whether it is asked for. From here on all that is printed goes to standard error. */
void report_begin(const struct command *command);
bool report_wanted(void);
/* A goal begins: programs that it runs are asked for results (results.h). */
void report_goal(const char *goal);
/* Takes what a child prints, until its end, and prints it on standard error. */
void report_listen(int from);
/* A goal has ended. `keys` are its chapters, "05_name 06_name", or NULL, in the folder `from`: those of which nothing was
 * told are told of by what was printed. */
void report_goal_ended(int status, const char *keys, const char *from);
/* Prints the whole on standard output. Returns the status, or 3 when it cannot be written. */
int report_end(int status);

/* The chapters that a command names, as the folders that they are. */

/* Lists with blanks between, of "05_privatized_global". */
struct chosen {
    char *stems, *texts, *keyed; /* all; those that count texts; those with an operation */
    char *copies;                /* folders that look like one of them, and have no suite */
};

/* Looks in CHAPTERS, solutions and tests/stubs. Ends the program with one line when a chapter that was
 * named is not there: one that has a suite. */
struct chosen chosen_by(const struct command *command);

/* "05_a/further 06_b/further", of "05_a 06_b". */
char *exercises_of(const char *stems);

/* The plan of a make: what each kernel is, what it is made of and which take part, in plain variables. */

/* Prints a file for make. What is asked stands in the environment, by variables of settings.mk: without
 * STEMS all chapters of FROM; GOALS are those of make. A kernel K is a folder of FROM, "05_name", or one in
 * it, "05_name/mutant"; "21_name/argmax" is the first compiled for an operation. A is the folder of objects,
 * V that of the variant's programs, C that of its inputs. For each kernel
 *
 *     source/K, contract/K    its file, and what that is called after
 *     number/K, name/K        5, privatized_global; part/K: 1
 *     operations/K, one/K     those that it is judged with; the kernel that is run
 *     taken/K, refusal/K      all that the chapter takes; why there is none in this variant, or nothing
 *     in_c/K, mpi/K           yes, when it is plain C, or for the ranks of MPI
 *     server/K, beside/K      what its program is linked with: first, and behind the kernel;
 *     libraries/K, link/K     last, and what the linker is told
 *     run_by/K, traced/K      what `row` and `trace` are made of besides
 *     home/K, shown/K         the contract whose programs it has; run, or test where that has no rows
 *     suite/K, judged_by/K    the program that judges it, and that one's name
 *     kernels/K, sandboxed/K      the programs that the suite starts, and how it is told
 *
 * of a suite S judged/S, its contract, and watched/S, what watches ranks; of a contract C parts_of/C and
 * parts/C, folders and objects; of a folder F of common objects/F; and the lists
 *
 *     EVERY, SUITES, KEYED    the chapters with a suite, these suites, the chapters with an operation
 *     CONTRACTS, JUDGED       all, and those of the chapters; MPI is yes when Open MPI is here
 *     MISSING, NO_MPI         that were named and are not there; that are left out without Open MPI
 *     KERNELS, HISTOGRAMS     that take part; those of the contract histogram
 *     REFUSED, ACCEPTED       of these, when it matters
 *     RUN, NOT_RUN, ROWS      that have a row in the variant's ladder, or none; what `make run` makes */
void print_plan(void);

/* Does what a command line asks for: it calls make for each goal, one after the other. */

/* Works off the goals. Returns the exit status: that of the first make that failed. Of the environment
 * MAKE is what is called, WATCHED the process with whose end all is to end, and LOCKED says that
 * build/ is locked already. */
int drive(const struct command *command);
/* Becomes a command that leaves nothing behind: no process, and no file in TMPDIR (reaper.h). It ends with the
 * process `watched`, that of the make that runs it, for between the two there may be others. */
__attribute__((noreturn)) void run_reaped(const char *watched, char **words);

#endif
