/* Halves in two SMs, always in the same cycles. */
#include "csim/sm/lanes/lanes_local.h"

void sm_lanes_begin(struct sm_lanes *l, const struct grid *grid, const struct sm_shape *shape) {
  for (unsigned h = 0; h < l->sms; h++) {
    sm_set_shape(l->sm[h], shape);
    l->sm[h]->half = (uint8_t)h;
    l->sm[h]->other = l->sm[1 - h];
    l->sm[h]->smid = (uint8_t)l->sm[0]->index;
    sm_begin(l->sm[h], grid);
  }
}

static struct sm_room room_of(const struct sm_lanes *l) {
  struct sm_room room = SM_ROOM_ANY;
  for (unsigned h = 0; h < l->sms; h++)
    sm_cta_room(l->sm[h], &room);
  return room;
}

bool sm_lanes_ready(const struct sm_lanes *l) {
  const struct sm_room room = room_of(l);
  return sm_cta_ready(l->sm[0]) && sm_cta_ready(l->sm[1]) && sm_room_fits(&room);
}

void sm_lanes_cta(struct sm_lanes *l, const uint32_t ctaid[3]) {
  const struct sm_room room = room_of(l);
  for (unsigned h = 0; h < l->sms; h++)
    sm_cta_launch_in(l->sm[h], ctaid, &room);
}

void lanes_enter_memory(struct sm_lanes *l, uint64_t cycle) {
  struct sm *low = l->sm[0], *high = l->sm[1];
  low->cycle = cycle;
  if ((low->memq[0].full[0].n | high->memq[0].full[0].n | low->to_memory.n) == 0)
    return;
  const struct sm_inst *a = sm_mem_oldest(low), *b = sm_mem_oldest(high);
  if ((a == NULL && b == NULL) || (a != NULL && b != NULL && a->warp == b->warp && a->pc == b->pc))
    (void)sm_mem_enter(low);
  else
    (void)lanes_fail(l, SM_FAULT_TIMING, 0, 0,
                     "the halves of wide warps hand over different MEM instructions");
}

/* Writes both halves of a result of memory. */
static void leave_memory(struct sm_lanes *l) {
  struct sm_inst *inst = sm_mem_complete(l->sm[0]) ? sm_mem_leave(l->sm[0]) : NULL;
  struct sm_inst *const halves[LANES_HALVES] = {inst, inst != NULL ? inst->mem.other : NULL};
  for (unsigned h = 0; h < LANES_HALVES && inst != NULL; h++) {
    sm_mem_changes(l->sm[h], halves[h]);
    sm_put_loaded(l->sm[h], halves[h], &l->in[h]);
  }
}

/* The halves must report the same in the same cycle. */
static void compare_halves(struct sm_lanes *l) {
  const struct sm_frontend_in *a = &l->in[0], *b = &l->in[1];
  const bool same = a->wb_valid == b->wb_valid && a->wb_warp == b->wb_warp &&
                    a->wb_reg == b->wb_reg && a->wb_size == b->wb_size &&
                    a->wb_pred == b->wb_pred && a->col_valid == b->col_valid &&
                    a->col_warp == b->col_warp && a->sp_credit == b->sp_credit &&
                    a->sfu_credit == b->sfu_credit && a->mem_credit == b->mem_credit &&
                    a->resolve_valid == b->resolve_valid && a->resolve_warp == b->resolve_warp;
  if (same)
    return;
  const struct sm_frontend_in *in = (a->wb_valid | a->col_valid | a->resolve_valid) != 0 ? a : b;
  const unsigned warp = in->resolve_valid   ? (unsigned)in->resolve_warp
                        : in->wb_valid != 0 ? (unsigned)(in->wb_warp & 63)
                                            : (unsigned)(in->col_warp & 63);
  const uint16_t pc = l->sm[0]->warp[warp % SM_WARPS].last_pc;
  (void)lanes_fail(l, SM_FAULT_TIMING, warp, pc,
                   "wide warp %u at pc %u: its halves differ in what they collect, write, resolve "
                   "or give back",
                   warp, pc);
}

void lanes_meet(struct sm_lanes *l) {
  leave_memory(l);
  compare_halves(l);
}
