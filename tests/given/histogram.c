/* histogram.c - right on a lecturer's own texts: the files in the folder that GIVEN names.
 *
 * Linked with nothing else, as a suite of its own: make chapterN grade EXTRA=dir. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram/harness.h"

static void expect_right_on_file(char *file)
{
    char error[256], what[160];
    struct text text = text_read(&file, 1, 0, error, sizeof error);
    if (!text.bytes)
        cr_assert_fail("%s", error);
    const char *slash = strrchr(file, '/');
    snprintf(what, sizeof what, "%s characters of %s", grouped(text.length),
             slash ? slash + 1 : file);
    expect_right_on(what, text.bytes, text.length);
    text_free(&text);
}

Test(given, is_right_on_each_text)
{
    const char *folder = getenv("GIVEN");
    char texts[4096];
    glob_t files = {.gl_pathc = 0};
    snprintf(texts, sizeof texts, "%s/*.txt", folder ? folder : ".");
    if (glob(texts, 0, NULL, &files) != 0)
        cr_assert_fail("%s: no texts there", texts);
    for (size_t i = 0; i < files.gl_pathc; i++)
        expect_right_on_file(files.gl_pathv[i]);
    globfree(&files);
}
