#include "../../sgemm/sgemm.cl"
