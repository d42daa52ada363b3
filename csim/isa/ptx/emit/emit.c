/* Words: layout of the blocks, branch targets and reconvergence PCs, fields. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/ptx/emit/emit.h"

struct emitter {
  struct ir *ir;
  struct isa_program *p;
  uint32_t pc, regs;
  uint64_t *code; /* both ncode, grown in the arena */
  uint32_t *lines;
  size_t ncode, ccode, nlines, clines;
  uint32_t *meets; /* PCs of the meeting points */
};

/* A move onto itself, left over by good allocation. */
static bool is_void(const struct ir *ir, const struct ir_inst *i) {
  if (i->id == IR_DEAD)
    return true;
  if (i->id == ISA_MOV && !i->keep)
    return ir->vregs[i->d.v].reg + i->d.sub == ir->vregs[i->s[0].v].reg + i->s[0].sub;
  if (i->id == ISA_PLOP && (i->mods & 3) == 3)
    return i->s[1].v >= 0 && !i->s[1].neg && ir->vregs[i->d.v].reg == ir->vregs[i->s[1].v].reg;
  return false;
}

/* The block laid out behind b. */
static int next_block(const struct ir *ir, int b) {
  for (size_t k = (size_t)b + 1; k < ir->nblocks; k++)
    if (ir->blocks[k].order >= 0)
      return (int)k;
  return -1;
}

static uint32_t term_size(const struct ir *ir, int b) {
  const struct ir_block *k = &ir->blocks[b];
  int next = next_block(ir, b);
  switch (k->term) {
  case IR_T_EXIT:
    return 1;
  case IR_T_JUMP:
    return k->t == next ? 0 : 1;
  default:
    return k->leave < 0 && (k->t == next || k->f == next) ? 1 : 2;
  }
}

static uint8_t pred_field(const struct ir *ir, struct ir_ref r) {
  unsigned index = r.v == IR_PT ? ISA_PT : (unsigned)ir->vregs[r.v].reg;
  return (uint8_t)(index | (r.neg ? 16U : 0U));
}

static void put_word(struct emitter *e, struct isa_inst f, uint32_t line) {
  uint64_t w = isa_pack(f);
  const char *wrong = isa_check(w);
  if (wrong) {
    char text[ISA_TEXT];
    isa_disasm(w, text);
    ptx_fail(e->ir->x, line, "cannot be encoded (%s: %s)", text, wrong);
  }
  PTX_PUSH(e->ir->x, e->code, e->ncode, e->ccode) = w;
  PTX_PUSH(e->ir->x, e->lines, e->nlines, e->clines) = line;
  e->pc++;
}

static uint8_t field(struct emitter *e, struct ir_ref r, char shape) {
  if (shape == 'P')
    return pred_field(e->ir, r);
  if (r.v < 0)
    return 0;
  unsigned reg = (unsigned)e->ir->vregs[r.v].reg + r.sub;
  if (reg + r.n > e->regs)
    e->regs = reg + r.n;
  return (uint8_t)reg;
}

static void emit_inst(struct emitter *e, const struct ir_inst *i) {
  const struct isa_op *op = &isa_ops[i->id];
  struct isa_inst f = {.unit = op->unit,
                       .op = op->op,
                       .mods = i->mods,
                       .guard = pred_field(e->ir, i->guard),
                       .imm = (uint16_t)i->imm};
  f.dst = field(e, i->d, op->shape[0]);
  if (i->id == ISA_MOVI) {
    f.mods = (uint8_t)(i->imm >> 31);
    f.src3 = (uint8_t)(i->imm >> 26 & 31);
    f.src2 = (uint8_t)(i->imm >> 21 & 31);
    f.src1 = (uint8_t)(i->imm >> 16 & 31);
    if (i->reloc) {
      struct isa_program *p = e->p;
      struct isa_reloc *r = realloc(p->relocs, (p->nrelocs + 1) * sizeof *r);
      if (!r)
        ptx_fail_code(e->ir->x, -ENOMEM, "out of memory");
      p->relocs = r;
      p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = e->pc, .in_data = 0};
    }
  } else {
    f.src1 = field(e, i->s[0], op->shape[1]);
    f.src2 = field(e, i->s[1], op->shape[2]);
    f.src3 = field(e, i->s[2], op->shape[3]);
  }
  put_word(e, f, i->line);
}

