/* front_door.c - what is wrong with a command line of make, before anything is built.
 *
 *     front_door GOALS VARIABLES KNOWN BINS SEED PART OPERATION KEYS
 *
 * GOALS are the goals and VARIABLES the names of the variables on the command line, KNOWN those
 * that there are; each a list with blanks. Prints one line about the first thing that is wrong,
 * with what may have been meant, and nothing when all is well. The status is 0 either way. */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"

/* Whether a goal goes with a chapter, and without one; whether it counts a text; whether, without
 * a chapter, it is about the files in solutions/; whether it says only what others are done to;
 * whether it needs what a copy for students has not, always or only without a chapter. */
enum { CHAPTER = 1, COURSE = 2, TEXT = 4, SOLUTIONS = 8, OBJECT = 16, WHOLE = 32, HOUSE = 64 };
static const struct goal {
    const char *name;
    unsigned int flags;
} goals[] = {
    {"all", COURSE | TEXT | SOLUTIONS},
    {"test", CHAPTER | COURSE | SOLUTIONS | HOUSE},
    {"run", CHAPTER | COURSE | TEXT | SOLUTIONS},
    {"profile", CHAPTER | COURSE | TEXT | SOLUTIONS},
    {"replay", CHAPTER | TEXT},
    {"debug", CHAPTER | TEXT},
    {"hint", CHAPTER | COURSE},
    {"predict", CHAPTER | COURSE},
    {"trace", CHAPTER | COURSE | TEXT},
    {"break", CHAPTER | COURSE},
    {"score", CHAPTER | COURSE},
    {"reset", CHAPTER},
    {"next", COURSE},
    {"progress", COURSE},
    {"watch", COURSE},
    {"doctor", COURSE},
    {"editor", COURSE},
    {"update", COURSE},
    {"grade", CHAPTER | WHOLE},
    {"gradescope", CHAPTER | WHOLE},
    {"handout", COURSE | SOLUTIONS | WHOLE},
    {"book", COURSE | SOLUTIONS | WHOLE},
    {"bench", CHAPTER | COURSE | TEXT | HOUSE},
    {"check", COURSE | SOLUTIONS | WHOLE},
    {"selfcheck", COURSE | WHOLE},
    {"pictures", COURSE | SOLUTIONS | WHOLE},
    {"prediction", COURSE | SOLUTIONS | WHOLE},
    {"slides", COURSE | SOLUTIONS | WHOLE},
    {"experiments", COURSE | SOLUTIONS | WHOLE},
    {"micro", CHAPTER | COURSE},
    {"sanitize", CHAPTER | COURSE | SOLUTIONS},
    {"fidelity", CHAPTER | COURSE | SOLUTIONS | WHOLE},
    {"arm64", COURSE | SOLUTIONS | WHOLE},
    {"help", CHAPTER | COURSE},
    {"clean", CHAPTER | COURSE},
    {"gpu", CHAPTER | COURSE | OBJECT},
    {"solution", CHAPTER | COURSE | OBJECT},
    {"further", CHAPTER | OBJECT},
};
enum { GOALS = sizeof goals / sizeof *goals };
static const char *const of_texts[] = {"INPUT", "TEXT", "SIZE", "TEXT_SEED", NULL};

/* What the command line says. */
struct command {
    const char **words;
    const char *chapter; /* the first one */
    bool gpu, further, solution;
    const char *goal;    /* the first one that says what to do, or NULL */
    unsigned int counts; /* how many of them may count a text */
};

