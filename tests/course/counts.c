/* counts.c - the programs that compare what a kernel costs: ask. */
#include "in_folder.h"

/* What stands for the program of a kernel, and for the one that makes its text. */
static const char row[] = "#!/bin/sh\n"
                          "echo row $1 $2 $3 >>ran\n"
                          "{ echo chapter,name,correct,blocks,votes,ratio.sum\n"
                          "  echo $2,$3,$(cat correct),4,32,0.19; } >$4\n";
static const char input[] = "#!/bin/sh\necho input $TEXT $SIZE $TEXT_SEED$INPUT >>ran; echo >$1\n";
static const char fake_make[] = "#!/bin/sh\necho \"make $@\" >>ran\n[ ! -e broken ]\n";

static const char lesson[] =
    "# 1. First\n\nIt.\n\n## Predict\n\nWrite [it](x.md) down.\n\n"
    "1. How many loads of\n   a warp?\n"
    "   <!-- count: loads = blocks x votes + 1,000 -->\n"
    "   <!-- count: rare ones = ratio.sum in zipf-26 -->\n"
    "2. Why?\n3. How long?\n\n"
    "<details><summary>Answers</summary>\n\n"
    "1. So.\n3. It is 29.\n   <!-- count: length = 29 -->\n\n</details>\n\n"
    "## Do it\n\n1. No question.\n";
static const char empty[] = "// TODO(1.1): Count.\n// end of TODO(1.1)\n";
static const char filled[] = "// TODO(1.1): Count.\nx++;\n// end of TODO(1.1)\n";
static const char file[] = "chapters/01_first/predictions.txt";

static void make_course(void)
{
    static const char *const programs[] = {
        "b/chapter-5/01_first/row",           "b/chapter-26/01_first/row",
        "b/common-5/program/histogram/input", "b/common-26/program/histogram/input",
        "b/solution-5/01_first/row",          "b/solution-26/01_first/row"};
    make_folder();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        write_file(programs[i], strstr(programs[i], "input") ? input : row);
        run("chmod +x %s", programs[i]);
    }
    write_file("bin/make", fake_make);
    run("chmod +x bin/make");
    write_file("correct", "yes\n");
    write_file("common/contract/histogram.h", "\n");
    write_file("tests/01_first.c", "\n");
    write_file("docs/01_first.md", lesson);
    write_file("chapters/01_first/histogram.cu", filled);
    write_file("solutions/01_first/histogram.cu", filled);
}

TestSuite(ask, .init = make_course, .fini = remove_folder);

static void answer(const char *answers)
{
    run("printf '%s' | ask b chapters 01_first", answers);
}

static void kept(const char *content)
{
    run("cat %s", file);
    cr_expect_str_eq(text, content);
}

Test(ask, asks_first_and_then_shows_both)
{
    answer("2k\\n\\n1 < 2\\n58\\n");
    cr_expect(status == 0);
    says(0, "docs/01_first.md, under Predict. Enter leaves a question out; answers are kept in "
            "chapters/01_first/predictions.txt\n\nWrite it down.\n\n"
            "1. How many loads of a warp?\n   loads? 2k\n   that is 2,048\n   rare ones? \n\n"
            "2. Why?\n   in a few words? 1 < 2\n\n3. How long?\n   length? 58\n");
    says(0, "                                     you said        it is\n"
            " 1. loads                               2,048        1,128  1.8 times too high\n"
            " 3. length                                 58           29* 2.0 times too high\n"
            "2. you said: 1 < 2\n"
            "2 of 2 within a factor of 2, in the median 1.9 times off\n"
            "*  by the lesson; the other numbers were counted in your kernel\n"
            "why: docs/01_first.md, folded under Predict\n");
    kept("1 loads: 2048; counted 1128\n2: 1 < 2\n3 length: 58; counted 29\n");
    run("cat ran");
    cr_expect_str_eq(text,
                     "make chapter1 BINS=5 CHAPTERS=chapters b/chapter-5/01_first/row "
                     "b/common-5/program/histogram/input\n"
                     "input english 1M 1\nrow build/counts/english-5 1 first\n",
                     "%s", text);
}

/* An answer stands; only what was left out is asked again, and only what has one is shown. */
Test(ask, asks_once)
{
    answer("1128\\n\\nx\\n29\\n");
    is_silent_about("rare ones  ");
    answer("0.38\\n");
    is_silent_about("   loads? ");
    is_silent_about("   in a few");
    says(0, "   rare ones? 0.38\n");
    says(0, " 1. loads                               1,128        1,128  right\n"
            " 1. rare ones                            0.38         0.19  2.0 times too high\n"
            " 3. length                                 29           29* right\n");
    answer("");
    is_silent_about("?");
    says(0, "3 of 3 within a factor of 2, in the median 1.0 times off\n");
    run("cat ran");
    says(0, "CHAPTERS=chapters b/chapter-26/01_first/row");
    says(0, "input zipf 1M 1\nrow build/counts/zipf-26 1 first\n");
}

