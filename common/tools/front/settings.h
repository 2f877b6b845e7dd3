/* settings.h - which goal uses which setting, for which kernels, and what its value may be. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "parts.h"

/* Takes what was typed, NAME=VALUE each, or is in the environment: the value of a setting, "" where
 * nothing is. Ends the program with one line when a name is unknown. */
void settings_take(char **typed, int count);
const char *setting(const char *name);

/* Ends the program with one line when a setting has a value that is none, or was typed for goals of
 * which none uses it. What is in the environment may be for other commands. */
void check_settings(const struct command *command);

#endif
