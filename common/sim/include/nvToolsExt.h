/* nvToolsExt.h - the name that nvtx3/nvToolsExt.h had before CUDA 13. */
#include "nvtx3/nvToolsExt.h"
