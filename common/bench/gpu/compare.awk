# compare.awk - lays counters of the hardware and of the simulator side by side.
#
# awk -f compare.awk HARDWARE.csv AGAIN.csv SIMULATED.csv
# AGAIN is the hardware once more: what differs between the two runs is noise. Prints
# every number that is neither of the two, and a line of totals.
BEGIN { FS = "," }
FNR == 1 { file++; for (i = 1; i <= NF; i++) name[i] = $i; next }
file == 1 { for (i = 2; i <= NF; i++) first[FNR, i] = $i; next }
file == 2 { for (i = 2; i <= NF; i++) second[FNR, i] = $i; next }
{
    for (i = 2; i <= NF; i++) {
        compared++
        if ($i == first[FNR, i] || $i == second[FNR, i])
            continue
        different++
        hardware = first[FNR, i]
        printf "%-28s %-62s %10d hardware %10d simulated %+7.2f%%\n", $1, name[i], hardware, $i,
            hardware ? 100 * ($i - hardware) / hardware : 100
    }
}
END { printf "%d numbers compared, %d equal, %d differ\n", compared, compared - different, different }
