/* editor.c - make editor, the chapter of a file that is open, and how far a build is. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What a command printed, standard error included, and its exit status. */
static char said[16384];

static int run(const char *command)
{
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define EXPECT_SAID(part) cr_expect(strstr(said, part), "expected %s in\n%s", part, said)
/* In a new folder, with the script that make editor runs as $p. */
#define IN_A_FOLDER                                                                                \
    "exec 2>&1; t=$(mktemp -d); trap 'rm -r $t' EXIT; "                                            \
    "p=$PWD/common/tools/editor/commands/compile_commands.sh; "
#define OF_CHAPTER "common/tools/editor/chapter/of_chapter.sh "
#define SO_FAR "common/tools/progress/so_far.sh "

Test(editor, has_an_entry_for_each_source_and_quotes_its_path)
{
    cr_expect(run(IN_A_FOLDER "mkdir \"$t/a \\\"b\" && cd \"$t/a \\\"b\" && mkdir k .hidden && "
                              "touch k/k.cu k/k.c k/k.txt .hidden/h.cu && $p out.json k && "
                              "grep -o '\"file\": .*, \"arg' out.json") == 0);
    EXPECT_SAID("out.json: 2 sources of ");
    EXPECT_SAID("/a \\\"b/k/k.c\", \"arg");
    EXPECT_SAID("/a \\\"b/k/k.cu\", \"arg");
    cr_expect(!strstr(said, "hidden"), "%s", said);
}

Test(editor, leaves_a_file_that_is_right_as_it_is)
{
    run(IN_A_FOLDER "cd $t && mkdir k && touch k/k.cu && $p out.json k >/dev/null && "
                    "touch -d @1000 out.json && $p out.json k >/dev/null && stat -c %Y out.json && "
                    "touch k/l.cu && $p out.json k >/dev/null && stat -c %Y out.json; ls");
    cr_expect(strncmp(said, "1000\n", 5) == 0 && !strstr(said + 5, "1000\n"), "%s", said);
    cr_expect(!strstr(said, "out.json.new"), "%s", said);
}

/* Else clangd would stop at the #error of a kernel that does not take the usual operation: a chapter's,
 * or one in another style. One that takes the usual one needs no word for it. */
Test(editor, names_an_operation_that_the_chapter_takes)
{
    run(IN_A_FOLDER "cd $t && mkdir -p common/contract tests k/28_name/further && "
                    "echo '#include \"operation.h\"' >common/contract/sum.h && "
                    "echo ' * Operations: saturate count' >tests/28_name.c && "
                    "mkdir k/05_name && touch k/28_name/further/sum.cu k/28_name/other.cu "
                    "k/05_name/text.cu && "
                    "$p out.json k >/dev/null && grep -o '...OPERATION=[a-z]*' out.json");
    cr_expect_str_eq(said, "\"-DOPERATION=saturate\n\"-DOPERATION=saturate\n");
}

Test(editor, says_in_one_line_what_it_cannot_do)
{
    cr_expect(run(IN_A_FOLDER "cd $t && $p out.json there_is_none") == 1);
    cr_expect_str_eq(said, "editor: there_is_none: No such file or directory\n");
    cr_expect(run(IN_A_FOLDER "cd $t && mkdir k && $p none/out.json k") == 1);
    cr_expect_str_eq(said, "editor: none/out.json: No such file or directory\n");
}

Test(of_chapter, finds_the_chapter_of_a_file)
{
    static const struct {
        const char *file, *goals;
    } files[] = {{"chapters/05_name/histogram.cu", "chapter5 test"},
                 {"/home/a b/chapters/14_name/histogram.cu", "chapter14 test"},
                 {"docs/05_name.md", "chapter5 test"},
                 {"solutions/05_name/histogram.cu", "chapter5 solution test"},
                 {"chapters/05_name/further/histogram.cu", "chapter5 further test"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char command[512];
        snprintf(
            command, sizeof command,
            "t=$(mktemp -d); trap 'rm -r $t' EXIT; printf '#!/bin/sh\\necho \"$@\"\\n' >$t/make; "
            "chmod +x $t/make; PATH=$t:$PATH " OF_CHAPTER "'%s' test 2>&1",
            files[i].file);
        cr_expect(run(command) == 0);
        EXPECT_SAID(files[i].goals);
    }
}

Test(of_chapter, says_when_a_file_is_of_none)
{
    cr_expect(run(OF_CHAPTER "README.md test 2>&1") == 2);
    EXPECT_SAID("README.md: is of no chapter: open a file such as chapters/NN_name/histogram.cu\n");
}

Test(so_far, is_a_line_now_and_then_where_no_terminal_is)
{
    run("t=$(mktemp -d); trap 'rm -r $t' EXIT; exec 2>&1; " SO_FAR "begin $t/p; " SO_FAR
        "$t/p 12 one; echo 0 >$t/p.told; " SO_FAR "$t/p 12 two; " SO_FAR "$t/p 12 three");
    cr_expect_str_eq(said, "[ 2/12] two\n");
}
