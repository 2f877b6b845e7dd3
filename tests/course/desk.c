/* desk.c - the programs that know how far a student is: the record, where, next_step,
 * progress_table, reset. */
#include "in_folder.h"

/* A suite that does what the file `outcome` says, and a make that judges by it. */
static const char suite[] =
    "#!/bin/sh\n"
    "[ $1 = --names ] && echo a/fine && exit\n"
    "case $(cat outcome) in\n"
    "solved) echo \"$FACTS input x\"; echo \"$FACTS technique 5 atomics\" ;;\n"
    "another) echo \"$FACTS input x\"; echo \"$FACTS failed counter\"\n"
    "    echo \"$FACTS said 9 atomics; at most 5\"; exit 1 ;;\n"
    "*) echo \"$FACTS said wrong on x\"; exit 1 ;;\n"
    "esac\n";
static const char fake_make[] = "#!/bin/sh\n"
                                "echo \"$@\" >>made\n"
                                "[ $(cat outcome) = unbuilt ] && exit 2\n"
                                "for file in chapters/*${1#chapter}_*/histogram.cu; do\n"
                                "    ladder verdict --record ./suite $file ${1#chapter} 5\n"
                                "done\n";

static const char stub[] = "// TODO(1.1): Count.\n// end of TODO(1.1)\n";
static const char half[] = "// TODO(1.1): a\nx++;\n// end of TODO(1.1)\n"
                           "// TODO(1.2): b\n// end of TODO(1.2)\n";
static const char filled[] = "// TODO(1.1): Count.\nx++;\n// end of TODO(1.1)\n";

/* Chapters 1 to 3, untouched; the second is optional. */
static void make_course(void)
{
    make_folder();
    write_file("suite", suite);
    write_file("bin/make", fake_make);
    write_file("outcome", "solved\n");
    run("chmod +x suite bin/make");
    write_file("common/contract/histogram.h", "\n");
    for (unsigned int i = 1; i <= 3; i++) {
        static const char *const names[] = {"", "first", "second", "third"};
        char path[128], page[256];
        snprintf(path, sizeof path, "chapters/0%u_%s/histogram.cu", i, names[i]);
        write_file(path, stub);
        snprintf(path, sizeof path, "solutions/0%u_%s/histogram.cu", i, names[i]);
        write_file(path, filled);
        snprintf(path, sizeof path, "tests/0%u_%s.c", i, names[i]);
        write_file(path, "\n");
        snprintf(path, sizeof path, "docs/0%u_%s.md", i, names[i]);
        snprintf(page, sizeof page,
                 "# %u. The %s%s\n\nIt begins.\n\n| | |\n|---|---|\n"
                 "| Afterwards | you can [count](x.md) %s |\n",
                 i, names[i], i == 2 ? " (optional)" : "", names[i]);
        write_file(path, page);
    }
}

TestSuite(standing, .init = make_course, .fini = remove_folder);
TestSuite(reset, .init = make_course, .fini = remove_folder);

static void judge(const char *outcome, const char *kernel, unsigned int bins)
{
    write_file("outcome", outcome);
    write_file("chapters/01_first/histogram.cu", kernel);
    run("ladder verdict --record ./suite chapters/01_first/histogram.cu 1 %u", bins);
}

static void where_is(const char *number)
{
    run("ladder where chapters 5");
    cr_expect(status == 0);
    cr_expect_str_eq(text, number);
}

static void row_says(const char *row)
{
    run("ladder progress chapters 5");
    says(0, row);
}

/* The first that is not solved; an optional one only when it has been begun. */
Test(standing, is_at_the_first_chapter_that_is_not_solved)
{
    where_is("1\n");
    judge("wrong", filled, 5);
    where_is("1\n");
    judge("another", filled, 5);
    where_is("1\n");
    judge("solved", filled, 5);
    where_is("3\n");
    write_file("chapters/02_second/histogram.cu", half);
    where_is("2\n");
}

Test(standing, is_in_a_row_of_its_own)
{
    row_says("[........................................] 0 of 3 chapters solved\n"
             " 1 first             untouched\n"
             " 2 second            untouched (optional)\n"
             " 3 third             untouched\n"
             "you are at chapter 1: make next says what to do there\n");
    judge("wrong", filled, 5);
    row_says(" 1 first             in work, wrong  ");
    judge("another", filled, 5);
    row_says(" 1 first             right, by another technique  ");
    judge("wrong", half, 5);
    row_says(" 1 first             in work, 1 of 2 gaps empty  ");
    judge("solved", filled, 5);
    row_says("[##############..........................] 1 of 3 chapters solved\n"
             " 1 first             solved             ");
    run("touch -d '2024-02-29 12:34' chapters/01_first/histogram.cu");
    row_says(" 2024-02-29 12:34\n");
}

