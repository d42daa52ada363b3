/* Reference of rtl/sm/ibuffer.sv (docs/hardware/frontend.md, ibuffer). */
#ifndef TANDEM_REF_IBUFFER_H
#define TANDEM_REF_IBUFFER_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

struct ibuffer_entry {
  uint64_t word;
  uint16_t dec;
};

enum { IBUFFER_LEAST = 2, IBUFFER_MOST = 4 }; /* entries of a warp */

/* The queue of a warp, a ring. */
struct ibuffer_queue {
  _Alignas(64) uint64_t word[IBUFFER_MOST];
  uint16_t dec[IBUFFER_MOST];
  uint8_t first, length; /* place of the head; entries */
  bool ends;             /* the last one is a branch or exit */
};

struct ibuffer_ref {
  struct ibuffer_queue queue[WARPS];
  /* kept in step with the queues */
  warpset valid, second;  /* at least one entry, two entries */
  warpset from_b;         /* of two entries, the head is the second one */
  warpset full;           /* no room for two more, or nothing follows the last one */
  warpset sfu, mem, none; /* the head's pipe */
  warpset stale;          /* flushed since they were selected: what comes is not taken */
  uint8_t more;           /* entries of a warp beyond IBUFFER_LEAST */
  bool no_words;          /* a memory beside has the words: eval gives only ctl of the heads */
};

/* In reset state, with entries as before. */
void ibuffer_ref_reset(struct ibuffer_ref *b);
/* Fetch selects a warp.  Returns the number of its instructions that come before. */
unsigned ibuffer_ref_select(struct ibuffer_ref *b, unsigned warp);
/* Returns whether a write of the warp would be taken. */
bool ibuffer_ref_takes(const struct ibuffer_ref *b, unsigned warp);
/* Appends one or two instructions. */
void ibuffer_ref_write(struct ibuffer_ref *b, unsigned warp, struct ibuffer_entry first,
                       const struct ibuffer_entry *second);
void ibuffer_ref_pop(struct ibuffer_ref *b, unsigned warp);
void ibuffer_ref_flush(struct ibuffer_ref *b, unsigned warp);

static inline struct ibuffer_entry ibuffer_ref_head(const struct ibuffer_ref *b, unsigned warp) {
  const struct ibuffer_queue *q = &b->queue[warp];
  return (struct ibuffer_entry){q->word[q->first], q->dec[q->first]};
}

/* Returns the warps of the set whose head is answered by memory. */
warpset ibuffer_ref_loads(const struct ibuffer_ref *b, warpset of);

/* The fields of an instruction that the scoreboard needs: {dec, inst[24:0]}. */
static inline uint64_t ibuffer_ref_opnd(struct ibuffer_entry e) {
  return (uint64_t)e.dec << 25 | (e.word & 0x1ffffff);
}

void ibuffer_ref_eval(const struct ibuffer_ref *b, const struct ibuffer_in *in,
                      struct ibuffer_out *out);
void ibuffer_ref_step(struct ibuffer_ref *b, const struct ibuffer_in *in);
void ibuffer_ref_view(const struct ibuffer_ref *b, struct ibuffer_view *view);

#endif
