/* gaps.c - the gaps of a kernel, and its stub. */
#define _GNU_SOURCE
#include "chapter.h"
#include "in_folder.h"

/* What gaps_print prints, and after it the status. */
static const char *printed(const char *text, unsigned int bins)
{
    write_text("k.cu", text);
    FILE *out = open_text();
    const struct gaps gaps = gaps_in("k.cu", bins);
    const int status = gaps_print(&gaps, out);
    return format("%s%d", close_text(out), status);
}

#define EMPTY(name, words) "// TODO(" name "): " words "\n// end of TODO(" name ")\n"
#define FILLED(name) "// TODO(" name "): x\nx++;\n// end of TODO(" name ")\n"

TestSuite(gaps, .init = enter_folder);

Test(gaps, are_empty_when_nothing_but_comments_lies_between)
{
    cr_expect_str_eq(
        printed("int x;\n  // TODO(5.1): Give every block its own\n  //       zeroed copy.\n\n"
                "  // hm\n/* a\n b */ // c\n  // end of TODO(5.1)\n",
                0),
        "k.cu:2: not done yet: TODO(5.1) Give every block its own zeroed copy.\n2");
    cr_expect_str_eq(printed("/* TODO(1.1): Add one,\n * or none. */\n/* end of TODO(1.1) */\n", 0),
                     "k.cu:1: not done yet: TODO(1.1) Add one, or none.\n2");
    cr_expect_str_eq(printed("// TODO(2.1): a\n/* so */ x++;\n// end of TODO(2.1)\n", 0), "0");
    cr_expect_str_eq(printed(FILLED("2.1") EMPTY("2.2", "b"), 0),
                     "k.cu:4: not done yet: TODO(2.2) b\n1");
}

Test(gaps, for_another_number_of_bins_are_left_out)
{
    static const char text[] = "#if BINS == 5\n" EMPTY("2.1", "a") "#else\n" EMPTY(
        "2.2", "b") "#endif\n#if OTHER == 5\n" EMPTY("2.3", "c") "#endif\n";
    cr_expect_str_eq(printed(text, 5), "k.cu:2: not done yet: TODO(2.1) a\n"
                                       "k.cu:9: not done yet: TODO(2.3) c\n2");
    cr_expect_str_eq(printed(text, 26), "k.cu:5: not done yet: TODO(2.2) b\n"
                                        "k.cu:9: not done yet: TODO(2.3) c\n2");
    write_text("k.cu", text);
    cr_expect_eq(gaps_in("k.cu", 0).empty, 3);
}

Test(gaps, must_have_an_end_of_their_own)
{
    cr_expect_str_eq(printed("// TODO(2.1): a\n", 0), "k.cu:1: TODO(2.1) has no end\n3");
    cr_expect_str_eq(printed("// TODO(2.1): a\n// end of TODO(2.2)\n", 0),
                     "k.cu:2: this end belongs to no gap\n3");
    cr_expect_str_eq(printed("// TODO(2.1): a\n// TODO(2.2): b\n", 0),
                     "k.cu:1: TODO(2.1) has no end\n3");
}

Test(gaps, are_emptied_in_a_stub_and_all_else_stays)
{
    static const char solution[] =
        "int x; // ours\r\n// TODO(5.1): Count,\n//     but once.\n// Atomic.\n\n"
        "x++; // TODO(5.2): no gap\n// end of TODO(5.1)\n// the end";
    write_text("k.cu", solution);
    FILE *out = open_text();
    cr_expect_null(gaps_write_stub("k.cu", out));
    cr_expect_str_eq(close_text(out), "int x; // ours\r\n// TODO(5.1): Count,\n//     but once.\n"
                                      "// end of TODO(5.1)\n// the end");
    write_text("k.cu", "x++;\n");
    out = open_text();
    cr_expect_str_eq(gaps_write_stub("k.cu", out),
                     "k.cu: there is no gap in it, so it is no stub's solution");
    close_text(out);
}
