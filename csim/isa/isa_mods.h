/* The modifier fields of the table, for those who spell them: checker, assembler, page generator.
 */
#ifndef TANDEM_ISA_MODS_H
#define TANDEM_ISA_MODS_H

#include <stdint.h>

struct isa_mod {
  uint8_t layout, lsb, width; /* enum isa_modset; bits within the seven modifier bits */
  const char *name;
  const char
      *values; /* words separated by blanks, value 0 first; "" is a flag called by its name */
};

/* Fields of one layout are adjacent, lowest bit first. */
extern const struct isa_mod isa_mods[];
extern const unsigned isa_nmods;

/* Number of values that the field defines. */
unsigned isa_mod_values(const struct isa_mod *m);

#endif
