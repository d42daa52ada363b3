/* Reference of rtl/spu/pass_seq.sv. */
#include "csim/ref/spu/pass_seq.h"

void pass_seq_ref_reset(struct pass_seq_ref *s) {
  *s = (struct pass_seq_ref){.state = PASS_SEQ_DONE};
}

static bool pass_seq_last_column(const struct pass_seq_ref *s) {
  return s->cx + 1U == s->fixed.npx;
}
static bool pass_seq_last_row(const struct pass_seq_ref *s) { return s->cy + 1U == s->fixed.npy; }

static struct pass_role pass_seq_slot(uint64_t gx, uint64_t gy, uint64_t cols, uint64_t rows,
                                      const struct pass_seq_in *f) {
  if (gx < cols && gy < rows)
    return (struct pass_role){.role = SPU_ROLE_BLOCK};
  if (gx == cols && cols < f->px && gy < rows)
    return (struct pass_role){.role = SPU_ROLE_STORE, .side = 0};
  if (gy == rows && rows < f->qy && gx < cols)
    return (struct pass_role){.role = SPU_ROLE_STORE, .side = 1};
  return (struct pass_role){.role = SPU_ROLE_NONE};
}

static struct pass_role pass_seq_role(const struct pass_seq_ref *s) {
  static const struct pass_role none = {.role = SPU_ROLE_NONE};
  const struct pass_seq_in *f = &s->fixed;
  const uint64_t cols = pass_seq_last_column(s) ? f->lastc : f->px;
  const uint64_t rows = pass_seq_last_row(s) ? f->lastr : f->qy;
  if (s->state == PASS_SEQ_DONE)
    return none;
  switch (f->kind) {
  case KIND_SLOT:
    return pass_seq_slot(f->gx, f->gy, cols, rows, f);
  case KIND_NORTH:
    return f->gx < cols ? (struct pass_role){SPU_ROLE_LOAD, s->cy > 0, 1} : none;
  case KIND_WEST:
    return f->gy < rows ? (struct pass_role){SPU_ROLE_LOAD, s->cx > 0, 0} : none;
  case KIND_SOUTH:
    return f->gx < cols && rows == f->qy
               ? (struct pass_role){SPU_ROLE_STORE, s->cy + 1U < f->npy, 1}
               : none;
  case KIND_EAST:
    return f->gy < rows && cols == f->px
               ? (struct pass_role){SPU_ROLE_STORE, s->cx + 1U < f->npx, 0}
               : none;
  default:
    return none;
  }
}

void pass_seq_ref_eval(const struct pass_seq_ref *s, const struct pass_seq_in *in,
                       struct pass_seq_out *out) {
  const struct pass_role r = pass_seq_role(s);
  (void)in;
  *out = (struct pass_seq_out){.role = r.role,
                               .viu = r.viu,
                               .side = r.side,
                               .cx = s->cx,
                               .cy = s->cy,
                               .start = s->state == PASS_SEQ_START,
                               .offer = s->state == PASS_SEQ_OFFER,
                               .member = r.role != SPU_ROLE_NONE && s->state <= PASS_SEQ_RUN,
                               .at_end = s->state == PASS_SEQ_END || s->state == PASS_SEQ_DONE,
                               .next_cx = s->next_cx,
                               .next_cy = s->next_cy,
                               .done = s->state == PASS_SEQ_DONE,
                               .quiet = s->state >= PASS_SEQ_OFFER && !s->next_cx && !s->next_cy};
}

static void pass_seq_advance(struct pass_seq_ref *s) {
  s->state = PASS_SEQ_SEEK;
  if (!pass_seq_last_column(s)) {
    s->cx++;
    s->next_cx = true;
  } else if (!pass_seq_last_row(s)) {
    s->cx = 0;
    s->cy++;
    s->next_cy = true;
  } else {
    s->state = PASS_SEQ_DONE;
  }
}

/* The pass is over for the unit. */
static void pass_seq_over(struct pass_seq_ref *s) {
  if (s->fixed.overlap)
    pass_seq_advance(s);
  else
    s->state = PASS_SEQ_END;
}

static void pass_seq_move(struct pass_seq_ref *s, const struct pass_seq_in *in) {
  const struct pass_role r = pass_seq_role(s);
  switch (s->state) {
  case PASS_SEQ_SEEK:
    if (r.role == SPU_ROLE_NONE)
      pass_seq_over(s);
    else
      s->state = PASS_SEQ_START;
    break;
  case PASS_SEQ_START:
    s->state = r.role == SPU_ROLE_BLOCK || s->fixed.truncated ? PASS_SEQ_OFFER : PASS_SEQ_RUN;
    break;
  case PASS_SEQ_OFFER:
    if (in->taken)
      s->state = PASS_SEQ_RUN;
    break;
  case PASS_SEQ_RUN:
    if (in->fin)
      pass_seq_over(s);
    break;
  case PASS_SEQ_END:
    if (in->go)
      pass_seq_advance(s);
    break;
  case PASS_SEQ_DONE:
    break;
  }
}

void pass_seq_ref_step(struct pass_seq_ref *s, const struct pass_seq_in *in) {
  s->next_cx = s->next_cy = false;
  if (in->kernel_start)
    *s = (struct pass_seq_ref){.state = PASS_SEQ_SEEK};
  else
    pass_seq_move(s, in);
  s->fixed = *in;
}

void pass_seq_ref_view(const struct pass_seq_ref *s, struct pass_seq_view *view) {
  *view = (struct pass_seq_view){.state = {s->state}};
}
