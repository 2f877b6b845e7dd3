/* lessons.c - the programs that read a lesson: hint, and go_further. */
#include "in_folder.h"

TestSuite(hint, .init = make_folder, .fini = remove_folder);
TestSuite(go_further, .init = make_folder, .fini = remove_folder);

static const char untouched[] = "// TODO(5.1): Find.\n// end of TODO(5.1)\n"
                                "// TODO(5.2): Count.\n// end of TODO(5.2)\n";
static const char first_filled[] = "// TODO(5.1): Find.\nfind();\n// end of TODO(5.1)\n"
                                   "// TODO(5.2): Count.\n// end of TODO(5.2)\n";
static const char complete[] = "// TODO(5.1): Find.\nfind();\n// end of TODO(5.1)\n";

#define FOLDED(gap, step, words)                                                                   \
    "<details><summary>Hint " gap ", " step "</summary>\n\n" words "\n\n</details>\n\n"
static const char lesson[] = "# 5. Title\n\n## Do it\n\n" FOLDED("5.1", "the idea", "Idea one.")
    FOLDED("5.1", "the shape", "Shape one.")
        FOLDED("5.1", "the line", "So:\n\n```cuda\nfind();\n    all();\n```")
            FOLDED("5.2", "the idea", "Idea two.");

static void prepare(const char *source, const char *page)
{
    write_file("k.cu", source);
    write_file("lesson.md", page);
}

static void ask(void)
{
    run("ladder hint k.cu lesson.md 5 5 build/hints/05_name");
}

/* One step at a time, in their order, and then what to do. */
Test(hint, comes_in_three_steps)
{
    prepare(untouched, lesson);
    ask();
    says(0, "k.cu:1: hint 1 of 3 for TODO(5.1), the idea\n\nIdea one.\n\nnext: make chapter5 test");
    is_silent_about("Shape");
    ask();
    says(0, "hint 2 of 3 for TODO(5.1), the shape\n\nShape one.\n");
    ask();
    says(0, "hint 3 of 3 for TODO(5.1), the line\n\nSo:\n\n    find();\n        all();\n\n");
    says(0, "that was the last one; lesson.md walks through the kernel, under The kernel\n");
    ask();
    says(0, "k.cu:1: all 3 hints for TODO(5.1) have been shown; lesson.md has them under");
}

Test(hint, is_of_the_first_gap_that_is_empty)
{
    prepare(first_filled, lesson);
    ask();
    says(0, "k.cu:4: hint 1 of 1 for TODO(5.2), the idea\n\nIdea two.\n");
}

/* Whoever has filled all gaps is told so, and gets what has not been shown. */
Test(hint, without_an_empty_gap_is_the_next_that_was_not_shown)
{
    prepare(complete, lesson);
    write_file("build/hints/05_name", "TODO(5.1) 2\n");
    ask();
    says(0, "k.cu: no gap is empty; make chapter5 test tells more\n");
    says(0, "hint 3 of 3 for TODO(5.1), the line");
    ask();
    says(0, "hint 1 of 1 for TODO(5.2), the idea");
    ask();
    cr_expect_str_eq(text, "k.cu: no gap is empty; make chapter5 test tells more\n");
}

/* A deleted build/ begins anew, and nonsense in it does no harm. */
Test(hint, begins_anew_when_nothing_is_remembered)
{
    prepare(untouched, lesson);
    ask();
    run("rm -r build");
    ask();
    says(0, "hint 1 of 3");
    write_file("build/hints/05_name", "TODO(5.1) 999999999999999999\nTODO(\n\nTODO(5.1) 1\n");
    ask();
    says(0, "hint 2 of 3");
}

Test(hint, is_shown_where_it_cannot_be_remembered)
{
    prepare(untouched, lesson);
    write_file("build", "a file, which stops root, too\n");
    ask();
    says(0, "hint 1 of 3 for TODO(5.1), the idea\n\nIdea one.\n");
    says(0, "build/hints/05_name: Not a directory: the next hint will be this one again\n");
}