static void emit_branch(struct emitter *e, const struct ir_block *b, struct ir_ref guard, int to) {
  const int at = b->meet_at >= 0 ? b->meet_at : b->ipdom;
  uint32_t rpc = ISA_NO_RPC;
  if (guard.v != IR_PT && (b->meet != 0 || at >= 0))
    rpc = b->meet != 0 ? e->meets[b->meet] : e->ir->blocks[at].pc;
  struct isa_inst f = {.unit = ISA_U_CTRL,
                       .op = isa_ops[ISA_BRA].op,
                       .guard = pred_field(e->ir, guard),
                       .imm = (uint16_t)e->ir->blocks[to].pc,
                       .src3 = (uint8_t)(rpc >> 15),
                       .src2 = (uint8_t)(rpc >> 10 & 31),
                       .src1 = (uint8_t)(rpc >> 5 & 31),
                       .dst = (uint8_t)(rpc & 31)};
  put_word(e, f, b->line);
}

static void emit_term(struct emitter *e, int b) {
  const struct ir_block *k = &e->ir->blocks[b];
  int next = next_block(e->ir, b);
  struct ir_ref other = k->cond;
  other.neg = !other.neg;
  if (k->term == IR_T_EXIT) {
    put_word(e, (struct isa_inst){.unit = ISA_U_CTRL, .op = isa_ops[ISA_EXIT].op, .guard = ISA_PT},
             k->line);
  } else if (k->term == IR_T_JUMP) {
    if (k->t != next)
      emit_branch(e, k, IR_TRUE, k->t);
  } else if (k->leave >= 0) {
    emit_branch(e, k, k->leave == k->t ? k->cond : other, k->leave);
    emit_branch(e, k, IR_TRUE, k->leave == k->t ? k->f : k->t);
  } else if (k->t == next) {
    emit_branch(e, k, other, k->f);
  } else {
    emit_branch(e, k, k->cond, k->t);
    if (k->f != next)
      emit_branch(e, k, IR_TRUE, k->f);
  }
}

static uint32_t lay_out(struct emitter *e, uint32_t pc) {
  struct ir *ir = e->ir;
  e->meets = ptx_alloc(ir->x, (ir->nmeets + 1U) * sizeof *e->meets);
  for (size_t b = 0; b < ir->nblocks; b++) {
    struct ir_block *k = &ir->blocks[b];
    if (k->order < 0)
      continue;
    k->pc = pc;
    for (size_t i = k->first; i < k->end; i++) {
      pc += !is_void(ir, &ir->insts[i]);
      e->meets[ir->insts[i].meet] = pc;
    }
    pc += term_size(ir, (int)b);
  }
  return pc;
}

void ir_emit(struct ir *ir, struct isa_program *p, struct isa_kernel *k) {
  struct emitter e = {.ir = ir, .p = p, .pc = (uint32_t)p->ncode, .regs = 1};
  uint32_t end = lay_out(&e, e.pc);
  if (end > ISA_MAX_CODE)
    ptx_fail(ir->x, ir->line,
             "the kernel '%s' has %u instructions, with those before it %u; a program has at most "
             "%d: split the kernel, or put fewer kernels into one file",
             ir->name, end - e.pc, end, ISA_MAX_CODE);
  for (size_t b = 0; b < ir->nblocks; b++) {
    if (ir->blocks[b].order < 0)
      continue;
    for (size_t i = ir->blocks[b].first; i < ir->blocks[b].end; i++)
      if (!is_void(ir, &ir->insts[i]))
        emit_inst(&e, &ir->insts[i]);
    emit_term(&e, (int)b);
  }
  uint64_t *code = realloc(p->code, (p->ncode + e.ncode) * sizeof *code);
  if (code)
    p->code = code;
  uint32_t *lines = realloc(p->lines, (p->ncode + e.ncode) * sizeof *lines);
  if (lines)
    p->lines = lines;
  if (!code || !lines)
    ptx_fail_code(ir->x, -ENOMEM, "out of memory");
  memcpy(p->code + p->ncode, e.code, e.ncode * sizeof *code);
  memcpy(p->lines + p->ncode, e.lines, e.ncode * sizeof *lines);
  k->entry = (uint16_t)p->ncode;
  p->ncode += e.ncode;
  k->end = (uint16_t)p->ncode;
  k->regs = e.regs;
  k->local_bytes = (ir->local_bytes + 3) & ~3U;
}
