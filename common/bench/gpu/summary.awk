# summary.awk - of many kinds of text, the worst one for each implementation.
#
#     awk -f common/gpu/summary.awk docs/results/h200/bench-kinds-*.csv
#
# Reads rows of `make gpu bench`, perhaps with a first column "series", and prints, for
# each implementation, number of bins and length: the slowest kind of text; how much of the
# read roofline it reaches, and how many times as fast as CUB it is, each on the kind where
# that is worst; and the slowest time over the fastest. Roofline and CUB are those of the same run and the same kind.
BEGIN { FS = OFS = "," }

FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

{
    run = $(column["bins"]) OFS $(column["length"])
    if ("series" in column)
        run = $(column["series"]) OFS run
    name = $(column["implementation"])
    kind = $(column["input"])
    time = $(column["median_ms"])
    if (time <= 0) # left out
        next
    if (name == "read only")
        roofline[run, kind] = time
    else if (name ~ /^cub/)
        cub[run, kind] = time
    else if (name !~ /^(empty|thrust)/) {
        key = run OFS name
        if (!(key in kinds))
            order[++keys] = key
        run_of[key] = run
        kinds[key] = kinds[key] " " kind
        time_of[key, kind] = time
    }
}

function summarize(key,    list, count, i, time, run, part, times)
{
    count = split(kinds[key], list, " ")
    run = run_of[key]
    slowest = percent = ratio = ""
    for (i = 1; i <= count; i++) {
        time = time_of[key, list[i]]
        part = 100 * roofline[run, list[i]] / time
        times = cub[run, list[i]] / time
        if (slowest == "" || time > slowest) {
            slowest = time
            worst = list[i]
        }
        if (i == 1 || time < fastest)
            fastest = time
        if (percent == "" || part < percent)
            percent = part
        if (ratio == "" || times < ratio)
            ratio = times
    }
    printf "%s,%s,%.5f,%.1f,%.2f,%.3f\n", key, worst, slowest, percent, ratio, slowest / fastest
}

END {
    print ("series" in column ? "series," : "") "bins,length,implementation,worst_kind,worst_ms,percent_of_roofline,times_cub,slowest_over_fastest"
    for (k = 1; k <= keys; k++)
        summarize(order[k])
}
