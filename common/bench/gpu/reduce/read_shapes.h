/* read_shapes.h - reading alone, in several shapes: which is fastest depends on how much there is. */
#ifndef READ_SHAPES_H
#define READ_SHAPES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { READ_SHAPES = 24 };

/* Reads every 16 bytes of `bytes` once, as read_only of baselines.h does. A shape is how many loads of
 * 16 bytes a thread has under way, whether neighbouring threads or blocks share a part of the bytes
 * (strides, sections), and threads a block times blocks a multiprocessor. */
void read_in_shape(int shape, const void *bytes, size_t length, unsigned int *sink);

/* "4 loads; strides; 1024 x 2"; in a buffer that the next call overwrites. */
const char *read_shape_name(int shape);

#ifdef __cplusplus
}
#endif

#endif
