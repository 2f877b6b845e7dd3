#!/bin/sh
# as_card.sh - whether the simulated GPU counts a chapter's kernel as the card did.
#
#   as_card.sh COUNTERS.csv ALLOWANCES.csv ROW.csv...
#
# A ROW.csv is what row.c writes, of the text that COUNTERS.csv, the card's, is about. Every counter that both have
# must be equal, but for those in ALLOWANCES.csv, which says for each how much more the card counts, and why: there
# the difference must be just that. Prints a line for each counter that is not as it must be, and at last "12
# passed, 0 failed", by rows; status 1 when one failed, or none was compared.
exec awk '
# Reads a table of one file: columns[file, i], cells[file, row, column]. Returns how many rows it has, -1 for none.
function read(file,  line, fields, count, i, rows) {
    rows = -1
    while ((getline line < file) > 0) {
        sub(/\r$/, "", line)
        count = split(line, fields, ",")
        if (rows < 0) widths[file] = count
        else if (count != widths[file]) continue
        rows++
        for (i = 1; i <= count; i++)
            if (rows == 0) columns[file, i] = fields[i]
            else cells[file, rows, columns[file, i]] = fields[i]
    }
    close(file)
    return rows
}
# Of an allowance, or of one that is wrong; so that each is found by a kernel, its bins and a counter.
function take_allowances(rows,  i, key) {
    for (i = 1; i <= rows; i++) {
        key = cells[allowing, i, "kernel"] SUBSEP cells[allowing, i, "case"] SUBSEP cells[allowing, i, "counter"]
        if (cells[allowing, i, "file"] == base) { order[++allowances] = key; more[key] = cells[allowing, i, "more"] }
    }
}
# An allowance that is zero, or for what the card has not counted, hides a mistake in its words.
function refuse_useless(  i, j, counted, key) {
    for (i = 1; i <= allowances; i++) {
        split(order[i], key, SUBSEP)
        counted = 0
        for (j = 1; j <= counters; j++)
            counted += cells[card, j, "name"] == key[1] && cells[card, j, "bins"] == key[2] && (card, j, key[3]) in cells
        if (counted && more[order[i]] != 0) continue
        printf "%s, %s bins: an allowance of %.0f for %s, which allows nothing\n", key[1], key[2], more[order[i]], key[3]
        failed++
    }
}
# Returns how many counters of a row differ by another number than is allowed; prints them.
function compare(file, at,  i, counter, allowed, wrong, of) {
    of = cells[file, 1, "name"] SUBSEP cells[file, 1, "bins"]
    for (i = 1; i <= widths[file]; i++) {
        counter = columns[file, i]
        allowed = more[of, counter] + 0
        if (!index(counter, ".sum") || !((card, at, counter) in cells) ||
            cells[card, at, counter] - cells[file, 1, counter] == allowed) continue
        printf "chapter %s, %s bins: %s: %s on the H200, %s simulated, which may be %.0f apart\n",
            cells[file, 1, "chapter"], cells[file, 1, "bins"], counter, cells[card, at, counter],
            cells[file, 1, counter], allowed
        wrong++
    }
    return wrong
}
function compare_file(file,  at) {
    if (read(file) < 1) { print file ": there is no row in it"; failed++; return }
    for (at = 1; at <= counters; at++)
        if (cells[card, at, "chapter"] == cells[file, 1, "chapter"] && cells[card, at, "bins"] == cells[file, 1, "bins"]) {
            if (compare(file, at)) failed++
            else passed++
            return
        }
}
BEGIN {
    card = base = ARGV[1]; sub(/.*\//, "", base)
    allowing = ARGV[2]
    if ((counters = read(card)) < 0 || (rows = read(allowing)) < 0) {
        print (counters < 0 ? card : allowing) ": cannot be read" >"/dev/stderr"
        exit 2
    }
    take_allowances(rows)
    refuse_useless()
    for (i = 3; i < ARGC; i++) compare_file(ARGV[i])
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed + 0 == 0
}' "$@"
