/* Programs in the GPU's memory. */
#ifndef TANDEM_GPU_PROGRAM_H
#define TANDEM_GPU_PROGRAM_H

#include "csim/isa/core/program.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/isa/ptx/ptx.h"
#include "harness/tandem.h"

/* A program as the launches need it. */
struct tandem_program {
  struct isa_program *isa;
  bool owned;     /* isa is */
  uint64_t *code; /* relocated */
  struct isa_uop *uops;
  uint32_t code_address, data_address;
  uint32_t ncode;    /* words of code, with the machine's appendix */
  uint32_t appendix; /* first PC of that */
  struct tandem_program *next;
};

struct tandem_config;

/* Returns how programs are translated for a GPU. */
struct ptx_options gpu_ptx_options(const struct tandem_config *c);

/* Takes a translated program, which is the GPU's then if it is to be owned and else must outlive
 * it. TANDEM_USAGE: *program is NULL. */
enum tandem_status gpu_load(struct tandem *t, struct isa_program *isa, bool owned,
                            const struct tandem_program **program, struct tandem_error *err);
void gpu_unload(struct tandem *t); /* frees all programs */
/* Adds programs of a GPU before, which are freed with the others. */
void gpu_keep(struct tandem *t, struct tandem_program *programs);

#endif
