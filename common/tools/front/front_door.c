/* front_door.c - what is wrong with a command line of make, before anything is built.
 *
 *     front_door GOALS VARIABLES KNOWN BINS ASKED-BINS SEED PART OPERATION KEYS
 *
 * GOALS are the goals and VARIABLES the names of the variables on the command line, KNOWN those
 * that there are; each a list with blanks. ASKED-BINS is empty when BINS is the default. Prints one
 * line about the first thing that is wrong, with what may have been meant, and nothing when all is
 * well. The status is 0 either way. */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"
#include "parts.h"
#include "typed_words.h"

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
    {"count", CHAPTER | COURSE | SOLUTIONS},
    {"check", COURSE | SOLUTIONS | WHOLE},
    {"built", COURSE | WHOLE},
    {"selfcheck", COURSE | WHOLE},
    {"pictures", COURSE | SOLUTIONS | WHOLE},
    {"prediction", COURSE | SOLUTIONS | WHOLE},
    {"slides", COURSE | SOLUTIONS | WHOLE},
    {"experiments", COURSE | SOLUTIONS | WHOLE},
    {"micro", CHAPTER | COURSE},
    {"sanitize", CHAPTER | COURSE | SOLUTIONS},
    {"fidelity", CHAPTER | COURSE | SOLUTIONS | WHOLE},
    {"arm64", COURSE | SOLUTIONS | WHOLE},
    {"bare", COURSE | SOLUTIONS | WHOLE},
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

int main(int count, char **arguments)
{
    if (count != 10)
        refuse("usage: %s GOALS VARIABLES KNOWN BINS ASKED-BINS SEED PART OPERATION KEYS",
               arguments[0]);
    struct command command = command_of(arguments[1]);
    check_goals(&command);
    check_variables(&command, words_of(arguments[2]), words_of(arguments[3]));
    check_parts(&(struct settings){.words = command.words,
                                   .chapter = command.chapter,
                                   .bins = arguments[4],
                                   .asked_bins = arguments[5],
                                   .part = arguments[7],
                                   .operation = arguments[8],
                                   .keys = arguments[9]});
    if (!is_number(arguments[6]))
        refuse("SEED=%s is not a whole number", arguments[6]);
    check_copy(&command);
    check_solutions(&command);
    return 0;
}
