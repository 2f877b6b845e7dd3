/* json.h - writes JSON: all that the course tells other programs goes through this writer. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

/* Where the writer stands. Zero but for `to`, it stands before the outermost value. */
struct json {
    FILE *to;
    bool tight;       /* no blanks between values: a page of many steps shall be small */
    bool on_new_line; /* a line break comes before the next value: json_break */
    unsigned int
        depth; /* of objects and arrays that are open; more than JSON_DEPTH end the program */
    char close[JSON_DEPTH];   /* what ends each of them */
    bool any[JSON_DEPTH + 1]; /* whether something stands in it already: a comma comes first */
};

/* Each of these writes one value. In an object it has a name; in an array, and outermost, the name is NULL. */
void json_object(struct json *json, const char *name);
void json_array(struct json *json, const char *name);
/* Closes the object or array that was opened last. */
void json_end(struct json *json);
/* A string, or null for NULL. */
void json_text(struct json *json, const char *name, const char *text);
void json_count(struct json *json, const char *name, unsigned long long number);
void json_integer(struct json *json, const char *name, long long number);
/* A count that a script may read, whose numbers are exact up to 2^53: larger ones are strings. */
void json_exact(struct json *json, const char *name, unsigned long long number);
/* Null for what is no number, or is infinite. */
void json_number(struct json *json, const char *name, double number);
void json_truth(struct json *json, const char *name, bool truth);
/* A string in which each byte is a character of that value. */
void json_bytes(struct json *json, const char *name, const unsigned char *bytes, size_t length);
/* The next value begins a line. */
void json_break(struct json *json);

#endif
