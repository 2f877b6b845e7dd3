/* command_line.c - what is said of a command line: which settings are used, and their values.
 *
 * The program runs in a folder with a chapter for each contract: 5 counts a text, 21 reduces by key,
 * 41 and 47 reduce an array, 60 counts a text on several devices. */
#include "in_folder.h"

static void begin(void)
{
    make_folder();
    run("mkdir -p tests solutions/1_x && touch solutions/1_x/histogram.c && "
        "for c in 05_private/histogram 21_swap/reduce_by_index 41_shuffle/reduce 47_same/reduce "
        "60_many/many 61_nodes/many; do "
        "mkdir -p chapters/${c%%/*}; touch chapters/$c.cu tests/${c%%/*}.c; done; touch "
        "tests/1_x.c; "
        "echo ' * Operations: count argmax float_sum' >tests/21_swap.c; "
        "echo ' * Operations: sum max float_sum dot' >tests/41_shuffle.c; "
        "echo ' * Operations: float_sum' >tests/47_same.c; "
        "r='%s'/common; mkdir common && cp -r \"$r\"/contract common; ${CC:-gcc} -I\"$r\"/course "
        "\"$r\"/driver/*.c \"$r\"/course/chapter.c "
        "\"$r\"/course/util.c -o door",
        root);
    cr_assert(status == 0, "%s", text);
}

/* What it says of these goals, with these settings, without those that are empty. */
static void look(const char *goals, const char *bins, const char *part, const char *operation,
                 const char *keys)
{
    run("set --; for v in 'BINS=%s' 'PART=%s' 'OPERATION=%s' 'KEYS=%s'; do "
        "[ -z \"${v#*=}\" ] || set -- \"$@\" \"$v\"; done; ./door '%s' \"$@\"",
        bins, part, operation, keys, goals);
}

TestSuite(command_line, .init = begin, .fini = remove_folder);

Test(command_line, lets_in_what_a_part_or_a_chapter_has)
{
    static const char *const fine[][5] = {
        {"", "", "3", "", ""},
        {"", "", "3", "max", ""},
        {"", "505", "2", "argmax", "zipf"},
        {"", "26", "", "", ""},
        {"gpu bench", "", "3", "", ""},
        {"chapter41 test", "", "", "", ""},
        {"chapter41 run", "", "", "dot", ""},
        {"chapter047 test", "", "", "float_sum", ""},
        {"chapter41 replay", "", "", "sum", ""},
        {"chapter5 chapter41 test", "26", "", "", ""},
        {"chapter21 chapter41 run", "505", "", "", "zipf"},
        {"", "26", "4", "", ""},
        {"chapter60 run", "256", "", "", ""},
        {"gpu bench", "", "4", "", ""},
        {"count", "64", "", "", ""},
        {"gpu count", "", "", "", ""},
        {"chapter61 count", "26", "", "", ""},
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        look(fine[i][0], fine[i][1], fine[i][2], fine[i][3], fine[i][4]);
        cr_expect(status == 0 && text[0] == '\0', "%s: %s", fine[i][0], text);
    }
}

