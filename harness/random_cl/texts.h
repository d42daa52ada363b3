/* Texts in front of random programs, ended by 0. */
#ifndef TANDEM_RANDOM_CL_TEXTS_H
#define TANDEM_RANDOM_CL_TEXTS_H

extern const char random_cl_lanes[], random_cl_prologue[]; /* of the C and of the OpenCL C */

#endif
