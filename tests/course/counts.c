/* counts.c - the programs that compare what a kernel costs: ask, and score. */
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
    write_file("common/contracts/histogram/contract.c", "\n");
    write_file("tests/01_first.c", "\n");
    write_file("docs/01_first.md", lesson);
    write_file("chapters/01_first/histogram.cu", filled);
    write_file("solutions/01_first/histogram.cu", filled);
}

TestSuite(ask, .init = make_course, .fini = remove_folder);

static void answer(const char *answers)
{
    run("printf '%s' | ladder predict b chapters 01_first", answers);
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
        run("rm -f %s; printf '%s\\n' | ladder predict b chapters 01_first >/dev/null 2>&1; head "
            "-n 1 %s",
            file, numbers[i].said, file);
        snprintf(line, sizeof line, "1 loads: %s; counted 1128\n", numbers[i].means);
        cr_expect_str_eq(text, line, "%s: %s", numbers[i].said, text);
    }
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        run("rm -f %s; printf '%%s\\n7\\n' '%s' | ladder predict b chapters 01_first; head -n 1 %s",
            file, nonsense[i], file);
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
    run("rm %s; ladder predict b chapters 01_first </dev/null", file);
    says(0, "Nothing is predicted yet, so nothing is shown.\n");
}

/* Two chapters, one after the other, read from one pipe. */
Test(ask, leaves_the_rest_of_the_input)
{
    run("printf '1\\n\\n\\n\\nrest\\n' | { ladder predict b chapters 01_first >/dev/null 2>&1; "
        "cat; }");
    cr_expect_str_eq(text, "rest\n", "%s", text);
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
    is_silent_about("why:"); /* for nothing is folded */
}

