/* front_door.c - what is said of a command line about parts, operations, keys and bins.
 *
 * The program runs in a folder with a chapter for each contract: 5 counts a text, 21 reduces by key,
 * 41 and 47 reduce an array, 60 counts a text on several devices. */
#include "in_folder.h"

static void begin(void)
{
    make_folder();
    run("mkdir -p tests solutions/1_x && touch solutions/1_x/histogram.c && "
        "for c in 05_private/histogram 21_swap/reduce_by_index 41_shuffle/reduce 47_same/reduce "
        "60_many/many; do "
        "mkdir -p chapters/${c%%/*}; touch chapters/$c.cu; done; "
        "echo ' * Operations: count argmax' >tests/21_swap.c; "
        "echo ' * Operations: sum max float_sum dot' >tests/41_shuffle.c; "
        "echo ' * Operations: float_sum' >tests/47_same.c; "
        "${CC:-gcc} %s/common/tools/front/*.c -o door",
        root);
    cr_assert(status == 0, "%s", text);
}

/* What it says of these goals, with these settings; BINS is what was typed. */
static void look(const char *goals, const char *bins, const char *part, const char *operation,
                 const char *keys)
{
    run("./door '%s' '' 'BINS' '%s' '%s' 1 '%s' '%s' '%s'", goals, *bins ? bins : "5", bins, part,
        operation, keys);
}

TestSuite(front_door, .init = begin, .fini = remove_folder);

Test(front_door, lets_in_what_a_part_or_a_chapter_has)
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

Test(front_door, refuses_in_one_line_what_they_have_not)
{
    static const char *const refused[][6] = {
        {"", "", "5", "", "", "PART=5: choose 1, 2, 3 or 4"},
        {"chapter41 test", "", "3", "", "", "PART=3: is for make and make gpu bench: leave it out"},
        {"", "", "3", "count", "", "OPERATION=count: choose sum, max, float_sum or dot"},
        {"", "", "2", "max", "", "OPERATION=max: choose count, saturate, float_sum, wide_sum, "},
        {"", "", "3", "su", "", "OPERATION=su: choose sum, "},
        {"", "", "3", "sum max", "", "OPERATION=sum max: choose sum, "},
        {"", "", "", "max", "", "OPERATION: is for chapters that reduce by key or reduce an array"},
        {"chapter5 test", "", "", "sum", "", "OPERATION: is for chapters that reduce "},
        {"chapter21 chapter41 test", "", "", "argmax", "", "OPERATION=argmax: choose sum, max, "},
        {"chapter21 test", "", "", "minmax", "",
         "OPERATION=minmax: chapter21 takes count or argmax"},
        {"chapter41 chapter47 test", "", "", "dot", "", "OPERATION=dot: chapter47 takes float_sum"},
        {"", "", "3", "", "zipf", "KEYS: is for chapters that reduce by key, and for PART=2"},
        {"chapter41 run", "", "", "", "single", "KEYS: is for chapters that reduce by key"},
        {"chapter21 run", "", "", "", "often", "KEYS=often: choose uniform, single, "},
        {"", "5", "3", "", "",
         "BINS: is for chapters that count into bins; each chapter of PART=3"},
        {"chapter41 test", "26", "", "", "",
         "BINS: is for chapters that count into bins; chapter41"},
        {"chapter21 test", "0", "", "", "", "BINS=0: choose a whole number from 1 to 2147483647"},
        {"chapter5 chapter41 test", "7", "", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"chapter5 test", "5 26", "", "", "", "BINS=5 26: choose 5, 26, 64 or 256"},
        {"chapter60 replay", "", "", "", "", "replay: shows a race of two threads, and those of "},
        {"chapter60 replay", "", "", "", "", "between copies and kernels: make chapter60 test "},
        {"chapter60 test", "49145", "", "", "", "BINS=49145: choose 5, 26, 64 or 256"},
        {"", "7", "4", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"count", "7", "", "", "", "BINS=7: choose 5, 26, 64 or 256"},
        {"chapter60 test", "", "", "sum", "", "OPERATION: is for chapters that reduce "},
        {"", "", "4", "sum", "", "OPERATION: is for chapters that reduce "},
        {"chapter60 run", "", "", "", "zipf", "KEYS: is for chapters that reduce by key"},
        {"chapter60 test", "", "4", "", "", "PART=4: is for make and make gpu bench: leave it out"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        look(refused[i][0], refused[i][1], refused[i][2], refused[i][3], refused[i][4]);
        says(0, refused[i][5]);
        cr_expect(strchr(text, '\n') == NULL, "%s", text);
    }
}
