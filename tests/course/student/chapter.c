/* chapter.c - what a place says of a chapter. */
#define _GNU_SOURCE
#include "chapter.h"

#include "in_folder.h"

static void make_course(void)
{
    enter_folder();
    write_text("common/contract/histogram.h", "\n");
    write_text("common/contract/reduce.h", "#include \"operation.h\"\n");
    write_text("solutions/05_private/histogram.cu", "\n");
    write_text("solutions/41_shuffle/reduce.cu", "# include <mpi.h>\n");
    write_text("mine/41_shuffle/reduce.cu", "#include \"mpi.hh\"\n");
    write_text("tests/41_shuffle.c", "/* x\n *\n * Operations: sum max \n */\n");
    write_text("tests/05_private.c", "\n");
}

TestSuite(chapter, .init = make_course);

Test(chapter, is_known_by_its_folder_or_what_lies_there)
{
    const char *places[] = {"mine/41_shuffle", "mine/41_shuffle/reduce.cu",
                            "mine/41_shuffle/further/reduce.cu", "mine/41_shuffle/break/1.txt"};
    for (size_t i = 0; i < LENGTH(places); i++) {
        const struct chapter chapter = chapter_at(places[i]);
        cr_expect(chapter.number == 41 && chapter.part == 3, "%s", places[i]);
        cr_expect_str_eq(chapter.name, "shuffle");
        cr_expect_str_eq(chapter.above, "mine");
        cr_expect_str_eq(chapter.file, "mine/41_shuffle/reduce.cu");
        cr_expect_str_eq(chapter.solution, "solutions/41_shuffle/reduce.cu");
        cr_expect_str_eq(chapter.operations, "sum max");
        cr_expect(chapter.contract.has_operations && chapter.contract.of_array);
    }
    cr_expect_eq(chapter_at("mine").number, 0);
}

Test(chapter, without_a_kernel_has_the_name_of_its_solution)
{
    cr_expect_str_eq(chapter_at("other/41_shuffle").file, "other/41_shuffle/reduce.cu");
    cr_expect_str_eq(chapter_at("other/99_new").file, "other/99_new/histogram.cu");
}

Test(chapter, is_one_only_with_a_suite)
{
    struct chapter *chapters;
    write_text("mine/05_private/histogram.cu", "\n");
    write_text("mine/05_backup/histogram.cu", "\n");
    cr_assert_eq(chapters_in("mine", &chapters), 2);
    cr_expect_eq(chapters[0].number, 5);
    cr_expect_eq(chapters[1].number, 41);
}

Test(chapter, is_for_ranks_when_it_includes_mpi)
{
    cr_expect(is_for_ranks("solutions/41_shuffle/reduce.cu"));
    cr_expect(!is_for_ranks("mine/41_shuffle/reduce.cu"));
}
