/* breaks.c - make chapterN break, as far as it needs no kernel: which wrong kernel comes next, and
 * what is said of a file that cannot be read. common/proofs/kinds/breaks.py exposes the kernels. */
#include "in_folder.h"

#define PATCH(head)                                                                                \
    head "--- solutions/05_name/histogram.cu\n+++ mutant/histogram.cu\n@@ -1 +1 "                  \
         "@@\n-right\n+wrong\n"

static const char own[] = "chapters/05_name/break/1.txt";

/* A course with one chapter, which has two wrong kernels and a mistake that is none. */
static void make_course(void)
{
    make_folder();
    write_file("solutions/05_name/histogram.cu", "right\n");
    write_file("chapters/05_name/histogram.cu", "// TODO(5.1): Do.\n// end of TODO(5.1)\n");
    write_file("tests/mutants/05_name/a.patch", PATCH("Reason: none of these.\n"));
    write_file("tests/mutants/05_name/b.patch",
               PATCH("Reason: the second.\nBreak: 2\nExposed by: text = \"b\"\n"));
    write_file("tests/mutants/05_name/c.patch",
               PATCH("Reason: the first,\nand it: is long.\nCaught by: bins\nBreak: 1\n"
                     "Hides: text = \"xyz\"\nExposed by: text = \"a\" ; offset = 1\n"));
}

TestSuite(breaks, .init = make_course, .fini = remove_folder);

static void ask(void)
{
    run("ladder break next 05_name chapters/05_name 5");
}

Test(breaks, begin_with_the_first)
{
    ask();
    says(0, "chapter 5, wrong kernel 1 of 2: build/breaks/05_name/1/histogram.cu\n");
    says(0, "chapters/05_name/histogram.cu: not solved yet; ");
    says(0, "what shall expose it: chapters/05_name/break/1.txt, made now; ");
    is_silent_about("the first");
    run("cat build/breaks/05_name/1/histogram.cu build/breaks/05_name/next");
    cr_expect_str_eq(text, "wrong\n1\n");
    run("cat %s", own);
    says(0, "\ntext = \"xyz\"\noffset = 0\nbins = 0\nmultiprocessors = 132\n");
    is_silent_about("the first");
}

Test(breaks, keep_what_the_student_wrote)
{
    ask();
    write_file(own, "text = \"mine\"\n");
    ask();
    says(0, "what shall expose it: chapters/05_name/break/1.txt\n");
    is_silent_about("made now");
    run("cat %s", own);
    cr_expect_str_eq(text, "text = \"mine\"\n");
}

Test(breaks, tell_why_and_go_on_when_one_is_exposed)
{
    ask();
    write_file(own, "text = \"abc\"\n");
    run("ladder break exposed 05_name chapters/05_name 5 1");
    says(0, "why: the first, and it: is long.\nwith 3 characters; it can be done with 1\n"
            "next: make chapter5 break, for another wrong kernel\n");
    ask();
    says(0, "wrong kernel 2 of 2");
    write_file("chapters/05_name/break/2.txt", "text = \"b\"\n");
    run("ladder break exposed 05_name chapters/05_name 5 2");
    says(0, "with 1 character; no shorter text is known\nall 2 wrong kernels of chapter 5 are");
    ask();
    says(0, "chapter 5: all 2 wrong kernels are exposed\n");
    run("[ ! -e build/breaks/05_name/next ] || cat build/breaks/05_name/next");
    write_file(own, "text = \"another\"\n");
    ask();
    says(0, "wrong kernel 1 of 2");
}