Test(command_line, refuses_in_one_line_what_they_have_not)
{
    static const char *const refused[][6] = {
        {"", "", "5", "", "", "PART=5: choose 1, 2, 3 or 4"},
        {"chapter41 test", "", "3", "", "",
         "PART: make chapter41 test does not use it; it is for commands without a chapter"},
        {"", "", "3", "count", "", "OPERATION=count: choose sum, max, float_sum or dot"},
        {"", "", "2", "max", "", "OPERATION=max: choose count, saturate, float_sum, wide_sum, "},
        {"", "", "3", "su", "", "OPERATION=su: choose sum, "},
        {"", "", "3", "sum max", "", "OPERATION=sum max: choose sum, "},
        {"", "", "", "max", "",
         "OPERATION: make does not use it; it is for chapters whose kernel reduces by key or "},
        {"chapter5 test", "", "", "sum", "",
         "OPERATION: make chapter5 test does not use it; it is for "},
        {"chapter21 chapter41 test", "", "", "argmax", "", "OPERATION=argmax: choose sum, max, "},
        {"chapter21 test", "", "", "minmax", "",
         "OPERATION=minmax: chapter21 takes count, argmax or float_sum"},
        {"chapter41 chapter47 test", "", "", "dot", "", "OPERATION=dot: chapter47 takes float_sum"},
        {"", "", "3", "", "zipf",
         "KEYS: make does not use it; it is for chapters whose kernel reduces by key"},
        {"chapter41 run", "", "", "", "single",
         "KEYS: make chapter41 run does not use it; it is for "},
        {"chapter21 run", "", "", "", "often", "KEYS=often: choose uniform, single, "},
        {"", "5", "3", "", "",
         "BINS: make does not use it; it is for chapters whose kernel counts a text or "},
        {"chapter41 test", "26", "", "", "",
         "BINS: make chapter41 test does not use it; it is for chapters whose kernel "},
        {"chapter21 test", "0", "", "", "", "BINS=0: choose a whole number from 1 to 2147483647"},
        {"chapter5 chapter41 test", "7", "", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"chapter5 test", "5 26", "", "", "", "BINS=5 26: choose 5, 26, 64 or 256"},
        {"chapter60 replay", "", "", "", "", "replay: shows a race of two threads, and those of "},
        {"chapter60 replay", "", "", "", "", "between copies and kernels: make chapter60 test "},
        {"chapter60 test", "49145", "", "", "", "BINS=49145: choose 5, 26, 64 or 256"},
        {"", "7", "4", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"count", "7", "", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"chapter60 test", "", "", "sum", "", "OPERATION: make chapter60 test does not use it"},
        {"", "", "4", "sum", "", "OPERATION: make does not use it; it is for chapters "},
        {"chapter60 run", "", "", "", "zipf", "KEYS: make chapter60 run does not use it"},
        {"chapter60 test", "", "4", "", "",
         "PART: make chapter60 test does not use it; it is for commands without"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        look(refused[i][0], refused[i][1], refused[i][2], refused[i][3], refused[i][4]);
        says(0, refused[i][5]);
        cr_expect(strchr(text, '\n') == NULL, "%s", text);
    }
}

/* Of each setting, with a value that is one: the kinds of chapters and the goals that use it; the same
 * without a chapter. Every other pair of goal and kind is refused. */
static const struct {
    const char *typed, *chapters, *goals, *course;
} uses[] = {
    {"BINS=26", "5 21 60",
     "run profile replay debug trace test hint break score grade gradescope bench count",
     "run profile trace hint break score next progress watch count"},
    {"OPERATION=float_sum", "21 41", "run profile replay debug trace test grade gradescope",
     "trace"},
    {"KEYS=zipf", "21", "run profile replay debug trace", "trace"},
    {"INPUT=x", "5 60", "run profile replay debug trace bench", "run profile trace"},
    {"TEXT=zipf", "5 60", "run profile replay debug trace bench", "run profile trace"},
    {"SIZE=64K", "5 21 41 60", "run profile replay debug trace bench", "run profile trace"},
    {"TEXT_SEED=7", "5 21 41 60", "run profile replay debug trace bench", "run profile trace"},
    {"SEED=7", "5 21 41 60", "run profile replay debug trace test break grade gradescope",
     "run profile trace test break watch check selfcheck"},
    {"DRAW=7", "5 21 41 60", "test grade gradescope", "test watch check"},
    {"FORMAT=ncu-csv", "5 21 41 60", "profile", "profile"},
    {"SUBMISSIONS=x", "5 21 41 60", "grade", ""},
    {"REPORT=x", "5 21 41 60", "grade", ""},
    {"EXTRA=x", "5", "grade gradescope", ""},
    {"POINTS=x", "5 21 41 60", "grade gradescope", ""},
    {"ANSWERS=1", "", "", "handout"},
    {"TO=x", "", "", "handout"},
    {"COURSE=x", "", "", "update"},
    {"PART=1", "", "", "run profile"},
    {"SIM_DEVICES=3", "60", "run profile trace", "trace"},
    {"ARCH=sm_90", "5 21 41 60", "micro sanitize fidelity", "experiments micro sanitize fidelity"},
};
static const char of_chapters[] = "run profile replay debug trace test hint predict break score "
                                  "reset bench count grade gradescope";
static const char of_course[] =
    "run profile trace test hint predict break score next progress watch editor update handout "
    "book "
    "bench count check selfcheck pictures prediction slides experiments arm64";

static bool has_word(const char *list, const char *word)
{
    char padded[512], wanted[64];
    snprintf(padded, sizeof padded, " %s ", list);
    snprintf(wanted, sizeof wanted, " %s ", word);
    return strstr(padded, wanted);
}

/* Looks at each goal of a list, with a setting: `used` are those that use it. */
static void walk(const char *chapter, const char *goals, const char *typed, const char *used)
{
    const size_t name = strcspn(typed, "=");
    char list[512], unused[80];
    snprintf(list, sizeof list, "%s", goals);
    snprintf(unused, sizeof unused, "%.*s: make ", (int)name, typed);
    for (const char *goal = strtok(list, " "); goal; goal = strtok(NULL, " ")) {
        run("./door '%s%s' '%s' | sed 's/^replay: shows a race of two threads, .*//'", chapter,
            goal, typed);
        const bool refused = strncmp(text, unused, strlen(unused)) == 0;
        cr_expect(refused != has_word(used, goal) && (refused || !*text), "make %s%s %s: %s",
                  chapter, goal, typed, text);
    }
}

Test(command_line, walks_through_all_settings_and_goals)
{
    static const char *const chapters[] = {"5", "21", "41", "60"};
    run("mkdir -p common/proofs");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        for (size_t k = 0; k < sizeof chapters / sizeof *chapters; k++) {
            char chapter[32];
            snprintf(chapter, sizeof chapter, "chapter%s ", chapters[k]);
            walk(chapter, of_chapters, uses[i].typed,
                 has_word(uses[i].chapters, chapters[k]) ? uses[i].goals : "");
        }
        walk("", of_course, uses[i].typed, uses[i].course);
    }
}

