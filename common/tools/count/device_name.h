/* device_name.h - what the program calls that on which it counts. */
#ifndef DEVICE_NAME_H
#define DEVICE_NAME_H

#ifdef SIMULATED_GPU
#define COUNT_DEVICE "simulated GPU"
#else
#define COUNT_DEVICE "GPU"
#endif

#endif
