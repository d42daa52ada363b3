/* A launch description reads programs of its own folder. */
#include "../reduction/reduction.cl"