Test(ask, keeps_predictions_for_a_kernel_that_is_not_done)
{
    write_file("chapters/01_first/histogram.cu", empty);
    answer("12\\n");
    says(0, "chapters/01_first/histogram.cu: it is not done yet. Your predictions are "
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
    run("printf '5\\n' | ladder predict b chapters 01_first solution");
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
    run("ladder progress chapters 5");
    says(0, "\npredictions, times off in the median: chapter 1: 3.0; all: 3.0, and 1 of 3\n"
            "within a factor of 2\n");
}

/* A row with counters: N load requests, and of the rest 2 N, 3 N and so on. */
static void cost(const char *kind, unsigned int requests)
{
    char path[64], script[2048];
    static const char *const ops[] = {"ld", "st", "red", "atom"};
    FILE *to = fmemopen(script, sizeof script, "w");
    cr_assert(to);
    fprintf(to, "#!/bin/sh\necho counted >>ran\n{ echo chapter,name,correct");
    for (size_t i = 0; i < 4; i++)
        fprintf(to, ",l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum", ops[i]);
    for (size_t i = 0; i < 4; i += i == 1 ? 2 : 1)
        fprintf(to,
                ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum"
                ",l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_%s.sum",
                ops[i], ops[i]);
    fprintf(
        to,
        ",l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,global_atomics,atomics_on_bins"
        ",shared_atomics\n  echo $2,$3,$(cat correct),%u,1,2,3,10,1,20,2,30,3,%u,70,7,%u; } >$4\n",
        16 * requests, requests, 100 * requests);
    fclose(to);
    snprintf(path, sizeof path, "b/%s-5/01_first/row", kind);
    write_file(path, script);
    run("chmod +x %s", path);
}

/* Chapter 1 has this verdict. */
static void is_judged(const char *outcome)
{
    char script[512];
    snprintf(
        script, sizeof script,
        "#!/bin/sh\n[ $1 = --names ] && echo a/fine && exit\necho \"$FACTS input x\"\n"
        "[ %s = solved ] || { echo \"$FACTS failed counter\"; echo \"$FACTS said no\"; exit 1; }\n",
        outcome);
    write_file("suite", script);
    run("chmod +x suite && ladder verdict --record ./suite chapters/01_first/histogram.cu 1 5");
}

static void make_league(void)
{
    make_course();
    cost("chapter", 1000);
    cost("solution", 1000);
}

TestSuite(score, .init = make_league, .fini = remove_folder);

Test(score, shows_all_counters_beside_the_reference_and_the_best)
{
    is_judged("solved");
    run("ladder score b chapters 5 01_first 2>/dev/null");
    cr_expect(status == 0);
    cr_expect_str_eq(text,
                     "chapter 1, first, on 1,048,576 characters of English text in 5 bins\n"
                     "                             yours     reference  earlier best\n"
                     "load requests                1,000         1,000             -\n"
                     "load sectors                16,000        16,000             -\n"
                     "other sectors                    6             6             -\n"
                     "global atomics                  70            70             -\n"
                     "on the final bins                7             7             -\n"
                     "shared atomics             100,000       100,000             -\n"
                     "shared wavefronts               60            60             -\n"
                     "bank conflicts                   6             6             -\n"
                     "reference: solutions/01_first/histogram.cu\n",
                     "%s", text);
    run("sleep 0.02");
    cost("chapter", 900);
    run("ladder score b chapters 5 01_first");
    says(0, "load requests                  900         1,000         1,000  new best\n");
    says(0, "global atomics                  70            70            70\n");
    run("sleep 0.02");
    cost("chapter", 2000);
    run("ladder score b chapters 5 01_first");
    says(0, "load requests                2,000         1,000           900\n");
    run("rm -rf build b/*/01_first/*.csv; ladder score b chapters 5 01_first");
    says(0, "load requests                2,000         1,000           900\n");
}

Test(score, is_a_table_of_all_that_is_solved)
{
    run("ladder score b chapters 5");
    says(0, "no kernel is solved yet, so there is no score: make next says where you are\n");
    is_judged("solved");
    run("ladder score b chapters 5 2>/dev/null");
    cr_expect_str_eq(
        text,
        "on 1,048,576 characters of English text in 5 bins\n"
        "                            sectors   wavefronts      atomics\n"
        " 1 first                     16,006           60      100,070  as the reference\n",
        "%s", text);
    run("sleep 0.02");
    cost("chapter", 1001);
    run("ladder score b chapters 5 2>/dev/null");
    says(0, " 1 first                     16,022           60      100,170\n"
            "     reference               16,006           60      100,070\n"
            "     earlier best            16,006           60      100,070\n");
}

/* Where solutions are kept back their counters are in docs/results, but for those of threads. */
Test(score, knows_the_reference_without_solutions)
{
    is_judged("solved");
    run("b/solution-5/01_first/row x 1 first all && mkdir -p docs/results/sim && "
        "sed 's/,global_atomics/,g/; s/,shared_atomics/,s/' all >docs/results/sim/english-5.csv && "
        "rm -r solutions; ladder score b chapters 5 01_first");
    says(0, "load requests                1,000         1,000             -\n");
    says(0, "global atomics                  70             -             -\n");
    says(0, "reference: docs/results/sim/english-5.csv\n");
    run("ladder score b chapters 5");
    says(0,
         "  as the reference\nreference: docs/results/sim/english-5.csv, which has no atomics of "
         "threads\n");
    run("rm -r docs/results; ladder score b chapters 5");
    says(0, "  no reference\n");
    run("ladder score b chapters 5 01_first");
    says(0, "reference: there is none\n");
}

/* A best is one of the chapter's technique. */
Test(score, keeps_no_best_of_another_technique)
{
    is_judged("another");
    run("ladder score b chapters 5 01_first");
    says(0, "load requests                1,000         1,000             -\n");
    says(0, "not kept as your best: make chapter1 test has to call it solved first\n");
    run("ls chapters/01_first");
    cr_expect_str_eq(text, "histogram.cu\n");
}

Test(score, says_in_one_line_why_there_is_none)
{
    write_file("correct", "no\n");
    run("ladder score b chapters 5 01_first 2>/dev/null");
    cr_expect(status == 1);
    cr_expect_str_eq(text, "chapters/01_first/histogram.cu: no score: it does not count right\n");
    write_file("chapters/01_first/histogram.cu", empty);
    run("ladder score b chapters 5 01_first 2>/dev/null");
    cr_expect_str_eq(text,
                     "chapters/01_first/histogram.cu: no score: its gaps are not all filled in\n");
    run("mv chapters/01_first/histogram.cu chapters/01_first/histogram.c; "
        "ladder score b chapters 5 01_first 2>/dev/null");
    cr_expect_str_eq(text,
                     "chapters/01_first/histogram.c: no score: it runs on the CPU, where nothing "
                     "is counted\n");
    run("rm chapters/01_first/histogram.c; ladder score b chapters 5 01_first 2>/dev/null");
    cr_expect_str_eq(text, "chapters/01_first/histogram.cu: no score: No such file or directory\n");
    run("ladder score b nowhere 5");
    cr_expect_str_eq(text, "nowhere: there is no such folder\n");
}
