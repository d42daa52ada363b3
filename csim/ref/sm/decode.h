/* Reference of rtl/sm/decode.sv (docs/hardware/frontend.md, decode): the control bundle of a word.
 */
#ifndef TANDEM_REF_DECODE_H
#define TANDEM_REF_DECODE_H

#include "csim/isa/core/isa.h"
#include "csim/ports/units.h"

enum decode_ctl { DECODE_CTL_NONE, DECODE_CTL_BRA, DECODE_CTL_EXIT, DECODE_CTL_BAR };

/* The control bundle of a word, from the instruction table. */
uint16_t decode_ref_word(uint64_t word);

/* Returns the control class of a word, as decode_ctl() of its bundle. */
unsigned decode_ref_ctl(uint64_t word);

static inline unsigned decode_pipe(unsigned dec) { return dec & 3; }
static inline unsigned decode_ctl(unsigned dec) { return dec >> 2 & 3; }
static inline unsigned decode_d_n(unsigned dec) { return dec >> 4 & 3; }
static inline bool decode_d_p(unsigned dec) { return (dec >> 6 & 1) != 0; }
static inline unsigned decode_s1_n(unsigned dec) { return dec >> 7 & 3; }
static inline unsigned decode_s2_n(unsigned dec) { return dec >> 9 & 3; }
static inline unsigned decode_s3_n(unsigned dec) { return dec >> 11 & 3; }
static inline bool decode_p2(unsigned dec) { return (dec >> 13 & 1) != 0; }
static inline bool decode_p3(unsigned dec) { return (dec >> 14 & 1) != 0; }

/* A decoder has no state; the functions that every unit has. */
struct decode_ref {
  uint8_t unused_;
};
void decode_ref_reset(struct decode_ref *d);
void decode_ref_eval(const struct decode_ref *d, const struct decode_in *in,
                     struct decode_out *out);
void decode_ref_step(struct decode_ref *d, const struct decode_in *in);
void decode_ref_view(const struct decode_ref *d, struct decode_view *view);

#endif
