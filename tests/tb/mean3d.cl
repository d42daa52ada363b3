/* A launch description reads programs of its own folder. */
#include "../kernels/spu/mean3d.cl"
