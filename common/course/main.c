/* main.c - ladder: the program behind the goals that a student types.
 *
 *     ladder COMMAND ARGUMENT...
 *
 * It runs in the folder of the course. Each command says beside its function what it does. */
#include <string.h>

#include "commands.h"
#include "util.h"

static const struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    int least, most; /* arguments */
    const char *arguments;
} commands[] = {
    {"break", break_command, 4, 5, "next|exposed STEM FOLDER BINS [N]"},
    {"chapters", chapters_command, 1, 2, "--json [FOLDER]"},
    {"debug", debug_command, 6, 7, "ROW SOURCE TEXT CHAPTER NAME BINS [OPERATION]"},
    {"further", further_command, 4, 4, "SOURCE STEM NUMBER BINS"},
    {"gaps", gaps_command, 1, 2, "FILE [BINS], or --stub SOLUTION, or --json FILE"},
    {"hint", hint_command, 5, 5, "SOURCE LESSON NUMBER BINS MEMORY"},
    {"lesson", lesson_command, 1, 1, "LESSON"},
    {"next", next_command, 2, 2, "FOLDER BINS"},
    {"mutant", mutant_command, 4, 5, "SOURCE STEM FOLDER BINS [OPERATION]"},
    {"predict", predict_command, 3, 4, "BUILD FOLDER STEM [solution]"},
    {"profile", profile_command, 1, 1 << 16, "FILE.csv..."},
    {"progress", progress_command, 2, 2, "FOLDER BINS"},
    {"reset", reset_command, 2, 2, "FOLDER STEM"},
    {"run", run_command, 7, 7, "ROW SOURCE TEXT CHAPTER NAME BINS OUT.csv"},
    {"score", score_command, 3, 1 << 16, "BUILD FOLDER BINS [STEM...]"},
    {"table", table_command, 2, 1 << 16, "OUT.csv ROW.csv... [-- TIMES.csv DEVICE]"},
    {"verdict", verdict_command, 0, 1 << 16,
     "[--jobs N] [--record] [--kernel FOLDER] SUITE SOURCE NUMBER BINS"},
    {"watch", watch_command, 3, 3, "CHAPTERS MAKE WHERE"},
    {"where", next_command, 2, 2, "FOLDER BINS"},
};

int main(int count, char **arguments)
{
    for (const struct command *one = commands; one < commands + LENGTH(commands); one++) {
        if (count < 2 || strcmp(arguments[1], one->name) != 0)
            continue;
        if (count - 2 < one->least || count - 2 > one->most)
            fail(2, "usage: ladder %s %s", one->name, one->arguments);
        return one->run(count - 1, arguments + 1);
    }
    fprintf(stderr, "usage: ladder COMMAND ARGUMENT...; a COMMAND is one of");
    for (size_t i = 0; i < LENGTH(commands); i++)
        fprintf(stderr, " %s", commands[i].name);
    fprintf(stderr, "\n");
    return 2;
}
