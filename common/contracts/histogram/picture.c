/* picture.c - draws what one warp asks of the memory, from the simulator's own trace.
 *
 *     picture NAME OUT.svg [TEXT]
 *
 * Runs histogram() on a short text, the file TEXT or a sentence, each repeated to LENGTH
 * characters, and keeps every access of the first warp. The picture shows the bins, which bytes
 * the warp's loads touch, and its first and last requests, lane by lane. Plain C has no warp: its
 * picture shows the characters and their bins. The text equivalent of the picture stands
 * in it as <desc>, and is printed, for the lesson. */
#include <stdbool.h>
#include <stdlib.h>

#include "bins.h"
#include "picture.h"

static struct text read_text(char *file)
{
    /* Its length shares no factor with 32, so lanes do not all read the same character. */
    static const char sentence[] =
        "many hands make light work, and many threads make a histogram; but "
        "two of them must not add to one bin at the same moment. ";
    char error[256], *files[] = {file};
    struct text text = file ? text_read(files, 1, PICTURE_LENGTH, error, sizeof error)
                            : text_from("a sentence", sentence, sizeof sentence - 1);
    if (!text.bytes || text.length == 0) {
        fprintf(stderr, "%s\n", text.bytes ? "the text is empty" : error);
        exit(1);
    }
    text_resize(&text, PICTURE_LENGTH);
    return text;
}

int main(int arguments, char **argument)
{
    static struct trace trace;
    if ((arguments != 3 && arguments != 4) || num_bins() != COLORS) {
        fprintf(stderr, "usage: %s NAME OUT.svg [TEXT], and 5 bins\n", argument[0]);
        return 2;
    }
    trace.text = read_text(arguments == 4 ? argument[3] : NULL);
    trace_run(&trace);
    FILE *file = fopen(argument[2], "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", argument[2]);
        return 1;
    }
    if (!picture_draw(file, &trace, argument[1])) {
        fprintf(stderr, "cannot read %s: run this in the folder of the course\n", PICTURE_STYLE);
        return 1;
    }
    fclose(file);
    printf("%s: ", argument[2]);
    trace_write_words(stdout, &trace, argument[1]);
    printf("\n");
    text_free(&trace.text);
    return 0;
}
