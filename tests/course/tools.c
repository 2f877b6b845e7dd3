/* tools.c - the scripts that judge stubs, lessons and results: each can pass, and fail. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What a command printed, standard error included, and its exit status. */
struct answer {
    char text[8192];
    int status;
};

__attribute__((format(printf, 1, 2))) static struct answer run(const char *format, ...)
{
    struct answer output = {.status = -1};
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    size_t length = fread(output.text, 1, sizeof output.text - 1, pipe);
    output.text[length] = '\0';
    int status = pclose(pipe);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

/* A new directory, gone at the end of the test. */
static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void)
{
    run("rm -r %s", folder);
}

static const char *write_file(const char *name, const char *content)
{
    static char paths[4][128];
    static unsigned int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(content, file) >= 0 && fclose(file) == 0);
    return path;
}

#define EXPECT_OUTPUT(output, wanted_status, part)                                                 \
    do {                                                                                           \
        struct answer given = (output);                                                            \
        cr_expect(given.status == (wanted_status), "status %d, not %d:\n%s", given.status,         \
                  wanted_status, given.text);                                                      \
        cr_expect(strstr(given.text, part) != NULL, "expected \"%s\" in:\n%s", part, given.text);  \
    } while (0)

TestSuite(gaps, .init = make_folder, .fini = remove_folder);
TestSuite(verdict, .init = make_folder, .fini = remove_folder);
TestSuite(total, .init = make_folder, .fini = remove_folder);
TestSuite(card, .init = make_folder, .fini = remove_folder);
TestSuite(input, .init = make_folder, .fini = remove_folder);

static struct answer gaps_of(const char *code)
{
    return run("$BUILD/tools/ladder gaps %s 2>&1", write_file("stub.cu", code));
}

Test(gaps, names_file_line_and_sentence_of_an_empty_gap)
{
    char line[256];
    struct answer output = gaps_of("int x;\n"
                                   "    // TODO(5.1): Give every block its own\n"
                                   "    //            zeroed copy.\n"
                                   "\n"
                                   "    // end of TODO(5.1)\n");
    snprintf(line, sizeof line,
             "%s/stub.cu:2: not done yet: TODO(5.1) Give every block its own zeroed copy.\n",
             folder);
    cr_expect_str_eq(output.text, line);
    cr_expect(output.status == 2);
}

/* The sentence ends where words are not set in: there a solution's own comment begins. */
Test(gaps, are_emptied_in_the_stub_of_a_solution)
{
    static const char solution[] = "int x; // ours\n"
                                   "    // TODO(5.1): Count,\n"
                                   "    //            but once.\n"
                                   "    // Atomic, for all count.\n"
                                   "\n"
                                   "    x++; // TODO(5.2): no gap\n"
                                   "    // end of TODO(5.1)\n"
                                   "/* TODO(5.2): Add,\n * or not. */\nx += 2; /* yes */\n"
                                   "/* end of TODO(5.2) */\n"
                                   "// the end";
    struct answer output =
        run("$BUILD/tools/ladder gaps --stub %s 2>&1", write_file("solution.cu", solution));
    cr_expect(output.status == 0);
    cr_expect_str_eq(output.text, "int x; // ours\n"
                                  "    // TODO(5.1): Count,\n"
                                  "    //            but once.\n"
                                  "    // end of TODO(5.1)\n"
                                  "/* TODO(5.2): Add,\n * or not. */\n"
                                  "/* end of TODO(5.2) */\n"
                                  "// the end");
    write_file("stub.cu", output.text);
    run("$BUILD/tools/ladder gaps --stub %s/stub.cu >%s/again; cmp %s/stub.cu %s/again", folder,
        folder, folder, folder);
    EXPECT_OUTPUT(run("cmp %s/stub.cu %s/again && $BUILD/tools/ladder gaps %s/stub.cu", folder,
                      folder, folder),
                  2, "TODO(5.2)");
}

