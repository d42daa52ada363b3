/* The kernels and, of the applications of the Buddy SM article, what is published. */
#include "tests/kernels/kernels.h"

#define KERNEL(name, ...)                                                                          \
  {                                                                                                \
#name, #name "/" #name, check_##name, { __VA_ARGS__ }                                          \
  }

const struct kernel kernels[] = {
    KERNEL(vecadd, {0}),
    KERNEL(matmul, {0}),
    KERNEL(prefix, {0}),
    KERNEL(nbody, {0}),
    KERNEL(stencil2d, {0}),
    KERNEL(spill, {0}),
    KERNEL(atomics, {0}),
    KERNEL(atomics64, {0}),
    KERNEL(smith_waterman, {0}),
    KERNEL(binomial, {1, {64, 1, 1}, {256, 1, 1}}),
    KERNEL(coulomb, {1, {8, 32, 1}, {16, 8, 1}}),
    KERNEL(aes, {1, {257, 1, 1}, {256, 1, 1}}),
    KERNEL(pathfinder, {5, {463, 1, 1}, {256, 1, 1}}),
    /* takes the published launches with this size alone */
    KERNEL(bfs, {8, {16, 1, 1}, {256, 1, 1}}),
    KERNEL(mergesort, {1, {32, 1, 1}, {512, 1, 1}}, {15, {1, 1, 1}, {256, 1, 1}},
           {5, {256, 1, 1}, {128, 1, 1}}),
    KERNEL(histogram, {2, {18, 1, 1}, {64, 1, 1}}, {2, {239, 1, 1}, {192, 1, 1}},
           {2, {256, 1, 1}, {256, 1, 1}}, {2, {64, 1, 1}, {256, 1, 1}}),
    KERNEL(reduction, {100, {1, 1, 1}, {16, 1, 1}}, {101, {32, 1, 1}, {256, 1, 1}}),
    KERNEL(sgemm, {1, {1, 31, 1}, {16, 8, 1}}),
    KERNEL(scalarprod, {4, {128, 1, 1}, {256, 1, 1}}),
    KERNEL(libor, {2, {64, 1, 1}, {64, 1, 1}}),
    KERNEL(haar, {1, {256, 1, 1}, {512, 1, 1}}, {1, {1, 1, 1}, {128, 1, 1}}),
    KERNEL(sad, {1, {11, 9, 1}, {32, 1, 1}}, {1, {11, 9, 1}, {32, 4, 1}},
           {1, {44, 36, 1}, {61, 1, 1}}),
    KERNEL(blackscholes, {1, {480, 1, 1}, {128, 1, 1}}),
    KERNEL(sobol, {1, {1, 100, 1}, {64, 1, 1}}),
    KERNEL(transpose, {16, {64, 64, 1}, {16, 16, 1}}),
    KERNEL(scan, {9, {6656, 1, 1}, {256, 1, 1}}),
#define FLEX(kernel, NAME, program, check, ...)                                                    \
  {"flex/" #kernel, "flex/" #kernel, check_##check, {{0}}},
#include "tests/kernels/flex/kernels.def"
};
const size_t nkernels = sizeof kernels / sizeof kernels[0];