/* A verdict is about a text: what is changed has none, and what is changed back has it again. */
Test(standing, follows_the_text_of_the_file)
{
    judge("solved", filled, 5);
    write_file("chapters/01_first/histogram.cu", half);
    row_says(" 1 first             in work, 1 of 2 gaps empty; once solved");
    where_is("1\n");
    write_file("chapters/01_first/histogram.cu", filled);
    run("rm bin/make"); /* nothing has to be judged */
    row_says(" 1 first             solved ");
}

/* Any number of bins will do, and for each the last verdict counts. */
Test(standing, is_solved_with_any_number_of_bins)
{
    judge("wrong", filled, 5);
    judge("solved", filled, 26);
    row_says(" 1 first             solved ");
    judge("wrong", filled, 26);
    row_says(" 1 first             in work, wrong ");
}

/* With build/ gone, what looks finished is judged again, once, and that is said. */
Test(standing, is_found_again_when_the_record_is_lost)
{
    judge("solved", filled, 5);
    run("rm -r build; ladder where chapters 5");
    cr_expect_str_eq(text, "judging chapters/01_first/histogram.cu, of which no verdict is kept\n"
                           "3\n");
    run("rm -r build; ladder progress chapters 5");
    says(0, "judging chapters/01_first/histogram.cu, of which no verdict is kept (1 of 1)\n[###");
    says(0, " 1 first             solved ");
    run("ladder progress chapters 5");
    is_silent_about("judging");
    run("cat made");
    says(0, "chapter1 test BINS=5 CHAPTERS=chapters\nchapter1 test BINS=5 CHAPTERS=chapters\n");
}

/* Who asks where he is, in the middle of his work, does not wait for a verdict. */
Test(standing, is_not_judged_on_the_way_when_it_has_changed)
{
    judge("wrong", filled, 5);
    write_file("chapters/01_first/histogram.cu", "// TODO(1.1): a\ny++;\n// end of TODO(1.1)\n");
    where_is("1\n");
    run("[ ! -e made ] && ladder progress chapters 5");
    says(0, "judging chapters/01_first/histogram.cu");
}

Test(standing, knows_what_does_not_compile)
{
    write_file("outcome", "unbuilt\n");
    write_file("chapters/01_first/histogram.cu", filled);
    row_says(" 1 first             in work: it does not compile ");
    run("ladder progress chapters 5");
    is_silent_about("judging");
}

/* Nonsense in the record does no harm. */
Test(standing, passes_over_what_is_no_record)
{
    judge("solved", filled, 5);
    run("f=build/progress/chapters+01_first; cp $f good; printf 'x\\n\\n7 5 fine 12\\n' >$f; "
        "cat good >>$f");
    row_says(" 1 first             solved ");
}

Test(standing, says_in_one_line_what_is_strange)
{
    run("rm -r chapters/03_third/histogram.cu chapters/02_second; "
        "mkdir -p chapters/02_second/histogram.cu chapters/02_backup; "
        ">chapters/01_first/histogram.cu");
    row_says(" 1 first             in work: the file is empty ");
    row_says(" 2 second            missing: Is a directory\n"
             " 3 third             missing: No such file or directory\n");
    is_silent_about("backup");
    run("mkdir empty; ladder progress empty 5");
    cr_expect_str_eq(text, "empty: there is no chapter in it, no folder like NN_name that has a "
                           "suite in tests/\n");
    run("ladder next nowhere 5");
    cr_expect_str_eq(text, "nowhere: there is no such folder\n");
    run("ladder where outcome 5");
    cr_expect_str_eq(text, "outcome: this is no folder\n");
    cr_expect(status == 1);
}

Test(standing, needs_a_place_for_verdicts)
{
    write_file("chapters/01_first/histogram.cu", filled);
    run("rm -rf build; mkdir build && touch build/progress; ladder where chapters 5");
    says(3, "build/progress/judged.out: Not a directory\n");
}

Test(standing, is_what_next_begins_with)
{
    run("ladder next chapters 5");
    cr_expect_str_eq(text,
                     "chapter 1, The first: untouched\n"
                     "  afterwards you can count first\n"
                     "  lesson  docs/01_first.md\n"
                     "  file    chapters/01_first/histogram.cu:1  TODO(1.1)\n"
                     "  type    make chapter1 predict; fill in the gaps; make chapter1 test\n",
                     "%s", text);
    judge("wrong", half, 5);
    run("ladder next chapters 5");
    says(0, "chapter 1, The first: in work, 1 of 2 gaps empty\n");
    says(0, "histogram.cu:4  TODO(1.2)\n");
    says(0, "make chapter1 test, and make chapter1 hint when you are stuck\n");
    run("rm docs/01_first.md chapters/01_first/histogram.cu; ladder next chapters 5");
    says(0, "chapter 1, first: missing: No such file or directory\n"
            "  lesson  docs/01_first.md, which cannot be read\n"
            "  file    chapters/01_first/histogram.cu\n"
            "  type    make chapter1 reset, which makes the file anew\n");
    run("mv chapters mine; ladder next mine 26");
    says(0, "make chapter1 reset BINS=26 CHAPTERS=mine");
}