Test(gaps, must_be_there_for_a_stub)
{
    EXPECT_OUTPUT(
        run("$BUILD/tools/ladder gaps --stub %s 2>&1", write_file("solution.cu", "x++;\n")), 3,
        "there is no gap in it");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder gaps --stub %s 2>&1",
                      write_file("solution.cu", "// TODO(5.1): a\nx++;\n")),
                  3, "TODO(5.1) has no end");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder gaps --stub %s/none.cu 2>&1", folder), 3,
                  "No such file");
}

Test(gaps, understands_the_comments_of_c)
{
    EXPECT_OUTPUT(gaps_of("/* TODO(1.1): Add one,\n * or none. */\n/* end of TODO(1.1) */\n"), 2,
                  ":1: not done yet: TODO(1.1) Add one, or none.\n");
}

Test(gaps, takes_comments_and_blanks_for_nothing)
{
    EXPECT_OUTPUT(gaps_of("// TODO(2.1): Count.\n\n// hm\n/* a\n b */ // c\n// end of TODO(2.1)\n"),
                  2, "TODO(2.1)");
}

Test(gaps, that_hold_code_are_not_named)
{
    struct answer output = gaps_of("// TODO(2.1): Count.\n/* so */ x++;\n// end of TODO(2.1)\n");
    cr_expect(output.status == 0 && output.text[0] == '\0', "%d %s", output.status, output.text);
}

Test(gaps, that_are_empty_are_all_shown_when_others_are_filled)
{
    struct answer output = gaps_of("// TODO(2.1): a\nx++;\n// end of TODO(2.1)\n"
                                   "// TODO(2.2): b\n// end of TODO(2.2)\n"
                                   "// TODO(2.3): c\n// end of TODO(2.3)\n");
    EXPECT_OUTPUT(output, 1, ":4: not done yet: TODO(2.2) b\n");
    EXPECT_OUTPUT(output, 1, ":6: not done yet: TODO(2.3) c\n");
}

/* Gaps for 5 bins, for others, and for all. */
static struct answer gaps_for(const char *bins)
{
    const char *path = write_file("stub.cu", "#if BINS == 5\n"
                                             "// TODO(2.1): a\n// end of TODO(2.1)\n"
                                             "#else\n"
                                             "// TODO(2.2): b\n// end of TODO(2.2)\n"
                                             "#endif\n"
                                             "#if OTHER == 5\n"
                                             "// TODO(2.3): c\n// end of TODO(2.3)\n"
                                             "#endif\n");
    return run("$BUILD/tools/ladder gaps %s %s 2>&1", path, bins);
}

Test(gaps, for_another_number_of_bins_are_left_out)
{
    struct answer output = gaps_for("5");
    EXPECT_OUTPUT(output, 2, "TODO(2.1)");
    cr_expect_null(strstr(output.text, "TODO(2.2)"));
    EXPECT_OUTPUT(output, 2, "TODO(2.3)");
    output = gaps_for("26");
    EXPECT_OUTPUT(output, 2, "TODO(2.2)");
    cr_expect_null(strstr(output.text, "TODO(2.1)"));
    output = gaps_for("");
    EXPECT_OUTPUT(output, 2, "TODO(2.1)");
    EXPECT_OUTPUT(output, 2, "TODO(2.2)");
}

Test(gaps, must_have_an_end_of_their_own)
{
    EXPECT_OUTPUT(gaps_of("// TODO(2.1): a\n"), 3, "TODO(2.1) has no end");
    EXPECT_OUTPUT(gaps_of("// TODO(2.1): a\n// end of TODO(2.2)\n"), 3, "belongs to no gap");
    EXPECT_OUTPUT(gaps_of("// TODO(2.1): a\n// TODO(2.2): b\n"), 3, "TODO(2.1) has no end");
}

/* A program that stands for a suite: prints something, and exits with a status. */
static const char *suite(const char *commands)
{
    char script[2048];
    snprintf(script, sizeof script, "#!/bin/sh\n%s\n", commands);
    const char *path = write_file("suite", script);
    run("chmod +x %s", path);
    return path;
}