Test(hint, says_in_one_line_what_a_lesson_lacks)
{
    static const struct {
        const char *source, *page, *said;
    } lacking[] = {
        {untouched, "# 5. Title\n", "lesson.md: there are no hints in it\n"},
        {untouched, "", "lesson.md: there are no hints in it\n"},
        {untouched, FOLDED("6.1", "the idea", "Of another chapter."),
         "lesson.md: there is no hint for TODO(5.1) in it\n"},
        {untouched, FOLDED("5.1", "a guess", "x"), "lesson.md: there are no hints in it\n"},
        {untouched, "<details><summary>Hint 5.1, the idea</summary>\n\nIt has no end.\n",
         "lesson.md: there are no hints in it\n"},
        {"// TODO(5.1): a\n", lesson, "k.cu:1: TODO(5.1) has no end\n"},
    };
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        prepare(lacking[i].source, lacking[i].page);
        ask();
        cr_expect(status == 1);
        cr_expect_str_eq(text, lacking[i].said);
    }
    run("rm lesson.md");
    ask();
    says(1, "lesson.md: No such file or directory: without the lesson there is no hint\n");
    run("mkdir lesson.md");
    ask();
    says(1, "lesson.md: Is a directory: without the lesson there is no hint\n");
}

/* An editor on Windows ends lines otherwise, and others fold in two lines. */
Test(hint, is_found_in_other_layouts)
{
    prepare(untouched,
            "<details>\r\n  <summary>Hint 5.1, the idea</summary>\r\n\r\nIdea.\r\n</details>\r\n");
    ask();
    says(0, "the idea\n\nIdea.\n\n");
    is_silent_about("\r");
}

static const char source[] = "chapters/05_name/histogram.cu";

/* A course with one chapter, whose file has this in it. */
static void make_course(const char *kernel)
{
    write_file(source, kernel);
    write_file("tests/further/05_name.c", "\n");
    write_file("docs/05_name.md", "## Do it\n\nNo.\n\n## Go further\n\n<!-- no -->\n"
                                  "Read [chapter 4](04.md) and\ncount by twos.\n\nNor this.\n");
}

static void go_further(const char *file)
{
    run("ladder further %s 05_name 5 5", file);
}

Test(go_further, begins_with_a_copy_and_says_what_to_do)
{
    make_course(complete);
    go_further(source);
    says(0, "chapters/05_name/further/histogram.cu: made, a copy of "
            "chapters/05_name/histogram.cu, which stays as it is\n"
            "what to change in it: docs/05_name.md, under Go further:\n"
            "  Read chapter 4 and count by twos.\n");
    is_silent_about("Nor");
    run("cmp chapters/05_name/histogram.cu chapters/05_name/further/histogram.cu");
    says(0, "");
    write_file("chapters/05_name/further/histogram.cu", "mine\n");
    go_further(source);
    cr_expect(status == 0 && !*text, "%s", text);
    run("cat chapters/05_name/further/histogram.cu");
    says(0, "mine\n");
}

Test(go_further, waits_for_the_chapter)
{
    make_course(first_filled);
    go_further(source);
    says(1, "chapters/05_name/histogram.cu: 1 of its gaps is empty: solve the chapter first");
    run("[ ! -e chapters/05_name/further ]");
    says(0, "");
}

Test(go_further, needs_a_suite_and_makes_no_reference)
{
    make_course(complete);
    write_file("solutions/05_name/histogram.cu", complete);
    go_further("solutions/05_name/histogram.cu");
    says(1, "there is no solutions/05_name/further/histogram.cu\n");
    run("rm tests/further/05_name.c");
    go_further(source);
    says(1, "chapter 5 has no exercise to go further with: there is no tests/further/05_name.c\n");
}

Test(go_further, says_why_there_is_no_copy)
{
    make_course(complete);
    write_file("chapters/05_name/further", "a file in its place\n");
    go_further(source);
    says(1, "chapters/05_name/further/histogram.cu: cannot be made: Not a directory\n");
}

Test(go_further, works_without_the_lesson)
{
    make_course(complete);
    run("rm docs/05_name.md");
    go_further(source);
    says(0, "what to change in it: docs/05_name.md, under Go further\n");
}
