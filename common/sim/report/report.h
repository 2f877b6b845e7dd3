/* report.h - from a program counter to the source, and what the reader is told. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <ctype.h>

#include "machine/machine.h"

/* source_line.c */
/* The source of a program counter: the innermost frame outside the simulator's
 * own headers. `is_return` when pc follows a call. */
struct sim_source {
    const char *file, *function; /* "?" when unknown */
    int line;                    /* 0 when unknown */
    bool calls_given; /* the line calls code that the course gives, which makes the access */
};
struct sim_source sim_find_source(uintptr_t pc, bool is_return);

/* Whether two program counters, both of calls, belong to one line of the source. Without
 * line information only equal ones do. */
bool sim_same_line(uintptr_t one, uintptr_t other);
/* Whether they belong to one function. Without line information all do: two instructions
 * of one function never have one address, so that nothing else would be left to ask. */
bool sim_same_function(uintptr_t one, uintptr_t other);

/* Whether the code at `pc`, or a function that it became a part of, is in a file whose path has `part`. */
bool sim_is_part_of(uintptr_t pc, bool is_return, const char *part);
/* Whether the call that returns to `pc` is in a file of the simulator's own. */
bool sim_is_own(uintptr_t pc);

/* kept_text.c */
/* Whether the text of a file is known: it was compiled by simcc, or can be read. */
bool sim_source_is_known(const char *file);
/* Line `number` of a file, from malloc; NULL when there is none. */
char *sim_read_line(const char *file, int number);
/* Whether that line has `name` as a word. */
bool sim_text_mentions(const char *file, int number, const char *name);
/* Whether a line of the file has this name and one of the two words. */
bool sim_is_declared_with(const char *file, const char *name, const char *one, const char *other);

/* source_text.c */
static inline bool sim_is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}
/* Whether the line of the source of this call has `name` as a word, as far as the file can
 * be read. */
bool sim_line_mentions(uintptr_t pc, const char *name);
/* Whether an access of this line may be one of the array `name`: the line names it, as what is stored to where
 * the access `stores`; or it indexes a pointer that was set to the array some lines above. */
bool sim_line_means(uintptr_t pc, bool stores, const char *name);
/* The array, "counts", "mine.word" or the row "table[1]", whose index ends, or whose own name begins, at this
 * column; "" when that is not known. */
void sim_indexed_name(const char *file, int line, int column, char *name, size_t size);
/* The name of the array that the line indexes; false when it indexes none, or several. */
bool sim_line_element(uintptr_t pc, char *name, size_t size);
/* Whether the text stands in the lines from that of the one call to that of the other, or in so many
 * lines before them. */
bool sim_lines_have(uintptr_t one, uintptr_t other, int before, const char *text);
/* The last argument of the call in the line of `pc` whose name ends with `function`, without blanks around. False
 * when there is none. */
bool sim_line_last_argument(uintptr_t pc, const char *function, char *text, size_t size);
/* Whether `name` may be a parameter of the function that the line of `pc` is in: it is declared between parentheses, a
 * few lines above. */
bool sim_is_parameter(uintptr_t pc, const char *name);
/* Whether that line reads and writes one element, as `bins[bin]++` does and
 * `part[i] += part[i + 16]` does not; `name` is that of the array, if it is known. */
enum sim_update { SIM_NO_UPDATE, SIM_ADDITION, SIM_OTHER_UPDATE };
enum sim_update sim_line_updates(uintptr_t pc, const char *name);

/* symbol.c */
/* The variable of the program that holds `address`; false when it is not known. */
bool sim_find_symbol(uintptr_t address, uintptr_t *base, size_t *bytes);
/* Its name, or "a __device__ variable". */
char *sim_symbol_name(uintptr_t address, char *name, size_t size);

/* readable_name.c */
/* A symbol's name as the source has it, without return type and parameters: `_Z6kernelPKhj`
 * is `kernel`, `_ZN6course1kIiEEvPT_` is `course::k<int>`. What is no C++ symbol stays. */
void sim_readable_name(const char *symbol, char *text, size_t size);

/* instructions.c */
/* A number from 1 to 65535 for a program counter, the same for each question until the
 * program ends; 0 when there is none left. */
uint16_t sim_number_of_pc(uintptr_t pc);
/* The program counter of such a number; 0 for 0. */
uintptr_t sim_pc_of_number(uint16_t number);

/* report.c */
/* Prints one error in compute-sanitizer's layout; a repeat (same headline, same
 * pc) is only counted. The first line says what is wrong and `detail`, the second where. lane may be NULL for errors of the host. */
void sim_report(enum sim_check check, const struct lane *lane, uintptr_t pc, const char *headline,
                const char *detail, const char *advice);
/* The same of what is wrong only if the program goes by it: a warning, which is no finding. */
void sim_warn(const struct lane *lane, uintptr_t pc, const char *headline, const char *detail,
              const char *advice);
/* In a trial (sim.h: sim_try) nothing is told. sim_mute_reports begins and ends one;
 * sim_keep_quiet says that this check has something to report, and returns true in a trial;
 * sim_muted_report names the first that had, or NULL. */
void sim_mute_reports(bool on);
bool sim_keep_quiet(enum sim_check check);
const char *sim_muted_report(void);
/* Counts an error that is told elsewhere, which makes the program exit 86, or the
 * repeat of one that was told before. */
void sim_count_error(bool is_reported);
/* Forgets all errors, and that they were told. */
void sim_forget_reports(void);
/* Calls `check` when the program ends, before its errors are summed up: it may report
 * more. There is one such check. */
void sim_report_at_end(void (*check)(void));
/* What follows is a report of this check: for those that are printed in parts. */
void sim_report_begin(enum sim_check check);
/* The report at hand names this place, in words of its own. */
void sim_report_names(uintptr_t pc);
/* Prints "    at kernel in file:line". */
void sim_print_place(uintptr_t pc);
/* The lane that runs. Host code that calls `what`, which only kernels can, ends the
 * program with a report. */
struct lane *sim_lane_for(const char *what, uintptr_t pc);
/* "thread (3,0,0) in block (1,0,0)", and where there are several devices on which one */
char *sim_describe_lane(const struct lane *lane, char *text, size_t size);

/* waiting_threads.c */
/* "__syncthreads", "a load": at what a lane with this stop waits. */
const char *sim_waits_at(struct stop stop);
/* Prints where lanes wait, and how many, for hangs. */
void sim_report_waiting(const struct launch *launch);

#endif
