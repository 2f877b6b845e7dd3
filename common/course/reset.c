/* reset.c - gives a chapter its stub anew, and keeps the file that was there beside it; or all of them, and keeps
 * all that was there in one folder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "student.h"
#include "util.h"

struct reset {
    const char *stub; /* its text */
    const char *file; /* the student's */
    const char *new;  /* the stub on its way there */
    char *kept;       /* where the old file goes */
};

/* Makes the text of the stub, and says where it goes. */
static struct reset make_stub(const char *folder, const char *stem)
{
    struct reset reset;
    char *source = first_match(format("solutions/%s/*.c*", stem));
    source = source ? source : first_match(format("tests/stubs/%s/*.c*", stem));
    if (!source)
        fail(1,
             "%s: neither its solution nor its stub is here, in solutions or tests/stubs: "
             "there is nothing to go back to",
             stem);
    reset.file = format("%s/%s/%s", folder, stem, base_name(source));
    reset.new = format("%s.new", reset.file);
    FILE *out = open_text();
    const char *wrong = gaps_write_stub(source, out);
    reset.stub = close_text(out);
    if (wrong)
        fail(1, "%s", wrong);
    return reset;
}

static bool is_stub(const struct reset *reset)
{
    size_t length = 0;
    const char *text = read_file(reset->file, &length);
    return text && length == strlen(reset->stub) && memcmp(text, reset->stub, length) == 0;
}

/* Writes the stub beside the file: when there is no room for it, nothing has happened yet. */
static bool write_stub(const struct reset *reset)
{
    make_folders(reset->file);
    FILE *to = fopen(reset->new, "w");
    bool fine = to && fputs(reset->stub, to) >= 0;
    return to && fclose(to) == 0 && fine;
}

/* The number of a kept file, one more than the highest that there is: 3 of histogram.cu.3. */
static void choose_name(struct reset *reset)
{
    unsigned long highest = 0;
    for (char **kept = matches(format("%s.[0-9]*", reset->file)); *kept; kept++) {
        char *end;
        unsigned long number = strtoul(*kept + strlen(reset->file) + 1, &end, 10);
        highest = !*end && number > highest ? number : highest;
    }
    reset->kept = format("%s.%lu", reset->file, highest + 1);
}

