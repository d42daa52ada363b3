/* A small GPU for tests: reference front ends, back ends, memory, architectural check. */
#ifndef TANDEM_TEST_MACHINE_H
#define TANDEM_TEST_MACHINE_H

#include "csim/iss/launch.h"
#include "csim/ref/sm/ref.h"
#include "csim/sm/sm_local.h"
#include "harness/gpu/core/check.h"

enum { MACHINE_SMS = 4 };

struct machine {
  unsigned sms;
  bool checked;
  struct isa_program *program;
  struct isa_uop *uops;
  struct grid grid;
  struct gpu_mem *mem;
  struct pages *pages;
  struct sm *sm[MACHINE_SMS];
  struct iss *iss[MACHINE_SMS];
  struct iss_launch *check;
  struct frontend_ref *fe[MACHINE_SMS];
  struct sm_frontend_in in[MACHINE_SMS];
  uint64_t cycle;
  uint64_t next_cta;
  /* Corruptions for tests of the check, may be NULL: called before each step of the SMs, before
   * each step of the front ends, and between the steps and the serial part of the cycle. */
  void (*meddle)(struct machine *m);
  void (*meddle_inputs)(struct machine *m);
  void (*meddle_memory)(struct machine *m);
  uint64_t skip_cta; /* plus one: this CTA is not launched; the one before it runs in its place */
};

/* A machine with the assembled program; fails the test on errors. */
void machine_open(struct machine *m, const char *text, unsigned sms, const struct sm_config *config,
                  bool checked);
uint32_t machine_alloc(struct machine *m, uint32_t bytes);
void machine_read(struct machine *m, uint32_t address, void *to, uint32_t bytes);
void machine_write(struct machine *m, uint32_t address, const void *from, uint32_t bytes);
/* Runs the kernel; false if something stopped it: fault, mismatch, or no end within the cycles. */
bool machine_run(struct machine *m, const char *kernel, const uint32_t dim[3],
                 const uint32_t block[3], const uint32_t *params, uint64_t cycles);
/* The reasons as text. */
const char *machine_trouble(const struct machine *m, char *text, size_t size);
uint64_t machine_instructions(const struct machine *m);
void machine_close(struct machine *m);

#endif
