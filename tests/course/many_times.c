/* many_times.c - what makes up make gpu bench PART=4 and gpu test PART=4, as far as it goes without a GPU:
 * the programs run on the simulated one, with two devices. */
#include "in_folder.h"

#define ROOM "common/bench/gpu/many"
#define HEADER "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct\n"
#define ROW(start, ms, answer) start "," ms "," ms "," ms ",5," answer "\n"

/* Two rounds of the first cell; on two devices 5 bins reach 99%, 26 do not, and wrong bins have no speed. */
static const char times[] = HEADER ROW("each,reading alone,5,1,16000000000", "3.70000", "-")
    ROW("each,no text,5,1,0", "0.03000", "-") ROW("each,60_many,5,1,16000000000", "3.70000", "yes")
        ROW("each,60_many,5,1,16000000000", "3.90000",
            "yes") ROW("each,reading alone,5,2,32000000000", "3.70000", "-")
            ROW("each,no text,5,2,0", "0.05000", "-") ROW("each,60_many,5,2,32000000000", "3.83000",
                                                          "yes")
                ROW("each,60_many,26,1,16000000000", "3.80000", "yes")
                    ROW("each,60_many,26,2,32000000000", "3.90000", "yes")
                        ROW("each,60_many,256,2,32000000000", "3.90000", "NO")
                            ROW("pinned,copies alone,5,2,8000000000", "80.00000", "-")
                                ROW("pinned,60_many,5,2,8000000000", "100.00000", "yes")
                                    ROW("pageable,copies alone,5,2,8000000000", "600.0", "-")
                                        ROW("pageable,60_many,5,2,8000000000", "300.0", "yes")
                                            ROW("all,reading alone,5,2,1000000000", "0.12", "-")
                                                ROW("all,no text,5,2,0", "0.20", "-")
                                                    ROW("all,60_many,5,2,1000000000", "0.33", "yes")
                                                        ROW("file,reading alone,5,2,1000000000",
                                                            "100.00000", "-")
                                                            ROW("file,61_nodes,5,2,1000000000",
                                                                "290.00000", "yes");

static void summarize(const char *files)
{
    run("cd %s && ${CC:-gcc} -std=c11 -Icommon/tools/parts " ROOM "/many_summary.c "
        "common/tools/parts/csv.c -o %s/s && cd %s && ./s %s",
        root, folder, folder, files);
}

TestSuite(many_summary, .init = make_folder, .fini = remove_folder);

Test(many_summary, tells_which_targets_are_reached)
{
    write_file("in.csv", times);
    summarize("out.csv in.csv");
    says(0, "    reached: 60_many, each, 5 bins, 2 devices: 99.22% of as many times one device");
    says(0, "    missed: 60_many, each, 26 bins, 2 devices: 97.44% of as many times one device");
    says(0, "    unknown: 60_many, each, 256 bins, 2 devices");
    says(0, "    missed: 60_many, pinned, 5 bins, 2 devices: 80.00% of copying alone, target 90%");
    run("cut -d, -f1-4,6,9-11,12- out.csv");
    says(0, "each,60_many,5,1,3.80000,2,10,yes,4210.5,100.0,97.4,the memory of the cards,-,-\n");
    says(0, "each,no text,5,2,0.05000,1,5,-,-,-,-,launches and collective,-,-\n");
    says(0, "each,60_many,5,2,3.83000,1,5,yes,8355.1,99.2,96.6,the memory of the cards,99.0,yes\n");
    says(0, "each,60_many,256,2,3.90000,1,5,NO,-,-,-,-,99.0,-\n");
    says(0, "pinned,60_many,5,2,100.00000,1,5,yes,80.0,-,80.0,the links to the cards,90.0,no\n");
    says(0, "pageable,60_many,5,2,300.00000,1,5,yes,26.7,-,200.0,what the host does,90.0,yes\n");
    says(0, "all,60_many,5,2,0.33000,1,5,yes,3030.3,-,36.4,launches and collective,-,-\n");
    says(0, "file,61_nodes,5,2,290.00000,1,5,yes,3.4,-,34.5,what the host does,-,-\n");
}

