/* capture.h - what a piece of code prints on standard error, for tests. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct capture {
    FILE *file;
    int saved;
    char text[8192];
};

static inline void capture_start(struct capture *capture)
{
    fflush(stderr);
    capture->file = tmpfile();
    capture->saved = dup(2);
    dup2(fileno(capture->file), 2);
}

/* Returns what was printed since capture_start. */
static inline const char *capture_end(struct capture *capture)
{
    fflush(stderr);
    dup2(capture->saved, 2);
    close(capture->saved);
    rewind(capture->file);
    size_t length = fread(capture->text, 1, sizeof capture->text - 1, capture->file);
    capture->text[length] = '\0';
    fclose(capture->file);
    return capture->text;
}

#define EXPECT_PRINTED(text, part)                                                                 \
    cr_expect(strstr(text, part) != NULL, "expected \"%s\" in:\n%s", part, text)

#endif
