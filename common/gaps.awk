# gaps.awk - the gaps of a stub that are still empty, one line each:
#   FILE:LINE: not done yet: TODO(5.1) what goes there
#
# A gap begins with a comment `// TODO(5.1): what goes there`, which may go on over
# more comment lines, and ends with `// end of TODO(5.1)`; in C also with /* */. It is empty when nothing
# but comments and blanks lie between. When every gap is empty all are printed and
# the status is 2; when some are, the first is printed and the status is 1; a gap
# without an end is an error, and the status 3. With -v bins=26 the gaps between the lines
# `#if BINS == 5` and #else or #endif are no gaps, and so on: they are not compiled.

function finish_gap()
{
    inside = 0
    if (is_left_out())
        return
    gaps++
    if (!filled)
        empty[++empties] = place ": not done yet: " name " " sentence
}

# Whether an #if for another number of bins is around this line.
function is_left_out(    i)
{
    for (i = 1; i <= depth; i++)
        if (for_bins[i] && (for_bins[i] == bins) == in_else[i])
            return 1
    return 0
}

# What is left of a line without comments; follows /* ... */ over lines.
function code_of(line,    code, at)
{
    code = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            if (!at)
                return code
            in_comment = 0
            line = substr(line, at + 2)
            continue
        }
        at = match(line, /\/\/|\/\*/)
        if (!at)
            return code line
        code = code substr(line, 1, at - 1)
        if (substr(line, at, 2) == "//")
            return code
        in_comment = 1
        line = substr(line, at + 2)
    }
    return code
}

!inside && /^ *# *if/ {
    for_bins[++depth] = bins && /^ *# *if +BINS *== *[0-9]+ *$/ ? $NF : ""
    in_else[depth] = 0
}
!inside && /^ *# *else/ { in_else[depth] = 1 }
!inside && /^ *# *endif/ { depth-- }

/^[ \t]*(\/\/|\/\*) end of TODO\([0-9]+\.[0-9]+\)/ {
    if (!inside || index($0, " end of " name) == 0) {
        printf "%s:%d: this end belongs to no gap\n", FILENAME, FNR
        broken = 1
        exit 3
    }
    finish_gap()
    next
}

/^[ \t]*(\/\/|\/\*) TODO\([0-9]+\.[0-9]+\):/ {
    if (inside) {
        printf "%s: %s has no end\n", place, name
        broken = 1
        exit 3
    }
    inside = in_sentence = 1
    filled = 0
    place = FILENAME ":" FNR
    name = $2
    sub(/:$/, "", name)
    sentence = $0
    sub(/^[^:]*:[ \t]*/, "", sentence)
    in_comment = $1 == "/*" && sentence !~ /\*\//
    sub(/[ \t]*\*\/.*/, "", sentence)
    next
}

# The sentence goes on while lines are nothing but comment.
inside && in_sentence && (in_comment || $1 ~ /^\/\//) {
    more = $0
    if (in_comment && more ~ /\*\//)
        in_comment = 0
    sub(/^[ \t]*(\/\/|\*)?[ \t]*/, "", more)
    sub(/[ \t]*\*\/.*/, "", more)
    sub(/^\//, "", more)
    if (more == "")
        in_sentence = 0
    else
        sentence = sentence " " more
    next
}

inside {
    in_sentence = 0
    if (code_of($0) ~ /[^ \t\r]/)
        filled = 1
}

END {
    if (broken)
        exit 3
    if (inside) {
        printf "%s: %s has no end\n", place, name
        exit 3
    }
    if (!empties)
        exit 0
    if (empties < gaps) {
        print empty[1]
        exit 1
    }
    for (i = 1; i <= empties; i++)
        print empty[i]
    exit 2
}
