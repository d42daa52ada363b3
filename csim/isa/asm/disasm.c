/* Instruction words and programs as assembler text. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/isa_mods.h"
#include "csim/isa/core/program_check.h"

struct text {
  char *s;
  size_t used, size;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->s + t->used, t->size - t->used, format, args);
  va_end(args);
  t->used += (size_t)n < t->size - t->used ? (size_t)n : t->size - t->used - 1;
}

static void put_pred(struct text *t, unsigned field) {
  put(t, field > ISA_PT ? "!" : "");
  put(t, (field & 15) == ISA_PT ? "pT" : "p%u", field & 15);
}

static void put_reg(struct text *t, unsigned field, unsigned n) {
  put(t, "%c%u", n == ISA_N_QUAD ? 'q' : n == ISA_N_PAIR ? 'd' : 'r', field);
}

/* Suffixes; those that follow from an operand's form are left out. */
static void put_mods(struct text *t, const struct isa_op *op, unsigned mods) {
  for (unsigned i = 0; i < isa_nmods; i++) {
    const struct isa_mod *m = &isa_mods[i];
    if (m->layout != op->mods || isa_mod_implied(m))
      continue;
    unsigned value = mods >> m->lsb & ((1U << m->width) - 1);
    if (m->values[0] == '\0') {
      if (value != 0)
        put(t, ".%s", m->name);
      continue;
    }
    const char *word = m->values;
    for (; value > 0; value--)
      word = strchr(word, ' ') + 1;
    if (*word != '_')
      put(t, ".%.*s", (int)strcspn(word, " "), word);
  }
}

static void put_address(struct text *t, const struct isa_inst *f, unsigned n) {
  int offset = (int16_t)f->imm;
  if (n == ISA_N_NONE) {
    put(t, "[%u]", f->imm);
    return;
  }
  put(t, "[");
  put_reg(t, f->src1, n);
  if (offset != 0)
    put(t, " %c %d", offset < 0 ? '-' : '+', abs(offset));
  put(t, "]");
}

static void put_immediate(struct text *t, const struct isa_inst *f) {
  if (isa_float_immediate(f->unit))
    put(t, "#0x%04x", f->imm);
  else
    put(t, "#%d", (int16_t)f->imm);
}

static void put_operands(struct text *t, enum isa_id id, uint64_t word) {
  const struct isa_op *op = &isa_ops[id];
  struct isa_inst f = isa_unpack(word);
  struct isa_operands o = isa_operands_of(word);
  const uint8_t fields[4] = {f.dst, f.src1, f.src2, f.src3}, n[4] = {o.d, o.s1, o.s2, o.s3};
  const char *separator = " ";
  for (unsigned i = 0; i < 4; i++) {
    char letter = op->shape[i];
    if (letter == '-' || (letter != 'P' && letter != 'A' && n[i] == ISA_N_NONE && i != 2))
      continue;
    put(t, "%s", separator);
    separator = ", ";
    if (letter == 'P')
      put_pred(t, fields[i]);
    else if (letter == 'A')
      put_address(t, &f, n[i]);
    else if (n[i] == ISA_N_NONE)
      put_immediate(t, &f);
    else
      put_reg(t, fields[i], n[i]);
  }
}

static void put_movs(struct text *t, const struct isa_inst *f) {
  put(t, " r%u, ", f->dst);
  if (f->imm >= ISA_SREG_PARAM)
    put(t, "param+%u", (f->imm - ISA_SREG_PARAM) * 4U);
  else
    put(t, "%s", isa_sregs[f->imm].name);
}

static uint32_t movi_value(uint64_t word) {
  return (uint32_t)(word >> 25 & 1) << 31 | (uint32_t)(word >> 5 & 0x7fff) << 16 |
         isa_unpack(word).imm;
}

