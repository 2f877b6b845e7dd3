/* by_devices.c - counted_call.h of histogram_many(): several devices of this process. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "copied.h"
#include "many.h"

enum { USUAL_DEVICES = 4 };

static int devices;

bool counted_begin(char **arguments)
{
    (void)arguments;
    const char *asked = getenv("SIM_DEVICES");
    if (!asked || !*asked)
        sim_set_devices(USUAL_DEVICES);
    cudaGetDeviceCount(&devices); /* refuses what is no number of devices */
    return true;
}

void counted_run(const struct text *text, const char *file, struct counted_call *call)
{
    (void)file;
    call->units = (unsigned int)devices;
    copied_begin(call);
    histogram_many(text->bytes, text->length, call->bins);
    const cudaError_t error = cudaDeviceSynchronize();
    copied_end(call);
    if (error != cudaSuccess)
        snprintf(call->error, sizeof call->error, "%s", cudaGetErrorString(error));
}

void counted_end(void)
{
}
