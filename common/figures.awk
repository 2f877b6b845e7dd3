# figures.awk - whether the numbers that a lesson quotes stand in the file that it names.
#
#     awk -f figures.awk docs/05_name.md
#
# After a line `<!-- from docs/results/FILE.csv -->` every number up to the next blank
# line must be one of that file, rounded as the lesson likes: 5.6 for 5.5939. Several
# files may be named. Not numbers of that kind: what is glued to letters (H200, 32-byte),
# what stands in backquotes, and the numbers of chapters ("chapter 5"). "64 MiB" may stand
# there as 67108864. Prints a line for each number that stands nowhere; the status is then 1.

# Adds the numbers of a file to `known`.
function learn(file,    line, count, fields, i, got)
{
    while ((got = (getline line < file)) > 0) {
        count = split(line, fields, /[^0-9.]+/)
        for (i = 1; i <= count; i++)
            if (fields[i] ~ /^[0-9]+(\.[0-9]+)?$/)
                known[fields[i]] = 1
    }
    close(file)
    if (got < 0) {
        printf "%s:%d: %s cannot be read\n", FILENAME, FNR, file
        failed = 1
    }
}

function is_known(number,    digits, n)
{
    if (number in known)
        return 1
    digits = index(number, ".") ? length(number) - index(number, ".") : 0
    for (n in known)
        if (sprintf("%." digits "f", n + 0) == number)
            return 1
    return 0
}

# "64 MiB" stands for 67108864.
function bytes_of(number, unit)
{
    return sprintf("%d", number * 1024 ^ index("KMG", substr(unit, 2, 1)))
}

function check(line,    rest, number, before, after)
{
    gsub(/`[^`]*`/, " ", line)
    gsub(/\]\([^)]*\)/, "] ", line)
    gsub(/[Cc]hapters? [0-9]+((, | and | to )[0-9]+)*/, " ", line)
    rest = line
    while (match(rest, /[0-9]+(,[0-9][0-9][0-9])*(\.[0-9]+)?/)) {
        before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : " "
        number = substr(rest, RSTART, RLENGTH)
        after = substr(rest, RSTART + RLENGTH, 2)
        rest = substr(rest, RSTART + RLENGTH)
        if (before ~ /[A-Za-z_.]/ || after ~ /^([A-Za-z_]|-[A-Za-z])/)
            continue
        gsub(/,/, "", number)
        if (after ~ /^ [KMG]/ && rest ~ /^ [KMG]iB/ && is_known(bytes_of(number, after)))
            continue
        if (!is_known(number)) {
            printf "%s:%d: %s is not a number of the file that is named above it\n", FILENAME,
                FNR, number
            failed = 1
        }
    }
}

/<!-- from [^ ]+.* -->/ {
    line = $0
    sub(/.*<!-- from /, "", line)
    sub(/ -->.*/, "", line)
    split("", known)
    count = split(line, files, /[ ,]+/)
    for (i = 1; i <= count; i++)
        learn(files[i])
    active = 1
    begun = 0
    next
}

active && /^[ \t]*$/ {
    if (begun)
        active = 0
    next
}

active {
    begun = 1
    check($0)
}

END {
    exit failed
}
