/* Warps of several slices: issue, launches, outcomes and ends as whole warps. */
#include "csim/sm/lanes/lanes_local.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct sm_lanes *sm_lanes_create(struct sm *low, struct sm *high, struct tandem_error *err) {
  struct sm_lanes *l = calloc(1, sizeof *l);
  if (l == NULL) {
    (void)tandem_fail(err, -ENOMEM, "no memory for the wider warps of SM %u", low->index);
    return NULL;
  }
  l->sm[0] = low;
  l->sm[1] = high;
  l->name = high != NULL ? "wide" : "large";
  l->sms = high != NULL ? LANES_HALVES : 1;
  l->each = high != NULL ? 1 : low->config.slices;
  l->slices = l->sms * l->each;
  l->fe[1] = (struct sm_frontend_out){.stall0 = STALL_IDLE, .stall1 = STALL_IDLE};
  return l;
}

void sm_lanes_destroy(struct sm_lanes *l) { free(l); }

bool lanes_fail(struct sm_lanes *l, enum sm_fault_kind kind, unsigned warp, uint16_t pc,
                const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sm_raise(l->sm[0], kind, warp * l->each, pc, 0, "%s", text);
  return false;
}

/* The SM of a slice, and its warp there. */
static struct sm *sm_of(const struct sm_lanes *l, unsigned slice) { return l->sm[slice / l->each]; }
static unsigned warp_of(const struct sm_lanes *l, unsigned warp, unsigned slice) {
  return warp * l->each + slice % l->each;
}

/* ---- inputs of the front end ---- */

static uint64_t word_of(const uint32_t *lanes) { return (uint64_t)lanes[1] << 32 | lanes[0]; }

/* In time slices start one a cycle; the warp starts with its last slice. */
static void gather_launch(struct sm_lanes *l, struct sm_frontend_in *in) {
  const struct sm_frontend_in *from = &l->in[0];
  const unsigned at = (unsigned)from->launch_warp % l->each;
  if (at == 0) {
    memset(l->launch, 0, sizeof l->launch);
    l->started = 0;
  }
  for (unsigned h = 0; h < l->sms; h++) {
    if (!l->in[h].launch_valid)
      continue;
    l->launch[h * l->each + at] = (uint32_t)l->in[h].launch_mask;
    l->started |= (uint8_t)(1U << (h * l->each + at));
  }
  if (at + 1 < l->each && !from->launch_last)
    return;
  in->launch_valid = 1;
  in->launch_warp = from->launch_warp / l->each;
  in->launch_cta = from->launch_cta;
  in->launch_last = from->launch_last;
  in->launch_pc = from->launch_pc;
  in->launch_mask = word_of(l->launch);
  if (l->slices == SM_SLICES)
    ((struct sm_frontend_wide_in *)in)->launch_mask_hi = word_of(l->launch + 2);
  l->warp[in->launch_warp].present = l->started;
}

static void gather_resolve(struct sm_lanes *l, struct sm_frontend_in *in) {
  const unsigned number = (unsigned)l->in[0].resolve_warp / l->each;
  struct lanes_warp *warp = &l->warp[number];
  for (unsigned h = 0; h < l->sms; h++) {
    warp->taken[h * l->each + l->in[h].resolve_warp % l->each] = (uint32_t)l->in[h].resolve_taken;
    warp->unresolved--;
  }
  if (warp->unresolved != 0)
    return;
  const uint64_t high = word_of(warp->taken + 2);
  in->resolve_valid = 1;
  in->resolve_warp = number;
  in->resolve_taken = word_of(warp->taken);
  if (l->slices == SM_SLICES)
    ((struct sm_frontend_wide_in *)in)->resolve_taken_hi = high;
  l->sm[0]->links.branches += l->sms > 1;
  if (!warp->branch)
    return;
  l->sm[0]->stats.branches++;
  l->sm[0]->stats.divergent_branches +=
      (in->resolve_taken | high) != 0 && memcmp(warp->taken, warp->active, sizeof warp->taken) != 0;
}

static void gather(struct sm_lanes *l, struct sm_frontend_in *in) {
  if (l->each > 1)
    lanes_gather(l, in);
  if (l->in[0].launch_valid)
    gather_launch(l, in);
  if (l->in[0].resolve_valid)
    gather_resolve(l, in);
}

/* ---- outputs of the front end ---- */

static bool live(const struct sm_lanes *l, unsigned number) {
  return number * l->each < SM_WARPS && l->warp[number].present != 0;
}