/* All ways in which people write a number; the rest is asked again. */
Test(ask, understands_numbers)
{
    static const struct {
        const char *said, *means;
    } numbers[] = {{"1,048,576", "1048576"}, {"12k", "12288"},    {"1 M", "1048576"},
                   {"2^20", "1048576"},      {"256 x 5", "1280"}, {"1048576/32", "32768"},
                   {" 0.5 ", "0.5"},         {"(1+2) * 3", "9"},  {"0", "0"},
                   {"1.5K", "1536"},         {"10-4", "6"},       {"2 \xc3\x97 3", "6"}};
    static const char *const nonsense[] = {"many",  "12x", "1,28", "12,3456", "1..2", "-3",  "2^",
                                           "1/0",   "(2",  "2)",   "5 bins",  "NaN",  "inf", "x",
                                           "9^9^9", ",1",  ".",    "loads",   "1e5",  "2**3"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char line[128];
        run("rm -f %s; printf '%s\\n' | ask b chapters 01_first >/dev/null; head -n 1 %s", file,
            numbers[i].said, file);
        snprintf(line, sizeof line, "1 loads: %s; counted 1128\n", numbers[i].means);
        cr_expect_str_eq(text, line, "%s: %s", numbers[i].said, text);
    }
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        run("rm -f %s; printf '%%s\\n7\\n' '%s' | ask b chapters 01_first; head -n 1 %s", file,
            nonsense[i], file);
        says(0,
             "   that is no number: 1,280 and 12k and 2^20 and 256 x 5 are, Enter leaves it out\n"
             "   loads? 7\n");
        says(0, "1 loads: 7; counted 1128\n");
    }
}

Test(ask, keeps_what_was_answered_when_the_input_ends)
{
    answer("1000");
    says(0, "   rare ones? \nThe input has ended; what you have answered is kept.\n");
    says(0, " 1. loads                               1,000        1,128  1.1 times too low\n");
    run("rm %s; ask b chapters 01_first </dev/null", file);
    says(0, "Nothing is predicted yet, so nothing is shown.\n");
}

/* Zero is right, or wrong without a factor. */
Test(ask, compares_with_zero)
{
    write_file("docs/01_first.md", "## Predict\n\n1. A?\n   <!-- count: a = 0 x votes -->\n"
                                   "   <!-- count: b = 0 x blocks -->\n2. C?\n"
                                   "   <!-- count: c = votes -->\n");
    answer("0\\n3\\n0\\n");
    says(0, " 1. a                                       0            0  right\n"
            " 1. b                                       3            0  too high\n"
            " 2. c                                       0           32  too low\n"
            "1 of 3 within a factor of 2\n");
}

Test(ask, keeps_predictions_for_a_kernel_that_is_not_done)
{
    write_file("chapters/01_first/histogram.cu", empty);
    answer("12\\n");
    says(0, "chapters/01_first/histogram.cu: its gaps are not all filled in. Your predictions are "
            "kept; "
            "when it is done, make chapter1 predict shows the counts beside them.\n");
    kept("1 loads: 12\n");
    write_file("chapters/01_first/histogram.cu", filled);
    write_file("correct", "no\n");
    answer("");
    says(0,
         "chapters/01_first/histogram.cu: it does not count right. Your predictions are kept; make "
         "chapter1 test says more.\n");
    write_file("broken", "");
    answer("");
    says(0, "chapters/01_first/histogram.cu: it does not compile, or not with so many bins. Your "
            "predictions are kept;");
    kept("1 loads: 12\n");
}

/* What has been counted is not counted again before the program is newer. */
Test(ask, counts_anew_when_the_kernel_is_another)
{
    answer("5\\n");
    run("rm ran");
    answer("");
    run("cat ran");
    is_silent_about("row build");
    is_silent_about("input e");
    run("rm ran; sleep 0.02; touch b/chapter-5/01_first/row");
    answer("");
    run("cat ran");
    says(0, "row build/counts/english-5 1 first\n");
}

Test(ask, shows_the_reference)
{
    run("printf '5\\n' | ask b chapters 01_first solution");
    says(0, "counting what the reference does");
    run("cat ran");
    says(0, "make chapter1 BINS=5 CHAPTERS=chapters b/solution-5/01_first/row "
            "b/common-5/program/histogram/input solution\n");
}

Test(ask, says_in_one_line_what_is_wrong)
{
    write_file("docs/01_first.md", "## Predict\n\n1. A?\n   <!-- count: a -->\n");
    answer("");
    cr_expect_str_eq(text, "docs/01_first.md:4: this comment does not say what is counted\n");
    cr_expect(status == 1);
    write_file("docs/01_first.md", "## Predict\n\n<!-- count: a = 1 -->\n1. A?\n");
    answer("");
    cr_expect_str_eq(text, "docs/01_first.md:3: this comment does not say what is counted\n");
    write_file("docs/01_first.md", "# 1. First\n\n## Do it\n\n1. No question.\n");
    answer("");
    cr_expect_str_eq(text, "docs/01_first.md: there are no questions under Predict\n");
    write_file("docs/01_first.md", "## Predict\n\n1. A?\n   <!-- count: a = no_such -->\n");
    answer("5\\n");
    says(0, "no counter of that name, or nothing to divide by");
    run("rm docs/01_first.md");
    answer("");
    cr_expect_str_eq(text,
                     "docs/01_first.md: No such file or directory: without the lesson there is "
                     "nothing to predict\n");
    write_file("docs/01_first.md", lesson);
    run("rm -rf %s; mkdir %s", file, file);
    answer("5\\n");
    says(1, "chapters/01_first/predictions.txt: Is a directory: your answers cannot be kept\n");
}

/* The last line of progress: the median of each chapter, and of all. */
Test(ask, is_summed_up_by_progress)
{
    write_file(file, "1 loads: 10; counted 10\n1 rare: 0; counted 5\nnonsense\n2: words\n"
                     "3 a: 30; counted 10\n4 b: 7\n");
    run("progress_table chapters 5");
    says(0,
         "\npredictions, times off in the median: chapter 1: 3.0; all: 3.0, and 1 of 3 within a\n"
         "factor of 2\n");
}
