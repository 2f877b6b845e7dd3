# ncu-table.awk - from ncu --csv to one row a launch, as SIM_PROFILE writes it.
#
# awk -f ncu-table.awk -v columns="$(head -n 1 SIM_PROFILE.csv)" NCU.csv
# ncu prints a line for each metric of a launch: every field in quotes, numbers
# with thousands separators, the grid and the block like "(64, 1, 1)".
BEGIN {
    FS = "\",\""
    count = split(columns, column, ",")
    print columns
}
/^"[0-9]/ {
    sub(/^"/, "")
    sub(/"$/, "")
    if ($1 != launch)
        print_launch()
    launch = $1
    kernel = $5
    sub(/\(.*/, "", kernel)
    sub(/<.*/, "", kernel)
    sub(/^void /, "", kernel)
    block = shape($8)
    grid = shape($9)
    gsub(/,/, "", $NF)
    value[$(NF - 2)] = $NF
}
END { print_launch() }

function shape(text)
{
    gsub(/[() ]/, "", text)
    return text
}

function print_launch(    i)
{
    if (launch == "")
        return
    printf "%s,%s,%s", kernel, grid, block
    for (i = 8; i <= count; i++)
        printf ",%s", value[column[i]]
    printf "\n"
    split("", value)
}
