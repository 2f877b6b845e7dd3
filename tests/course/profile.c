/* profile.c - make profile: sentences for people, and with FORMAT=ncu-csv rows as ncu prints them. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char launches[] = "kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
                               "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_"
                               "pipe_lsu_mem_global_op_ld.sum,"
                               "smsp__inst_executed_op_shared_atom.sum\n"
                               "count,64,2,1,256,1,1,1234,19744,0\n"
                               "fold,1,1,1,32,1,1,7,7,654321\n";

/* What a program printed, standard error included, and its exit status. */
static char said[16384];

static int profile(const char *format, const char *content)
{
    char file[] = "/tmp/histogram-ladder-XXXXXX", command[256];
    const int descriptor = mkstemp(file);
    cr_assert(descriptor >= 0 && write(descriptor, content, strlen(content)) >= 0);
    close(descriptor);
    snprintf(command, sizeof command, "$BUILD/tools/ladder profile '%s' %s 2>&1", format, file);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    remove(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define EXPECT_SAID(part) cr_expect(strstr(said, part), "expected %s in\n%s", part, said)

Test(profile, says_a_sentence_for_each_counter)
{
    cr_expect(profile("", launches) == 0);
    EXPECT_SAID("launch 2: fold, grid (1,1,1), block (32,1,1)\n");
    EXPECT_SAID("          19,744  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\n");
    EXPECT_SAID("16.00 for each request\n");
}

Test(profile, has_the_columns_of_ncu)
{
    cr_expect(profile("ncu-csv", launches) == 0);
    cr_expect(strncmp(said,
                      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\","
                      "\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
                      "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\"0\",",
                      170) == 0,
              "%s", said);
    EXPECT_SAID("\"count\",\"1\",\"7\",\"(256, 1, 1)\",\"(64, 2, 1)\",\"0\",\"9.0\",\"Launch "
                "Statistics\",\"Threads\",\"thread\",\"32,768\"\n");
    EXPECT_SAID("\"Memory Workload Analysis Tables\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld."
                "sum\",\"request\",\"1,234\"\n");
    EXPECT_SAID("\n\"1\",\"1\",\"histogram\",\"127.0.0.1\",\"fold\",");
    EXPECT_SAID("\"smsp__inst_executed_op_shared_atom.sum\",\"inst\",\"654,321\"\n");
    cr_expect(!strstr(said, "%"), "it invents percentages:\n%s", said);
}

Test(profile, refuses_a_format_that_it_does_not_know)
{
    cr_expect(profile("json", launches) == 1);
    cr_expect_str_eq(said,
                     "FORMAT=json: there is no such format; ncu-csv is one, and without FORMAT "
                     "there are sentences\n");
}

Test(profile, says_when_no_kernel_was_launched)
{
    cr_expect(profile("", "") == 0);
    EXPECT_SAID("no kernel was launched, so there is nothing to count\n");
    cr_expect(profile("ncu-csv", "") == 0);
    EXPECT_SAID("no kernel was launched, so there is nothing to count\n");
}