static const char *const empty_stub = "// TODO(6.1): Count.\n// end of TODO(6.1)\n";
static const char *const solved = "// TODO(6.1): Count.\nx++;\n// end of TODO(6.1)\n";

/* The verdict on a suite of two tests, a/bad and a/fine, which is a script: `commands` is what
 * its tests do, $test the name of the one that runs. */
static struct answer verdict(const char *code, const char *commands)
{
    char script[1024];
    const char *source = write_file("stub.cu", code);
    snprintf(script, sizeof script,
             "[ $1 = --names ] && echo a/bad && echo a/fine && exit\ntest=$4\n%s", commands);
    return run("$BUILD/tools/ladder verdict --jobs 2 %s %s 6 5 2>&1", suite(script), source);
}

Test(verdict, of_an_untouched_stub_is_what_is_missing)
{
    struct answer output = verdict(empty_stub, "echo wrong; exit 1");
    EXPECT_OUTPUT(output, 1, "stub.cu:1: not done yet: TODO(6.1) Count.\n");
    cr_expect(strstr(output.text, "wrong") == NULL, "%s", output.text);
}

Test(verdict, of_a_wrong_kernel_is_what_its_first_wrong_test_said)
{
    struct answer output = verdict(solved, "echo \"* $test\"; [ $test = a/fine ] && sleep 5\n"
                                           "echo '  wrong on x'; echo '1 passed, 1 failed'\n"
                                           "echo '========= ERROR SUMMARY: 1 error'; exit 1");
    EXPECT_OUTPUT(output, 1, "stub.cu: the test bad ended without a word\n  wrong on x\n");
    cr_expect(strstr(output.text, "ERROR SUMMARY") == NULL, "%s", output.text);
    cr_expect(strstr(output.text, "passed") == NULL, "%s", output.text);
}

/* Whichever test ends first, the first in the order of the names is told. */
Test(verdict, does_not_depend_on_which_test_ends_first)
{
    struct answer output =
        verdict(solved, "[ $test = a/bad ] && sleep 0.3; echo \"  $test is wrong\"; exit 1");
    EXPECT_OUTPUT(output, 1, "a/bad is wrong");
    cr_expect(strstr(output.text, "a/fine") == NULL, "%s", output.text);
}

Test(verdict, of_a_half_done_stub_is_both)
{
    char half[256];
    snprintf(half, sizeof half, "%s// TODO(6.2): Merge.\n// end of TODO(6.2)\n", solved);
    EXPECT_OUTPUT(verdict(half, "echo '  wrong on x'; exit 1"), 1, "TODO(6.2) Merge.\n");
    EXPECT_OUTPUT(verdict(half, "echo '  wrong on x'; exit 1"), 1, "  wrong on x\n");
}

Test(verdict, that_is_good_takes_two_lines)
{
    struct answer output =
        verdict(solved, "[ $test = a/bad ] && echo \"$FACTS technique 3 atomics\"\n"
                        "echo \"$FACTS input $test\n$FACTS schedules 4\"; exit 0");
    EXPECT_OUTPUT(output, 0,
                  "chapter 6: right on 2 inputs x 4 schedules, and by its technique: "
                  "3 atomics\nnext: docs/07_register.md, then make chapter7 test\n");
    cr_expect(strchr(strchr(output.text, '\n') + 1, '\n')[1] == '\0', "%s", output.text);
}

/* An exercise lies in the folder further of its chapter. */
Test(verdict, on_an_exercise_says_so)
{
    run("mkdir %s/further", folder);
    const char *source = write_file("further/stub.cu", solved);
    const char *program = suite("[ $1 = --names ] && echo a/fine && exit\n"
                                "echo \"$FACTS input x\"; echo \"$FACTS technique few\"; exit 0");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder verdict %s %s 6 5 2>&1", program, source), 0,
                  "further 6: right on 1 inputs, and by its technique: few\n");
    program = suite("[ $1 = --names ] && echo a/bad && exit\n"
                    "echo \"$FACTS caught racecheck stub.cu:2\"; exit 1");
    EXPECT_OUTPUT(run("SIM_SEED=3 $BUILD/tools/ladder verdict %s %s 6 5 2>&1", program, source), 1,
                  "see it happen: make chapter6 further replay SEED=3\n");
}

