/* backing.h - where Open MPI is told in which folder the memory lies that ranks share. */
#ifndef BACKING_H
#define BACKING_H

/* As Open MPI 4 calls it, and Open MPI 5. */
static const char *const backing_settings[] = {"OMPI_MCA_btl_vader_backing_directory",
                                               "OMPI_MCA_btl_sm_backing_directory"};
enum { BACKING_SETTINGS = sizeof backing_settings / sizeof *backing_settings };

#endif
