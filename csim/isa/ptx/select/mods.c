/* Instruction selection: the modifiers of an instruction, sorted out. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* Each modifier with the set it belongs to; one instruction has one of most sets. */
static const struct {
  const char *name;
  unsigned set;
  int value;
} mod_table[] = {
    {"rn", SEL_ROUND, PTX_RN},
    {"rz", SEL_ROUND, PTX_RZ},
    {"rm", SEL_ROUND, PTX_RM},
    {"rp", SEL_ROUND, PTX_RP},
    {"rni", SEL_INTEGRAL, PTX_RN},
    {"rzi", SEL_INTEGRAL, PTX_RZ},
    {"rmi", SEL_INTEGRAL, PTX_RM},
    {"rpi", SEL_INTEGRAL, PTX_RP},
    {"ftz", SEL_FTZ, 0},
    {"sat", SEL_SAT, 0},
    {"cc", SEL_CC, 0},
    {"to", SEL_TO, 0},
    {"shiftamt", SEL_SHIFTAMT, 0},
    {"sync", SEL_SYNC, 0},
    {"lo", SEL_PART, PTX_LO},
    {"hi", SEL_PART, PTX_HI},
    {"wide", SEL_PART, PTX_WIDE},
    {"global", SEL_SPACE, ISA_SPACE_GLOBAL},
    {"shared", SEL_SPACE, ISA_SPACE_SHARED},
    {"shared::cta", SEL_SPACE, ISA_SPACE_SHARED},
    {"local", SEL_SPACE, ISA_SPACE_LOCAL},
    {"const", SEL_SPACE, ISA_SPACE_CONST},
    {"param", SEL_SPACE, ISA_SPACE_PARAM},
    {"param::entry", SEL_SPACE, ISA_SPACE_PARAM},
    {"param::func", SEL_SPACE, ISA_SPACE_PARAM},
    {"v2", SEL_VECTOR, 2},
    {"v4", SEL_VECTOR, 4},
    {"approx", SEL_APPROX, 0},
    {"full", SEL_APPROX, 0},
    {"uni", SEL_UNI, 0},
    {"volatile", SEL_ORDER, 0},
    {"relaxed", SEL_ORDER, 0},
    {"acquire", SEL_ORDER, 0},
    {"release", SEL_ORDER, 0},
    {"acq_rel", SEL_ORDER, 0},
    {"weak", SEL_ORDER, 0},
    {"sc", SEL_ORDER, 0},
    {"cta", SEL_ORDER, 0},
    {"gpu", SEL_ORDER, 0},
    {"sys", SEL_ORDER, 0},
    {"gl", SEL_ORDER, 0},
    {"mmio", SEL_ORDER, 0},
    {"ca", SEL_CACHE, 0},
    {"cg", SEL_CACHE, 0},
    {"cs", SEL_CACHE, 0},
    {"lu", SEL_CACHE, 0},
    {"cv", SEL_CACHE, 0},
    {"wb", SEL_CACHE, 0},
    {"wt", SEL_CACHE, 0},
    {"nc", SEL_CACHE, 0},
    {"aligned", SEL_SYNC, 1},
    {"noftz", SEL_ORDER, 0},
};

static void set_mod(struct ptx_mods *m, unsigned set, int v) {
  switch (set) {
  case SEL_ROUND:
  case SEL_INTEGRAL:
    m->round = (enum ptx_round)v;
    m->rounded = true;
    m->integral = set == SEL_INTEGRAL;
    break;
  case SEL_FTZ:
    m->ftz = true;
    break;
  case SEL_SAT:
    m->sat = true;
    break;
  case SEL_CC:
    m->cc = true;
    break;
  case SEL_TO:
    m->to = true;
    break;
  case SEL_SHIFTAMT:
    m->shiftamt = true;
    break;
  case SEL_UNI:
    m->uni = true;
    break;
  case SEL_SYNC:
    m->sync = m->sync || v == 0;
    break;
  case SEL_PART:
    m->part = (enum ptx_part)v;
    break;
  case SEL_SPACE:
    m->space = (enum isa_space)v;
    m->has_space = true;
    break;
  case SEL_VECTOR:
    m->vector = (unsigned)v;
    break;
  default:
    break;
  }
}

/* Takes a modifier of the table: false if it is none. */
static bool take_mod(struct sel *s, struct ptx_mods *m, const char *w, unsigned allowed,
                     unsigned *given) {
  enum { SEVERAL = SEL_ORDER | SEL_CACHE | SEL_SYNC };
  for (size_t i = 0; i < sizeof mod_table / sizeof *mod_table; i++) {
    if (strcmp(mod_table[i].name, w) != 0)
      continue;
    const unsigned set = mod_table[i].set, also = set == SEL_SAT ? SEL_ISAT : 0;
    if ((allowed & (set | also)) == 0)
      SEL_FAIL(s, "'%s' has no modifier '.%s'", s->st->op, w);
    if ((*given & set & ~(unsigned)SEVERAL) != 0)
      SEL_FAIL(s, "'%s' has more than one modifier like '.%s'", s->st->op, w);
    *given |= set;
    set_mod(m, set, mod_table[i].value);
    return true;
  }
  return false;
}

