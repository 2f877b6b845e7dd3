# hardware.awk - whether the simulated GPU counts a chapter's kernel as the hardware did.
#
#     awk -f hardware.awk docs/results/h200/counters.csv ROW.csv...
#
# A ROW.csv is what row.c writes, of the text that the first file is about. Every counter that
# both have must be equal, with two exceptions, which docs/simulator.md explains: sectors of
# atomics on scattered addresses may be 2% apart; and where a warp's sum goes to one
# counter (one lane of a request adds, or all want one address), the card takes some
# wavefronts more, up to a third.
# Prints a line for each counter that is not, and at last "12 passed, 0 failed", by chapters.
BEGIN { FS = "," }
FNR == 1 {
    files++
    split("", name)
    for (i = 1; i <= NF; i++)
        name[i] = $i
    next
}
{
    for (i = 1; i <= NF; i++)
        if (name[i] == "chapter")
            chapter = $i
        else if (name[i] == "bins")
            bins = $i
    key = chapter + 0 " " bins
}
files == 1 {
    known[key] = 1
    for (i = 1; i <= NF; i++)
        hardware[key, name[i]] = $i
    next
}
known[key] {
    split("", here)
    for (i = 1; i <= NF; i++)
        here[name[i]] = $i
    wrong = 0
    for (i = 1; i <= NF; i++)
        if (name[i] ~ /\.sum$/ && (key, name[i]) in hardware && !is_true(name[i], $i, hardware[key, name[i]])) {
            printf "chapter %s, %s bins: %s: %d on the H200, %d simulated\n", chapter, bins, name[i],
                hardware[key, name[i]], $i
            wrong = 1
        }
    failed += wrong
    passed += !wrong
}
END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}

function is_true(counter, simulated, measured,    requests)
{
    if (simulated == measured)
        return 1
    if (counter ~ /sectors.*op_(red|atom)/)
        return simulated >= 0.98 * measured && simulated <= 1.02 * measured
    requests = here["smsp__inst_executed_op_shared_atom.sum"]
    if (counter ~ /shared_op_atom/ && is_sum_of_a_warp())
        return measured > simulated && measured - simulated <= 0.25 * requests
    if (counter ~ /shared_op_atom/ && here["votes"] > 0)
        return measured > simulated && measured - simulated <= 0.35 * by_single_lanes(requests)
    return counter ~ /conflicts.*shared_op_ld|wavefronts.*shared_op_ld/ && is_sum_of_a_warp() &&
        measured - simulated <= 8
}

# Of the requests, those of one lane, if the others are of 32.
function by_single_lanes(requests)
{
    return (32 * requests - here["shared_atomics"]) / 31
}

# Each thread has added up its own share before: atomics far fewer than characters, and
# every request asks for one word.
function is_sum_of_a_warp()
{
    return here["votes"] == 0 && here["shared_atomics"] < 0.9 * here["length"] &&
        here["shared_atomics"] > 8 * here["smsp__inst_executed_op_shared_atom.sum"] &&
        here["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"] == here["smsp__inst_executed_op_shared_atom.sum"] &&
        here["smsp__inst_executed_op_shared_atom.sum"] != here["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
}
