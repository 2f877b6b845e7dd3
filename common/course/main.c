/* main.c - ladder: the program behind the goals that a student types.
 *
 *     ladder COMMAND ARGUMENT...
 *
 * A PLACE is a chapter's folder, "chapters/05_name", or what lies there: from it number, name and contract are
 * derived (chapter.h). A SOURCE is a kernel's file, and a ROW the program of it that counts.
 *
 * It runs in the folder of the course. Each command says beside its function what it does. */
#include <string.h>

#include "commands.h"
#include "util.h"

enum { MANY = 1 << 16 };

static const struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    int least, most; /* arguments */
    const char *arguments;
} commands[] = {
    {"break", break_command, 3, 3, "BUILD PLACE BINS"},
    {"chapters", chapters_command, 1, 1, "FOLDER"},
    {"debug", debug_command, 3, 3, "ROW SOURCE INPUT"},
    {"further", further_command, 2, 2, "PLACE BINS"},
    {"gaps", gaps_command, 1, 2, "FILE [BINS], or --stub SOLUTION, or --all FILE"},
    {"hint", hint_command, 2, 2, "SOURCE BINS"},
    {"next", next_command, 2, 2, "FOLDER BINS"},
    {"predict", predict_command, 2, 3, "BUILD PLACE [solution]"},
    {"profile", profile_command, 1, MANY, "FILE.csv..."},
    {"progress", progress_command, 2, 2, "FOLDER BINS"},
    {"replay", replay_command, 4, 4, "BUILD PLACE VARIANT INPUT"},
    {"reset", reset_command, 1, 1, "PLACE"},
    {"run", run_command, 3, 3, "ROW SOURCE INPUT"},
    {"score", score_command, 3, MANY, "BUILD BINS PLACE..."},
    {"table", table_command, 2, MANY, "OUT.csv ROW.csv..., or --draw OUT.csv OUT.svg"},
    {"verdict", verdict_command, 2, MANY, "[--jobs N] [--record] SUITE SOURCE [FOLDER]"},
    {"watch", watch_command, 1, 1, "FOLDER"},
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