Test(many_summary, says_which_file_it_cannot_read_or_write)
{
    write_file("in.csv", HEADER "moon,60_many,5,1,1,1,1,1,1,yes\n");
    summarize("out.csv absent.csv");
    says(1, "absent.csv: cannot be read");
    summarize("out.csv in.csv");
    says(1, "moon is no place of a text: each, all, pinned, pageable or file");
    write_file("in.csv", times);
    run("rm -f out.csv; mkdir out.csv; ./s out.csv in.csv");
    says(1, "out.csv: cannot be written");
}

TestSuite(many_plot, .init = make_folder, .fini = remove_folder);

/* Catches a panel without rows, which ends gnuplot. */
Test(many_plot, draws_also_without_a_file)
{
    write_file("in.csv", times);
    summarize("many.csv in.csv");
    run("grep -v ^file many.csv >m && mv m many.csv; echo 'NVIDIA Test, 1' >many-machine.txt; cd "
        "%s && "
        "if command -v gnuplot >/dev/null; then " ROOM "/many_times.sh draw %s; "
        "else echo The plot is; echo '<title> NVIDIA Test' >%s/many.svg; fi",
        root, folder, folder);
    says(0, "The plot is");
    run("grep '<title>' many.svg");
    says(0, "NVIDIA Test");
    run("cd %s && " ROOM "/many_times.sh draw %s/absent", root, folder);
    says(1, "absent: there is no many.csv");
}

TestSuite(many_sanitizer, .init = make_folder, .fini = remove_folder);

/* A tool that finds what its program is, a script, says it does; and tells what it was asked. */
static void sanitize(const char *finds)
{
    write_file("bin/compute-sanitizer",
               "#!/bin/sh\necho ========= COMPUTE-SANITIZER\n"
               "echo \"$*\" >>$CUDA/asked\n"
               "while [ \"$1\" != 9 ]; do [ \"$1\" != --tool ] || tool=$2; "
               "shift; done; shift\n"
               "\"$1\" $tool\n");
    write_file("b/solution-5/60_many/many_check", finds);
    run("chmod +x bin/* b/*/*/*; rm -f asked; cd %s && B=%s/b KIND=solution FROM=%s STEMS=60_many "
        "CUDA=%s CUDA_VISIBLE_DEVICES=0,1 ALL_BINS=5 " ROOM "/many_times.sh sanitize",
        root, folder, folder, folder);
}

/* NCCL makes calls that fail, on its own account: memcheck is not asked for them, on one card or on all. */
Test(many_sanitizer, asks_memcheck_for_no_calls_that_fail)
{
    sanitize("#!/bin/sh\n:\n");
    says(0, "/many_check: clean\n");
    says(0, "/many_check, 2 GPUs: clean\n");
    is_silent_about("see");
    run("grep -c . asked; grep -c 'memcheck --report-api-errors no --error' asked; "
        "grep -c report-api asked");
    says(0, "5\n2\n2\n");
}

/* Catches a call of the course that fails, and ends the program: no tool says a word. */
Test(many_sanitizer, says_what_a_tool_has_found)
{
    sanitize("#!/bin/sh\n[ $1 = racecheck ] || exit 0\n"
             "printf '=========\\n========= Error: Race reported\\n========= more\\n'; exit 9\n");
    says(1, "many_check.racecheck: Error: Race reported\n");
    says(1, "gpu: wrong results, or a program that failed: it is said above\n");
    is_silent_about("more");
    sanitize("#!/bin/sh\n[ \"$CUDA_VISIBLE_DEVICES\" = 0 ]\n");
    says(1, "many_check.memcheck-all\n");
    says(1, "memcheck ");
    says(1, "many_check: clean\n");
}

TestSuite(many_programs, .init = make_folder, .fini = remove_folder);