static void warp_done(struct sm_lanes *l, unsigned number) {
  if (!live(l, number)) {
    (void)lanes_fail(l, SM_FAULT_PROTOCOL, number, 0,
                     "%s warp %u is reported as ended, but is not live", l->name, number);
    return;
  }
  for (unsigned s = 0; s < l->slices; s++)
    if ((l->warp[number].present >> s & 1) != 0)
      sm_warp_done(sm_of(l, s), warp_of(l, number, s));
  l->warp[number].present = 0;
  /* A CTA of one half warp has none in the upper SM. */
  for (unsigned left = l->sms > 1 ? l->sm[0]->ending : 0; left != 0; left &= left - 1) {
    const unsigned slot = (unsigned)__builtin_ctz(left);
    if ((l->sm[1]->resident >> slot & 1) != 0 && l->sm[1]->cta[slot].warps == 0)
      l->sm[1]->ending |= (uint8_t)(1U << slot);
  }
}

/* Checks that a barrier has all live lanes of a warp. */
static bool meets(struct sm_lanes *l, unsigned number, uint16_t pc, const uint32_t *lanes) {
  for (unsigned s = 0; s < l->slices; s++) {
    const bool there = (l->warp[number].present >> s & 1) != 0;
    const uint32_t alive = there ? sm_of(l, s)->warp[warp_of(l, number, s)].lanes : 0;
    if (lanes[s] == alive)
      continue;
    return l->sms > 1 ? lanes_fail(l, SM_FAULT_BARRIER, number, pc,
                                   "wide warp %u at pc %u: a barrier without all of its live lanes",
                                   number, pc)
                      : lanes_fail(l, SM_FAULT_BARRIER, number, pc,
                                   "large warp %u reaches the barrier at pc %u with %08x of its "
                                   "live lanes %08x from %u on",
                                   number, pc, lanes[s], alive, s * ISA_WARP_SIZE);
  }
  return true;
}

/* Checks an issue of the warp as a whole; the back ends check its slices. */
static bool acceptable_whole(struct sm_lanes *l, unsigned port, unsigned number, uint16_t pc,
                             const uint32_t *lanes) {
  struct sm *sm = l->sm[0];
  if (!live(l, number))
    return lanes_fail(l, SM_FAULT_PROTOCOL, number, pc, "%s warp %u issues, but it is not live",
                      l->name, number);
  if ((number & 1) != port)
    return lanes_fail(l, SM_FAULT_PROTOCOL, number, pc, "issue port %u issues %s warp %u", port,
                      l->name, number);
  if (l->warp[number].unresolved != 0)
    return lanes_fail(l, SM_FAULT_PROTOCOL, number, pc,
                      "%s warp %u issues after its unresolved branch or exit", l->name, number);
  if ((lanes[0] | lanes[1] | lanes[2] | lanes[3]) == 0)
    return lanes_fail(l, SM_FAULT_PROTOCOL, number, pc, "%s warp %u issues without an active lane",
                      l->name, number);
  if (pc - sm->entry >= sm->code || sm->grid->uops[pc].id != ISA_BAR)
    return true;
  const bool right = !sm->config.barrier_check || meets(l, number, pc, lanes);
  sm->stats.barriers += right || l->each > 1; /* in time a wrong one, too */
  return right;
}

/* Records all slices at once, so that each warp of a back end has its instructions in program
 * order.  In space a half without an active lane passes all stages, too.  Returns the number of
 * slices that pass, or 0 after a fault. */
static unsigned record_slices(struct sm_lanes *l, uint64_t word, uint16_t pc, const uint32_t *lanes,
                              struct sm_inst *slice[SM_SLICES]) {
  const unsigned number = (unsigned)(word >> 58);
  unsigned n = 0;
  for (unsigned s = 0; s < l->slices; s++) {
    const uint64_t own = (word & ~(UINT64_C(63) << 58)) | (uint64_t)warp_of(l, number, s) << 58;
    slice[s] = lanes[s] != 0 ? sm_issue_slice(sm_of(l, s), own, pc, lanes[s]) : NULL;
    if (lanes[s] != 0 && slice[s] == NULL)
      return 0;
    n += lanes[s] != 0;
  }
  for (unsigned s = 0; s < l->sms && l->each == 1; s++) {
    if (lanes[s] != 0 || l->sm[s]->decoded[pc].pipe == ISA_PIPE_NONE)
      continue;
    slice[s] = sm_issue_empty(l->sm[s], word, pc);
    if (slice[s] == NULL)
      return 0;
    n++;
  }
  return n;
}

