#!/bin/sh
# total.sh - adds up what test programs say last: "12 passed, 0 failed", or Criterion's Synthesis.
#
#   total.sh OUTPUT...
#   total.sh --table SECONDS --group NAME OUTPUT... --group NAME OUTPUT...
#
# Prints what the programs in which something failed have said, without what passed, and last the sum as "12
# passed, 0 failed". A program without that line has crashed and counts as one failure; its last words are
# printed. Status 1 when anything failed, or nothing passed.
#
# --table prints a row for each group, and for all, which were begun at this second of the clock; after it what was
# left out. How long a program
# took stands in the file seconds beside its output (tried.sh); what it left out it says in lines
# "left out: WHAT; COMMAND".
exec awk -v now="$(date +%s)" '
# Whether a line sums up a run: "1 passed, 0 failed", that of Criterion, error counts of the simulator.
function sums_up(line) { return line ~ /^[0-9]+ passed, [0-9]+ failed$|Synthesis: Tested: |^=* (ERROR SUMMARY|not shown)/ }
# What a program said before is far above, among the lines of others.
function repeat(file, crashed, last,  line) {
    if (!any_repeated++) print "What failed:"
    print file ":"
    while ((getline line < file) > 0)
        if (!sums_up(line)) print line
    close(file)
    if (crashed) print file ": ended without a result: " last
}
# Adds a program to a group, and repeats it where something failed.
function add(group, file,  line, last, words, any) {
    while ((getline line < file) > 0) {
        last = line
        if (line ~ /^left out: /) {
            left_out[group]++
            if (!index(all_left_out, "\n  " substr(line, 11) "\n")) all_left_out = all_left_out "  " substr(line, 11) "\n"
        }
        if (line ~ /^[0-9]+ passed, [0-9]+ failed$/) any = split(line, words, " ")
        if (line ~ /Synthesis: Tested: /) {
            any = split(line, words, /[:|]/)
            words[1] = words[5]; words[3] = words[7]
        }
    }
    close(file)
    passed[group] += words[1]
    failed[group] += any ? words[3] : 1
    if (!any || words[3] > 0) repeat(file, !any, last)
    sub(/[^\/]*$/, "seconds", file)
    while ((getline line < file) > 0) seconds[group] += line
    close(file)
}
function grouped(number,  digits, more) {
    for (digits = number ""; length(digits) > 3; digits = substr(digits, 1, length(digits) - 3))
        more = "," substr(digits, length(digits) - 2) more
    return digits more
}
function or_none(number) { return number ? grouped(number) : "-" }
function row(name, group) {
    return sprintf("%-34s %7s %8.1f %7s %9s\n", name, grouped(passed[group] + failed[group]), seconds[group],
        or_none(failed[group]), or_none(left_out[group]))
}
function put_sum(group) { printf "%d passed, %d failed\n", passed[group], failed[group] }
function put_table(begun,  i, group, rows) {
    for (i = 3; i < ARGC; i++)
        if (ARGV[i] == "--group") names[++group] = ARGV[++i]
        else add(group, ARGV[i])
    for (i = 1; i <= group; i++) {
        rows = rows row(names[i], i)
        passed["all"] += passed[i]; failed["all"] += failed[i]
        seconds["all"] += seconds[i]; left_out["all"] += left_out[i]
    }
    printf "%s%-34s %7s %8s %7s %9s\n%s%s", any_repeated ? "\n" : "", "", "tests", "seconds", "failed", "left out",
        rows, row("all", "all")
    printf "seconds: of the tests when they were last run, several at a time; now %d s in all\n", now - begun
}
BEGIN {
    all_left_out = "\n"
    if (ARGV[1] == "--table") put_table(ARGV[2])
    else for (i = 1; i < ARGC; i++) add("all", ARGV[i])
    if (all_left_out != "\n") printf "What was left out:%s", all_left_out
    put_sum("all")
    exit failed["all"] > 0 || passed["all"] + 0 == 0
}' "$@"
