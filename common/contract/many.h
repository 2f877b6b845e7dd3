/* many.h - what the chapters on several GPUs and several machines implement: one function each.
 *
 * Both count a text that need not fit on one card, in counters of 64 bits, which hold more than 2^32. */
#ifndef MANY_H
#define MANY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In one process, on all devices that cudaGetDeviceCount tells: adds to bins[bin_of(c)] one for every
 * counted character c of a text.
 *
 * text    host pointer to `length` bytes, each 0 to 255, pinned or not; need not be aligned
 * length  in bytes; 0 and what is less than the number of devices, too
 * bins    host pointer to NUM_BINS counters, which the caller has zeroed
 *
 * Each byte is read by one device. Returns when the bins are complete, and the device that was current
 * is current again. Streams, communicators and buffers that it keeps for the next call it makes once.
 * A call of CUDA or NCCL that fails ends the program with one line on standard error. */
void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins);

/* The same of texts that the devices hold already: of device i lengths[i] bytes at d_texts[i], in its own
 * memory, any number of them, at any address. No suite asks for it: make gpu bench times it beside the
 * other, and leaves it out where a chapter has not got it. */
void histogram_on_devices(const unsigned char *const *d_texts, const size_t *lengths,
                          unsigned long long *bins);

/* On all ranks of MPI_COMM_WORLD, which all call it after MPI_Init, a device for each: on rank 0
 * bins[bin_of(c)] becomes the number of counted characters c of a file; on other ranks it is not touched.
 *
 * path  of a file of any length that all ranks can read
 * bins  host pointer to NUM_BINS counters
 *
 * Each byte of the file is read by one rank. Returns 0 on all ranks; when a rank cannot read its part,
 * 1 on all ranks: rank 0 has written one line with the name of the file to standard error, and no bin
 * is touched. A call of CUDA, NCCL or MPI that fails ends the program. */
int histogram_file(const char *path, unsigned long long *bins);

#ifdef __cplusplus
}
#endif

#endif