Test(standing, ends_with_praise_and_what_is_left)
{
    judge("solved", filled, 5);
    write_file("tests/further/03_third.c", "\n");
    write_file("chapters/03_third/histogram.cu", filled);
    run("ladder verdict --record ./suite chapters/03_third/histogram.cu 3 5; ladder next chapters "
        "5");
    says(0,
         "\nWell done: 2 of 3 chapters are solved; left: chapter 2, which is optional, 1 exercise "
         "to go further with, from make chapter3 further on\n");
    write_file("chapters/03_third/further/histogram.cu", filled);
    run("ladder verdict --record ./suite chapters/03_third/further/histogram.cu 3 5 >/dev/null; "
        "ladder next chapters 5");
    cr_expect_str_eq(text, "Well done: 2 of 3 chapters are solved; left: chapter 2, which is "
                           "optional\n");
    where_is("");
}

/* Neither color nor wide lines where no terminal is. */
Test(standing, fits_on_a_screen)
{
    run("mkdir -p chapters/44_a_name_that_is_far_too_long_for_a_table && "
        "touch tests/44_a_name_that_is_far_too_long_for_a_table.c");
    judge("solved", filled, 5);
    judge("wrong", half, 5);
    run("TERM=xterm ladder progress chapters 5");
    is_silent_about("\33");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        cr_expect(strlen(line) < 80, "%s", line);
}

static void reset(void)
{
    run("ladder reset chapters 01_first");
}

Test(reset, keeps_every_file_beside_the_stub)
{
    write_file("chapters/01_first/histogram.cu", filled);
    reset();
    cr_expect(status == 0);
    cr_expect_str_eq(text,
                     "chapters/01_first/histogram.cu: the stub anew\n"
                     "your file is kept as chapters/01_first/histogram.cu.1; to get it back: mv "
                     "chapters/01_first/histogram.cu.1 chapters/01_first/histogram.cu\n");
    run("cat chapters/01_first/histogram.cu");
    cr_expect_str_eq(text, stub);
    write_file("chapters/01_first/histogram.cu", half);
    write_file("chapters/01_first/histogram.cu.9", "mine\n");
    reset();
    says(0, "kept as chapters/01_first/histogram.cu.10;");
    run("cd chapters/01_first && grep -c 'TODO(1.2)' *.10; cat *.1 *.9; ls | wc -l");
    says(0, "2\n// TODO(1.1): Count.\nx++;\n// end of TODO(1.1)\nmine\n4\n");
}

Test(reset, leaves_a_stub_alone)
{
    reset();
    cr_expect_str_eq(text, "chapters/01_first/histogram.cu: it is the stub already\n");
    run("ls chapters/01_first");
    cr_expect_str_eq(text, "histogram.cu\n");
}

Test(reset, brings_back_what_is_gone)
{
    run("rm -r chapters/01_first");
    reset();
    cr_expect_str_eq(text, "chapters/01_first/histogram.cu: the stub anew\n");
    run("rm chapters/01_first/*; mkdir chapters/01_first/histogram.cu");
    reset();
    says(0, "kept as chapters/01_first/histogram.cu.1;");
}

/* A copy for students has stubs in place of solutions. */
Test(reset, takes_the_stub_where_there_is_no_solution)
{
    run("mkdir -p tests/stubs && mv solutions/01_first tests/stubs");
    write_file("tests/stubs/01_first/histogram.cu", half);
    reset();
    says(0, "chapters/01_first/histogram.cu: the stub anew\n");
    run("cat chapters/01_first/histogram.cu");
    cr_expect_str_eq(text, "// TODO(1.1): a\n// end of TODO(1.1)\n"
                           "// TODO(1.2): b\n// end of TODO(1.2)\n");
}

Test(reset, changes_nothing_when_it_fails)
{
    write_file("chapters/01_first/histogram.cu", filled);
    run("rm -r solutions/01_first");
    reset();
    cr_expect(status == 1);
    cr_expect_str_eq(text, "01_first: neither its solution nor its stub is here, in solutions or "
                           "tests/stubs: there is nothing to go back to\n");
    write_file("solutions/01_first/histogram.cu", "x++;\n");
    reset();
    says(1, "solutions/01_first/histogram.cu: there is no gap in it");
    run("rm -r chapters/03_third && echo >chapters/03_third; ladder reset chapters 03_third");
    cr_expect(status == 1);
    cr_expect_str_eq(text, "chapters/03_third/histogram.cu: Not a directory\n");
    write_file("chapters/02_second/histogram.cu", filled);
    run("mkdir chapters/02_second/histogram.cu.new; ladder reset chapters 02_second");
    cr_expect(status == 1);
    says(1, "chapters/02_second/histogram.cu: Is a directory\n");
    run("cat chapters/02_second/histogram.cu chapters/01_first/histogram.cu | grep -c x++");
    says(0, "2\n");
}
