/* device.h - the table of what a device is. */
#ifndef LADDER_DEVICE_H
#define LADDER_DEVICE_H

#include "ladder.h"

#pragma GCC visibility push(hidden) /* known within the library alone */

/* The current device, as it was when a thread first asked for it; and, if `operation` is not 0, with the kernels of
 * that operation allowed to have all shared memory. On failure a status, and *device is NULL. */
ladder_status ladder_device_now(ladder_operation operation, const ladder_device **device);

#pragma GCC visibility pop

#endif
