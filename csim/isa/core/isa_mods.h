/* The modifier fields of the table, for those who spell them: checker, assembler, page generator.
 */
#ifndef TANDEM_ISA_MODS_H
#define TANDEM_ISA_MODS_H

#include "csim/isa/core/isa.h"

struct isa_mod {
  uint8_t layout, lsb, width; /* enum isa_modset; bits within the seven modifier bits */
  const char *name;
  const char
      *values; /* words separated by blanks, value 0 first; "" is a flag called by its name */
};

/* Fields of one layout are adjacent, lowest bit first. */
extern const struct isa_mod isa_mods[];
extern const unsigned isa_nmods;

/* True for bits that follow from the form of an operand: #n (imm), [n] (abs), [dn] (a64). */
bool isa_mod_implied(const struct isa_mod *m);

/* True if a unit's immediate is the upper end of a float or double. */
static inline bool isa_float_immediate(unsigned unit) {
  return (unit >= ISA_U_FADD && unit <= ISA_U_FMA) || unit == ISA_U_SFU || unit == ISA_U_DP;
}

#endif
