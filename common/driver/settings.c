/* settings.c - the table of settings, and how a command line is compared with it: see driver.h. */
#define _DEFAULT_SOURCE /* strsep */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../sim/base/cards.h"
#include "driver.h"
#include "util.h"

/* What a value is: any text, a path that programs open, one that make itself uses, a whole number, a
 * length with K, M or G, one of a list, several of one with commas. */
enum form { ANY, PATH, FOLDER, NUMBER, LENGTH, CHOICE, CHOICES };
enum {
    OF_ALL = 0,
    OF_COURSE = OF(INPUT_KINDS), /* without a chapter */
    ON_TEXTS = OF(TEXTS) | OF(MANY),
    OF_CHAPTERS = ON_TEXTS | OF(KEYS) | OF(VALUES) | OF(POINTS)
};

#define RUNS "run profile replay debug trace"
#define BUILDS                                                                                     \
    "run profile replay debug trace test hint lesson predict break score next progress watch "     \
    "grade gradescope bench count program check selfcheck pictures prediction further"
#define CARD "run test bench sweep sanitize fidelity experiments micro count program"

/* A setting, the goals that use it on the simulated GPU and on a card, and of which kernels; "*" is
 * every goal, "program" each that builds one of common/programs. A goal of the whole course that has the
 * name of one of a chapter is check (test) or slides (bench), which use as much. A name that stands here twice is used as either line says. */
static const struct row {
    const char *name, *goals, *on_card;
    unsigned int inputs;
    enum form form;
    uint64_t least, most;
    const char *choices;
} table[] = {
    {"BINS", RUNS " test hint break score next progress watch grade gradescope bench count",
     "run test bench sanitize fidelity count", ON_TEXTS | OF(KEYS), ANY, 0, 0, NULL},
    {"PART", "run profile", "run test bench sanitize", OF_COURSE, CHOICE, 0, 0, "1 2 3 4 5"},
    {"OPERATION", RUNS " test grade gradescope", "run test bench sweep sanitize",
     OF(KEYS) | OF(VALUES) | OF(POINTS), ANY, 0, 0, NULL},
    {"KEYS", RUNS, "run bench sanitize", OF(KEYS), CHOICE, 0, 0,
     "uniform single stride63 zipf ninety sorted wafer"},
    {"CAP", NULL, "run bench", OF(KEYS), NUMBER, 1, (1 << 24) - 1, NULL},
    {"INPUT", RUNS " bench", "run bench", ON_TEXTS, PATH, 0, 0, NULL},
    {"TEXT", RUNS " bench", "run bench", ON_TEXTS, CHOICE, 0, 0,
     "english uniform zipf single runs"},
    {"SIZE", RUNS " bench", NULL, OF_CHAPTERS, LENGTH, 0, 0, NULL},
    {"SIZE", NULL, "run bench", ON_TEXTS | OF(VALUES), LENGTH, 0, 0, NULL},
    {"TEXT_SEED", RUNS " bench", NULL, OF_CHAPTERS, NUMBER, 0, UINT64_MAX, NULL},
    {"SEED", RUNS " test break watch grade gradescope check selfcheck exam", "sweep", OF_ALL,
     NUMBER, 0, UINT64_MAX, NULL},
    {"CELLS", NULL, "sweep", OF_ALL, NUMBER, 1, 1000, NULL},
    {"DRAW", "test watch grade gradescope check", "test", OF_ALL, NUMBER, 0, UINT64_MAX, NULL},
    {"FORMAT", "test", NULL, OF_ALL, CHOICE, 0, 0, "json junit"},
    {"FORMAT", "run progress score doctor", NULL, OF_ALL, CHOICE, 0, 0, "json"},
    {"FORMAT", "profile", NULL, OF_ALL, CHOICE, 0, 0, "json ncu-csv"},
    {"YES", "reset", NULL, OF_COURSE, CHOICE, 0, 0, "1"},
    {"CHAPTERS", "*", "*", OF_ALL, FOLDER, 0, 0, NULL},
    {"SUBMISSIONS", "grade", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"ROOTS", "bare", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"REPORT", "grade", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"EXTRA", "grade gradescope", NULL, OF(TEXTS), PATH, 0, 0, NULL},
    {"POINTS", "grade gradescope exam", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"LATE", "grade", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"TIMES", "grade", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"ANSWERS", "handout", NULL, OF_ALL, ANY, 0, 0, NULL},
    {"TO", "handout", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"COURSE", "update", NULL, OF_ALL, PATH, 0, 0, NULL},
    {"CC", "*", "*", OF_ALL, ANY, 0, 0, NULL},
    {"CXX", "*", "*", OF_ALL, ANY, 0, 0, NULL},
    {"SHELL", "*", "*", OF_ALL, ANY, 0, 0, NULL},
    {"CFLAGS", BUILDS, CARD, OF_ALL, ANY, 0, 0, NULL},
    {"ARCH", NULL, CARD, OF_ALL, ANY, 0, 0, NULL},
    {"NVCC", NULL, CARD, OF_ALL, ANY, 0, 0, NULL},
    {"CCCL", NULL, CARD, OF_ALL, ANY, 0, 0, NULL},
    {"SIM_CFLAGS", BUILDS, NULL, OF_ALL, ANY, 0, 0, NULL},
    {"SIM_SEED", RUNS " test break watch grade gradescope check selfcheck", NULL, OF_ALL, NUMBER, 0,
     UINT64_MAX, NULL},
    {"SIM_CARD", RUNS " test", NULL, OF_CHAPTERS, CHOICE, 0, 0, SIM_CARD_NAMES},
    {"SIM_DEVICES", "run profile trace", NULL, OF(MANY), NUMBER, 1, 8, NULL},
    {"SIM_CHECKS", RUNS " test", NULL, OF_ALL, CHOICES, 0, 0,
     "none all racecheck memcheck initcheck synccheck leakcheck strict"},
    {"SIM_BUDGET", RUNS " test", NULL, OF_ALL, NUMBER, 0, UINT64_MAX, NULL},
    {"SIM_PATIENCE", RUNS " test", NULL, OF_ALL, NUMBER, 0, UINT32_MAX, NULL},
    {"SIM_PROGRESS", RUNS " test", NULL, OF_ALL, NUMBER, 0, UINT32_MAX - 1, NULL},
    {"SIM_SCHEDULE", "run profile", NULL, OF_ALL, CHOICE, 0, 0, "drawn clock"},
    {"SIM_MULTIPROCESSORS", "run profile", NULL, OF_ALL, NUMBER, 1, 132, NULL},
    {"SIM_PROFILE", NULL, NULL, OF_ALL, ANY, 0, 0, NULL},
};
enum { ROWS = sizeof table / sizeof *table };
static const char *typed_values[ROWS]; /* of its first row, or NULL */