/* Moves the old file away. A name that another has taken meanwhile is left alone. */
static bool keep_old(struct reset *reset)
{
    for (unsigned int tries = 0; tries < 8; tries++) {
        choose_name(reset);
        if (renameat2(AT_FDCWD, reset->file, AT_FDCWD, reset->kept, RENAME_NOREPLACE) == 0)
            return true;
        if (errno == EINVAL || errno == ENOSYS) /* a file system that cannot say "do not replace" */
            return !exists(reset->kept) && rename(reset->file, reset->kept) == 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Ends the program with what the system says; all is as it was. */
__attribute__((noreturn)) static void give_up(const struct reset *reset)
{
    const int error = errno;
    unlink(reset->new);
    fail(1, "%s: %s", reset->file, strerror(error));
}

static void put_stub(struct reset *reset)
{
    struct stat old;
    bool any = lstat(reset->file, &old) == 0;
    if (!write_stub(reset) || (any && !keep_old(reset)))
        give_up(reset);
    if (rename(reset->new, reset->file) != 0) {
        const int error = errno;
        if (any)
            rename(reset->kept, reset->file);
        errno = error;
        give_up(reset);
    }
    printf("%s: the stub anew\n", reset->file);
    if (any)
        printf("your file is kept as %s; to get it back: mv %s %s\n", reset->kept, reset->kept,
               reset->file);
}

/* All chapters of a folder. */
struct everything {
    const char *folder; /* "chapters" */
    char *kept;         /* "chapters.1": where what is the student's goes */
    struct reset *resets;
    struct list *moved; /* of each chapter what is in its folder and is the student's: names */
    const struct chapter *chapters;
    size_t count, moved_in_all;
};

/* What a chapter's folder has beside what the course gives: the Makefile, and the stub. */
static struct list students_in(const char *folder, const struct reset *reset)
{
    struct list names = {.count = 0};
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
        const char *name = entry->d_name;
        const bool given = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                           strcmp(name, "Makefile") == 0 ||
                           (strcmp(name, base_name(reset->file)) == 0 && is_stub(reset));
        if (!given)
            list_add(&names, format("%s", name));
    }
    if (open_folder)
        closedir(open_folder);
    list_sort(&names);
    return names;
}

/* Looks at all chapters. Where a stub cannot be made the program ends, and nothing has happened. */
static struct everything look_at(const char *folder)
{
    struct everything all = {.folder = folder};
    struct chapter *chapters;
    all.count = chapters_of(folder, &chapters);
    all.chapters = chapters;
    all.resets = grow(NULL, 0, all.count + 1, sizeof *all.resets);
    all.moved = grow(NULL, 0, all.count + 1, sizeof *all.moved);
    for (size_t i = 0; i < all.count; i++) {
        const char *stem = chapters[i].stem;
        all.resets[i] = make_stub(folder, stem);
        all.moved[i] = students_in(format("%s/%s", folder, stem), &all.resets[i]);
        all.moved_in_all += all.moved[i].count;
    }
    if (all.count == 0)
        fail(1, "%s: there is no chapter in it", folder);
    return all;
}

/* Whether the student agrees, by YES=1, or by the word. */
static bool agrees(const struct everything *all)
{
    char *answer = NULL;
    size_t room = 0;
    if (strcmp(chosen("YES"), "1") == 0)
        return true;
    printf("This begins all %zu chapters in %s/ anew. What is yours there is kept: %zu files and "
           "folders move to\n%s.N. Verdicts and shown hints are forgotten. Go on? Type yes: ",
           all->count, all->folder, all->moved_in_all, all->folder);
    fflush(stdout);
    const bool answered = getline(&answer, &room, stdin) > 0;
    if (!answered)
        printf("\n");
    return answered && strcmp(format("%.*s", (int)strcspn(answer, "\r\n"), answer), "yes") == 0;
}

/* Makes the folder for what is kept: its number is one more than the highest that there is. */
static void make_kept(struct everything *all)
{
    struct reset names = {.file = all->folder};
    for (unsigned int tries = 0; tries < 8; tries++) {
        choose_name(&names);
        all->kept = names.kept;
        if (mkdir(all->kept, 0777) == 0)
            return;
        if (errno != EEXIST)
            break;
    }
    fail(1, "%s: %s", all->kept, strerror(errno));
}

/* Moves what is the student's out of a chapter, and puts the stub there. */
static void begin_anew(const struct everything *all, size_t i)
{
    struct reset *reset = &all->resets[i];
    const char *stem = all->chapters[i].stem, *folder = format("%s/%s", all->folder, stem),
               *kept = format("%s/%s", all->kept, stem);
    if (all->moved[i].count > 0)
        mkdir(kept, 0777);
    for (size_t j = 0; j < all->moved[i].count; j++) {
        const char *name = all->moved[i].item[j];
        if (rename(format("%s/%s", folder, name), format("%s/%s", kept, name)) != 0)
            fail(1, "%s/%s: %s; what has been moved before is in %s", folder, name, strerror(errno),
                 all->kept);
    }
    if (!exists(reset->file))
        if (!write_stub(reset) || rename(reset->new, reset->file) != 0)
            fail(1, "%s: %s; your file is in %s", reset->file, strerror(errno), kept);
    record_forget(reset->file);
    record_forget(beside(reset->file, format("further/%s", base_name(reset->file))));
    unlink(format("build/hints/%s", stem));
}

/* All chapters of a folder anew. Nothing is deleted but what can be had again: verdicts, and which hints have been
 * shown. Returns the status: 1 when the student does not agree. */
static int reset_everything(const char *folder)
{
    struct everything all = look_at(folder);
    if (!agrees(&all)) {
        printf("nothing has changed; YES=1 says yes\n");
        return 1;
    }
    if (all.moved_in_all > 0)
        make_kept(&all);
    for (size_t i = 0; i < all.count; i++)
        begin_anew(&all, i);
    printf("%s: %zu chapters begin anew\n", folder, all.count);
    if (all.kept)
        printf("what was yours is kept in %s; to get it back: cp -a %s/. %s/\n", all.kept, all.kept,
               folder);
    return 0;
}

/* FOLDER STEM: the stub is the solution with empty gaps; a copy of the course without solutions
 * has its stubs in tests/stubs/STEM. The old file gets a number behind its name, and is never
 * changed. Nothing is asked, for nothing is lost. FOLDER alone is about all of its chapters, and asks. */
int reset_command(int count, char **arguments)
{
    if (count == 2)
        return reset_everything(arguments[1]);
    struct reset reset = make_stub(arguments[1], arguments[2]);
    if (is_stub(&reset))
        printf("%s: it is the stub already\n", reset.file);
    else
        put_stub(&reset);
    return 0;
}
