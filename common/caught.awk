# caught.awk - by what a suite caught a planted mistake, and at which line.
#
#   awk -f caught.awk PATCH SOURCE OUTPUT
#
# PATCH   its head says "Caught by: racecheck", or "racecheck, perhaps initcheck" when another
#         check has reason to speak up as well, and in lines "At: shared_bins[bin] = 0" which
#         lines of the source the reports must name, each by a part of its text; without such
#         lines one that the patch adds
# SOURCE  what the patch made, and OUTPUT what its suite printed
#
# Prints "racecheck at line 25", or the word "but" and what is wrong. What a check of the
# simulator reports is caught by that check, whatever assertion fails after it; else it is
# "bins", "counter", "memory", "far end" or "refusal", after the assertion that failed.

FNR == 1 { file++ }

# The patch: its head, and the lines that it adds, by their numbers in the source.
file == 1 && /^Caught by: / && !hunks {
    allowed = wanted = substr($0, 12)
    sub(/, perhaps .*/, "", wanted)
}
file == 1 && /^At: / && !hunks { place[++places] = substr($0, 5) }
file == 1 && /^@@ / { hunks++; split($3, from, /[+,]/); line = from[2] - 1 }
file == 1 && hunks && /^[ +]/ { line++ }
file == 1 && hunks && /^\+/ { is_added[line] = 1 }

file == 2 { source[FNR] = $0 }
file == 2 && FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }

# The output: reports, with the lines of the source that they name, and assertions.
function found(check) { if (!(check in by)) { by[check] = 1; order[++checks] = check } }
file == 3 && /^========= / { in_report = 0 }
file == 3 && /^========= Error: Race reported/ { found("racecheck"); in_report = 1 }
file == 3 && /^========= (Invalid __|Misaligned|Host code)/ { found("memcheck"); in_report = 1 }
file == 3 && /^========= Uninitialized/ { found("initcheck"); in_report = 1 }
file == 3 && /^========= (Barrier error|Invalid arguments)/ { found("synccheck"); in_report = 1 }
file == 3 && /^========= (Deadlock|Livelock|Endless)/ { found("progress"); in_report = 1 }
file == 3 && /^=========     / { in_report = 1 }
file == 3 && in_report && !/allocation made/ {
    rest = $0
    while (i = index(rest, "/" name ":")) {
        rest = substr(rest, i + length(name) + 2)
        named[rest + 0] = 1
    }
}
file == 3 && /^  wrong on .* of [0-9]+ bins$|must add to the bins, not set them/ {
    assertion = assertion ? assertion : "bins"
}
file == 3 && /^likeliest cause: a kernel was launched on 4,294,967,296/ { assertion = "refusal" }
file == 3 && /^  .* bytes of memory are gone after/ { assertion = "memory" }
file == 3 && /^  (of|stopped on) 4,294,967,295 characters|2,147,483,653 characters are not counted/ {
    assertion = "far end"
}
file == 3 && /^  .*; .* = [0-9,]+$/ { assertion = assertion ? assertion : "counter" }

# What caught it, and whether all that was found is allowed.
function result_of(    i, text) {
    if (checks == 0 || assertion == "refusal")
        return assertion ? assertion : "nothing that is known"
    for (i = 1; i <= checks; i++)
        if (!index(allowed, order[i]))
            return order[i]
    return wanted in by ? wanted : order[1]
}

# Whether a report names a line that holds this text.
function is_named(text,    i) {
    for (i in named)
        if (index(source[i], text)) {
            at = at (at ? ", " : " at line ") i
            return 1
        }
    return 0
}

END {
    result = result_of()
    if (wanted == "") {
        print "but the patch does not say by what"
    } else if (result != wanted) {
        print "but caught by " result ", not by " wanted
    } else if (checks == 0 || assertion == "refusal") {
        print result
    } else {
        for (i = 1; i <= places; i++)
            if (!is_named(place[i])) {
                print "but no report names the line " place[i]
                exit
            }
        for (i in named)
            if (!places && is_added[i])
                at = at (at ? ", " : " at line ") i
        print at ? result at : "but no report names a line that the patch adds"
    }
}
