/* decode: the control bundle of every operation with every modifier. */
#include "csim/ref/sm/decode.h"

#define UNIT decode
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(legal)                                                                                         \
  F(undefined_operation)                                                                           \
  F(immediate_for_source_2)                                                                        \
  F(predicate_destination)                                                                         \
  F(quad)
COVER_DEFINE(COVERAGE)

enum { MODIFIERS = 128, OPERATIONS = 64, UNITS = 16 };

static uint64_t word_of(unsigned unit, unsigned op, unsigned mods, uint64_t rest) {
  uint64_t own = UINT64_C(0x3ff) << 48 | UINT64_C(0x7f) << 25;
  return (rest & ~own) | (uint64_t)unit << 54 | (uint64_t)op << 48 | (uint64_t)mods << 25;
}

/* The bundle from its fields, in the order of the specification. */
static uint64_t bundle(unsigned p3, unsigned p2, unsigned s3, unsigned s2, unsigned s1, unsigned dp,
                       unsigned d, unsigned ctl, unsigned pipe) {
  return p3 << 14 | p2 << 13 | s3 << 11 | s2 << 9 | s1 << 7 | dp << 6 | d << 4 | ctl << 2 | pipe;
}

enum { SP, SFU, MEM, NONE };

static void operations(struct lockstep *l) {
  static const struct {
    const char *what;
    unsigned unit, op, mods;
    unsigned p3, p2, s3, s2, s1, dp, d, ctl, pipe;
  } cases[] = {
      {"nop uses no pipe", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NONE},
      {"bra: its register fields are a PC, nothing is read", 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, SP},
      {"exit", 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, SP},
      {"bar", 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, NONE},
      {"control 4 is undefined: an SP instruction", 0, 4, 127, 0, 0, 0, 0, 0, 0, 0, 0, SP},
      {"mov", 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, SP},
      {"movi: immediates only", 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, SP},
      {"iadd of two registers", 1, 3, 0, 0, 0, 0, 1, 1, 0, 1, 0, SP},
      {"iadd of register and immediate", 1, 3, 64, 0, 0, 0, 0, 1, 0, 1, 0, SP},
      {"selp: src 3 is a predicate", 1, 11, 0, 1, 0, 0, 1, 1, 0, 1, 0, SP},
      {"selp with an immediate", 1, 11, 64, 1, 0, 0, 0, 1, 0, 1, 0, SP},
      {"plop: predicates only", 1, 20, 2, 1, 1, 0, 0, 0, 1, 0, 0, SP},
      {"plop: IMM does not change a predicate source", 1, 20, 64, 1, 1, 0, 0, 0, 1, 0, 0, SP},
      {"vote", 1, 21, 0, 0, 1, 0, 0, 0, 1, 0, 0, SP},
      {"ballot gives a register", 1, 22, 0, 0, 1, 0, 0, 0, 0, 1, 0, SP},
      {"isetp", 2, 2, 0, 0, 0, 0, 1, 1, 1, 0, 0, SP},
      {"mulw gives a pair", 3, 2, 0, 0, 0, 0, 1, 1, 0, 2, 0, SP},
      {"madw adds a pair", 4, 2, 0, 0, 0, 2, 1, 1, 0, 2, 0, SP},
      {"fma", 9, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, SP},
      {"rcp", 10, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, SFU},
      {"dfma", 11, 2, 0, 0, 0, 2, 2, 2, 0, 2, 0, SFU},
      {"dsetp", 11, 8, 0, 0, 0, 0, 2, 2, 1, 0, 0, SFU},
      {"lselp", 12, 17, 0, 1, 0, 0, 2, 2, 0, 2, 0, SP},
      {"lshl shifts a pair by a register", 12, 5, 0, 0, 0, 0, 1, 2, 0, 2, 0, SP},
      {"operation 63 of unit 12 is undefined", 12, 63, 64, 0, 0, 0, 0, 0, 0, 0, 0, SP},
      {"load of 32 bits", 13, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, MEM},
      {"load of 32 bits, v2", 13, 0, 2 | 1 << 3, 0, 0, 0, 0, 1, 0, 2, 0, MEM},
      {"load of 32 bits, v4", 13, 0, 2 | 2 << 3, 0, 0, 0, 0, 1, 0, 3, 0, MEM},
      {"load of 8 bits, vector field 3", 13, 0, 0 | 3 << 3, 0, 0, 0, 0, 1, 0, 3, 0, MEM},
      {"load of 64 bits", 13, 0, 3, 0, 0, 0, 0, 1, 0, 2, 0, MEM},
      {"load of 64 bits, v2", 13, 0, 3 | 1 << 3, 0, 0, 0, 0, 1, 0, 3, 0, MEM},
      {"load of 64 bits, vector field 2", 13, 0, 3 | 2 << 3, 0, 0, 0, 0, 1, 0, 3, 0, MEM},
      {"load from a 64-bit address", 13, 0, 2 | 32, 0, 0, 0, 0, 2, 0, 1, 0, MEM},
      {"load from an absolute address", 13, 0, 2 | 64, 0, 0, 0, 0, 0, 0, 1, 0, MEM},
      {"ABS wins over A64", 13, 0, 2 | 96, 0, 0, 0, 0, 0, 0, 1, 0, MEM},
      {"store of 32 bits, v4", 13, 8, 2 | 2 << 3, 0, 0, 0, 3, 1, 0, 0, 0, MEM},
      {"store of 64 bits to an absolute address", 13, 9, 3 | 64, 0, 0, 0, 2, 0, 0, 0, 0, MEM},
      {"bsync: one destination, and no control instruction", 13, 6, 0, 0, 0, 0, 0, 0, 0, 1, 0, MEM},
      {"bsync has no modifiers", 13, 6, 127, 0, 0, 0, 0, 0, 0, 1, 0, MEM},
      {"memory operation 7 is undefined", 13, 7, 2, 0, 0, 0, 0, 0, 0, 0, 0, SP},
      {"atom.add", 14, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, MEM},
      {"atom.cas, NORET", 14, 2, 64, 0, 0, 1, 1, 1, 0, 0, 0, MEM},
      {"atomic at a 64-bit address", 14, 1, 32, 0, 0, 0, 1, 2, 0, 1, 0, MEM},
      {"atom.add of 64 bits", 14, 0, 4, 0, 0, 0, 2, 1, 0, 2, 0, MEM},
      {"atom.xor.shared of 64 bits", 14, 7, 5, 0, 0, 0, 2, 1, 0, 2, 0, MEM},
      {"atom.max of 64 bits, NORET", 14, 4, 4 | 2 | 64, 0, 0, 0, 2, 1, 0, 0, 0, MEM},
      {"atom.cas of 64 bits", 14, 2, 4, 0, 0, 2, 2, 1, 0, 2, 0, MEM},
      {"atom.cas of 64 bits at a 64-bit address", 14, 2, 4 | 32, 0, 0, 2, 2, 2, 0, 2, 0, MEM},
      {"atom.inc has no 64", 14, 8, 4, 0, 0, 0, 1, 1, 0, 1, 0, MEM},
      {"atom.fadd has no 64", 14, 10, 4, 0, 0, 0, 1, 1, 0, 1, 0, MEM},
      {"mods[2] of a load is its sign", 13, 0, 2 | 4, 0, 0, 0, 0, 1, 0, 1, 0, MEM},
      {"unit 15 is undefined", 15, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, SP},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint64_t rest = i % 2 == 0 ? 0 : UINT64_MAX;
    TICK(.inst = word_of(cases[i].unit, cases[i].op, cases[i].mods, rest));
    lockstep_expect(cases[i].what, l->ref_out.dec, l->dut_out.dec,
                    bundle(cases[i].p3, cases[i].p2, cases[i].s3, cases[i].s2, cases[i].s1,
                           cases[i].dp, cases[i].d, cases[i].ctl, cases[i].pipe),
                    __FILE__, __LINE__);
  }
}

