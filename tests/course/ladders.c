/* ladders.c - the ladder of chapters that reduce by key, from rows as their row.c writes them. */
#include "in_folder.h"

static const char header[] =
    "chapter,name,bins,input,length,correct,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,operation,passes,attempts,locks,copies,"
    "global_atomics,atomics_on_bins,shared_atomics,threads_per_block\n";

static void write_row(const char *file, const char *values)
{
    char row[1024];
    snprintf(row, sizeof row, "%s%s\n", header, values);
    write_file(file, row);
}

TestSuite(keyed_ladder, .init = make_folder, .fini = remove_folder);

Test(keyed_ladder, has_columns_of_its_own)
{
    write_row("a", "21,swap,505,zipf keys,65536,yes,3072,28090,argmax,1,100465,0,0.99,32339,32339,"
                   "68126,1024");
    run("ladder out.csv a");
    cr_expect_eq(status, 0);
    cr_expect_str_eq(
        text,
        "65,536 zipf keys in 505 bins, operation argmax, on the simulated GPU\n\n"
        "                                            load     global   of these     shared      "
        "their\n"
        "    chapter            correct  passes  requests    atomics    on bins    atomics "
        "wavefronts   attempts    locks   copies\n"
        "21  swap                   yes       1     3,072     32,339     32,339     68,126     "
        "28,090    100,465        0     0.99\n\n"
        "Passes: how many times each element is read. Attempts: compare-and-swaps that are to\n"
        "update a bin. Locks: how many times one is taken. Copies: words that atomics touch\n"
        "beside the bins, in shared or global memory, divided by the number of bins.\n");
}

Test(keyed_ladder, says_what_changed_from_the_row_above)
{
    write_row("a", "21,swap,505,keys,65536,yes,3072,100,count,1,100465,0,1,9,9,7,1024");
    write_row("b", "22,lock,505,keys,65536,yes,3072,100,count,1,0,65536,2,9,9,7,1024");
    write_row("c", "23,copies,505,keys,65536,yes,3072,100,count,1,0,65536,2,9,9,7,1024");
    run("ladder out.csv a b c");
    says(0, "\n      no attempts, 65,536 locks, 2.0 times more copies\n");
    says(0, "\n      the same counters as the row above\n");
    says(0,
         "\nRequests are made by warps, the others by threads. Under each row: what changed from "
         "the row above.\n");
    run("cut -d , -f 1,2,11,12 out.csv");
    cr_expect_str_eq(
        text,
        "chapter,name,attempts,locks\n21,swap,100465,0\n22,lock,0,65536\n23,copies,0,65536\n");
}

Test(keyed_ladder, says_no_where_a_result_is_wrong)
{
    write_row("a", "21,swap,505,keys,65536,no,3072,100,count,0.5,3,0,1,9,9,7,1024");
    run("ladder out.csv a");
    says(1, "21  swap                    NO    0.50     3,072 ");
}

/* Chapters of both parts in one command. */
Test(keyed_ladder, is_a_table_of_its_own)
{
    write_file("text", "chapter,name,bins,input,length,correct,"
                       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
                       "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
                       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,threads_per_block,"
                       "global_atomics,atomics_on_bins,shared_atomics,predicted_ms\n"
                       "6,shared,5,a text,1024,yes,32,32,32,256,20,20,900,0.01200\n");
    write_row("keys", "21,swap,505,keys,65536,yes,3072,100,count,1,3,0,1,9,9,7,1024");
    run("ladder out.csv text keys");
    says(0, "1,024 characters of a text in 5 bins, on the simulated GPU\n");
    says(0, "65,536 keys in 505 bins, operation count, on the simulated GPU\n");
    is_silent_about("more");
}
