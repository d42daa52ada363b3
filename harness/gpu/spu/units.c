/* The types of the SPU's units: their tables and references. */
#include <stdlib.h>

#include "csim/ref/spu/block_port.h"
#include "csim/ref/spu/comm_pair.h"
#include "csim/ref/spu/iu_dma.h"
#include "csim/ref/spu/pass_seq.h"
#include "csim/ref/spu/spill_chan.h"
#include "csim/ref/spu/spu_global.h"
#include "harness/gpu/spu/fabric.h"

/* A unit's functions around those of its reference; RESET(r, numbers) resets it. */
#define SPU_UNIT(unit, RESET)                                                                      \
  static void *unit##_create(const unsigned *numbers) {                                            \
    struct unit##_ref *r = calloc(1, sizeof *r);                                                   \
    (void)numbers;                                                                                 \
    if (r != NULL)                                                                                 \
      RESET;                                                                                       \
    return r;                                                                                      \
  }                                                                                                \
  static const void *unit##_out_of(void *ref, const void *in, void *room) {                        \
    unit##_ref_eval(ref, in, room);                                                                \
    return room;                                                                                   \
  }                                                                                                \
  static void unit##_clock(void *ref, const void *in) { unit##_ref_step(ref, in); }                \
  static bool unit##_state(void *ref, unsigned sm, void *view) {                                   \
    (void)sm;                                                                                      \
    unit##_ref_view(ref, view);                                                                    \
    return true;                                                                                   \
  }                                                                                                \
  static const struct ports_part unit##_parts[] = {{#unit, &unit##_ports, 0, false}};              \
  static const struct unit_type unit##_type = {                                                    \
      .name = #unit,                                                                               \
      .rows = {{.ports = &unit##_ports}},                                                          \
      .nrows = 1,                                                                                  \
      .in_bytes = sizeof(struct unit##_in),                                                        \
      .out_bytes = sizeof(struct unit##_out),                                                      \
      .parts = unit##_parts,                                                                       \
      .nparts = 1,                                                                                 \
      .view_bytes = sizeof(struct unit##_view),                                                    \
      .ref = {unit##_create, free, unit##_out_of, unit##_clock, unit##_state}};

SPU_UNIT(comm_pair, comm_pair_ref_reset(r, numbers[0]))
SPU_UNIT(block_port, block_port_ref_reset(r))
SPU_UNIT(pass_seq, pass_seq_ref_reset(r))
SPU_UNIT(iu_dma, iu_dma_ref_reset(r, numbers[0]))
SPU_UNIT(spill_chan, spill_chan_ref_reset(r))
SPU_UNIT(spu_global, spu_global_ref_reset(r))

/* ---- events: they are at the inputs for one clock edge ---- */

static void settle_pair(void *unit_in) {
  struct comm_pair_in *in = unit_in;
  in->kernel_start = in->p_valid = in->c_valid = in->p_post = in->c_post = in->swap = 0;
}
static void settle_port(void *unit_in) {
  struct block_port_in *in = unit_in;
  in->kernel_start = in->launch = in->arrive = in->exit = in->start = in->done = 0;
}
static void settle_seq(void *unit_in) {
  struct pass_seq_in *in = unit_in;
  in->kernel_start = in->fin = in->taken = in->go = 0;
}
static void settle_dma(void *unit_in) {
  struct iu_dma_in *in = unit_in;
  in->kernel_start = in->cfg_valid = in->start = in->next_cx = in->next_cy = 0;
  in->got = in->done = in->c_rsp = in->gdone = in->m_rsp = 0;
}
static void settle_chan(void *unit_in) {
  struct spill_chan_in *in = unit_in;
  in->kernel_start = in->put = in->get = 0;
}
static void settle_global(void *unit_in) {
  struct spu_global_in *in = unit_in;
  in->kernel_start = 0;
  memset(in->post, 0, sizeof in->post);
  memset(in->lane_post, 0, sizeof in->lane_post);
}

const struct spu_kind_type spu_kinds[SPU_KINDS] = {
    [SPU_PAIR] = {&comm_pair_type, offsetof(struct comm_pair_out, quiet), settle_pair},
    [SPU_PORT] = {&block_port_type, offsetof(struct block_port_out, quiet), settle_port},
    [SPU_SEQ] = {&pass_seq_type, offsetof(struct pass_seq_out, quiet), settle_seq},
    [SPU_DMA] = {&iu_dma_type, offsetof(struct iu_dma_out, quiet), settle_dma},
    [SPU_CHAN] = {&spill_chan_type, offsetof(struct spill_chan_out, quiet), settle_chan},
    [SPU_GLOBAL] = {&spu_global_type, offsetof(struct spu_global_out, quiet), settle_global},
};
