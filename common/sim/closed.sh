# closed.sh - of simcc --closed: refuses a kernel that reads files which are none of its own.
#
# It may include what lies in its own folder, in folders given with -I and the like, the compiler's
# headers and the simulator's; nothing else, by whatever way it is named. The preprocessor itself
# lists what it opens (-H), so that it does not matter how that is spelled. What is read later is
# read by the assembler, whose text is looked through for it.

# Ends with one line about FILE, at the first line of it that holds WORD.
refuse_reading() {
    local file=$1 word=$2 line
    line=$(grep -nFm1 -e "$word" "$file" | cut -d: -f1)
    echo "$file:${line:+$line:} error: $3" >&2
    exit 1
}

# The folders from which FILE may include, one a line, without links in their names: its own, that of its
# chapter where it is an exercise, the course's, and those of the compiler, which simcc has asked.
open_folders() {
    local folder=. more=()
    [[ $1 != */* ]] || folder=${1%/*}/
    folder=$(realpath -m -- "$folder")
    [[ ${folder##*/} != further ]] || more=("$folder/..")
    realpath -m -- "$folder" "$sim/include" "$sim/include/extras" "$build/left_out" "${more[@]}" "${given_folders[@]}"
    cat "$compilers_folders"
}

# Of the files that LISTED names, after dots, those that FILE may not include, one a line.
not_open() {
    local file=$1 path folder inside folders=() spelled=() paths=() i
    while IFS= read -r path; do
        case $path in
        */../*) ;;
        /usr/include/* | /usr/lib/linux/* | /usr/lib/gcc/* | /usr/lib/llvm-*/lib/clang/* | "$sim"/* | "$headers") continue ;;
        esac
        spelled+=("$path")
    done < <(sed -n 's/^\.\.* //p' "$2" | sort -u)
    ((${#spelled[@]})) || return 0
    mapfile -d '' -t paths < <(realpath -zm -- "${spelled[@]}")
    mapfile -t folders < <(open_folders "$file")
    for i in "${!spelled[@]}"; do
        path=${paths[i]-}
        case $path in /usr/include/* | /usr/lib/linux/* | /usr/lib/gcc/* | /usr/lib/llvm-*/lib/clang/*) continue ;; esac
        inside=
        for folder in "${folders[@]}"; do [[ $path != "$folder"/* ]] || inside=yes; done
        [[ $inside ]] || echo "${spelled[i]}"
        [[ $path != "${folders[0]}"/* ]] || check_questions "$path"
    done
}

# After the preprocessor has said LOG of FILE: ends when it has opened what is not open; otherwise
# leaves in SAID what is for the reader.
check_opened() {
    local file=$1 log=$2 path
    path=$(not_open "$file" "$log") || exit 1
    path=${path%%$'\n'*}
    [[ ! $path ]] || refuse_reading "$file" "${path##*/}" \
        "${path##*/} lies outside this kernel's folder: include only files of it, the course's headers and the system's"
    sed -i -e '/^\(\.\.*\|[!x]\) /d' -e '/^Multiple include guards may be useful for:$/,$d' "$log"
}

pastes= begins= # whether one of the kernel's files has ##, and the beginning of __has_include as a word

# What asks for files without opening them, or not as an include, in a file of the kernel's.
check_questions() {
    local file=$1 text embed='(#|%:|\?\?=)([[:space:]]|/\*([^*]|\*+[^*/])*\*+/)*embed' dependency='\<GCC[[:space:]]+dependency\>'
    local has='__has_(include|embed)' paste='##|%:%:' begin='\<(__?|__ha?|__has_?|__has_(i|in|inc|incl|inclu|includ|e|em|emb|embe))\>'
    text=$(sed -e ':all' -e '/\(\\\|??\/\)[[:space:]]*$/{ N; s/\(\\\|??\/\)[[:space:]]*\n//; b all; }' "$file" | tr '\n' ' ')
    # By patterns of bash it would take seconds. Nearly all files have none of these.
    grep -qE "$has|$embed|$dependency|$paste|$begin" <<<"$text" || return 0
    if grep -qE "$has" <<<"$text"; then
        refuse_reading "$file" __has_ "__has_include asks for files: leave it out"
    fi
    if grep -qE "$embed" <<<"$text"; then
        refuse_reading "$file" embed "#embed reads a file: leave it out"
    fi
    if grep -qE "$dependency" <<<"$text"; then
        refuse_reading "$file" dependency "#pragma GCC dependency asks for files: leave it out"
    fi
    # By ## names are put together, perhaps in another of the kernel's files than that with their parts.
    ! grep -qE "$paste" <<<"$text" || pastes=yes
    ! grep -qE "$begin" <<<"$text" || begins=yes
    if [[ $pastes && $begins ]]; then
        refuse_reading "$file" '##' "__has_include, put together by ##, asks for files: leave it out"
    fi
}

# The assembler's directives that read files, or that could put together the name of one that does.
# A line that is nothing but a string holds none.
check_assembly() {
    local file=$1 word
    word=$(LC_ALL=C grep -vaE '^[[:space:]]*\.(string|ascii|asciz)[[:space:]]+"([^"\\]|\\.)*"[[:space:]]*$' "$2" |
        LC_ALL=C grep -aoiE '(^|[^[:alnum:]_.$])\.(incbin|include|macro|irpc?|rept|altmacro)([^[:alnum:]_.$]|$)' |
        grep -oE '[[:alpha:]]+' | head -n 1)
    [[ ! $word ]] || refuse_reading "$file" "$word" ".$word in assembly reads files, or may: leave it out"
}

# Assembles TEXT, which FILE was compiled to, to OBJECT.
assemble_checked() {
    local listing=
    check_assembly "$1" "$2"
    run "${cxx[@]}" -Wa,--no-warn -c "$2" -o "$3"
}

for i in "${!files[@]}"; do
    case ${languages[i]:-${files[i]##*.}} in o | a | so) ;; *) check_questions "${files[i]}" ;; esac
done
