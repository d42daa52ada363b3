/* Instruction selection: the modifiers of an instruction, sorted out. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

enum field {
  F_SKIP,
  F_ROUND,
  F_INTEGRAL,
  F_FTZ,
  F_SAT,
  F_CC,
  F_TO,
  F_SHIFTAMT,
  F_SYNC,
  F_PART,
  F_SPACE,
  F_VECTOR,
  F_WORD
};

static const struct {
  const char *name;
  enum field field;
  int value;
} mod_table[] = {
    {"rn", F_ROUND, PTX_RN},
    {"rz", F_ROUND, PTX_RZ},
    {"rm", F_ROUND, PTX_RM},
    {"rp", F_ROUND, PTX_RP},
    {"rni", F_INTEGRAL, PTX_RN},
    {"rzi", F_INTEGRAL, PTX_RZ},
    {"rmi", F_INTEGRAL, PTX_RM},
    {"rpi", F_INTEGRAL, PTX_RP},
    {"ftz", F_FTZ, 0},
    {"sat", F_SAT, 0},
    {"cc", F_CC, 0},
    {"to", F_TO, 0},
    {"shiftamt", F_SHIFTAMT, 0},
    {"sync", F_SYNC, 0},
    {"lo", F_PART, PTX_LO},
    {"hi", F_PART, PTX_HI},
    {"wide", F_PART, PTX_WIDE},
    {"global", F_SPACE, ISA_SPACE_GLOBAL},
    {"shared", F_SPACE, ISA_SPACE_SHARED},
    {"shared::cta", F_SPACE, ISA_SPACE_SHARED},
    {"local", F_SPACE, ISA_SPACE_LOCAL},
    {"const", F_SPACE, ISA_SPACE_CONST},
    {"param", F_SPACE, ISA_SPACE_PARAM},
    {"v2", F_VECTOR, 2},
    {"v4", F_VECTOR, 4},
    {"approx", F_SKIP, 0},
    {"full", F_SKIP, 0},
    {"uni", F_SKIP, 0},
    {"volatile", F_SKIP, 0},
    {"relaxed", F_SKIP, 0},
    {"acquire", F_SKIP, 0},
    {"release", F_SKIP, 0},
    {"acq_rel", F_SKIP, 0},
    {"weak", F_SKIP, 0},
    {"sc", F_SKIP, 0},
    {"cta", F_SKIP, 0},
    {"gpu", F_SKIP, 0},
    {"sys", F_SKIP, 0},
    {"gl", F_SKIP, 0},
    {"ca", F_SKIP, 0},
    {"cg", F_SKIP, 0},
    {"cs", F_SKIP, 0},
    {"lu", F_SKIP, 0},
    {"cv", F_SKIP, 0},
    {"wb", F_SKIP, 0},
    {"wt", F_SKIP, 0},
    {"nc", F_SKIP, 0},
    {"aligned", F_SKIP, 0},
    {"mmio", F_SKIP, 0},
    {"noftz", F_SKIP, 0},
};

static bool set_mod(struct ptx_mods *m, const char *name) {
  for (size_t i = 0; i < sizeof mod_table / sizeof *mod_table; i++) {
    if (strcmp(mod_table[i].name, name) != 0)
      continue;
    int v = mod_table[i].value;
    switch (mod_table[i].field) {
    case F_ROUND:
    case F_INTEGRAL:
      m->round = (enum ptx_round)v;
      m->rounded = true;
      m->integral = mod_table[i].field == F_INTEGRAL;
      break;
    case F_FTZ:
      m->ftz = true;
      break;
    case F_SAT:
      m->sat = true;
      break;
    case F_CC:
      m->cc = true;
      break;
    case F_TO:
      m->to = true;
      break;
    case F_SHIFTAMT:
      m->shiftamt = true;
      break;
    case F_SYNC:
      m->sync = true;
      break;
    case F_PART:
      m->part = (enum ptx_part)v;
      break;
    case F_SPACE:
      m->space = (enum isa_space)v;
      m->has_space = true;
      break;
    case F_VECTOR:
      m->vector = (unsigned)v;
      break;
    default:
      break;
    }
    return true;
  }
  return false;
}

/* "lo" and "hi" are also comparisons; setp and set read them from the words. */
struct ptx_mods sel_mods(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  struct ptx_mods m = {.vector = 1, .space = ISA_SPACE_GENERIC};
  bool compares = strncmp(st->op, "set", 3) == 0;
  for (unsigned i = 0; i < st->nmods; i++) {
    const char *w = st->mods[i];
    enum ptx_type t = ptx_type_of(w);
    bool part = compares && (strcmp(w, "lo") == 0 || strcmp(w, "hi") == 0);
    if (t != PTX_NONE) {
      if (m.type == PTX_NONE)
        m.type = t;
      else
        m.type2 = t;
    } else if (strncmp(w, "L1::", 4) == 0 || strncmp(w, "L2::", 4) == 0) {
      continue; /* cache hints */
    } else if (part || !set_mod(&m, w)) {
      if (m.nwords == 3)
        SEL_FAIL(s, "the modifier '.%s' of '%s' is not known", w, st->op);
      m.word[m.nwords++] = w;
    }
  }
  return m;
}

bool sel_word(const struct sel *s, const char *word) {
  for (unsigned i = 0; i < s->md.nwords; i++)
    if (strcmp(s->md.word[i], word) == 0)
      return true;
  return false;
}

uint32_t sel_fmods(const struct sel *s) {
  return (s->md.ftz ? 4U : 0U) | (s->md.sat ? 8U : 0U) | (unsigned)s->md.round << 4;
}