static size_t row_of(const char *name, size_t length)
{
    size_t row = 0;
    while (row < ROWS &&
           (strlen(table[row].name) != length || strncmp(table[row].name, name, length)))
        row++;
    return row;
}

/* Of a name that is unknown. */
__attribute__((noreturn)) static void refuse_name(const char *name)
{
    const char *names[ROWS + 1] = {NULL};
    for (size_t i = 0; i < ROWS; i++)
        names[i] = table[i].name;
    refuse_unknown("variable", name, names);
}

void settings_take(char **typed, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t length = strcspn(typed[i], "="), row = row_of(typed[i], length);
        if (row == ROWS) {
            typed[i][length] = '\0';
            refuse_name(typed[i]);
        }
        typed_values[row] = typed[i] + length + (typed[i][length] == '=');
    }
}

const char *setting(const char *name)
{
    const size_t row = row_of(name, strlen(name));
    const char *value = row < ROWS ? typed_values[row] : NULL;
    return value ? value : chosen(name);
}

/* The goal of the table that a word is, on a card or not. */
static const char *goal_of(const char *word, const struct command *command, bool on_card)
{
    const bool of_course = !command->chapter && !on_card;
    if (strcmp(word, "all") == 0)
        return "run";
    if (is_program(word))
        return "program";
    if (of_course && strcmp(word, "test") == 0)
        return "check";
    return of_course && strcmp(word, "bench") == 0 ? "slides" : word;
}

static bool has_goal(const char *goals, const char *goal)
{
    return goals && (strcmp(goals, "*") == 0 || is_in(goal, goals));
}

