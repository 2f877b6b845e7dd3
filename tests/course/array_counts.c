/* array_counts.c - the programs that compare what a kernel costs, for one that reduces an array: ask,
 * score, and the verdict that they have given. */
#include "in_folder.h"

/* What stands for the program of a kernel, and for the one that says which values. */
static const char row[] =
    "#!/bin/sh\necho row $1 $2 $3, $OPERATIONS >>ran\n"
    "{ echo chapter,name,correct,launches,shuffles,barriers_a_block,global_atomics\n"
    "  echo $2,$3,$(cat correct),2,40,1,$(cat atomics); } >$4\n";
static const char input[] =
    "#!/bin/sh\necho input $SIZE $TEXT_SEED$INPUT$TEXT$KEYS >>ran; echo >$1\n";
static const char fake_make[] = "#!/bin/sh\necho \"make $@${BINS:+, and BINS is $BINS}\" >>ran\n"
                                "[ ! -e broken ]\n";
static const char lesson[] =
    "# 41. Shuffles\n\n## Predict\n\n"
    "1. How many launches?\n   <!-- count: launches = launches -->\n"
    "2. And of 100 values, for max?\n"
    "   <!-- count: of 100 = launches in values-100-max -->\n\n"
    "<details><summary>Answers</summary>\n\n1. Two.\n2. 2.\n\n</details>\n";
static const char filled[] = "// TODO(41.1): Add.\nx++;\n// end of TODO(41.1)\n";

static void make_course(void)
{
    static const char *const programs[] = {
        "b/chapter-keys/41_shuffle/sum/row", "b/chapter-keys/41_shuffle/max/row",
        "b/solution-keys/41_shuffle/sum/row", "b/common-keys/program/reduce/input"};
    make_folder();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        write_file(programs[i], strstr(programs[i], "input") ? input : row);
        run("chmod +x %s", programs[i]);
    }
    write_file("bin/make", fake_make);
    run("chmod +x bin/make");
    write_file("correct", "yes\n");
    write_file("atomics", "0\n");
    write_file("common/contract/reduce.h", "#include \"operation.h\"\n");
    write_file("common/contracts/reduce/contract.c", "\n");
    write_file("tests/41_shuffle.c", "/* Operations: sum max */\n");
    write_file("docs/41_shuffle.md", lesson);
    write_file("chapters/41_shuffle/reduce.cu", filled);
    write_file("solutions/41_shuffle/reduce.cu", filled);
}

TestSuite(of_array, .init = make_course, .fini = remove_folder);

Test(of_array, is_predicted_for_as_many_values_as_the_lesson_says)
{
    run("export TEXT=zipf KEYS=zipf; printf '2\\n4\\n' | ladder predict b chapters 41_shuffle");
    says(0, "counting what your kernel does, on 1,048,576 values\n");
    says(0, " 1. launches                                2            2  right\n"
            " 2. of 100                                  4            2  2.0 times too high\n");
    run("cat ran");
    cr_expect_str_eq(text,
                     "make chapter41 CHAPTERS=chapters b/chapter-keys/41_shuffle/sum/row "
                     "b/common-keys/program/reduce/input OPERATION=sum\n"
                     "input 1048576 1zipf\nrow build/counts/values-1048576 41 shuffle, sum\n"
                     "make chapter41 CHAPTERS=chapters b/chapter-keys/41_shuffle/max/row "
                     "b/common-keys/program/reduce/input OPERATION=max\n"
                     "input 100 1zipf\nrow build/counts/values-100 41 shuffle, max\n",
                     "%s", text);
}

/* The lines are those that its row has; neither bins nor copies are among them. */
Test(of_array, is_scored_by_what_its_row_has)
{
    run("ladder score b chapters 5 41_shuffle");
    says(0, "chapter 41, shuffle, on 1,048,576 values, operation sum\n");
    says(0, "launches                         2             2             -\n"
            "barriers a block                 1             1             -\n"
            "shuffles                        40            40             -\n"
            "reference: solutions/41_shuffle/reduce.cu\n");
    is_silent_about("on the final bins");
    is_silent_about("copies");
    is_silent_about("nan");
}

/* Beside what was kept of another number. */
Test(of_array, keeps_its_best)
{
    write_file("chapters/41_shuffle/best.csv", "bins,counter,best\n5,load requests,7\n");
    write_file("suite",
               "#!/bin/sh\n[ $1 = --names ] && echo a/fine && exit\necho \"$FACTS input x\"\n");
    run("chmod +x suite && ladder verdict --record ./suite chapters/41_shuffle/reduce.cu 41 5; "
        "ladder score b chapters 5 41_shuffle");
    says(0, "launches                         2             2             -\n");
    is_silent_about("not kept");
    run("grep -v shuffles chapters/41_shuffle/best.csv");
    cr_expect_str_eq(
        text,
        "bins,counter,best\n5,load requests,7\n1048576,global atomics,0\n1048576,launches,2\n"
        "1048576,barriers a block,1\n",
        "%s", text);
    write_file("atomics", "3\n");
    run("ladder score b chapters 5 41_shuffle");
    says(0, "launches                         2             2             2\n");
}

/* BINS is of texts: a chapter without bins would be refused with it. */
Test(of_array, is_judged_anew_without_bins)
{
    run("BINS=26 ladder score b chapters 26; cat ran");
    says(0, "make chapter41 test CHAPTERS=chapters\n");
    is_silent_about("and BINS is");
}

/* What is quoted can be typed. */
Test(of_array, is_next_without_bins)
{
    run("mkdir -p mine/41_shuffle; cp chapters/41_shuffle/reduce.cu mine/41_shuffle; "
        "mkdir -p build/progress; ladder next mine 26");
    says(0, "make chapter41 test CHAPTERS=mine, and make chapter41 hint CHAPTERS=mine when");
    is_silent_about("26");
}

Test(of_array, has_no_score_when_it_is_wrong_or_does_not_compile)
{
    write_file("correct", "no\n");
    run("ladder score b chapters 5 41_shuffle");
    says(1, "chapters/41_shuffle/reduce.cu: no score: it does not count right\n");
    write_file("broken", "");
    run("ladder score b chapters 5 41_shuffle");
    says(1, "no score: it does not compile, or not for this operation\n");
}

/* A planted race is shown with the operations that its head names, or with all. */
Test(of_array, is_shown_a_race_of_its_operation)
{
    write_file("chapters/41_shuffle/reduce.cu", "// TODO(41.1): Add.\n// end of TODO(41.1)\n");
    write_file("tests/mutants/41_shuffle/race.patch",
               "Reason: it races.\nCaught by: racecheck\nOperations: sum dot\n"
               "--- solutions/41_shuffle/reduce.cu\n+++ mutant/reduce.cu\n@@ -1,3 +1,3 @@\n"
               " // TODO(41.1): Add.\n-x++;\n+y++;\n // end of TODO(41.1)\n");
    run("ladder planted chapters/41_shuffle/reduce.cu 41_shuffle made 5 dot 2>/dev/null");
    cr_expect_str_eq(text, "41_shuffle/race\n");
    run("ladder planted chapters/41_shuffle/reduce.cu 41_shuffle made 5 su");
    says(1, "chapters/41_shuffle/reduce.cu: its gaps are empty, and this chapter has no race to "
            "show\n");
    run("ladder planted chapters/41_shuffle/reduce.cu 41_shuffle made 5");
    says(1, "no race to show\n");
    run("sed -i '1a Needs: large values' tests/mutants/41_shuffle/race.patch; "
        "ladder planted chapters/41_shuffle/reduce.cu 41_shuffle made 5 sum");
    says(1, "no race to show\n");
}
