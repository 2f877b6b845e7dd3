/* command_line.c - what is wrong with a command line of make, before anything is built.
 *
 *     driver GOALS NAME=VALUE...
 *     driver --drive GOALS
 *     driver --kernels FROM CHAPTERS OPERATION OF_LADDER
 *     driver --reap WATCHED COMMAND...
 *
 * GOALS are the goals, a list with blanks, and the others what was typed as variables; the
 * environment says more. Prints one line about the first thing that is wrong, with what may have
 * been meant, and nothing when all is well. The status is 0 either way. With --drive the goals are
 * worked off, and the status is theirs (driver.h), with --kernels make is told of kernels, and --reap runs a
 * command that leaves nothing behind. */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "util.h"

/* Whether a goal goes with a chapter, and without one; whether, without a chapter, it is about the files in solutions/; whether it says only what others are done to;
 * whether it needs what a copy for students has not, always or only without a chapter. */
enum { CHAPTER = 1, COURSE = 2, SOLUTIONS = 4, OBJECT = 8, WHOLE = 16, HOUSE = 32 };
static const struct goal {
    const char *name;
    unsigned int flags;
} goals[] = {
    {"all", COURSE | SOLUTIONS},
    {"test", CHAPTER | COURSE | SOLUTIONS | HOUSE},
    {"run", CHAPTER | COURSE | SOLUTIONS},
    {"profile", CHAPTER | COURSE | SOLUTIONS},
    {"replay", CHAPTER},
    {"debug", CHAPTER},
    {"hint", CHAPTER | COURSE},
    {"lesson", CHAPTER | COURSE},
    {"predict", CHAPTER | COURSE},
    {"trace", CHAPTER | COURSE},
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
    {"exam", COURSE | SOLUTIONS | WHOLE},
    {"bench", CHAPTER | COURSE | HOUSE},
    {"count", CHAPTER | COURSE | SOLUTIONS},
    {"check", COURSE | SOLUTIONS | WHOLE},
    {"built", COURSE | WHOLE},
    {"selfcheck", COURSE | WHOLE},
    {"pictures", COURSE | SOLUTIONS | WHOLE},
    {"prediction", COURSE | SOLUTIONS | WHOLE},
    {"slides", COURSE | SOLUTIONS | WHOLE},
    {"sweep", CHAPTER},
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
    {"everything", COURSE | OBJECT},
};
enum { GOALS = sizeof goals / sizeof *goals };

/* Whatever folders there are of programs to keep. */
static const struct goal a_program = {"program", CHAPTER | COURSE | SOLUTIONS};

/* NULL for a chapter, and for what is to be made in build/. */
static const struct goal *goal_named(const char *word)
{
    if (is_program(word))
        return &a_program;
    for (size_t i = 0; i < GOALS; i++)
        if (strcmp(goals[i].name, word) == 0)
            return &goals[i];
    return NULL;
}

/* A word that is no goal. */
__attribute__((noreturn)) static void refuse_goal(const char *word)
{
    const char *digits = word + strcspn(word, "0123456789");
    struct list names = {.count = 0};
    list_add(&names, format("chapter%s", is_number(digits) ? digits : "1"));
    for (size_t i = 0; i < GOALS; i++)
        list_add(&names, goals[i].name);
    for (char **folder = matches("common/programs/*/"); *folder; folder++)
        list_add(&names, base_name(format("%.*s", (int)strlen(*folder) - 1, *folder)));
    refuse_unknown("goal", word, names.item);
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
        command.everything |= strcmp(*word, "everything") == 0;
        command.solution |= strcmp(*word, "solution") == 0;
        if (!command.goal && (file || (goal && !(goal->flags & OBJECT))))
            command.goal = *word;
    }
    if (command.further && !command.goal) /* an exercise is there to be judged */
        command.goal = "test";
    return command;
}

/* Goals that are about the student's file of a chapter, and those that may be about the reference
 * but not about an exercise. */