/* Says what is wrong, and ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) static void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    exit(0);
}

/* Cuts a list at its blanks. The last word is NULL. */
static const char **words_of(char *list)
{
    const char **words = calloc(strlen(list) / 2 + 2, sizeof *words);
    if (!words)
        refuse("no memory for the command line");
    size_t count = 0;
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return words;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_chapter(const char *word)
{
    return strncmp(word, "chapter", 7) == 0 && is_number(word + 7);
}

/* NULL for a chapter, and for what is to be made in build/. */
static const struct goal *goal_named(const char *word)
{
    for (size_t i = 0; i < GOALS; i++)
        if (strcmp(goals[i].name, word) == 0)
            return &goals[i];
    return NULL;
}

/* A word that is no goal. */
__attribute__((noreturn)) static void refuse_goal(const char *word)
{
    const char *names[GOALS + 2] = {NULL}, *digits = word + strcspn(word, "0123456789");
    char chapter[32];
    snprintf(chapter, sizeof chapter, "chapter%.20s", is_number(digits) ? digits : "1");
    names[0] = chapter;
    for (size_t i = 0; i < GOALS; i++)
        names[i + 1] = goals[i].name;
    const char *meant = nearest(word, names);
    if (meant)
        refuse("there is no goal '%s'; did you mean %s?", word, meant);
    refuse("there is no goal '%s'; 'make help' lists them", word);
}

/* The first chapter is kept; each may be named once, chapter5 or chapter05. */
static void take_chapter(struct command *command, const char **word)
{
    for (const char **before = command->words; before < word; before++)
        if (is_chapter(*before) && atol(*before + 7) == atol(*word + 7))
            refuse("%s is named twice", *word);
    if (!command->chapter)
        command->chapter = *word;
}

static struct command command_of(char *list)
{
    struct command command = {.words = words_of(list)};
    for (const char **word = command.words; *word; word++) {
        const struct goal *goal = goal_named(*word);
        bool file = strncmp(*word, "build/", 6) == 0;
        if (!goal && !file && !is_chapter(*word))
            refuse_goal(*word);
        if (is_chapter(*word))
            take_chapter(&command, word);
        command.gpu |= strcmp(*word, "gpu") == 0;
        command.further |= strcmp(*word, "further") == 0;
        command.solution |= strcmp(*word, "solution") == 0;
        if (!command.goal && (file || (goal && !(goal->flags & OBJECT))))
            command.goal = *word;
        command.counts += file || (goal && goal->flags & TEXT);
    }
    if (command.further && !command.goal) /* an exercise is there to be judged */
        command.goal = "test";
    return command;
}

/* Goals that are about the student's file of a chapter, and those that may be about the reference
 * but not about an exercise. */
static void check_file(const struct command *command, const char *word)
{
    static const char *const of_file[] = {"reset", "score", NULL};
    static const char *const of_chapter[] = {"reset", "score", "predict", "trace", NULL};
    if (command->further && strcmp(word, "hint") == 0)
        refuse("hint: is about the gaps of a chapter: leave out further");
    if (command->further && is_one_of(word, of_chapter))
        refuse("%s: is about a chapter and not about its exercise: leave out further", word);
    if (command->solution && is_one_of(word, of_file))
        refuse("%s: is about your file: leave out solution", word);
}

/* Goals that make no sense with the others. */
static void check_goals(const struct command *command)
{
    const char *chapter = command->chapter, *const *word = command->words;
    if (*word && !command->goal && !command->gpu)
        refuse("%s: to do what? add test, run or profile", *word);
    for (; *word; word++) {
        const struct goal *goal = goal_named(*word);
        if (goal && chapter && !(goal->flags & CHAPTER))
            refuse("%s is about the whole course: leave out %s", *word, chapter);
        if (goal && !chapter && !(goal->flags & COURSE))
            refuse("%s: of which chapter? make chapterN %s", *word, *word);
        check_file(command, *word);
    }
}

/* Without a chapter most goals are about the reference kernels, which may be kept elsewhere. */
static void check_solutions(const struct command *command)
{
    bool about = !*command->words;
    glob_t found;
    for (const char **word = command->words; *word && !command->chapter; word++) {
        const struct goal *goal = goal_named(*word);
        about |= goal && goal->flags & SOLUTIONS;
    }
    if (about && glob("solutions/*/*.c*", 0, NULL, &found) != 0)
        refuse("there are no kernels in solutions/, which this command is about; "
               "make chapterN test judges yours");
}

/* A copy for students has neither the proofs of the course nor the tools of a lecturer; an
 * autograder has of these what grades. */
static void check_copy(const struct command *command)
{
    bool whole = access("common/proofs", F_OK) == 0;
    for (const char **word = command->words; !whole && *word; word++) {
        const struct goal *goal = goal_named(*word);
        unsigned int needs = command->chapter || command->gpu ? WHOLE : WHOLE | HOUSE;
        bool graded = strcmp(*word, "grade") == 0 && access("common/grading", F_OK) == 0;
        if (goal && goal->flags & needs && !graded)
            refuse("%s: this copy of the course is for students, and has not what %s needs; "
                   "make chapterN test judges your kernel",
                   *word, *word);
    }
}

/* Variables that there are not, that make cannot use, and a text for goals that count none. */
static void check_variables(const struct command *command, const char **given,
                            const char *const *known)
{
    const char *const *words = command->words;
    bool of_course = is_one_of("bench", words) && !command->chapter && !command->gpu;
    bool counts = command->counts > of_course || !command->goal;
    if (is_one_of("SIM_PROFILE", given))
        refuse("SIM_PROFILE: is for programs that simcc has built; make chapterN profile shows the "
               "counters of a chapter's launches");
    for (; *given; given++) {
        if (!counts && is_one_of(*given, of_texts))
            refuse("%s: %s has texts of its own; INPUT, TEXT, SIZE and TEXT_SEED are for run, "
                   "profile, replay, trace, and bench of a chapter",
                   *given, command->goal);
        if (is_one_of(*given, known))
            continue;
        const char *meant = nearest(*given, known);
        if (meant)
            refuse("there is no variable '%s'; did you mean %s?", *given, meant);
        refuse("there is no variable '%s'; 'make help' lists them", *given);
    }
}

/* What is about the chapters whose contract has an operation; "" where nothing is said. */
struct keyed {
    const char *part, *operation, *keys;
};

/* Whether a chapter has a kernel for the contract histogram; or, if not, of any other one. */
static bool has_kernel(const char *chapter, const char *name)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        char pattern[96];
        glob_t paths;
        snprintf(pattern, sizeof pattern, "%s/%02ld_*/%s", folders[i], atol(chapter + 7), name);
        found = glob(pattern, 0, NULL, &paths) == 0;
        globfree(&paths);
    }
    return found;
}