/* Returns the bundle of a well-formed word by the instruction table, as the back end reads it. */
static uint64_t bundle_of_table(uint64_t word) {
  struct isa_operands o = isa_operands_of(word);
  enum isa_id id = isa_id_of(word);
  unsigned ctl = id == ISA_BRA ? 1 : id == ISA_EXIT ? 2 : id == ISA_BAR ? 3 : 0;
  return bundle(o.p3, o.p2, o.s3, o.s2, o.s1, o.dp, o.d, ctl, isa_ops[id].pipe);
}

static bool modifiers_make_sense(uint64_t word) {
  unsigned mods = isa_unpack(word).mods, vector = mods >> 3 & 3;
  return isa_unpack(word).unit != ISA_U_MEM || isa_id_of(word) == ISA_BSYNC ||
         ((mods & 3) == 3 ? vector < 2 : vector < 3);
}

static void random_decode(struct lockstep *l, struct rng *r, uint64_t cycles) {
  /* Every operation with all modifiers, other fields random. */
  for (unsigned unit = 0; unit < UNITS; unit++)
    for (unsigned op = 0; op < OPERATIONS; op++)
      for (unsigned mods = 0; mods < MODIFIERS; mods++) {
        uint64_t word = word_of(unit, op, mods, rng_next(r));
        TICK(.inst = word);
        bool legal = isa_id_of(word) != ISA_ILLEGAL;
        cover(COVER_legal, legal);
        cover(COVER_undefined_operation, !legal);
        if (!legal)
          EXPECT(dec, 0);
        else if (modifiers_make_sense(word))
          EXPECT(dec, bundle_of_table(word));
        cover(COVER_immediate_for_source_2, legal && decode_s2_n((unsigned)l->ref_out.dec) == 0 &&
                                                isa_ops[isa_id_of(word)].shape[2] == 'R');
        cover(COVER_predicate_destination, decode_d_p((unsigned)l->ref_out.dec));
        cover(COVER_quad, decode_d_n((unsigned)l->ref_out.dec) == 3);
      }
  for (uint64_t c = 0; c < cycles; c++)
    TICK(.inst = rng_next(r));
}

UNIT_MAIN(DIRECTED(operations), RANDOM(random_decode))
