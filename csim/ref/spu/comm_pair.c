/* Reference of rtl/spu/comm_pair.sv. */
#include "csim/ref/spu/comm_pair.h"

void comm_pair_ref_reset(struct comm_pair_ref *c, unsigned words) {
  *c = (struct comm_pair_ref){.words = words};
}

/* The word that an access by the given rows finds in a bank. */
static uint32_t *comm_pair_word(struct comm_pair_ref *c, unsigned buffer, const uint64_t *rows,
                                unsigned bank) {
  const unsigned row = (unsigned)(rows[bank / 8] >> bank % 8 * 8) & 0xff;
  return &c->buffer[buffer][(row * COMM_PAIR_BANKS + bank) % c->words];
}

static void comm_pair_write(struct comm_pair_ref *c) {
  const struct comm_pair_in *in = &c->in;
  if (!in->p_valid)
    return;
  for (unsigned bank = 0; bank < COMM_PAIR_BANKS; bank++)
    if (in->p_bank >> bank & 1)
      *comm_pair_word(c, c->written, in->p_row, bank) =
          (uint32_t)(in->p_data[bank / 2] >> bank % 2 * 32);
}

static void comm_pair_read(struct comm_pair_ref *c) {
  const struct comm_pair_in *in = &c->in;
  c->out.c_rsp = in->c_valid;
  if (!in->c_valid)
    return;
  for (unsigned bank = 0; bank < COMM_PAIR_BANKS; bank++) {
    uint64_t *to = &c->out.c_data[bank / 2];
    const unsigned at = bank % 2 * 32;
    const bool asked = (in->c_bank >> bank & 1) != 0;
    const uint64_t word = asked ? *comm_pair_word(c, c->read, in->c_row, bank) : 0;
    *to = (*to & ~(UINT64_C(0xffffffff) << at)) | word << at;
  }
}

/* The buffers change sides. */
static void comm_pair_swap(struct comm_pair_ref *c) {
  c->read = c->written;
  c->written ^= 1;
  c->some = true;
  c->tiles++;
}

static void comm_pair_rendezvous(struct comm_pair_ref *c) {
  c->p_wait = c->p_wait || c->in.p_post;
  c->c_wait = c->c_wait || c->in.c_post;
  if (!c->p_wait || !c->c_wait)
    return;
  comm_pair_swap(c);
  c->p_wait = c->c_wait = false;
  c->out.p_done = c->out.c_done = 1;
}

static void comm_pair_decoupled(struct comm_pair_ref *c) {
  if (c->in.p_post) {
    c->full[c->written] = true;
    c->p_wait = true;
  }
  if (c->in.c_post) {
    if (c->hold) {
      c->full[c->read] = false;
      c->read ^= 1;
      c->hold = false;
    }
    c->c_wait = true;
  }
  if (c->p_wait && !c->full[c->written ^ 1]) {
    c->written ^= 1;
    c->p_wait = false;
    c->out.p_done = 1;
  }
  if (c->c_wait && c->full[c->read]) {
    c->hold = true;
    c->some = true;
    c->tiles++;
    c->c_wait = false;
    c->out.c_done = 1;
  }
}

static bool comm_pair_quiet(const struct comm_pair_ref *c) {
  const struct comm_pair_in *in = &c->in;
  return !in->kernel_start && !in->p_valid && !in->p_post && !in->c_valid && !in->c_post &&
         !in->swap && !c->out.p_done && !c->out.c_done && !c->out.c_rsp;
}

void comm_pair_ref_eval(const struct comm_pair_ref *c, const struct comm_pair_in *in,
                        struct comm_pair_out *out) {
  (void)in;
  *out = c->out;
  out->quiet = comm_pair_quiet(c);
}

static void comm_pair_clear(struct comm_pair_ref *c) {
  c->written = c->read = 0;
  c->some = c->p_wait = c->c_wait = c->full[0] = c->full[1] = c->hold = false;
  c->tiles = 0;
  c->out.p_done = c->out.c_done = c->out.c_rsp = 0;
}

void comm_pair_ref_step(struct comm_pair_ref *c, const struct comm_pair_in *in) {
  if (c->in.kernel_start) {
    comm_pair_clear(c);
  } else {
    /* 1. Accesses, to the buffers as they are before a hand-over. */
    comm_pair_read(c);
    comm_pair_write(c);
    /* 2. Hand-overs. */
    c->out.p_done = c->out.c_done = 0;
    if (c->in.mode == COMM_PAIR_RENDEZVOUS)
      comm_pair_rendezvous(c);
    else if (c->in.mode == COMM_PAIR_DECOUPLED)
      comm_pair_decoupled(c);
    else if (c->in.swap)
      comm_pair_swap(c);
  }
  c->in = *in;
}

static void comm_pair_sums(const struct comm_pair_ref *c, unsigned buffer, uint64_t *sums) {
  for (unsigned i = 0; i < c->words; i++)
    sums[i / COMM_PAIR_BANKS] += (uint64_t)c->buffer[buffer][i] * (i % COMM_PAIR_BANKS + 1);
}

void comm_pair_ref_view(const struct comm_pair_ref *c, struct comm_pair_view *view) {
  *view = (struct comm_pair_view){.w = {c->written},
                                  .r = {c->read},
                                  .some = {c->some},
                                  .p_wait = {c->p_wait},
                                  .c_wait = {c->c_wait},
                                  .full = {(uint64_t)c->full[1] << 1 | c->full[0]},
                                  .hold = {c->hold},
                                  .tiles = {c->tiles}};
  comm_pair_sums(c, 0, view->sum0);
  comm_pair_sums(c, 1, view->sum1);
}