static void issue(struct sm_lanes *l, unsigned port, uint64_t word, uint16_t pc, uint64_t low,
                  uint64_t high) {
  const unsigned number = (unsigned)(word >> 58);
  const uint32_t lanes[SM_SLICES] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                                     (uint32_t)(high >> 32)};
  struct sm_inst *slice[SM_SLICES] = {NULL};
  if (!acceptable_whole(l, port, number, pc, lanes))
    return;
  const unsigned n = record_slices(l, word, pc, lanes, slice);
  if (n == 0)
    return;
  const struct isa_uop *u = &l->sm[0]->grid->uops[pc];
  sm_count_issue(l->sm[0], number, pc);
  if (l->sms > 1 && l->sm[1]->profile.rows != NULL)
    sm_profile_issue(l->sm[1], number % SM_SCHEDULERS, pc);
  if (u->pipe == ISA_PIPE_NONE)
    return;
  if (u->id == ISA_BRA || u->id == ISA_EXIT) {
    struct lanes_warp *warp = &l->warp[number];
    warp->unresolved = (uint8_t)n;
    warp->branch = u->id == ISA_BRA;
    memcpy(warp->active, lanes, sizeof warp->active);
    memset(warp->taken, 0, sizeof warp->taken);
    if (l->each == 1)
      l->sm[0]->unresolved |= SM_BIT(number); /* also if no lane of the lower half is active */
  }
  if (l->each > 1)
    lanes_queue(l, number, u, pc, slice);
  for (unsigned h = 0; h < l->sms && l->each == 1; h++)
    sm_issue_queue(l->sm[h], slice[h]);
}

/* ---- a cycle ---- */

/* Returns whether an SM has a fault, which becomes the lower one's. */
static bool faulty(struct sm_lanes *l) {
  if (l->sms > 1 && l->sm[0]->fault.kind == SM_FAULT_NONE && l->sm[1]->fault.kind != SM_FAULT_NONE)
    l->sm[0]->fault = l->sm[1]->fault;
  return l->sm[0]->fault.kind != SM_FAULT_NONE;
}

/* Takes ends of warps, traps and issues. */
static void take_outputs(struct sm_lanes *l, const struct sm_frontend_out *fe) {
  const struct sm_frontend_wide_out *more = (const struct sm_frontend_wide_out *)fe;
  const bool most = l->slices == SM_SLICES;
  const unsigned trap = (unsigned)fe->trap_warp;
  if (fe->done_valid)
    warp_done(l, (unsigned)fe->done_warp);
  if (fe->trap_valid)
    (void)lanes_fail(l, SM_FAULT_STACK, trap, l->sm[0]->warp[trap * l->each % SM_WARPS].last_pc,
                     "SIMT stack overflow of %s warp %u: branches nest too deeply", l->name, trap);
  if (fe->iss0_valid)
    issue(l, 0, fe->iss0_inst, (uint16_t)fe->iss0_pc, fe->iss0_mask, most ? more->iss0_mask_hi : 0);
  if (fe->iss1_valid)
    issue(l, 1, fe->iss1_inst, (uint16_t)fe->iss1_pc, fe->iss1_mask, most ? more->iss1_mask_hi : 0);
}

/* The order within a cycle:
 * 1. in space the oldest MEM instruction is handed over for both halves;
 * 2. the back ends step, without issues and ends of warps, in space without memory;
 * 3. in space a result of memory is written in both halves, and their reports are compared;
 * 4. the inputs that they return, slice by slice, become those of whole warps;
 * 5. ends of warps and traps, then issues, are taken;
 * 6. in time slices enter the back end's queues, also those issued in this cycle. */
uint64_t sm_lanes_step(struct sm_lanes *l, uint64_t cycle, const struct sm_frontend_out *fe,
                       struct sm_frontend_in *in) {
  const uint64_t lrr = in->cfg_lrr;
  l->fe[0].imiss_valid = fe->imiss_valid;
  l->fe[0].imiss_line = fe->imiss_line;
  l->fe[0].stall0 = fe->stall0;
  l->fe[0].stall1 = fe->stall1;
  if (l->sms > 1 && !l->sm[0]->begin && !faulty(l))
    lanes_enter_memory(l, cycle);
  for (unsigned h = 0; h < l->sms; h++)
    (void)sm_step(l->sm[h], cycle, &l->fe[h], &l->in[h]);
  if (l->sms > 1)
    lanes_meet(l);
  if (l->each > 1)
    memset(in, 0, sizeof(struct sm_frontend_wide_in));
  else
    *in = l->in[0];
  in->cfg_lrr = lrr;
  in->kernel_start = l->in[0].kernel_start;
  if (faulty(l) || in->kernel_start)
    return inputs_raised(in);
  gather(l, in);
  take_outputs(l, fe);
  if (l->each > 1)
    lanes_advance(l, in);
  (void)faulty(l);
  return l->each > 1 ? inputs_raised(in) : l->sm[0]->raised;
}

bool sm_lanes_idle(const struct sm_lanes *l) {
  return sm_idle(l->sm[0]) && (l->sms == 1 || sm_idle(l->sm[1])) && lanes_empty(l);
}

bool sm_lanes_waiting(const struct sm_lanes *l) {
  return sm_waiting(l->sm[0]) && (l->sms == 1 || sm_waiting(l->sm[1])) && lanes_still(l);
}