/* Whether a goal is about kernels of these kinds. */
static bool is_of_kind(const struct row *row, const struct command *command, const char *goal,
                       bool on_card)
{
    static const char ladders[] = "run profile";
    if (row->inputs == OF_COURSE)
        return !command->chapter;
    if (row->inputs == OF_ALL || (!command->chapter && !is_in(goal, ladders)))
        return true;
    if (!command->chapter && on_card && !*setting("PART"))
        return true;
    for (enum kind kind = TEXTS; kind < INPUT_KINDS; kind++)
        if (row->inputs & OF(kind) && about(command, kind))
            return true;
    return false;
}

/* Whether a line of the table says that its setting is for a goal; and for the command's kernels. */
static bool is_for(const struct row *row, const struct command *command, const char *word,
                   bool and_kernels)
{
    static const char always_on_card[] = "sweep experiments micro sanitize fidelity";
    const bool on_card = command->gpu || is_in(word, always_on_card);
    const char *goal = goal_of(word, command, on_card);
    return strncmp(word, "build/", 6) == 0 ||
           (has_goal(on_card ? row->on_card : row->goals, goal) &&
            (!and_kernels || is_of_kind(row, command, goal, on_card)));
}

/* Whether any goal uses a setting as this line says; without one the command runs, or judges an exercise. */
static bool is_row_used(const struct row *row, const struct command *command, bool and_kernels)
{
    if (is_for(row, command, command->goal ? command->goal : "run", and_kernels))
        return true;
    for (const char *const *word = command->words; *word; word++)
        if (is_for(row, command, *word, and_kernels))
            return true;
    return false;
}

static bool is_used(const char *name, const struct command *command, bool and_kernels)
{
    for (const struct row *row = table; row < table + ROWS; row++)
        if (strcmp(row->name, name) == 0 && is_row_used(row, command, and_kernels))
            return true;
    return false;
}

bool is_setting_used(const char *name, const struct command *command)
{
    return is_used(name, command, true);
}

/* Says what a setting is for: where it is the kernels that have no use for it, for which ones. */
__attribute__((noreturn)) static void refuse_unused(const struct row *row,
                                                    const struct command *command)
{
    const char *words = "make", *kernels = "";
    for (const char *const *word = command->words; *word; word++)
        words = format("%s %s", words, *word);
    for (enum kind kind = TEXTS; kind < INPUT_KINDS; kind++)
        if (row->inputs & OF(kind))
            kernels = format("%s%s%s", kernels, *kernels ? " or " : "", does(kind));
    if (row->inputs == OF_COURSE && command->chapter)
        refuse("%s: %s does not use it; it is for commands without a chapter", row->name, words);
    if (is_used(row->name, command, false))
        refuse("%s: %s does not use it; it is for chapters whose kernel %s", row->name, words,
               kernels);
    const bool on_card = command->gpu ? row->on_card != NULL : row->goals == NULL;
    const char *with = on_card ? " with gpu" : command->gpu ? " without gpu" : "";
    const char *goals = "";
    for (const struct row *other = table; other < table + ROWS; other++) {
        const char *more = on_card ? other->on_card : other->goals;
        if (more && strcmp(other->name, row->name) == 0)
            goals = format("%s%s%s", goals, *goals ? " " : "", more);
    }
    refuse("%s: %s does not use it; it is for %s%s", row->name, words, choices_of(goals), with);
}

static void check_path(const struct row *row, const char *value)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+@,-";
    if (strchr(value, '$'))
        refuse("%s=%s: make takes $ for one of its own variables: give it another name", row->name,
               value);
    for (const char *at = value; row->form == FOLDER && *at; at++)
        if (!(*at & 0x80) && !strchr(plain, *at))
            refuse("%s=%s: make cannot use a folder with %s in its name: give it another one",
                   row->name, value, *at == ' ' ? "blanks" : (char[]){'"', *at, '"', '\0'});
}

static void check_choices(const struct row *row, const char *value)
{
    char *rest = format("%s", value);
    for (char *word; (word = strsep(&rest, ","));)
        if (!is_in(word, row->choices))
            refuse("%s=%s: choose of %s, with commas between them", row->name, value,
                   choices_of(row->choices));
}