/* A failing test names the command that shows every step. */
Test(verdict, on_a_wrong_histogram_names_the_trace)
{
    const char *source = write_file("histogram.cu", solved);
    const char *program = suite("[ $1 = --names ] && echo a/bad && exit\n"
                                "echo \"$FACTS said wrong on x\"; exit 1");
    EXPECT_OUTPUT(run("SIM_SEED=1 $BUILD/tools/ladder verdict %s %s 6 5 2>&1", program, source), 1,
                  "\nevery step of it, as a page: make chapter6 trace\n");
    EXPECT_OUTPUT(run("SIM_SEED=3 $BUILD/tools/ladder verdict %s %s 6 26 2>&1", program, source), 1,
                  "\nevery step of it, as a page: make chapter6 trace BINS=26 SEED=3\n");
    program = suite("[ $1 = --names ] && echo a/fine && exit\n"
                    "echo \"$FACTS input x\"; exit 0");
    struct answer output = run("$BUILD/tools/ladder verdict %s %s 6 5 2>&1", program, source);
    cr_expect(output.status == 0 && !strstr(output.text, "trace"), "%s", output.text);
}

/* The first line is the sentence of the assertion; it comes back at the end of a long answer. */
Test(verdict, begins_and_ends_with_one_sentence)
{
    struct answer output = verdict(solved, "echo \"$FACTS said wrong on x\"\n"
                                           "for i in 1 2 3 4 5 6 7 8 9; do echo $i >&2; done\n"
                                           "exit 1");
    EXPECT_OUTPUT(output, 1, "stub.cu: wrong on x\n1\n2\n");
    EXPECT_OUTPUT(output, 1, "9\n");
    cr_expect(strstr(strstr(output.text, "\n9\n"), "stub.cu: wrong on x\n"), "%s", output.text);
    output = verdict(solved, "echo \"$FACTS caught memcheck stub.cu:7\"\n"
                             "echo '========= Error: Invalid read' >&2\n"
                             "echo '=========     at count in chapters/stub.cu:7' >&2; exit 1");
    cr_expect(strncmp(output.text, "chapters/stub.cu:7: Invalid read\n", 32) == 0, "%s",
              output.text);
}

/* Right bins by another technique are two sentences in one, and with wrong bins there is no word of
 * a technique. */
Test(verdict, says_apart_that_the_bins_are_right_and_the_technique_another)
{
    const char *counted = "echo \"$FACTS input x\"; echo \"$FACTS schedules 4\"\n";
    char commands[512];
    snprintf(commands, sizeof commands,
             "%s[ $test = a/bad ] && exit 0\n"
             "echo \"$FACTS said 9 atomics; at most 5\"; echo \"$FACTS failed counter\"; exit 1",
             counted);
    EXPECT_OUTPUT(verdict(solved, commands), 1,
                  "stub.cu: right on 2 inputs x 4 schedules, but by another technique than the one "
                  "asked for: 9 atomics; at most 5\n");
    snprintf(commands, sizeof commands,
             "%secho \"$FACTS said wrong on x\"; echo \"$FACTS failed bins\"; exit 1", counted);
    EXPECT_OUTPUT(verdict(solved, commands), 1, "stub.cu: wrong on x\n");
}

/* Whoever does not know the word cannot add a fact, and nothing counted is nothing right. */
Test(verdict, believes_only_facts_with_the_word_of_this_run)
{
    EXPECT_OUTPUT(verdict(solved, "echo 'input forged'; echo '0000000000000000 input x'; exit 0"),
                  1, "no input was counted");
    EXPECT_OUTPUT(verdict(solved, "exit 0"), 1, "no input was counted");
}

/* The copy of the file that was compiled lies beside the suite. */
Test(verdict, is_not_given_on_a_file_that_was_not_compiled)
{
    write_file("kernel.seen", solved);
    EXPECT_OUTPUT(verdict(solved, "echo \"$FACTS input x\""), 0, "right on 2 inputs");
    write_file("kernel.seen", "something older\n");
    EXPECT_OUTPUT(verdict(solved, "echo \"$FACTS input x\""), 1,
                  "stub.cu: has changed since it was compiled");
}

