/* Built-in functions that libclc lacks or has wrong (docs/reference/builtins.md).  The build
 * compiles this file to the bitcode that clang links into each program before libclc: what is
 * defined here is taken, the rest comes from there.  `tandem builtins` compares all functions with
 * a host oracle. */

/* Later ones use earlier ones. */
/* clang-format off */
#include "csim/isa/opencl/library/base.cl"
#include "csim/isa/opencl/library/work_item.cl"
#include "csim/isa/opencl/library/integer.cl"
#include "csim/isa/opencl/library/math.cl"
#include "csim/isa/opencl/library/remainder.cl"
#include "csim/isa/opencl/library/gamma.cl"
#include "csim/isa/opencl/library/half.cl"
#include "csim/isa/opencl/library/convert.cl"
#include "csim/isa/opencl/library/memory.cl"
#include "csim/isa/opencl/library/atomic.cl"
