/* The shadow of the communication buffers (csim/mem/cb.h): a model that follows the pairs and
 * knows which tile each word belongs to. */
#include <string.h>

#include "csim/mem/cb.h"
#include "harness/gpu/spu/shadow.h"

/* The first verdict that is not good stands. */
static void judge(struct spu_fabric *f, enum cb_verdict verdict, const struct tandem_error *why) {
  if (verdict != CB_GOOD && *f->fault.text == '\0')
    f->fault = *why;
}

int spu_shadow_open(struct tandem *t, struct spu_fabric *f, struct tandem_error *err) {
  char name[32];
  if (!t->config.feature.spu.shadow)
    return 0;
  f->shadow = cb_shadow_create(f->shape.links, t->config.feature.spu.cb_bytes / 4, err);
  if (f->shadow == NULL)
    return -1;
  for (unsigned i = 0; i < f->shape.links; i++) {
    spu_link_name(&f->shape, i, name);
    cb_shadow_name(f->shadow, i, name + sizeof "link");
  }
  return 0;
}

void spu_shadow_begin(struct tandem *t, struct spu_fabric *f) {
  if (f->shadow == NULL)
    return;
  cb_shadow_begin(f->shadow, t->config.feature.spu.sync == SPU_SYNC_GLOBAL    ? CB_GLOBAL
                             : t->config.feature.spu.pairing == SPU_DECOUPLED ? CB_DECOUPLED
                                                                              : CB_RENDEZVOUS);
}

/* The user of an end of a link. */
static struct cb_user user_of(const struct tandem *t, struct spu_fabric *f, struct spu_end e,
                              char name[32]) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, e.lane ? f->shape.slots + e.index : e.index);
  const uint64_t npx = (t->launch.grid.dim[0] + f->shape.px - 1) / f->shape.px;
  if (e.lane)
    spu_lane_name(&f->shape, e.index, name);
  else
    spu_slot_name(&f->shape, e.index, name);
  return (struct cb_user){.unit = name,
                          .pass = (uint32_t)(seq->cy * npx + seq->cx),
                          .exempt = seq->viu && t->config.feature.spu.sync == SPU_SYNC_GLOBAL};
}

void spu_shadow_outputs(struct spu_fabric *f, unsigned link, const struct comm_pair_out *out) {
  struct tandem_error why;
  uint32_t data[CB_BANKS];
  if (f->shadow == NULL)
    return;
  const unsigned ends = (out->p_done ? CB_PRODUCER : 0U) | (out->c_done ? CB_CONSUMER : 0U);
  if (ends != 0)
    judge(f, cb_shadow_done(f->shadow, link, ends, &why), &why);
  if (out->c_rsp) {
    memcpy(data, out->c_data, sizeof data);
    judge(f, cb_shadow_data(f->shadow, link, data, &why), &why);
  }
}

static struct cb_pass pass_of(uint64_t banks, const uint64_t row[4], const uint64_t *data) {
  struct cb_pass p = {.banks = (uint32_t)banks, .write = data != NULL};
  memcpy(p.row, row, sizeof p.row);
  if (data != NULL)
    memcpy(p.data, data, sizeof p.data);
  return p;
}

void spu_shadow_inputs(const struct tandem *t, struct spu_fabric *f, unsigned link,
                       const struct comm_pair_in *in) {
  const struct spu_link l = spu_link_at(&f->shape, link);
  struct tandem_error why;
  char name[32];
  if (f->shadow == NULL || in->kernel_start)
    return;
  if (in->p_valid) {
    const struct cb_user user = user_of(t, f, l.from, name);
    const struct cb_pass p = pass_of(in->p_bank, in->p_row, in->p_data);
    judge(f, cb_shadow_write(f->shadow, link, &user, &p, &why), &why);
  }
  if (in->c_valid) {
    const struct cb_user user = user_of(t, f, l.to, name);
    const struct cb_pass p = pass_of(in->c_bank, in->c_row, NULL);
    judge(f, cb_shadow_read(f->shadow, link, &user, &p, &why), &why);
  }
  const unsigned ends = (in->p_post ? CB_PRODUCER : 0U) | (in->c_post ? CB_CONSUMER : 0U);
  if (ends != 0)
    judge(f, cb_shadow_post(f->shadow, link, ends, &why), &why);
}

void spu_shadow_swap(struct spu_fabric *f) {
  if (f->shadow != NULL)
    cb_shadow_swap(f->shadow);
}

void spu_shadow_end(struct spu_fabric *f) {
  struct tandem_error why;
  if (f->shadow != NULL)
    judge(f, cb_shadow_end(f->shadow, &why), &why);
}
