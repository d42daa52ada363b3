/* Registers of a part of a model whose power is off: nothing may rely on what they hold. */
#ifndef TANDEM_SHIM_SCRAMBLE_H
#define TANDEM_SHIM_SCRAMBLE_H

#include <random>
#include <string>

/* Gives every register of the module instance `scope` ("TOP.top.u_part") that rtl/scramble.vlt
 * makes writable a random value, through Verilator's VPI, in the calling thread's context.  False
 * if the model has no such instance or no such register there. */
bool scramble(const std::string &scope, std::mt19937_64 &noise);

#endif