/* What a kernel prints is shown when it passes, too, and cut. */
Test(verdict, shows_the_first_lines_that_a_kernel_printed)
{
    struct answer output =
        verdict(solved, "echo \"$FACTS input x\"; for i in $(seq 30); do echo \"n $i\" >&2; done\n"
                        "echo '(and 1000 more lines that it printed)' >&2; exit 0");
    EXPECT_OUTPUT(output, 0, "right on 2 inputs\nn 1\n");
    EXPECT_OUTPUT(output, 0, "n 20\n(and 2,040 more lines that it printed)\nnext: ");
}

Test(verdict, is_no_praise_when_no_test_ran)
{
    const char *source = write_file("stub.cu", solved);
    EXPECT_OUTPUT(run("$BUILD/tools/ladder verdict %s %s 6 5 2>&1", suite("exit 0"), source), 1,
                  "ended before it had run a test");
}

Test(total, adds_up_and_counts_a_crash_as_a_failure)
{
    const char *one = write_file("one", "x\n3 passed, 0 failed\n");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder total %s %s", one, one), 0, "6 passed, 0 failed\n");
    EXPECT_OUTPUT(
        run("$BUILD/tools/ladder total %s %s", one, write_file("two", "1 passed, 2 failed\n")), 1,
        "4 passed, 2 failed\n");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder total %s %s", one, write_file("three", "Killed\n")), 1,
                  "ended without a result: Killed\n3 passed, 1 failed\n");
}

Test(total, repeats_what_failed_and_nothing_of_what_passed)
{
    const char *bad =
        write_file("bad", "* a fine\n1 passed, 0 failed\n* a bad\na bad:\n  5, not 6\n"
                          "0 passed, 1 failed\n1 passed, 1 failed\n");
    const char *one = write_file("one", "fine words\n3 passed, 0 failed\n");
    struct answer said = run("$BUILD/tools/ladder total %s %s", one, bad);
    EXPECT_OUTPUT(said, 1, "bad:\na bad:\n  5, not 6\n4 passed, 1 failed\n");
    EXPECT_OUTPUT(said, 1, "What failed:\n");
    cr_expect(!strstr(said.text, "words") && !strstr(said.text, "fine"), "%s", said.text);
}

/* CI reads the last line, and a reader what stands above it. */
Test(total, makes_one_table_of_all_groups)
{
    write_file("seconds", "2.50 1.25\n");
    const char *one = write_file("one", "3 passed, 0 failed\n"),
               *out =
                   write_file("out", "left out: chapter 61; apt install x\n0 passed, 0 failed\n"),
               *bad = write_file("bad", "a bad:\n  5, not 6\n1 passed, 1 failed\n");
    struct answer said =
        run("$BUILD/tools/ladder total --table $(date +%%s) --group 'a b' %s %s --group c "
            "%s %s",
            one, bad, out, out);
    EXPECT_OUTPUT(said, 1, "a bad:\n  5, not 6\n\n");
    EXPECT_OUTPUT(said, 1, " tests  seconds of cores  failed  left out\n");
    EXPECT_OUTPUT(said, 1,
                  "a b                                      5      5.0      2.5       1    ");
    EXPECT_OUTPUT(said, 1,
                  "c                                        0      5.0      2.5       -    ");
    EXPECT_OUTPUT(said, 1,
                  "all                                      5     10.0      5.0       1    ");
    EXPECT_OUTPUT(said, 1,
                  "\nWhat was left out:\n  chapter 61; apt install x\n4 passed, 1 failed\n");
    EXPECT_OUTPUT(run("$BUILD/tools/ladder total --line 'a b' %s %s", one, bad), 0,
                  "a b: 4 passed, 1 failed\n");
}

TestSuite(tried, .init = make_folder, .fini = remove_folder);

