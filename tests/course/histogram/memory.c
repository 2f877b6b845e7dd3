/* memory.c - what a verdict says when memory is short: not that the kernel is wrong.
 *
 * With mounts of its own, where user namespaces are open, and a group of processes with a limit, where this
 * is root.
 * Chapters: 06
 */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], root[2048];

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

static void says(int wanted_status, const char *part)
{
    cr_expect(status == wanted_status, "status %d, not %d:\n%s", status, wanted_status, text);
    cr_expect(strstr(text, part) != NULL, "expected \"%s\" in:\n%s", part, text);
}

/* The verdict on a copy of a kernel: what it leaves is written there. */
static char judged[512];

static void set_up(void)
{
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder) && getcwd(root, sizeof root) && getenv("BUILD"));
    run("cp %s/$BUILD/solutions/06_shared/5/kernel* .", root);
    snprintf(judged, sizeof judged,
             "env -u BXFI_MAP $BUILD/tools/ladder verdict $BUILD/suites/06_shared "
             "solutions/06_shared/histogram.cu %s",
             folder);
}

TestSuite(memory, .init = set_up, .fini = remove_folder);

/* A command at the root that sees these mounts; the test is skipped where there can be none. */
static void run_with(const char *mounts, const char *command)
{
    run("unshare -rm sh -c 'mount -t tmpfs none /dev/shm && mount --bind /dev/null /proc/vmstat'");
    if (status != 0)
        cr_skip_test("mounts of its own are closed here: %s", text);
    run("unshare -rm sh -c '%s; cd %s; %s'", mounts, root, command);
}

/* A test is ended by SIGKILL; it is want of memory when the system has counted one more. */
Test(memory, tells_what_the_system_has_ended)
{
    run("echo 'void histogram() {}' | tee stub.cu >kernel.seen; cat >suite <<'END'\n"
        "#!/bin/sh\nfor word; do report=${word#--tap=}; done; echo 'not ok - a::first' >$report\n"
        "cat after >count; kill -9 $$\n"
        "END\nchmod +x suite; printf 'oom_kill_disabled 7\\noom_kill 3\\n' >before");
    for (int more = 0; more <= 1; more++) {
        char mounts[256], command[256];
        snprintf(mounts, sizeof mounts, "mount --bind %s/count /proc/vmstat", folder);
        snprintf(command, sizeof command, "cd %s; ladder verdict ./suite stub.cu", folder);
        run("cp before count; echo oom_kill %d >after", 3 + more);
        run_with(mounts, command);
        says(1, more ? "stub.cu: the test first was ended by the system: out of memory\n"
                     : "stub.cu: the test first ended without a word\n");
    }
}

/* A kernel in a group of processes that may have less than it needs. */
Test(memory, says_of_a_kernel_that_it_was_ended_by_the_system)
{
    run("for g in /sys/fs/cgroup/memory /sys/fs/cgroup; do d=$g/ladder-$$; mkdir $d 2>/dev/null || "
        "continue; "
        "{ echo 20M >$d/memory.limit_in_bytes || echo 20M >$d/memory.max; } 2>/dev/null && "
        "sh -c \"echo \\$\\$ >$d/cgroup.procs && cd %s && %s\"; s=$?; for i in 1 2 3 4 5 6 7 8; do "
        "rmdir $d 2>/dev/null && break; sleep 0.2; done; "
        "exit $s; done; echo none",
        root, judged);
    if (!strstr(text, "histogram.cu"))
        cr_skip_test("no group of processes can be made here: %s", text);
    says(1, "histogram() was ended by the system: out of memory");
}

Test(memory, names_the_limit_on_addresses)
{
    run("cd %s && ulimit -v 500000 && %s", root, judged);
    says(1, "a limit on addresses (ulimit -v 500000) leaves the simulated GPU no room");
    run("cd %s && ulimit -v 10000000 && %s", root, judged); /* enough for all but the far end */
    says(1, "a limit on addresses (ulimit -v 10000000) leaves the simulated GPU no room");
}
