/* The replay of ALU timing without memory: a check that memory does not influence it. */
#include "csim/sm/sm_local.h"

void sm_replay_begin(struct sm *sm) {
  sm_alu_copy(&sm->replay.alu, &sm->alu);
  if (sm->config.deep_queues)
    sm->replay.memq = sm->memq[0];
  sm->replay.on = true;
}

/* Raises a fault at an instruction whose timing differs. */
static void interferes(struct sm *sm, unsigned id, const char *what) {
  const struct sm_inst *inst = sm_inst_at(sm, id);
  sm_raise(sm, SM_FAULT_TIMING, inst->warp, inst->pc, inst->uop != NULL ? inst->uop->word : 0,
           "the timing of warp %u, pc %u differs from that of the same %s alone", inst->warp,
           inst->pc, what);
}

static unsigned read_by(const struct sm_collected *oc, const struct sm_collected *alone) {
  return oc->n != 0 ? oc->grant[0].id : alone->n != 0 ? alone->grant[0].id : 0;
}

/* Returns the instruction whose write-backs differ first, or 0. */
static unsigned written_by(const uint16_t wb[SM_ALU_PIPES], const uint16_t alone[SM_ALU_PIPES]) {
  unsigned id = 0;
  for (unsigned p = 0; p < SM_ALU_PIPES && id == 0; p++)
    id = wb[p] != alone[p] ? (wb[p] != 0 ? wb[p] : alone[p]) : 0;
  return id;
}

void sm_replay_alu(struct sm *sm, const struct sm_alu_events *ev) {
  struct sm_alu_events alone;
  sm->replay.cycle = sm->cycle;
  memset(sm->replay.busy, 0, sizeof sm->replay.busy);
  sm_alu_step(&sm->replay.alu, sm->cycle, sm->replay.busy, &alone);
  if (sm_alu_same(ev, &alone, sm_sides(sm)))
    return;
  unsigned id = written_by(ev->wb, alone.wb);
  for (unsigned side = 0; side < sm_sides(sm) && id == 0; side++)
    if (!sm_collect_same(&ev->oc[side], &alone.oc[side]))
      id = read_by(&ev->oc[side], &alone.oc[side]);
  interferes(sm, id, "ALU instructions");
}

/* Nothing holds its collector after collection, so none is ever waited for. */
void sm_replay_mem(struct sm *sm, const struct sm_collected *oc) {
  struct sm_collect *c = &sm->replay.memq;
  struct sm_collected alone;
  uint32_t busy = sm->replay.cycle == sm->cycle ? sm->replay.busy[0] : 0;
  while (c->full[0].n != 0)
    sm_collect_take(c, 0, 0);
  sm_collect_step(c, sm->cycle, &busy, &alone);
  if (!sm_collect_same(oc, &alone))
    interferes(sm, read_by(oc, &alone), "ALU and MEM instructions without memory");
}