#define TRY "common/tools/progress/tried.sh %s/verdict %s/said 'the name' sh -c '%s'"

/* What failed, and what was left out, has no verdict, so that make tries it again. */
Test(tried, leaves_a_verdict_of_what_passed_alone)
{
    EXPECT_OUTPUT(run(TRY "; cat %s/verdict %s/seconds", folder, folder,
                      "sleep 0.3; echo 2 passed, 0 failed", folder, folder),
                  0, "2 passed, 0 failed\n0.");
    EXPECT_OUTPUT(run(TRY "; ls %s", folder, folder, "echo it is wrong; exit 3", folder), 0,
                  "the name:\nit is wrong\nsaid\nseconds\n");
    EXPECT_OUTPUT(
        run(TRY "; ls %s", folder, folder, "echo left out: x; echo 1 passed, 0 failed", folder), 0,
        "said\nseconds\n");
    EXPECT_OUTPUT(run("export PROGRESS=\"%s/p 7\"; " TRY " 2>&1; wc -c <%s/p", folder, folder,
                      folder, "exit 0", folder),
                  0, "1\n");
}

/* What card says of one row, 200 wavefronts simulated, where the card has counted 205. */
static struct answer card(const char *allowances)
{
    static const char columns[] = "chapter,name,bins,waves.sum\n";
    char counted[128], row[128], allowed[512];
    snprintf(counted, sizeof counted, "%s6,shared,5,205\n", columns);
    snprintf(row, sizeof row, "%s6,shared,5,200\n", columns);
    snprintf(allowed, sizeof allowed, "file,kernel,case,counter,more,why\n%s", allowances);
    return run("$BUILD/tools/ladder card %s %s %s", write_file("counters.csv", counted),
               write_file("allowances.csv", allowed), write_file("row.csv", row));
}

Test(card, allows_what_is_named_and_just_that)
{
    EXPECT_OUTPUT(card(""), 1, "waves.sum: 205 on the H200, 200 simulated");
    EXPECT_OUTPUT(card("counters.csv,shared,5,waves.sum,5,noise\n"), 0, "1 passed, 0 failed");
    EXPECT_OUTPUT(card("counters.csv,shared,5,waves.sum,6,noise\n"), 1, "may be 6 apart");
    EXPECT_OUTPUT(card("counters.csv,shared,26,waves.sum,5,noise\n"), 1, "allows nothing");
    EXPECT_OUTPUT(card("counters.csv,shared,5,waves.sum,5,noise\n"
                       "counters.csv,shared,5,requests.sum,1,noise\n"),
                  1, "an allowance of 1 for requests.sum, which allows nothing");
    EXPECT_OUTPUT(card("other.csv,shared,5,waves.sum,5,noise\n"), 1, "which may be 0 apart");
}

/* The program that chooses the text, with settings in its environment. */
static struct answer input(const char *settings)
{
    return run(
        "env -u INPUT -u TEXT -u SIZE -u TEXT_SEED %s $BUILD/common-5/program/histogram/input "
        "%s/text LICENSE "
        "2>&1",
        settings, folder);
}

