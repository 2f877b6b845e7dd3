/* rows.c - what the chapters that reduce by key are run on, and what their rows say of it.
 *
 * The programs are those of the solutions, each compiled to count.
 * Chapters: 20 21 22 23 24
 */
#include "../in_folder.h"
#include "elements.h"

static char programs[2200]; /* build/sim-gcc/common */

static void begin(void)
{
    make_folder();
    snprintf(programs, sizeof programs, "%s/%s/common/program/reduce_by_index", root,
             getenv("BUILD"));
}

TestSuite(keys, .init = begin, .fini = remove_folder);

Test(keys, are_written_down_as_they_were_asked_for)
{
    static const char *const asked[][2] = {
        {"", "uniform 1 65536\n"},
        {"KEYS=zipf SIZE=3K TEXT_SEED=7", "zipf 7 3072\n"},
        {"KEYS=ninety SIZE=5 TEXT_SEED=", "ninety 1 5\n"},
        {"SIZE=4294967295", "uniform 1 4294967295\n"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        run("%s %s/input out README.md && cat out", asked[i][0], programs);
        cr_expect_str_eq(text, asked[i][1]);
    }
}

Test(keys, are_refused_in_one_line)
{
    static const char *const refused[][2] = {
        {"KEYS=often", "KEYS=often is unknown: choose uniform, "},
        {"SIZE=12x", "SIZE=12x is not a length: "},
        {"SIZE=0", "SIZE=0 is not a length: "},
        {"SIZE=4G", "SIZE=4G is not a length: "},
        {"SIZE=-1", "SIZE=-1 is not a length: "},
        {"SIZE=99999999999999999999", "is not a length: "},
        {"TEXT_SEED=1.5", "TEXT_SEED=1.5 is not a whole number"},
        {"INPUT=README.md", "INPUT=README.md: this chapter reduces elements by key, and no text: "},
        {"TEXT=zipf", "TEXT=zipf: this chapter reduces elements by key, and no text: "},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("%s %s/input out README.md", refused[i][0], programs);
        says(1, refused[i][1]);
        cr_expect(strchr(text, '\n') == strrchr(text, '\n'), "%s", text);
    }
    run("mkdir full && %s/input full README.md", programs);
    says(1, "cannot write full: Is a directory\n");
}

Test(keys, have_names_that_are_read_again)
{
    for (enum keys keys = 0; keys < KEYS_KINDS; keys++)
        cr_expect_eq(keys_named(keys_name(keys)), keys);
    cr_expect_eq(keys_named("often"), KEYS_KINDS);
}

/* A column of the row that a solution writes; KEY_BINS and OPERATIONS are set. */
static double column(const char *row, const char *name)
{
    run("head -n 1 %s | tr , '\\n' | grep -n -x %s | cut -d : -f 1", row, name);
    const long place = strtol(text, NULL, 10);
    cr_assert(place > 0, "no column %s in %s", name, row);
    run("tail -n 1 %s | cut -d , -f %ld", row, place);
    return strtod(text, NULL);
}

/* Runs the solution whose number begins so, to count 4,096 keys in 505 bins, or as `settings` say. */
static void run_solution(const char *number, const char *settings)
{
    run("SIZE=4K %s/input keys README.md && OPERATIONS=count KEY_BINS=505 %s "
        "%s/%s/solution-keys/%s_*/count/row keys %s name row.csv",
        programs, settings, root, getenv("BUILD"), number, number);
    cr_expect(status == 0 && text[0] == '\0', "%s", text);
}

Test(rows, tell_attempts_from_locks, .init = begin, .fini = remove_folder)
{
    run_solution("21", "");
    cr_expect_eq(column("row.csv", "locks"), 0);
    cr_expect_geq(column("row.csv", "attempts"), 4096);
    cr_expect_eq(column("row.csv", "passes"), 1);
    run_solution("22", "");
    cr_expect_geq(column("row.csv", "locks"), 4096);
    cr_expect_eq(column("row.csv", "attempts"), 0);
}

Test(rows, count_passes_and_copies, .init = begin, .fini = remove_folder)
{
    run_solution("24", "KEY_BINS=58113");
    cr_expect_eq(column("row.csv", "passes"), 2);
    run_solution("20", "");
    cr_expect_float_eq(column("row.csv", "copies"), 1, 0.1);
    run_solution("23", "");
    cr_expect_gt(column("row.csv", "copies"), 2);
}

/* A profile counts the launches of one run. */
Test(rows, run_once_for_a_profile, .init = begin, .fini = remove_folder)
{
    run_solution("20", "SIM_PROFILE=$PWD/profile");
    run("wc -l <profile");
    cr_expect_str_eq(text, "2\n");
}

Test(rows, say_what_is_wrong, .init = begin, .fini = remove_folder)
{
    run("echo nonsense >keys; OPERATIONS=count KEY_BINS=505 "
        "%s/%s/solution-keys/20_*/count/row keys 20 name row.csv",
        root, getenv("BUILD"));
    says(1, "keys: does not say which keys; it is written by the program input\n");
}