/* Branch targets and relocated values are written as the caller wants; NULL: as numbers. */
static void put_word(struct text *t, uint64_t word, const char *bra, const char *movi) {
  enum isa_id id = isa_id_of(word);
  if (isa_check(word) != NULL) {
    put(t, ".word 0x%016llx", (unsigned long long)word);
    return;
  }
  struct isa_inst f = isa_unpack(word);
  if (f.guard != ISA_PT) {
    put(t, "@");
    put_pred(t, f.guard);
    put(t, " ");
  }
  put(t, "%s", isa_ops[id].mnemonic);
  put_mods(t, &isa_ops[id], f.mods);
  if (id == ISA_BRA && bra != NULL)
    put(t, " %s", bra);
  else if (id == ISA_BRA)
    put(t, (uint16_t)word == ISA_NO_RPC ? " %u, rpc none" : " %u, rpc %u", f.imm, (uint16_t)word);
  else if (id == ISA_MOVI && movi != NULL)
    put(t, " r%u, %s", f.dst, movi);
  else if (id == ISA_MOVI)
    put(t, " r%u, #0x%x", f.dst, movi_value(word));
  else if (id == ISA_MOVS)
    put_movs(t, &f);
  else if (id == ISA_BSYNC)
    put(t, " r%u, #%u", f.dst, f.imm);
  else
    put_operands(t, id, word);
}

void isa_disasm(uint64_t word, char text[ISA_TEXT]) {
  struct text t = {.s = text, .size = ISA_TEXT};
  text[0] = '\0';
  put_word(&t, word, NULL, NULL);
}

/* Program text ------------------------------------------------------------------------------ */

struct writer {
  const struct isa_program *p;
  FILE *out;
  bool *targets;        /* which PCs branches name: 0 to ncode */
  bool *relocated;      /* which PCs hold a data address */
  bool *relocated_data; /* which bytes of the data start an address */
};

static void write_name(FILE *out, const char *name) {
  fputc('"', out);
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\' || (unsigned char)*c < 32)
      fprintf(out, "\\x%02x", (unsigned char)*c);
    else
      fputc(*c, out);
  }
  fputc('"', out);
}

static const char *target_name(const struct writer *w, uint32_t pc, char name[16]) {
  snprintf(name, 16, pc <= w->p->ncode ? "L%u" : "%u", pc);
  return name;
}

static void write_kernel(const struct writer *w, const struct isa_kernel *k) {
  fprintf(w->out, "\n.kernel ");
  write_name(w->out, k->name);
  fprintf(w->out, "\n.regs %u\n.shared %u\n.local %u\n", k->regs, k->shared_bytes, k->local_bytes);
  if ((k->reqntid[0] | k->reqntid[1] | k->reqntid[2]) != 0)
    fprintf(w->out, ".reqntid %u, %u, %u\n", k->reqntid[0], k->reqntid[1], k->reqntid[2]);
  for (size_t i = 0; i < k->nparams; i++) {
    const struct isa_param *q = &k->params[i];
    fprintf(w->out, ".param ");
    write_name(w->out, q->name);
    fprintf(w->out, ", %u, align %u, at %u", q->size, q->align, q->offset);
    if (q->pointer || q->space != ISA_SPACE_GLOBAL)
      fprintf(w->out, ", %s %s", q->pointer ? "ptr" : "space", isa_space_names[q->space]);
    fputc('\n', w->out);
  }
  fprintf(w->out, ".params %u\n", k->param_bytes);
}

static void write_word(const struct writer *w, size_t pc) {
  uint64_t word = w->p->code[pc];
  if (word >> 58 != 0) { /* not a word of a program; keep it as it is */
    fprintf(w->out, "  .word 0x%016llx\n", (unsigned long long)word);
    return;
  }
  char line[2 * ISA_TEXT] = "", bra[64], movi[32], to[16], rpc[16];
  struct text t = {.s = line, .size = sizeof line};
  uint16_t reconverge = (uint16_t)word;
  snprintf(bra, sizeof bra, "%s, rpc %s", target_name(w, isa_unpack(word).imm, to),
           reconverge == ISA_NO_RPC ? "none" : target_name(w, reconverge, rpc));
  snprintf(movi, sizeof movi, "data+%u", movi_value(word));
  put_word(&t, word, bra, w->relocated[pc] ? movi : NULL);
  fprintf(w->out, "  %s\n", line);
}

