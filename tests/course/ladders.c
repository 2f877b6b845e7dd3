/* ladders.c - the ladders of chapters that reduce by key, of those that reduce an array, and of those on
 * several devices, from rows as their row.c writes them. */
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
    run("ladder table out.csv a");
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
    run("ladder table out.csv a b c");
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
    run("ladder table out.csv a");
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
    run("ladder table out.csv text keys");
    says(0, "1,024 characters of a text in 5 bins, on the simulated GPU\n");
    says(0, "65,536 keys in 505 bins, operation count, on the simulated GPU\n");
    is_silent_about("more");
}

static void write_value_row(const char *file, const char *values)
{
    char row[1024];
    snprintf(row, sizeof row,
             "chapter,name,input,length,correct,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,operation,launches,grid_barriers,"
             "barriers_a_block,shared_words,bank_conflicts,shuffles,global_atomics,reading_threads,"
             "threads_per_block,more\n%s,9\n",
             values);
    write_file(file, row);
}

TestSuite(value_ladder, .init = make_folder, .fini = remove_folder);

Test(value_ladder, has_columns_of_its_own)
{
    write_value_row("a", "40,tree,values of seed 1,1048576,yes,33000,131072,max,3,0,9,256,0,0,0,"
                         "1048576,256");
    run("ladder table out.csv a");
    cr_expect_eq(status, 0);
    cr_expect_str_eq(
        text,
        "1,048,576 values of seed 1, operation max, on the simulated GPU\n\n"
        "                                          reading     load   sectors barriers shared      "
        "bank            global waits of\n"
        "    chapter            correct launches   threads requests a request  a block  words "
        "conflicts shuffles  atomics the grid\n"
        "40  tree                   yes        3 1,048,576   33,000      3.97        9    256      "
        "   "
        "0        0        0        0\n\n"
        "Barriers: those that a block passes at most. Shared words: of 4 bytes, that a block\n"
        "touches at most. Shuffles: all by which lanes of a warp exchange values, or vote.\n"
        "Waits of the grid: how often all blocks of a cooperative launch wait for each other.\n");
    run("head -n 1 out.csv | grep -o '[a-z_]*$'");
    cr_expect_str_eq(text, "threads_per_block\n");
}

Test(value_ladder, says_what_changed_from_the_row_above)
{
    write_value_row("a", "40,tree,values,64,yes,9,36,sum,3,0,9,256,0,0,0,64,32");
    write_value_row("b", "41,shuffle,values,64,yes,9,36,sum,3,0,1,8,0,40,0,64,32");
    run("ladder table out.csv a b");
    says(0, "\n      40 shuffles, 32 times fewer shared words a block, 9.0 times fewer barriers a "
            "block\n");
    says(0, "\nRequests and shuffles are made by warps, atomics by threads. Under each row: what "
            "changed\nfrom the row above.\n");
}

/* Nothing is divided by nothing, and of two parts each has a table. */
Test(value_ladder, withstands_a_kernel_that_loads_nothing)
{
    write_value_row("a", "43,atomic,values,0,no,0,0,sum,1,0,0,0,0,0,0,0,0");
    write_row("keys", "21,swap,505,keys,65536,yes,3072,100,count,1,3,0,1,9,9,7,1024");
    run("ladder table out.csv keys a");
    says(1, "43  atomic                  NO        1         0        0         -        0 ");
    says(1, "65,536 keys in 505 bins, operation count, on the simulated GPU\n");
    is_silent_about("nan");
}

static const char of_devices[] =
    "chapter,name,bins,input,length,correct,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,devices,launches,copied_bytes,"
    "most_copied_bytes,collectives,collective_bytes,global_atomics,shared_atomics,blocks,"
    "threads_per_block\n";

TestSuite(device_ladder, .init = make_folder, .fini = remove_folder);

/* Catches a row that is taken for one of Part I, which has other columns. */
Test(device_ladder, has_columns_of_its_own)
{
    char row[1024];
    snprintf(row, sizeof row,
             "%s60,cards,5,a text,65536,yes,128,2048,4,4,65536,16384,1,40,205,65536,8,768\n",
             of_devices);
    write_file("a", row);
    snprintf(row, sizeof row,
             "%s61,ranks,5,a text,65536,yes,128,2048,4,16,65536,16384,2,40,205,65536,8,768\n",
             of_devices);
    write_file("b", row);
    run("ladder table out.csv a b");
    cr_expect_eq(status, 0);
    says(0, "65,536 characters of a text in 5 bins, on 4 simulated GPUs\n\n");
    says(0, "\n60  cards                  yes       4        4      65,536      16,384       128   "
            "  16.00 "
            "      205      65,536       1      40\n");
    says(0, "\n      4.0 times more launches, 2.0 times more collectives\n");
    says(0, "SIM_DEVICES=8 takes more.\n");
}