/* Fails for types and widths of later machines, and for modifier i if an earlier one is the same.
 */
static void refuse_word(struct sel *s, unsigned i) {
  const char *w = s->st->mods[i];
  static const char *const types[] = {"f16x2", "bf16", "bf16x2", "tf32",   "b128",   "u16x2",
                                      "s16x2", "e4m3", "e5m2",   "e4m3x2", "e5m2x2", "f32x2",
                                      "u8x4",  "s8x4", "e2m1x2", "e2m3x2", "e3m2x2"};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (strcmp(types[k], w) == 0)
      SEL_FAIL(s, "'%s': the type '.%s' is not supported", s->st->op, w);
  for (unsigned k = 0; k < i && ptx_type_of(w) == PTX_NONE; k++)
    if (strcmp(s->st->mods[k], w) == 0)
      SEL_FAIL(s, "'%s' has the modifier '.%s' twice", s->st->op, w);
  if (strcmp(w, "v8") == 0)
    SEL_FAIL(s, "'%s.v8' is not supported: an access has at most four elements and 128 bits",
             s->st->op);
}

/* Fails for modifiers that the types leave no sense to. */
static void check_mods(struct sel *s, const struct ptx_mods *m, unsigned allowed, unsigned given) {
  const char *op = s->st->op;
  const bool floats = ptx_float(m->type) || ptx_float(m->type2);
  const bool converts = (allowed & SEL_INTEGRAL) != 0;
  const bool singles = m->type == PTX_F32 || m->type2 == PTX_F32;
  const bool halves = m->type == PTX_F16 || m->type2 == PTX_F16;
  if (!floats && (given & (SEL_ROUND | SEL_INTEGRAL | SEL_FTZ | SEL_APPROX)) != 0)
    SEL_FAIL(s, "'%s' of integers has no rounding, no .ftz and no .approx", op);
  if (floats && (given & (SEL_CC | SEL_PART)) != 0)
    SEL_FAIL(s, "'%s' of floats has no carry, no .lo, .hi or .wide", op);
  if (m->sat && (allowed & (floats ? SEL_SAT : SEL_ISAT)) == 0)
    SEL_FAIL(s, "'%s' of this type has no modifier '.sat'", op);
  if (m->ftz && !singles && !(halves && !converts) &&
      !((allowed & SEL_FTZ_F64) != 0 && (given & SEL_APPROX) != 0))
    SEL_FAIL(s, "'%s' of these types has no modifier '.ftz'", op);
  if ((m->type == PTX_F64 || m->type2 == PTX_F64) && s->m->doubles_are_floats)
    SEL_FAIL(s,
             "'%s': the .target directive maps .f64 to .f32 (map_f64_to_f32), which is not "
             "supported; compile for sm_13 or later",
             op);
}

/* "lo" and "hi" are also comparisons; setp and set read them from the words. */
struct ptx_mods sel_mods(struct sel *s, unsigned allowed) {
  const struct ptx_stmt *st = s->st;
  struct ptx_mods m = {.vector = 1, .space = ISA_SPACE_GENERIC};
  bool compares = strncmp(st->op, "set", 3) == 0;
  unsigned given = 0, types = (allowed & SEL_NO_TYPE) != 0 ? 0 : 1;
  types += (allowed & SEL_TYPE3) != 0 ? 2 : (allowed & SEL_TYPE2) != 0 ? 1 : 0;
  for (unsigned i = 0; i < st->nmods; i++) {
    const char *w = st->mods[i];
    enum ptx_type t = ptx_type_of(w);
    bool part = compares && (strcmp(w, "lo") == 0 || strcmp(w, "hi") == 0);
    refuse_word(s, i);
    if (t != PTX_NONE) {
      if (types-- == 0)
        SEL_FAIL(s, "'%s' has more types than it needs, '.%s'", st->op, w);
      *(m.type == PTX_NONE ? &m.type : m.type2 == PTX_NONE ? &m.type2 : &m.type3) = t;
    } else if ((allowed & SEL_CACHE) != 0 &&
               (strncmp(w, "L1::", 4) == 0 || strncmp(w, "L2::", 4) == 0)) {
      continue; /* cache hints */
    } else if (part || !take_mod(s, &m, w, allowed, &given)) {
      if (m.nwords == sizeof m.word / sizeof *m.word)
        SEL_FAIL(s, "the modifier '.%s' of '%s' is not known", w, st->op);
      m.word[m.nwords++] = w;
    }
  }
  check_mods(s, &m, allowed, given);
  return m;
}

bool sel_word(struct sel *s, const char *word) {
  for (unsigned i = 0; i < s->md.nwords; i++)
    if (strcmp(s->md.word[i], word) == 0) {
      s->md.asked |= 1U << i;
      return true;
    }
  return false;
}

void sel_need_words(struct sel *s) {
  for (unsigned i = 0; i < s->md.nwords; i++)
    if ((s->md.asked >> i & 1) == 0)
      SEL_FAIL(s, "the modifier '.%s' of '%s' is not known", s->md.word[i], s->st->op);
}

uint32_t sel_fmods(const struct sel *s) {
  return (s->md.ftz ? 4U : 0U) | (s->md.sat ? 8U : 0U) | (unsigned)s->md.round << 4;
}
