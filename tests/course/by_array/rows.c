/* rows.c - what the chapters that reduce an array are run on, and what their rows say of it.
 *
 * The programs are those of the solutions, each compiled for a sum.
 * Chapters: 40 41 42 43 44 45 46
 */
#include "../in_folder.h"
#include "asked_input.h"

static char programs[2200]; /* build/sim-gcc/common */

static void begin(void)
{
    make_folder();
    snprintf(programs, sizeof programs, "%s/%s/common/program/reduce", root, getenv("BUILD"));
}

TestSuite(values, .init = begin, .fini = remove_folder);

Test(values, are_written_down_as_they_were_asked_for)
{
    static const char *const asked[][2] = {
        {"", "values 1 1048576\n"},
        {"SIZE=3K TEXT_SEED=7", "values 7 3072\n"},
        {"SIZE=5 TEXT_SEED=", "values 1 5\n"},
        {"SIZE=4294967295 TEXT_SEED=18446744073709551615",
         "values 18446744073709551615 4294967295\n"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        run("%s %s/input out README.md && cat out", asked[i][0], programs);
        cr_expect_str_eq(text, asked[i][1]);
    }
}

Test(values, are_refused_in_one_line)
{
    static const char *const refused[][2] = {
        {"SIZE=12x", "SIZE=12x is not a length: write a number of values from 1 to 4294967295"},
        {"SIZE=0", "SIZE=0 is not a length: "},
        {"SIZE=4G", "SIZE=4G is not a length: "},
        {"SIZE=-1", "SIZE=-1 is not a length: "},
        {"SIZE=K", "SIZE=K is not a length: "},
        {"SIZE=99999999999999999999", "is not a length: "},
        {"TEXT_SEED=1.5", "TEXT_SEED=1.5 is not a whole number"},
        {"TEXT_SEED=-1", "TEXT_SEED=-1 is not a whole number"},
        {"INPUT=README.md", "INPUT=README.md: this chapter reduces an array, and no text: "},
        {"TEXT=zipf", "TEXT=zipf: this chapter reduces an array, and no text: "},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("%s %s/input out README.md", refused[i][0], programs);
        says(1, refused[i][1]);
        cr_expect(strchr(text, '\n') == strrchr(text, '\n'), "%s", text);
    }
    run("mkdir full && %s/input full README.md", programs);
    says(1, "cannot write full: Is a directory\n");
    run("%s/input /dev/full README.md", programs);
    says(1, "cannot write /dev/full: No space left on device\n");
    run("%s/input", programs);
    says(1, "usage: ");
}

/* A column of the row that a solution writes. */
static double column(const char *row, const char *name)
{
    run("head -n 1 %s | tr , '\\n' | grep -n -x %s | cut -d : -f 1", row, name);
    const long place = strtol(text, NULL, 10);
    cr_assert(place > 0, "no column %s in %s", name, row);
    run("tail -n 1 %s | cut -d , -f %ld", row, place);
    return strtod(text, NULL);
}

/* Runs the solution whose number begins so, on so many values. */
static void run_solution(const char *number, const char *size, const char *settings)
{
    run("SIZE=%s %s/input values README.md && OPERATIONS=sum %s "
        "%s/%s/solution-keys/%s_*/sum/row values %s name row.csv",
        size, programs, settings, root, getenv("BUILD"), number, number);
    cr_expect(status == 0 && text[0] == '\0', "%s", text);
}

TestSuite(rows, .init = begin, .fini = remove_folder);

Test(rows, tell_these_chapters_apart)
{
    run_solution("40", "20K", "");
    cr_expect_eq(column("row.csv", "launches"), 2);
    cr_expect_eq(column("row.csv", "reading_threads"), 20480);
    cr_expect_eq(column("row.csv", "barriers_a_block"), 8);
    cr_expect_eq(column("row.csv", "shared_words"), 256);
    cr_expect_eq(column("row.csv", "shuffles"), 0);
    run_solution("41", "20K", "");
    cr_expect_gt(column("row.csv", "shuffles"), 0);
    cr_expect_leq(column("row.csv", "shared_words"), 32);
    run_solution("42", "20K", "");
    cr_expect_eq(column("row.csv", "launches"), 2);
    cr_expect_eq(column("row.csv", "passes"), 1);
    cr_expect_eq(column("row.csv", "global_atomics"), 0);
    cr_expect_gt(column("row.csv", "shuffles"), 0);
    run_solution("43", "20K", "");
    cr_expect_gt(column("row.csv", "atomics_on_result"), 0);
    run_solution("44", "20K", "");
    cr_expect_eq(column("row.csv", "global_atomics"), column("row.csv", "blocks"));
    cr_expect_eq(column("row.csv", "grid_barriers"), 0);
    run_solution("45", "20K", "");
    cr_expect_eq(column("row.csv", "cooperative_launches"), 1);
    cr_expect_eq(column("row.csv", "grid_barriers"), 1);
    cr_expect_eq(column("row.csv", "global_atomics"), 0);
    run_solution("46", "20K", "");
    cr_expect_eq(column("row.csv", "launches"), 1);
    cr_expect_eq(column("row.csv", "barriers_a_block"), 1);
    cr_expect_eq(column("row.csv", "bank_conflicts"), 0);
}

Test(rows, begin_as_all_rows_do)
{
    run_solution("42", "1", "");
    run("cut -d , -f 1-5 row.csv");
    cr_expect_str_eq(text, "chapter,name,input,length,correct\n42,name,values of seed 1,1,yes\n");
}

/* A profile counts the launches of one run. */
Test(rows, run_once_for_a_profile)
{
    run_solution("42", "20K", "SIM_PROFILE=$PWD/profile");
    run("wc -l <profile");
    cr_expect_str_eq(text, "3\n");
}

Test(rows, say_what_is_wrong)
{
    const char *const programs_of_42 = "/solution-keys/42_*/sum";
    run("echo nonsense >bad; OPERATIONS=sum %s/%s%s/row bad 42 name row.csv", root, getenv("BUILD"),
        programs_of_42);
    says(1, "bad: does not say which values; it is written by the program input\n");
    run("OPERATIONS=sum %s/%s%s/row missing 42 name row.csv", root, getenv("BUILD"),
        programs_of_42);
    says(1, "missing: does not say which values; ");
    run("SIZE=9 %s/input values README.md && OPERATIONS=sum %s/%s%s/row values 42 name no/row.csv",
        programs, root, getenv("BUILD"), programs_of_42);
    says(1, "cannot write no/row.csv: No such file or directory\n");
    run("OPERATIONS=median %s/%s%s/row values 42 name row.csv", root, getenv("BUILD"),
        programs_of_42);
    says(2, "OPERATIONS: there is no operation 'median'");
}

Test(rows, withstand_a_file_that_is_cut_off)
{
    run("printf 'values 1' >cut; OPERATIONS=sum %s/%s/solution-keys/42_*/sum/row cut 42 name r.csv",
        root, getenv("BUILD"));
    says(1, "cut: does not say which values; ");
    struct drawn drawn = {.kind = "values", .seed = 3, .length = 4};
    char file[128];
    snprintf(file, sizeof file, "%s/kept", folder);
    cr_assert_eq(drawn_write(&drawn, file), 0);
    drawn = drawn_read(file);
    cr_expect(drawn.seed == 3 && drawn.length == 4);
}