static void write_code(const struct writer *w) {
  const struct isa_program *p = w->p;
  size_t kernel = 0;
  uint32_t line = 0;
  fprintf(w->out, ".loc 0\n");
  for (size_t pc = 0; pc <= p->ncode; pc++) {
    if (w->targets[pc])
      fprintf(w->out, "L%zu:\n", pc);
    if (kernel < p->nkernels && p->kernels[kernel].end == pc && p->kernels[kernel].entry < pc) {
      fprintf(w->out, ".end\n");
      kernel++;
    }
    /* Kernels without code begin and end here. */
    for (; kernel < p->nkernels && p->kernels[kernel].entry == pc; kernel++) {
      write_kernel(w, &p->kernels[kernel]);
      if (p->kernels[kernel].end > pc)
        break;
      fprintf(w->out, ".end\n");
    }
    if (pc == p->ncode)
      break;
    uint32_t now = p->lines != NULL ? p->lines[pc] : 0;
    if (now != line)
      fprintf(w->out, ".loc %u\n", now);
    line = now;
    write_word(w, pc);
  }
}

static size_t zeros_at(const struct writer *w, size_t at) {
  size_t end = at;
  while (end < w->p->data_bytes && w->p->data[end] == 0 && !w->relocated_data[end])
    end++;
  return end - at;
}

static void write_data(const struct writer *w) {
  enum { PER_LINE = 16 };
  const struct isa_program *p = w->p;
  if (p->data_bytes != 0)
    fprintf(w->out, "\n.data\n");
  for (size_t at = 0; at < p->data_bytes;) {
    const uint8_t *b = p->data + at;
    size_t zeros = zeros_at(w, at);
    if (w->relocated_data[at]) {
      fprintf(w->out, "  .u32 data+%u\n",
              b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
      at += 4;
    } else if (zeros >= PER_LINE) {
      fprintf(w->out, "  .zero %zu\n", zeros);
      at += zeros;
    } else {
      fprintf(w->out, "  .u8 %u", p->data[at++]);
      for (unsigned n = 1; n < PER_LINE && at < p->data_bytes && !w->relocated_data[at]; n++)
        fprintf(w->out, ", %u", p->data[at++]);
      fputc('\n', w->out);
    }
  }
}

static void mark_targets(struct writer *w) {
  const struct isa_program *p = w->p;
  for (size_t pc = 0; pc < p->ncode; pc++) {
    uint64_t word = p->code[pc];
    if (isa_id_of(word) != ISA_BRA || isa_check(word) != NULL || word >> 58 != 0)
      continue;
    uint16_t to = isa_unpack(word).imm, rpc = (uint16_t)word;
    if (to <= p->ncode)
      w->targets[to] = true;
    if (rpc <= p->ncode && rpc != ISA_NO_RPC)
      w->targets[rpc] = true;
  }
  for (size_t i = 0; i < p->nrelocs; i++)
    (p->relocs[i].in_data != 0 ? w->relocated_data : w->relocated)[p->relocs[i].pc] = true;
}

int isa_disassemble(const struct isa_program *p, FILE *out) {
  int rc = isa_program_check(p, NULL);
  if (rc != 0)
    return rc;
  struct writer w = {.p = p, .out = out};
  w.targets = calloc(p->ncode + 1, 1);
  w.relocated = calloc(p->ncode + 1, 1);
  w.relocated_data = calloc(p->data_bytes + 1, 1);
  if (w.targets == NULL || w.relocated == NULL || w.relocated_data == NULL) {
    rc = -ENOMEM;
  } else {
    mark_targets(&w);
    if (p->source != NULL) {
      fprintf(out, ".source ");
      write_name(out, p->source);
      fputc('\n', out);
    }
    write_code(&w);
    write_data(&w);
    rc = ferror(out) ? -EIO : 0;
  }
  free(w.targets);
  free(w.relocated);
  free(w.relocated_data);
  return rc;
}
