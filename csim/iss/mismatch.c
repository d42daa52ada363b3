/* Records of mismatches, each with a sentence for the report. */
#include "csim/iss/mismatch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool iss_fails(struct iss *iss, struct iss_mismatch bad, const char *format, ...) {
  if (iss->bad.any)
    return false;
  bad.any = true;
  if (bad.word == 0 && grid_has_pc(iss->grid, bad.pc))
    bad.word = iss->grid->code[bad.pc];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(bad.text, sizeof bad.text, format, arguments);
  va_end(arguments);
  iss->bad = bad;
  return false;
}

bool iss_differs(struct iss *iss, const struct sm_inst *inst, const char *what, unsigned lane,
                 uint64_t expected, uint64_t got) {
  const struct iss_stack *stack = &iss->warp[inst->number].stack;
  return iss_fails(iss,
                   (struct iss_mismatch){.warp = inst->number,
                                         .lane = (uint8_t)lane,
                                         .pc = stack->n != 0 ? iss_stack_pc(stack) : inst->pc,
                                         .word = inst->uop->word,
                                         .cycle = inst->issued,
                                         .what = what,
                                         .expected = expected,
                                         .got = got},
                   "%s is 0x%" PRIx64 ", must be 0x%" PRIx64, what, got, expected);
}

bool iss_byte_differs(struct iss *iss, const struct iss_pending_load *load, const char *memory) {
  return iss_fails(iss,
                   (struct iss_mismatch){.warp = load->warp,
                                         .lane = load->lane,
                                         .pc = load->pc,
                                         .word = load->word,
                                         .cycle = load->cycle,
                                         .what = "loaded byte",
                                         .expected = load->expected,
                                         .got = load->got,
                                         .of = "address",
                                         .at = load->address},
                   "the load returned 0x%02x for the byte of %s at address 0x%x, must be 0x%02x",
                   load->got, memory, load->address, load->expected);
}