/* A line with a mistake is told by its number, in one line. */
Test(breaks, say_which_line_is_wrong)
{
    static const struct {
        const char *lines, *said;
    } wrong[] = {
        {"text = abc", "1: text: a string in \" is missing, at: abc\n"},
        {"\n\ntext =", "3: text: a string in \" is missing, at: the end of the line\n"},
        {"text = \"abc", "1: text: a string has no \" at its end\n"},
        {"text = \"a\\q\"", "1: text: after \\ comes n, t, r, \\, \" or x and two digits of 16\n"},
        {"text = \"\\xg0\"", "1: text: after \\ comes n, t, r, \\, \" or x and two digits of 16\n"},
        {"text = \"a\\", "1: text: after \\ comes n, t, r, \\, \" or x and two digits of 16\n"},
        {"text = \"a\" * 12x", "1: text: * how often: a whole number is missing, at: 12x\n"},
        {"text = \"a\" * -1", "1: text: * how often: a whole number is missing, at: -1\n"},
        {"text = \"a\" * 10000000000000",
         "1: text: * how often = 10000000000000: at most 1,048,576\n"},
        {"text = \"a\" * 99999999999999999999999",
         "1: text: * how often = 99999999999999999999999: at most 1,048,576\n"},
        {"text = \"abc\" * 1000000", "1: text: more than 1,048,576 characters\n"},
        {"text = \"a\" * 1048576 + \"b\"", "1: text: more than 1,048,576 characters\n"},
        {"text = \"a\" \"b\"", "1: text: what is this behind it? \"b\"\n"},
        {"text = \"a\" +", "1: text: a string in \" is missing, at: the end of the line\n"},
        {"text = \"a\"\ntext = \"b\"", "2: text: is given a second time\n"},
        {"offset = 256", "1: offset = 256: at most 255\n"},
        {"offset = 3.5", "1: offset: a whole number is missing, at: 3.5\n"},
        {"bins = 4294967296", "1: bins = 4294967296: at most 4,294,967,295\n"},
        {"multiprocessors = 133", "1: multiprocessors = 133: at most 132\n"},
        {"seed", "1: seed: = is missing behind it\n"},
        {"Text = \"a\"",
         "1: Text: is not known here; there are text, offset, bins, multiprocessors and seed\n"},
        {"length = 10",
         "1: length: is not known here; there are text, offset, bins, multiprocessors and seed\n"},
        {"= 3", "1: : is not known here; there are text, offset, bins, multiprocessors and seed\n"},
    };
    ask();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[512];
        write_file(own, wrong[i].lines);
        ask();
        snprintf(line, sizeof line, "%s:%s", own, wrong[i].said);
        says(1, line);
    }
}

Test(breaks, read_what_is_meant)
{
    ask();
    write_file(own,
               "# nothing\r\n\ttext=\"#\\\\\\\"\\n\"*2+ \"\" * 5 + \"\\xFF\" # a comment\r\n\r\n"
               "offset = 255# so\nbins =4294967295\nseed = 17");
    run("ladder break exposed 05_name chapters/05_name 5 1");
    says(0, "with 9 characters; ");
}

Test(breaks, survive_files_that_are_none)
{
    run("mkdir -p %s", own);
    ask();
    says(1, "chapters/05_name/break/1.txt: Is a directory\n");
    run("rm -r chapters/05_name/break && mkdir chapters/05_name/break && mkfifo %s", own);
    ask();
    says(1, "chapters/05_name/break/1.txt: Invalid argument\n");
    run("rm %s && truncate -s 10T %s", own, own);
    ask();
    says(1, "chapters/05_name/break/1.txt: File too large\n");
    run("printf 'text = \"\\000\"' >%s", own);
    ask();
    says(1, "chapters/05_name/break/1.txt: holds a zero byte, which is no text; write \\x00\n");
    run(": >%s", own);
    ask();
    says(0, "wrong kernel 1 of 2");
    run("rm -r chapters/05_name/break && echo >chapters/05_name/break");
    ask();
    says(1, "chapters/05_name/break/1.txt: Not a directory\n");
}

Test(breaks, need_solutions_and_mistakes)
{
    run("mv tests/mutants elsewhere");
    ask();
    says(1, "chapter 5: no wrong kernels to expose in this copy: they come with its solution, "
            "from solutions/05_name and tests/mutants/05_name\n");
    run("mv elsewhere tests/mutants && rm -r solutions");
    ask();
    says(1, "chapter 5: no wrong kernels to expose in this copy: ");
    write_file("solutions/05_name/histogram.cu", "another\n");
    ask();
    says(1, "build/breaks/05_name/1/histogram.cu: cannot be made: ");
}