Test(command_line, refuses_values_that_are_none)
{
    static const char *const refused[][3] = {
        {"chapter5 run", "SIZE=12x", "SIZE=12x is not a length"},
        {"chapter5 run", "SIZE=1T", "SIZE=1T is not a length"},
        {"chapter5 run", "SIZE=-1", "SIZE=-1 is not a length"},
        {"chapter5 run", "SIZE=4G", "SIZE=4G is not a length"},
        {"chapter5 run", "TEXT=latin", "TEXT=latin: choose english, uniform, "},
        {"chapter41 run", "TEXT_SEED=x", "TEXT_SEED=x is not a whole number"},
        {"chapter5 test", "SEED=18446744073709551616", "SEED=18446744073709551616 is not a whole"},
        {"chapter5 test", "DRAW=x", "DRAW=x is not a whole number"},
        {"chapter5 profile", "FORMAT=xyz", "FORMAT=xyz: choose ncu-csv"},
        {"chapter60 run", "SIM_DEVICES=0", "SIM_DEVICES=0 is not from 1 to 8"},
        {"chapter60 run", "SIM_DEVICES=999", "SIM_DEVICES=999 is not from 1 to 8"},
        {"", "PART=9", "PART=9: choose 1, 2, 3 or 4"},
        {"chapter5 run", "INPUT=a$b", "INPUT=a$b: make takes $ for"},
        {"chapter5 grade", "SUBMISSIONS=a$b", "SUBMISSIONS=a$b: make takes $ for"},
        {"chapter5 test", "CHAPTERS=my chapters", "make cannot use a folder with blanks"},
        {"chapter5 test", "CHAPTERS=a%b", "make cannot use a folder with \"%\""},
        {"chapter5 test", "CHAPTERS=a#b", "make cannot use a folder with \"#\""},
        {"chapter5 test", "CHAPTERS=a:b", "make cannot use a folder with \":\""},
        {"chapter21 run", "BINS=2147483647", "BINS=2147483647: needs 96.0 GiB of memory or more"},
        {"chapter41 run", "SIZE=4194303K", "SIZE=4194303K: needs 176.0 GiB of memory or more"},
        {"", "SIZE=3G", "SIZE=3G: needs 915.0 GiB of memory or more"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("./door '%s' '%s'", refused[i][0], refused[i][1]);
        says(0, refused[i][2]);
        cr_expect(strchr(text, '\n') == NULL, "%s", text);
        run("env '%s' ./door '%s'", refused[i][1], refused[i][0]);
        says(0, refused[i][2]);
    }
}
