/* Reference of rtl/spu/comm_pair.sv (docs/hardware/spu_units.md, comm_pair). */
#ifndef TANDEM_REF_COMM_PAIR_H
#define TANDEM_REF_COMM_PAIR_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum {
  COMM_PAIR_BANKS = 32,
  COMM_PAIR_WORDS_MOST = 8192, /* most words of a buffer */
};
enum comm_pair_mode { COMM_PAIR_RENDEZVOUS, COMM_PAIR_DECOUPLED, COMM_PAIR_GLOBAL };

struct comm_pair_ref {
  unsigned words; /* words of a buffer */
  uint32_t buffer[2][COMM_PAIR_WORDS_MOST];
  unsigned written, read; /* which buffer the producer writes, the consumer reads */
  bool some;              /* a tile was handed over */
  bool p_wait, c_wait;
  bool full[2], hold; /* decoupled: tiles that are complete; the consumer has one */
  uint16_t tiles;
  struct comm_pair_in in; /* registered */
  struct comm_pair_out out;
};

/* words: of a buffer, a power of two from 256 to COMM_PAIR_WORDS_MOST. */
void comm_pair_ref_reset(struct comm_pair_ref *c, unsigned words);
void comm_pair_ref_eval(const struct comm_pair_ref *c, const struct comm_pair_in *in,
                        struct comm_pair_out *out);
void comm_pair_ref_step(struct comm_pair_ref *c, const struct comm_pair_in *in);
void comm_pair_ref_view(const struct comm_pair_ref *c, struct comm_pair_view *view);

#endif