Test(input, refuses_what_it_cannot_use_in_one_line)
{
    static const char *const refused[][2] = {
        {"SIZE=12x", "SIZE=12x is not a length"},
        {"SIZE=10T", "SIZE=10T is not a length"},
        {"SIZE=0", "SIZE=0 is not a length"},
        {"TEXT=foo", "TEXT=foo is unknown"},
        {"TEXT=zipf TEXT_SEED=abc", "TEXT_SEED=abc is not a whole number"},
        {"TEXT=zipf INPUT=LICENSE", "choose one"},
        {"INPUT=no-such-file", "no-such-file: No such file"},
        {"INPUT=/tmp", "directory"},
        {"INPUT=/dev/null", "device"},
        {"INPUT=/dev/zero SIZE=1M", "device"},
        {"TEXT_SEED=5", "add TEXT=english"},
        {"TEXT_SEED=5 INPUT=LICENSE", "add TEXT=english"},
        {"SIZE=-1", "SIZE=-1 is not a length"},
        {"SIZE=1e6", "SIZE=1e6 is not a length"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct answer output = input(refused[i][0]);
        EXPECT_OUTPUT(output, 1, refused[i][1]);
        cr_expect(strchr(output.text, '\n') == strrchr(output.text, '\n'), "%s", output.text);
    }
}

Test(input, is_as_long_as_asked_for)
{
    static const struct {
        const char *settings;
        const char *bytes, *name;
    } texts[] = {
        {"TEXT=zipf", "1048576", "zipf text of seed 1"},
        {"TEXT=runs SIZE=3K TEXT_SEED=5", "3072", "runs of 32 and seed 5"},
        {"INPUT=LICENSE SIZE=100", "100", "LICENSE"},
        {"", "1048576", "LICENSE"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        EXPECT_OUTPUT(input(texts[i].settings), 0, "");
        EXPECT_OUTPUT(run("wc -c <%s/text", folder), 0, texts[i].bytes);
        EXPECT_OUTPUT(run("cat %s/text.name", folder), 0, texts[i].name);
    }
}

/* The Makefile, outside of the make that runs this test. */
static struct answer make(const char *goals)
{
    return run("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make --no-print-directory %s 2>&1", goals);
}

Test(front_door, names_what_it_does_not_know)
{
    static const char *const refused[][2] = {
        {"chpater5", "there is no goal 'chpater5'"},
        {"chapter5 tset", "there is no goal 'tset'"},
        {"chapter99 test", "there is no chapter99"},
        {"chapter5", "to do what?"},
        {"BINS=7", "BINS=7: choose 5, 26, 64 or 256"},
        {"BINS='5 26'", "choose 5, 26, 64 or 256"},
        {"SEED=abc", "SEED=abc is not a whole number"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct answer output = make(refused[i][0]);
        EXPECT_OUTPUT(output, 2, refused[i][1]);
        cr_expect(strchr(output.text, '\n') == strrchr(output.text, '\n'), "%s", output.text);
    }
}

Test(front_door, explains_itself)
{
    EXPECT_OUTPUT(make("help"), 0, "make chapter5 test");
}

/* One row as row.c writes it, with the columns that the ladder shows. */
static const char row_of_chapter_6[] =
    "chapter,name,bins,input,length,correct,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,threads_per_block,global_atomics,"
    "atomics_on_bins,shared_atomics,predicted_ms\n"
    "6,shared,5,a text,1024,yes,32,32,32,256,20,20,900,0.01200\n";

static struct answer run_ladder(const char *times)
{
    const char *row = write_file("row.csv", row_of_chapter_6);
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build/sim-gcc";
    if (!times)
        return run("%s/tools/ladder table %s/out.csv %s 2>&1", build, folder, row);
    const char *measured = write_file("times.csv", times);
    return run("%s/tools/ladder table %s/out.csv %s -- %s %s 2>&1", build, folder, row, measured,
               write_file("device", "NVIDIA H200\n"));
}

TestSuite(ladder, .init = make_folder, .fini = remove_folder);

Test(ladder, shows_what_a_gpu_measured_beside_what_was_predicted)
{
    struct answer output = run_ladder("implementation,input,bins,median_ms\n"
                                      "read only,text,5,0.00100\n06_shared,text,5,0.01300\n");
    EXPECT_OUTPUT(output, 0, "0.012      0.013\n");
    EXPECT_OUTPUT(output, 0, "prediction");
    EXPECT_OUTPUT(output, 0, "was measured here, on NVIDIA H200");
}

Test(ladder, shows_a_dash_for_what_was_left_out)
{
    EXPECT_OUTPUT(run_ladder("implementation,median_ms\n06_shared,-\n"), 0, "0.012          -\n");
}

Test(ladder, says_nothing_of_a_gpu_that_is_not_there)
{
    struct answer without = run_ladder(NULL), empty = run_ladder("");
    EXPECT_OUTPUT(without, 0, "0.012\n");
    cr_expect_null(strstr(without.text, "measured"));
    cr_expect_str_eq(without.text, empty.text);
}
