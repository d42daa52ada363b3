/* A launch description reads programs of its own folder. */
#include "../kernels/spu/faults/differ.cl"
