/* Instruction selection: special registers. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* "%tid" ".x" as a number of movs, -1 if it is none. */
static int number_of(const struct ptx_operand *o) {
  for (unsigned i = 0; i < ISA_SREGS; i++) {
    const char *n = isa_sregs[i].name, *dot = n ? strchr(n, '.') : NULL;
    size_t len = dot ? (size_t)(dot - n) : n ? strlen(n) : 0;
    if (!n || strlen(o->name + 1) != len || strncmp(o->name + 1, n, len) != 0)
      continue;
    if (dot ? o->suffix && strcmp(o->suffix, dot + 1) == 0 : !o->suffix)
      return (int)i;
  }
  if (strcmp(o->name, "%globaltimer_lo") == 0 && !o->suffix)
    return ISA_SR_GLOBALTIMER;
  return strcmp(o->name, "%clock64") == 0 && !o->suffix ? ISA_SR_CLOCK : -1;
}

/* The register of the upper word, -1: it is 0. */
static int upper_of(const struct ptx_operand *o) {
  return strcmp(o->name, "%clock64") == 0       ? ISA_SR_CLOCKHI
         : strcmp(o->name, "%globaltimer") == 0 ? ISA_SR_GLOBALTIMERHI
                                                : -1;
}

/* %envreg registers read as 0: no driver sets them. */
static bool is_envreg(const struct ptx_operand *o) {
  return strncmp(o->name, "%envreg", 7) == 0 && !o->suffix;
}

/* A variable may have such a name too. */
bool sel_is_special(const struct sel *s, const struct ptx_operand *o) {
  return o->kind == PTX_O_NAME && o->name[0] == '%' && !ptx_find_var(s->m, o->name);
}

static void movs(struct sel *s, struct ir_ref d, unsigned number) {
  sel_emit(s, ISA_MOVS, 0, d, IR_NIL, IR_NIL, IR_NIL)->imm = number;
}

void sel_move_special(struct sel *s, const struct ptx_operand *o, struct ir_ref d) {
  int number = number_of(o);
  if (number < 0 && !is_envreg(o))
    SEL_FAIL(s, "'%s%s%s' is not declared, and no special register of this machine", o->name,
             o->suffix ? "." : "", o->suffix ? o->suffix : "");
  if (number < 0)
    sel_copy(s, sel_sub(d, 0), sel_const(s, 0));
  else
    movs(s, sel_sub(d, 0), (unsigned)number);
  if (d.n == 2 && upper_of(o) >= 0)
    movs(s, sel_sub(d, 1), (unsigned)upper_of(o));
  else if (d.n == 2)
    sel_copy(s, sel_sub(d, 1), sel_const(s, 0));
}

struct ir_ref sel_special(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  if (t == PTX_PRED || ptx_float(t))
    SEL_FAIL(s, "the special register '%s%s%s' is an integer; convert it with cvt", o->name,
             o->suffix ? "." : "", o->suffix ? o->suffix : "");
  struct ir_ref d = sel_temp(s, ptx_bits(t) == 64 ? 2 : 1);
  sel_move_special(s, o, d);
  return d;
}