/* A kernel of host code: it counts right, but for what `wrong` does. */
static void write_kernel(const char *wrong)
{
    char source[1024];
    snprintf(
        source, sizeof source,
        "#include <cuda_runtime_api.h>\n#include <stdlib.h>\n#include \"binning.h\"\n"
        "#include \"many.h\"\n"
        "void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)\n"
        "{\n    %s\n    for (size_t i = 0; i < length; i++)\n"
        "        if (bin_of(text[i]) >= 0)\n            bins[bin_of(text[i])]++;\n}\n",
        wrong);
    write_file("kernel.c", source);
}

/* Compiles a program of the room with that kernel. */
static void compile(const char *program)
{
    run("cd %s && for f in %s/kernel.c " ROOM "/%s.c $(ls " ROOM "/host_text.c " ROOM
        "/last_words.c " ROOM "/room.c " ROOM "/wall_clock.c " ROOM "/copies_alone.c " ROOM
        "/card_text.cu) common/bench/gpu/reduce/read_shapes.cu common/bench/gpu/row_file.c "
        "common/harness/grouped.c; do common/sim/simcc -O1 -g1 -w -I" ROOM
        " -Icommon/bench/gpu -Icommon/bench/gpu/reduce -Icommon/contract -Icommon/harness -c $f "
        "-o %s/$(basename $f).o || exit; done; common/sim/simcc %s/*.o -lpthread -o %s/%s && "
        "rm %s/*.o",
        root, folder, program, folder, folder, folder, program, folder);
    cr_assert(status == 0, "%s", text);
}

Test(many_programs, check_sees_what_is_wrong)
{
    write_kernel("length -= length == 33;");
    compile("many_check");
    run("SIM_DEVICES=2 ./many_check 60_many 0 33 34");
    says(1, "60_many, 5 bins, 2 devices, 0 bytes: 12 of 12 right\n");
    says(1, "60_many, 5 bins, 33 bytes, one letter, in pinned memory at an odd address, on 2 "
            "devices: call 1: bin 0 has 32 in place of 33\n");
    says(1, "60_many, 5 bins, 2 devices, 34 bytes: 12 of 12 right\n");
    run("./many_check 60_many 33x");
    says(2, "usage: ");
}

/* Catches a function that leaves another device behind. */
Test(many_programs, check_sees_a_device_that_is_left)
{
    write_kernel("cudaSetDevice(0);");
    compile("many_check");
    run("SIM_DEVICES=2 ./many_check 60_many 7");
    says(1, "on 2 devices: device 0 is current in place of 1\n");
}

Test(many_programs, check_says_what_it_was_at_when_it_is_ended)
{
    write_kernel("if (length == 33) exit(0); if (length == 34) abort();");
    compile("many_check");
    run("SIM_DEVICES=2 ./many_check 60_many 33");
    says(1, "33 bytes, mixed, in pageable memory, on 2 devices: the program was ended there\n");
    run("SIM_DEVICES=2 ./many_check 60_many 34");
    says(1, "34 bytes, mixed, in pageable memory, on 2 devices: ended by a signal");
}

Test(many_programs, times_leave_out_what_a_chapter_has_not)
{
    write_kernel("length -= length == 20000;");
    compile("many_times");
    run("SIM_DEVICES=2 SIM_CHECKS=none ./many_times out.csv 60_many each=16K pinned=20000 "
        "pageable=16K");
    says(1, "60_many has no histogram_on_devices(): it is timed from host memory alone\n");
    says(1, "60_many, pinned, 2 cards, 5 bins: bin ");
    run("cut -d, -f1-5,10 out.csv");
    cr_assert_str_eq(text, "where,implementation,bins,devices,bytes,correct\n"
                           "each,reading alone,5,2,32768,-\n"
                           "pinned,copies alone,5,2,20000,-\n"
                           "pinned,60_many,5,2,20000,NO\n"
                           "pageable,copies alone,5,2,16384,-\n"
                           "pageable,60_many,5,2,16384,yes\n");
    static const char *const refused[] = {"", "each=", "each=0", "each=1", "moon=16K", "each=16KK"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("./many_times out.csv 60_many '%s'", refused[i]);
        says(2, "WHERE is each, all, pinned or pageable; SIZE like 50000000, 64M or 16G");
    }
}
