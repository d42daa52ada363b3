/* The library of cells that units are mapped to. */
#ifndef TANDEM_SYNTH_INPUT_LIBRARY_H
#define TANDEM_SYNTH_INPUT_LIBRARY_H

#include "synth/input/liberty.h"

struct synth_library {
  char name[64];                                   /* as it calls itself */
  char path[512];                                  /* as the tools read it, unpacked */
  char key[HASH_KEY];                              /* of its contents */
  double nand2;                                    /* area of the smallest NAND2 */
  char nand2_name[64], driver[64], driver_pin[32]; /* buffer that drives inputs */
};

/* Finds and reads the library of these files, or OSU 180 nm if there are none.  A file that the
 * tools do not read as it is, or several, become one in the folder. */
int synth_library_load(const char *const *given, size_t n, const char *folder, struct liberty *l,
                       struct synth_library *info, struct tandem_error *err);

#endif
