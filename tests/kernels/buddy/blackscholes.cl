/* A launch description reads programs of its own folder. */
#include "../blackscholes/blackscholes.cl"
