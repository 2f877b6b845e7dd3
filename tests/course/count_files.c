/* count_files.c - the program that counts files of any length: what it prints, what it refuses, what becomes of a
 * file that does not hold still, on one process and on several.
 *
 * With the solution on the simulated GPU, and with a stand-in (tests/course/files) that has no GPU: that one is
 * quick, and does on demand what a kernel should not, or what others do to a file meanwhile. */
#include "in_folder.h"

#include <glob.h>
#include <stdbool.h>

/* Of an empty list of processes mpirun makes no use; seconds are for a busy machine. */
#define MPIRUN "timeout 100 mpirun --allow-run-as-root --oversubscribe -n "

/* Puts the path of a program into the environment, as $NAME. */
static void name_program(const char *name, const char *kind)
{
    char pattern[4096];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s/%s/*/count", root, getenv("BUILD"), kind);
    if (glob(pattern, 0, NULL, &found) == 0)
        setenv(name, found.gl_pathv[0], 1);
    globfree(&found);
}

/* Open MPI looks for programs of its own, and makes long files, unless it need not: 4 by the first
 * setting, 5 by the second. */
#define ALONE "OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self "

static void set_up(void)
{
    make_folder();
    run("command -v mpirun && command -v mpicc");
    if (status != 0) {
        remove_folder();
        fprintf(stderr,
                "left out: count on several processes; sudo apt-get install -y libopenmpi-dev "
                "openmpi-bin && make test\n");
        cr_skip_test("the program that counts files needs Open MPI");
    }
    // Two that make Open MPI's folder in /tmp at the same moment do not both succeed.
    setenv("TMPDIR", folder, 1);
    name_program("COUNT", "counting-256");
    name_program("STAND", "stand-in-256");
    name_program("STAND_5", "stand-in-5");
    unsetenv("STAND_IN");
    run("LC_ALL=C seq 1 9000 >numbers && printf 'hello, world\\n' >hello && : >empty && mkdir "
        "folder "
        "&& head -c 2500000 /dev/zero | tr '\\0' z >big");
}

TestSuite(count_files, .init = set_up, .fini = remove_folder, .timeout = 240);

/* The counts of a CSV with one column, beside what sort and uniq count of what od prints. */
static void counts_like_od(const char *file)
{
    run("{ echo 'bin,first_byte,last_byte,\"%s\"'; for b in $(seq 0 255); do echo $b; done | sort "
        ">all; "
        "od -An -v -tu1 -w1 %s | tr -d ' ' | cat - all | sort -n | uniq -c | "
        "while read times byte; do echo $byte,$byte,$byte,$((times - 1)); done; } >expected; "
        "diff -u expected counted && echo same",
        file, file);
    says(0, "same\n");
}

Test(count_files, counts_as_od_does)
{
    run("$COUNT --csv numbers >counted");
    says(0, "");
    counts_like_od("numbers");
}

/* As it is built where there is no MPI. */
static void set_up_alone(void)
{
    make_folder();
    name_program("COUNT", "counting-256-alone");
    run("LC_ALL=C seq 1 90000 >numbers");
}

TestSuite(count_alone, .init = set_up_alone, .fini = remove_folder, .timeout = 240);

Test(count_alone, counts_as_od_does)
{
    run("$COUNT --csv numbers >counted");
    says(0, "");
    counts_like_od("numbers");
    run("$COUNT numbers missing");
    says(1, "count: missing: no such file\n");
    run("$COUNT --compare --progress numbers 2>errors; cat errors");
    says(0, "1 simulated GPU  ");
    says(0, "100%");
    run("OMPI_COMM_WORLD_SIZE=2 $COUNT numbers");
    says(1, "built without MPI, this program is one process: make count builds it anew\n");
}

Test(count_files, counts_on_several_processes)
{
    for (int ranks = 1; ranks <= 3; ranks++) {
        run(MPIRUN "%d $COUNT --csv numbers >counted", ranks);
        says(0, "");
        counts_like_od("numbers");
    }
}

Test(count_files, counts_a_file_that_is_smaller_than_the_ranks)
{
    run("printf abcab >five; " MPIRUN "8 $COUNT --csv five >counted");
    says(0, "");
    counts_like_od("five");
}

Test(count_files, prints_a_table_of_what_is_there)
{
    run("$STAND hello");
    cr_expect(status == 0);
    cr_expect_str_eq(text,
                     "13 bytes of hello in 256 bins\n\n"
                     "bytes                       count    share\n"
                     " 10 \\n                          1    7.69%  #############\n"
                     " 32 space                       1    7.69%  #############\n"
                     " 44 ,                           1    7.69%  #############\n"
                     "100 d                           1    7.69%  #############\n"
                     "101 e                           1    7.69%  #############\n"
                     "104 h                           1    7.69%  #############\n"
                     "108 l                           3   23.08%  "
                     "########################################\n"
                     "111 o                           2   15.38%  ###########################\n"
                     "114 r                           1    7.69%  #############\n"
                     "119 w                           1    7.69%  #############\n"
                     "bins of the 256 that hold nothing: 246\n");
}

Test(count_files, prints_other_bins)
{
    run("$STAND_5 hello");
    says(0, "13 bytes of hello in 5 bins\n");
    says(0, "97-102 a-f                      2   15.38%  ################");
    says(0, "bins of the 5 that hold nothing: 1\n");
    says(0, "bytes that are in no bin: 3\n");
    run("$STAND_5 --compare -q hello >/dev/null");
    says(0, "");
}

Test(count_files, counts_an_empty_file)
{
    run("$COUNT empty");
    says(0, "0 bytes of empty in 256 bins\n\nall 256 bins hold nothing\n");
    run("$COUNT --csv empty | cut -d, -f4 | sort | uniq -c");
    says(0, "256 0\n");
}

Test(count_files, counts_several_files_and_their_sum)
{
    run("$STAND --csv hello numbers hello | sed -n '1p;50p;110p'");
    says(0, "bin,first_byte,last_byte,\"hello\",\"numbers\",\"hello\",\"sum of 3 files\"\n");
    says(0, "\n108,108,108,3,0,3,6\n");
    run("$STAND hello empty");
    says(0, "13 bytes of hello in 256 bins\n");
    says(0, "0 bytes of empty in 256 bins\n");
    says(0, "13 bytes of sum of 2 files in 256 bins\n");
}

Test(count_files, takes_names_of_any_kind)
{
    run("cp hello 'a \"b\", c' && cp hello -- --csv && $STAND --csv -- 'a \"b\", c' --csv | head "
        "-n 1");
    says(0, "bin,first_byte,last_byte,\"a \"\"b\"\", c\",\"--csv\",\"sum of 2 files\"\n");
}

Test(count_files, sums_in_64_bits)
{
    run("truncate -s 4294967301 sparse && STAND_IN=holes " MPIRUN "2 $STAND sparse");
    says(0, "4,294,967,301 bytes of sparse in 256 bins\n");
    says(0, "  0 NUL             4,294,967,301  100.00%  ####");
}

/* All or nothing, in one line, on one process and on two. */
static void refuses(const char *words, const char *said)
{
    run("$STAND %s", words);
    says(1, said);
    cr_expect(strchr(text, '\n') == strrchr(text, '\n'), "not one line:\n%s", text);
    run(MPIRUN "2 $STAND %s 2>errors", words);
    says(1, "");
    cr_expect(*text == '\0', "a result of %s:\n%s", words, text);
    run("cat errors; grep -c '^count:' errors");
    says(0, said);
    says(0, "\n1\n");
}

Test(count_files, refuses_what_is_no_file)
{
    refuses("hello missing numbers", "count: missing: no such file\n");
    refuses("folder", "count: folder: is a folder, not a file\n");
    run("mkfifo pipe");
    refuses("pipe",
            "count: pipe: is a pipe, whose length nobody knows: write it to a file first\n");
    refuses("/dev/zero", "count: /dev/zero: is a device, not a file\n");
    refuses("/proc/version", "count: /proc/version: does not say how long it is");
    refuses("/proc/self/mem", "count: /proc/self/mem: cannot be read: Input/output error\n");
}

Test(count_files, refuses_a_file_that_may_not_be_read)
{
    run("cp hello closed && chmod 0 closed && chmod a+rwx .");
    if (geteuid() == 0)
        run("setpriv --reuid=65534 --regid=65534 --clear-groups $STAND closed");
    else
        run("$STAND closed");
    if (strstr(text, "setpriv") || strstr(text, "STAND"))
        cr_skip_test("nobody here may run the program and not read the file");
    says(1, "count: closed: cannot be opened: Permission denied\n");
}

Test(count_files, refuses_wrong_options)
{
    run("$STAND");
    says(1, "count: of which file? count FILE...; count --help says more\n");
    run("$STAND --nonsense hello");
    says(1, "count: there is no option --nonsense; count --help lists the options\n");
    run("$STAND -qx hello");
    says(1, "count: there is no option -x; count --help lists the options\n");
    run("$STAND hello --plot");
    says(1, "count: --plot wants the name of a file; count --help lists the options\n");
    run("$STAND --csv=3 hello");
    says(1, "count: --csv=3: this option takes no word; count --help lists the options\n");
    run("$STAND --quiet --progress hello");
    says(1, "count: --quiet and --progress: choose one\n");
    run("$STAND -o hello hello");
    says(1, "count: hello: is one of the files to count, and would be overwritten\n");
    run("$STAND -o x -p x hello");
    says(1, "count: --output and --plot name the same file\n");
}

Test(count_files, helps)
{
    run("$COUNT --help");
    says(0, "usage: count [OPTION]... FILE...\n");
    says(0, "in 256 bins, on simulated GPUs, one\n");
    run(MPIRUN "2 $STAND_5 -h | grep -c usage:");
    says(0, "1\n");
}

/* What the stand-in does to the file, or to the others, meanwhile. */
static void gives_no_result(const char *mood, const char *said)
{
    for (int ranks = 1; ranks <= 3; ranks += 2) {
        run("cp big victim; STAND_IN=%s " MPIRUN "%d $STAND --csv -o out hello victim 2>errors",
            mood, ranks);
        cr_expect(status != 0 && *text == '\0', "%s, %d ranks: status %d:\n%s", mood, ranks, status,
                  text);
        run("cat errors; ls");
        says(0, said);
        is_silent_about("\nout");
    }
}

Test(count_files, gives_no_result_of_a_file_that_shrinks)
{
    gives_no_result("shrinks", "victim: ended early\ncount: victim: shrank while it was read, from "
                               "2,500,000 to 1,250,000 bytes: no result\n");
}

Test(count_files, gives_no_result_of_a_file_that_changes)
{
    gives_no_result("vanishes", "count: victim: vanished while it was read: no result\n");
    gives_no_result(
        "grows",
        "count: victim: grew while it was read, from 2,500,000 to 2,500,001 bytes: no result\n");
    gives_no_result("written", "count: victim: was written to while it was read: no result\n");
}

Test(count_files, gives_no_result_when_a_rank_ends)
{
    gives_no_result("leaves", "");
}

/* With bins for all bytes the counts add up to the length. */
Test(count_files, gives_no_result_when_a_byte_is_lost)
{
    gives_no_result("loses",
                    "count: victim: has 2,500,000 bytes, and 2,499,999 were counted: this is a "
                    "mistake of histogram_file(): no result\n");
}

/* The solution itself, on a file that is cut while it is read, or just before. */
Test(count_files, the_solution_gives_no_result_of_a_file_that_shrinks)
{
    for (int ranks = 1; ranks <= 2; ranks++) {
        run("head -c 60000000 /dev/urandom >victim; : >errors; " MPIRUN
            "%d $COUNT --progress victim 2>errors & "
            "until grep -qa '%%' errors || ! kill -0 $! 2>/dev/null; do sleep 0.1; done; "
            "sleep 0.2; truncate -s 5 victim; wait $!",
            ranks);
        cr_expect(status == 1 && *text == '\0', "%d ranks: status %d:\n%s", ranks, status, text);
        run("cat errors");
        says(0,
             "\ncount: victim: shrank while it was read, from 60,000,000 to 5 bytes: no result\n");
    }
}

Test(count_files, writes_a_file_as_a_whole)
{
    run("echo old >out; chmod 600 out; $STAND --csv -o out hello && head -n 1 out && ls");
    says(0, "bin,first_byte,last_byte,\"hello\"\n");
    is_silent_about("out.");
    run("ln -s out link; $STAND -q -o link hello && readlink link && cat out");
    says(0, "out\n 10 \\n ");
    run("$STAND --csv -o nowhere/out hello");
    says(1, "count: nowhere/out: there is no folder nowhere\n");
    run("$STAND --csv -o folder hello");
    says(1, "count: folder: is a folder, not a file\n");
    run("$STAND -o '' hello");
    says(1, "count: --output and --plot want the name of a file, and not an empty one\n");
    run("cp hello 'with blanks' && $STAND --csv -o 'out put' 'with blanks' && head -n 1 'out put'");
    says(0, "bin,first_byte,last_byte,\"with blanks\"\n");
}

/* It is better known before hours of counting. */
Test(count_files, refuses_a_folder_that_is_closed)
{
    run("mkdir closed && chmod 555 closed && chmod a+rwx .");
    run("%s $STAND -o closed/out hello",
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "");
    if (strstr(text, "setpriv") || strstr(text, "STAND"))
        cr_skip_test("nobody here may run the program and not write there");
    says(1, "count: closed/out: cannot be written: the folder closed: Permission denied\n");
}

/* What was counted is not lost when it cannot be put where it should be. */
Test(count_files, tells_a_full_disk)
{
    run("$STAND --csv -o /dev/full hello");
    says(1,
         "count: /dev/full: cannot be written: No space left on device; the result is on standard "
         "output\n");
    says(1, "\n108,108,108,3\n");
    run("$STAND --csv hello >/dev/full");
    says(1, "count: standard output cannot be written: No space left on device\n");
    run("echo old >out; (ulimit -f 1; trap '' XFSZ; " ALONE "$STAND --csv -o out hello 2>&1; "
        "echo status $?) | cat >said; grep status said; head -n 1 said; cat out; ls");
    says(0, "status 1\ncount: ");
    says(0, "/out: cannot be written: File too large; the result is on standard output\nold\n");
    is_silent_about("out.");
}

Test(count_files, plots)
{
    run("command -v gnuplot");
    if (status != 0)
        cr_skip_test("there is no gnuplot here");
    run("cp hello \"it's\"; $STAND -q --plot bins.svg \"it's\" >/dev/null && grep -c '<svg' "
        "bins.svg && "
        "grep -o \"13 bytes of it's in 256 bins\" bins.svg && grep -o '</svg>' bins.svg");
    says(0, "1\n13 bytes of it's in 256 bins\n");
    says(0, "</svg>");
    run("$STAND_5 -q --plot five.svg hello numbers >/dev/null && grep -o '>a-f<' five.svg && "
        "grep -o 'sum of 2 files' five.svg");
    says(0, ">a-f<\nsum of 2 files\n");
    run("echo old >bins.svg; (ulimit -f 8; trap '' XFSZ; " ALONE
        "$STAND --plot bins.svg hello 2>&1; "
        "echo status $?) | cat >said; cat said bins.svg; ls");
    says(0, "status 1\n");
    says(0, "old\n");
    says(0, "count: bins.svg: gnuplot could not draw it");
    is_silent_about("bins.svg.");
    run("$STAND -q --plot big.svg big >/dev/null && grep -o '>1.[05]M<' big.svg");
    says(0, ">1.0M<\n>1.5M<\n");
    run("$STAND --plot empty.svg empty");
    says(0, "all 256 bins hold nothing\n");
}

Test(count_files, does_not_plot_without_gnuplot)
{
    run(ALONE "PATH=/nowhere $STAND --plot bins.svg hello");
    says(1,
         "count: --plot needs gnuplot, which is not installed: sudo apt-get install gnuplot-nox\n");
    run("$STAND --plot nowhere/bins.svg hello; ls");
    says(0, "count: nowhere/bins.svg: there is no folder nowhere\n");
    is_silent_about("svg.");
}

Test(count_files, tells_how_far_it_is)
{
    run("STAND_IN=slow " MPIRUN "2 $STAND --progress big 2>&1 >/dev/null | tee errors");
    says(0, "\n100%  2.5 MB of 2.5 MB  ");
    says(0, "MB/s  in ");
    run("tr -d '\\r' <errors | cmp errors - && echo same");
    says(0, "same\n"); // Open MPI 5 passes on what ends a line, and keeps the rest until the end
    run("$STAND big 2>&1 >/dev/null");
    cr_expect(*text == '\0', "not on a terminal, and not asked for:\n%s", text);
}

/* The ranks' bytes in sum, with a rate, before the end. */
Test(count_files, adds_up_what_all_ranks_have_read)
{
    run("for i in 1 2 3 4; do cat big big big big big big; done >long; "
        "STAND_IN=slow " MPIRUN "2 $STAND --progress long 2>&1 >/dev/null | "
        "grep -aE '^ [1-9][0-9]%%  [0-9.]+ MB of 60 MB  [0-9.]+ MB/s  [0-9]+ s left  long *$' | "
        "head -n 1 | grep -c left");
    says(0, "1\n");
}

Test(count_files, tells_how_far_it_is_on_a_terminal)
{
    run("script -qec \"env STAND_IN=slow $STAND big\" /dev/null </dev/null | tr '\\r' '\\n'");
    if (strstr(text, "not found"))
        cr_skip_test("there is no program script here");
    says(0, "100%  2.5 MB of 2.5 MB  ");
    run("script -qec \"$STAND --quiet big\" /dev/null </dev/null");
    is_silent_about("MB/s");
}

/* A message stands on a line of its own, though a line of progress was there. */
Test(count_files, makes_room_for_what_is_wrong)
{
    run("cp big victim; script -qec \"env STAND_IN=shrinks $STAND victim\" lines </dev/null");
    if (strstr(text, "not found"))
        cr_skip_test("there is no program script here");
    run("tr '\\r' '\\n' <lines >said; mv said lines");
    run("grep -c -e '^victim: ended early$' -e '^count: victim: shrank while it was read' lines");
    says(0, "2\n");
}

Test(count_files, compares_with_the_cores)
{
    run("$STAND --compare big");
    says(0, "\n1 simulated GPU  ");
    says(0, "\n1 core, 16 tables  ");
    says(0, "The GPU is simulated, by one core for each process: its time is no GPU's.\n");
    run(MPIRUN "2 $STAND_5 --csv --compare big hello >counted");
    says(0, "\n2 simulated GPUs  ");
    says(0, "\n1 core, comparing  ");
    run("wc -l <counted");
    says(0, "6\n");
    run("cp big victim; STAND_IN=loses $STAND_5 --compare victim");
    says(1,
         "count: victim: the cores count 2,500,000 in bin 121-122 y-z, the GPUs 2,499,999: one of "
         "them is wrong\n");
}

/* Whether a text is what a page says that it is, where "..." stands for anything. */
static bool is_as_shown(const char *shown, const char *printed)
{
    const char *dots;
    for (bool anywhere = false; (dots = strstr(shown, "...")); shown = dots + 3, anywhere = true) {
        char piece[4096];
        snprintf(piece, sizeof piece, "%.*s", (int)(dots - shown), shown);
        const char *at = strstr(printed, piece);
        if (!at || (!anywhere && at != printed))
            return false;
        printed = at + strlen(piece);
    }
    const size_t shown_length = strlen(shown), length = strlen(printed);
    return length >= shown_length && strcmp(printed + length - shown_length, shown) == 0;
}

/* Runs one command of the page, and compares what it prints. */
static void try_command(const char *command, const char *shown)
{
    run("%s", command);
    cr_expect(is_as_shown(shown, text), "docs/count.md shows for %s:\n%s\nand it prints:\n%s",
              command, shown, text);
}

/* Lines "$ COMMAND" between ```console and ```, and what is printed below each. */
Test(count_files, prints_what_its_page_shows)
{
    char path[4096], line[1024], command[1024] = "", shown[8192] = "";
    bool inside = false;
    unsigned int tried = 0;
    snprintf(path, sizeof path, "%s/docs/count.md", root);
    FILE *page = fopen(path, "r");
    cr_assert(page, "%s", path);
    run("mkdir build && ln -s $COUNT build/count && rmdir folder && command -v gnuplot");
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    while (fgets(line, sizeof line, page)) {
        const bool fence = strncmp(line, "```", 3) == 0;
        if (inside && (fence || strncmp(line, "$ ", 2) == 0) && *command) {
            try_command(command, shown);
            tried++;
            *command = *shown = '\0';
        }
        if (inside && strncmp(line, "$ ", 2) == 0)
            snprintf(command, sizeof command, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
        else if (inside && !fence)
            strncat(shown, line, sizeof shown - strlen(shown) - 1);
        inside = fence ? strcmp(line, "```console\n") == 0 : inside;
    }
    fclose(page);
    cr_expect(tried >= 10, "%u commands in %s", tried, path);
}
