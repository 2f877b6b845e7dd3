/* commands.h - the subcommands of `ladder`. Each is given its own name and what was typed behind
 * it, as main is, and returns the exit status; main.c knows how many words each takes. */
#ifndef COMMANDS_H
#define COMMANDS_H

int break_command(int count, char **arguments);
int chapters_command(int count, char **arguments);
int debug_command(int count, char **arguments);
int further_command(int count, char **arguments);
int gaps_command(int count, char **arguments);
int hint_command(int count, char **arguments);
int next_command(int count, char **arguments);
int predict_command(int count, char **arguments);
int profile_command(int count, char **arguments);
int progress_command(int count, char **arguments);
int replay_command(int count, char **arguments);
int reset_command(int count, char **arguments);
int run_command(int count, char **arguments);
int score_command(int count, char **arguments);
int table_command(int count, char **arguments);
int verdict_command(int count, char **arguments);
int watch_command(int count, char **arguments);

#endif