static bool is_by_index(const char *chapter)
{
    return has_kernel(chapter, "reduce_by_index*.cu");
}

/* Whether any chapter of the command counts the characters of a text, or reduces by key. */
static bool counts(const struct command *command, const struct keyed *keyed, bool by_index)
{
    if (!command->chapter)
        return by_index == (strcmp(keyed->part, "2") == 0);
    for (const char **word = command->words; *word; word++)
        if (is_chapter(*word) && is_by_index(*word) == by_index)
            return true;
    return false;
}

static bool counts_texts(const struct command *command, const struct keyed *keyed)
{
    return counts(command, keyed, false);
}

static bool counts_keys(const struct command *command, const struct keyed *keyed)
{
    return counts(command, keyed, true);
}

/* Goals that show a kernel at work on a text. */
static void check_shown(const struct command *command)
{
    static const char *const of_texts_only[] = {"trace", "debug", NULL};
    const char *chapter = NULL, *goal = NULL;
    for (const char **word = command->words; *word; word++) {
        goal = is_one_of(*word, of_texts_only) ? *word : goal;
        chapter = !chapter && is_chapter(*word) && is_by_index(*word) ? *word : chapter;
    }
    if (chapter && goal)
        refuse("%s: is for kernels that count a text, and %s reduces by key; make %s replay shows "
               "a race, profile the counters of each launch",
               goal, chapter, chapter);
}

/* PART, OPERATION and KEYS: what there is of them, and that they are for something here. */
static void check_part(const struct command *command, const struct keyed *keyed)
{
    static const char *const parts[] = {"", "1", "2", NULL};
    static const char *const operations[] = {
        "", "count", "saturate", "float_sum", "wide_sum", "argmax", "vector_sum", "minmax", NULL};
    static const char *const keys[] = {"",     "uniform", "single", "stride63",
                                       "zipf", "ninety",  "sorted", NULL};
    if (!is_one_of(keyed->part, parts))
        refuse("PART=%s: choose 1 or 2", keyed->part);
    if (command->chapter && *keyed->part)
        refuse("PART=%s: is for make and make gpu bench: leave it out with %s", keyed->part,
               command->chapter);
    if (!is_one_of(keyed->operation, operations))
        refuse("OPERATION=%s: choose count, saturate, float_sum, wide_sum, argmax, vector_sum or "
               "minmax",
               keyed->operation);
    if (!is_one_of(keyed->keys, keys))
        refuse("KEYS=%s: choose uniform, single, stride63, zipf, ninety or sorted", keyed->keys);
    if ((*keyed->operation || *keyed->keys) && !counts_keys(command, keyed))
        refuse("%s: is for chapters that reduce by key, and for PART=2",
               *keyed->operation ? "OPERATION" : "KEYS");
}

static void check_bins(const char *bins, bool of_texts, bool of_keys)
{
    static const char *const numbers_of_bins[] = {"5", "26", "64", "256", NULL};
    enum { DIGITS = 10 };
    if (of_texts && !is_one_of(bins, numbers_of_bins))
        refuse("BINS=%s: choose 5, 26, 64 or 256", bins);
    if (of_keys && (!is_number(bins) || strlen(bins) > DIGITS || strtoul(bins, NULL, 10) < 1 ||
                    strtoul(bins, NULL, 10) > INT_MAX))
        refuse("BINS=%s: choose a whole number from 1 to 2147483647", bins);
}

int main(int count, char **arguments)
{
    if (count != 9)
        refuse("usage: %s GOALS VARIABLES KNOWN BINS SEED PART OPERATION KEYS", arguments[0]);
    struct command command = command_of(arguments[1]);
    check_goals(&command);
    check_variables(&command, words_of(arguments[2]), words_of(arguments[3]));
    const struct keyed keyed = {
        .part = arguments[6], .operation = arguments[7], .keys = arguments[8]};
    check_part(&command, &keyed);
    check_shown(&command);
    check_bins(arguments[4], counts_texts(&command, &keyed), counts_keys(&command, &keyed));
    if (!is_number(arguments[5]))
        refuse("SEED=%s is not a whole number", arguments[5]);
    check_copy(&command);
    check_solutions(&command);
    return 0;
}
