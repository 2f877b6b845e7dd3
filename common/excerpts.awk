# excerpts.awk - whether every excerpt of a lesson stands in the code, line for line.
#
#     awk -f excerpts.awk docs/05_name.md CODE-FILE...
#
# An excerpt is a fenced block marked c or cuda. A line of nothing but dots (...)
# parts it into pieces; all of them must stand in one file, in this order, each in
# consecutive lines. An excerpt may be indented less or more, as a whole. Prints a
# line for each one that stands nowhere, with its first piece; the status is then 1.

function indent_of(line)
{
    match(line, /^[ \t]*/)
    return line ~ /^[ \t]*$/ ? 1000 : RLENGTH
}

# The lines from..to of `lines`, without the indentation that they share.
function block(lines, from, to,    i, least, text)
{
    least = 1000
    for (i = from; i <= to; i++)
        if (indent_of(lines[i]) < least)
            least = indent_of(lines[i])
    text = ""
    for (i = from; i <= to; i++)
        text = text (lines[i] ~ /^[ \t]*$/ ? "" : substr(lines[i], least + 1)) "\n"
    return text
}

# The line after the first place at or after `start` where `piece` stands, or 0.
function find(file, start, piece, length_of_piece,    i)
{
    for (i = start; i + length_of_piece - 1 <= lines_of[file]; i++) {
        if (index(piece, stripped[file, i] "\n") == 0 && length_of_piece == 1)
            continue
        if (block_of_file(file, i, i + length_of_piece - 1) == piece)
            return i + length_of_piece
    }
    return 0
}

function block_of_file(file, from, to,    i, copy)
{
    for (i = from; i <= to; i++)
        copy[i] = code[file, i]
    return block(copy, from, to)
}

function stands_in(file,    p, next_line)
{
    next_line = 1
    for (p = 1; p <= pieces; p++) {
        next_line = find(file, next_line, piece_text[p], piece_lines[p])
        if (!next_line)
            return 0
    }
    return 1
}

function end_piece()
{
    if (excerpt_lines == 0)
        return
    pieces++
    piece_text[pieces] = block(excerpt, 1, excerpt_lines)
    piece_lines[pieces] = excerpt_lines
    excerpt_lines = 0
}

FNR == 1 {
    files++
    if (files > 1)
        name[files] = FILENAME
}

# The lesson comes first: remember its lines, since the code is not read yet.
files == 1 {
    lesson[FNR] = $0
    lesson_lines = FNR
    lesson_name = FILENAME
    next
}

{
    sub(/[ \t\r]+$/, "")
    code[files, FNR] = $0
    line = $0
    sub(/^[ \t]+/, "", line)
    stripped[files, FNR] = line
    lines_of[files] = FNR
}

END {
    for (n = 1; n <= lesson_lines; n++) {
        line = lesson[n]
        sub(/[ \t\r]+$/, "", line)
        if (!inside && line ~ /^[ ]*```[ ]*(c|cuda)$/) {
            inside = 1
            pieces = excerpt_lines = 0
            began = n + 1
        } else if (inside && line ~ /^[ ]*```$/) {
            end_piece()
            inside = found = 0
            for (file = 2; file <= files && !found; file++)
                found = stands_in(file)
            checked++
            if (!found) {
                printf "%s:%d: this excerpt stands nowhere in the code: %s\n", lesson_name, began,
                    lesson[began]
                failed = 1
            }
        } else if (inside && line ~ /^[ \t]*(\/\/ )?\.\.\.$/) {
            end_piece()
        } else if (inside) {
            excerpt[++excerpt_lines] = line
        }
    }
    if (inside) {
        printf "%s:%d: this excerpt has no end\n", lesson_name, began
        failed = 1
    }
    exit failed
}
