/* The host's own computation of the kernels in this folder, from the definition of each problem:
 * point by point over the whole problem, without tiles, blocks or skewing.  Each compares what a
 * launch description has left, bit by bit, and prints the first difference. */
#ifndef TANDEM_TESTS_SPU_REFERENCES_H
#define TANDEM_TESTS_SPU_REFERENCES_H

#include "tests/kernels/host.h"

/* A cube of n x n x n points: on the SPU, with tickets, by wavefronts. */
bool check_mean3d(const struct host *h);
bool check_mean3d_tickets(const struct host *h);
bool check_mean3d_wavefront(const struct host *h);

bool check_jacobi2d(const struct host *h);
bool check_stencil7(const struct host *h);
bool check_smith_waterman(const struct host *h);
bool check_matmul_systolic(const struct host *h);

#endif