static void check_value(const struct row *row, const char *value)
{
    struct stat folder;
    uint64_t number;
    switch (row->form) {
    case NUMBER:
        if (!read_number(value, &number))
            refuse("%s=%s is not a whole number", row->name, value);
        if (number < row->least || number > row->most)
            refuse("%s=%s is not from %" PRIu64 " to %" PRIu64, row->name, value, row->least,
                   row->most);
        break;
    case LENGTH:
        if (!read_length(value, &number))
            refuse("%s=%s is not a length: write a number from 1 to 4294967295, or with K, M or G, "
                   "such as 64K or 16M",
                   row->name, value);
        break;
    case CHOICE:
        if (!is_in(value, row->choices))
            refuse("%s=%s: choose %s", row->name, value, choices_of(row->choices));
        break;
    case CHOICES:
        check_choices(row, value);
        break;
    case FOLDER:
        check_path(row, value);
        if (stat(value, &folder) != 0 || !S_ISDIR(folder.st_mode))
            refuse("%s=%s: there is no such folder", row->name, value);
        break;
    case PATH:
        check_path(row, value);
        break;
    case ANY:
        break;
    }
}

/* Bytes for one more element, measured on the reference kernels of each kind: that which takes the
 * least, and that of a ladder's which takes the most, whose row is the highest. What takes no more than
 * the text is plain C. A bin is there twice, and is watched. */
static const struct {
    uint64_t usual, least, most;
} sizes[INPUT_KINDS] = {
    [TEXTS] = {1 << 20, 10, 305}, [KEYS] = {1 << 16, 64, 85},     [VALUES] = {1 << 20, 44, 106},
    [MANY] = {1 << 20, 2, 3},     [POINTS] = {1 << 13, 210, 210},
};
enum { A_BIN = 48, IN_C = 2 };

/* Bytes of memory of this machine, or of the group of processes that this one is in. */
static uint64_t memory_here(void)
{
    uint64_t of_group;
    struct lines in = lines_of("/sys/fs/cgroup/memory.max"); /* "max" where there is no limit */
    if (!next_line(&in) || !read_number(in.line, &of_group))
        of_group = UINT64_MAX;
    const uint64_t of_machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return of_group < of_machine ? of_group : of_machine;
}

/* What the command's kernels of a kind need. */
static double needed(const struct command *command, enum kind kind)
{
    uint64_t length = sizes[kind].usual, bins = 0;
    uint64_t each = command->chapter ? sizes[kind].least : sizes[kind].most;
    if (kind == TEXTS && command->chapter && is_in_c(about(command, kind)))
        each = IN_C;
    if (*setting("SIZE"))
        read_length(setting("SIZE"), &length);
    if (kind == KEYS && *setting("BINS"))
        read_number(setting("BINS"), &bins);
    return (double)length * (double)each + (double)bins * A_BIN;
}

/* Ends the program with one line when so many elements or bins need more memory than there is. */
static void check_memory(const struct command *command)
{
    static const char running[] = "run profile replay debug trace test bench all";
    const double gibi = 1 << 30, here = (double)memory_here();
    const char *goal = command->goal ? command->goal : "run";
    for (enum kind kind = TEXTS; !command->gpu && is_in(goal, running) && kind < INPUT_KINDS;
         kind++) {
        const double bytes = about(command, kind) ? needed(command, kind) : 0;
        const char *name = kind == KEYS && *setting("BINS") ? "BINS" : "SIZE";
        if (*setting(name) && bytes > here)
            refuse("%s=%s: needs %.1f GiB of memory or more, and this machine has %.1f", name,
                   setting(name), bytes / gibi, here / gibi);
    }
}

void check_settings(const struct command *command)
{
    if (*setting("SIM_PROFILE"))
        refuse("SIM_PROFILE: is for programs that simcc has built; make chapterN profile shows the "
               "counters of a chapter's launches");
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = table + i;
        const char *value = setting(row->name);
        const bool used = is_used(row->name, command, true);
        if (typed_values[i] && !used)
            refuse_unused(row, command);
        const bool is_a_list =
            strcmp(row->name, "CHAPTERS") == 0 &&
            (is_one_of("handout", command->words) || is_one_of("exam", command->words));
        if (*value && is_row_used(row, command, true) && !is_a_list)
            check_value(row, value);
    }
    if (*setting("FORMAT") && is_one_of("doctor", command->words) &&
        is_setting_used("FORMAT", command))
        refuse(
            "FORMAT=%s: make doctor, which asks for nothing but a shell, has an object of its own: "
            "ask for it alone",
            setting("FORMAT"));
    check_parts(command);
    if (is_used("SIZE", command, true) || is_used("BINS", command, true))
        check_memory(command);
}
