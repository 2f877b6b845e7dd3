/* json.h - strings as JSON that may stand in a page. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdio.h>

/* The text as a JSON string; what is no UTF-8 is taken for Latin-1. */
void json_string(FILE *file, const char *text);
/* Bytes as a JSON string with as many characters, each with the value of its byte. */
void json_bytes(FILE *file, const unsigned char *bytes, size_t length);

#endif
