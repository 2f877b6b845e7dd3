/* in_folder.h - runs the course's programs in a folder of their own, and looks at what they say.
 *
 * For suites with .init = make_folder, .fini = remove_folder. */
#ifndef IN_FOLDER_H
#define IN_FOLDER_H

#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], root[2048];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder) && getcwd(root, sizeof root) && getenv("BUILD"));
}

/* What a command in the folder printed, standard error included; `status` is its own. */
static char text[8192];
static int status;

__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
    char command[8192], words[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && PATH='%s/bin:%s/%s/tools':$PATH && { %s\n} 2>&1",
             folder, folder, root, getenv("BUILD"), words);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    int ended = pclose(pipe);
    status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

static void remove_folder(void)
{
    run("chmod -R u+w . && rm -r %s", folder);
}

__attribute__((unused)) static void write_file(const char *name, const char *content)
{
    char path[256];
    run("mkdir -p $(dirname %s)", name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(content, file) >= 0 && fclose(file) == 0, "%s", path);
}

__attribute__((unused)) static void says(int wanted_status, const char *part)
{
    cr_expect(status == wanted_status, "status %d, not %d:\n%s", status, wanted_status, text);
    cr_expect(strstr(text, part) != NULL, "expected \"%s\" in:\n%s", part, text);
}

__attribute__((unused)) static void is_silent_about(const char *part)
{
    cr_expect(strstr(text, part) == NULL, "not expected \"%s\" in:\n%s", part, text);
}

#endif