static void check_file(const struct command *command, const char *word)
{
    static const char of_file[] = "reset score", of_chapter[] = "reset score predict trace lesson",
                      of_class[] = "grade gradescope",
                      of_card[] = "run test bench sweep experiments micro sanitize fidelity count";
    if (command->further && strcmp(word, "hint") == 0)
        refuse("hint: is about the gaps of a chapter: leave out further");
    if (command->further && is_in(word, of_chapter))
        refuse("%s: is about a chapter and not about its exercise: leave out further", word);
    if (command->solution && is_in(word, of_file))
        refuse("%s: is about your file: leave out solution", word);
    if ((command->solution || command->further) && is_in(word, of_class))
        refuse("%s: is about files of chapters that were handed in: leave out %s", word,
               command->solution ? "solution" : "further");
    if (command->gpu && goal_named(word) && !(goal_named(word)->flags & OBJECT) &&
        !is_program(word) && !is_in(word, of_card))
        refuse("%s: is for the simulated GPU, or for neither: leave out gpu", word);
}

/* Goals that make no sense with the others. */
static void check_goals(const struct command *command)
{
    const char *chapter = command->chapter, *const *word = command->words;
    if (command->everything && (!command->goal || strcmp(command->goal, "reset") != 0))
        refuse("everything: goes with reset alone: make everything reset");
    if (*word && !command->goal && !command->gpu)
        refuse("%s: to do what? add test, run or profile", *word);
    for (; *word; word++) {
        const struct goal *goal = goal_named(*word);
        if (goal && chapter && !(goal->flags & CHAPTER))
            refuse("%s is about the whole course: leave out %s", *word, chapter);
        if (strcmp(*word, "reset") == 0 && !chapter && !command->everything)
            refuse(
                "reset: of which chapter? make chapterN reset; make everything reset, which asks "
                "first, is about all of them");
        if (goal && !chapter && !(goal->flags & COURSE) && !command->everything)
            refuse("%s: of which chapter? make chapterN %s", *word, *word);
        check_file(command, *word);
    }
}

static bool has_solutions(void)
{
    glob_t found = {0};
    const bool has = glob("solutions/*/*.c*", 0, NULL, &found) == 0;
    globfree(&found);
    return has;
}

/* Without a chapter most goals are about the reference kernels, which may be kept elsewhere. */
static void check_solutions(const struct command *command)
{
    bool about = !*command->words;
    for (const char **word = command->words; *word && !command->chapter; word++) {
        const struct goal *goal = goal_named(*word);
        about |= goal && goal->flags & SOLUTIONS;
    }
    if (about && !has_solutions())
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
        bool graded = strcmp(*word, "grade") == 0 && access("common/grading/grade.py", F_OK) == 0;
        if (goal && goal->flags & needs && !graded)
            refuse("%s: this copy of the course is for students, and has not what %s needs; "
                   "make chapterN test judges your kernel",
                   *word, *word);
    }
}

/* In a copy for students the two commands of the course are about theirs: how far they are, where there are no
 * solutions to show, and the verdicts on all of their chapters. */
static char *as_in_copy(char *list)
{
    glob_t found;
    char *chapters = "";
    if (access("common/proofs", F_OK) == 0 || access("common/grading/grade.py", F_OK) == 0)
        return list;
    if (!*list || strcmp(list, "all") == 0)
        return has_solutions() ? list : "progress next";
    if (strcmp(list, "test") != 0 || glob("chapters/[0-9]*_*", 0, NULL, &found) != 0)
        return list;
    for (size_t i = 0; i < found.gl_pathc; i++)
        chapters = format("%schapter%ld ", chapters, atol(found.gl_pathv[i] + strlen("chapters/")));
    return format("%stest", chapters);
}

/* Lists of folders have a line for each. */
static void check_place(void)
{
    char *place = getcwd(NULL, 0);
    if (place && strchr(place, '\n'))
        refuse("the path of the course has a line break in it: give its folder another name");
    free(place);
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--drive") == 0) {
        struct command command = command_of(as_in_copy(arguments[2]));
        return drive(&command);
    }
    if (count == 2 && strcmp(arguments[1], "--plan") == 0) {
        print_plan();
        return 0;
    }
    if (count > 3 && strcmp(arguments[1], "--reap") == 0)
        run_reaped(arguments[2], arguments + 3);
    if (count < 2)
        refuse("usage: %s GOALS NAME=VALUE...", arguments[0]);
    struct command command = command_of(as_in_copy(arguments[1]));
    check_place();
    check_goals(&command);
    settings_take(arguments + 2, count - 2);
    check_settings(&command);
    check_copy(&command);
    check_solutions(&command);
    chosen_by(&command);
    return 0;
}
