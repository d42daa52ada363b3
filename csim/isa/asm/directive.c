/* The assembler's directives. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"
#include "csim/isa/core/program_check.h"

static uint32_t number(struct assembler *a, const char *what) {
  return (uint32_t)asm_range(a, what, 0, UINT32_MAX);
}

/* Sets a number of the kernel, if there is one. */
static void kernel_number(struct assembler *a, const char *what, int64_t most, uint32_t *field) {
  const uint32_t value = (uint32_t)asm_range(a, what, 0, most);
  if (a->status == 0)
    *field = value;
}

/* The name of a kernel or parameter, in quotation marks or without. */
static void take_name(struct assembler *a, const char *whose, char name[ASM_NAME]) {
  asm_space(a);
  const char *start = a->at;
  if (!asm_name(a, name))
    asm_fail(a, "expected the name of the %s", whose);
  else if (!isa_is_name(name))
    asm_fail_here(a, start, "the name of a %s is an identifier: letters, digits, _, $ and .",
                  whose);
}

static void do_kernel(struct assembler *a) {
  char name[ASM_NAME];
  struct isa_program *p = a->p;
  if (a->kernel != NULL)
    asm_fail(a, "kernel %s is not closed; write .end first", a->kernel->name);
  if (a->in_data)
    asm_fail(a, "a kernel is code; write .text first");
  take_name(a, "kernel", name);
  if (a->status == 0 && isa_program_kernel(p, name) != NULL)
    asm_fail(a, "there is a kernel %s already; rename one", name);
  if (p->nkernels == ISA_MAX_KERNELS)
    asm_fail(a, "a program has at most %u kernels", (unsigned)ISA_MAX_KERNELS);
  if (!asm_grow(a, &p->kernels, &a->kernels_room, p->nkernels, sizeof *p->kernels))
    return;
  struct isa_kernel *k = &p->kernels[p->nkernels];
  *k =
      (struct isa_kernel){.name = asm_copy(a, name), .entry = (uint16_t)p->ncode, .regs = ISA_REGS};
  if (k->name == NULL)
    return;
  p->nkernels++;
  a->kernel = k;
  a->params_room = 0;
  a->params_given = false;
}

static void do_end(struct assembler *a) {
  a->kernel->end = (uint16_t)a->p->ncode;
  a->kernel = NULL;
}

static void do_regs(struct assembler *a) {
  kernel_number(a, "the number of registers", ISA_REGS, &a->kernel->regs);
}

static void do_shared(struct assembler *a) {
  kernel_number(a, "the bytes of shared memory", UINT32_MAX, &a->kernel->shared_bytes);
}

static void do_local(struct assembler *a) {
  kernel_number(a, "the bytes of local memory", UINT32_MAX, &a->kernel->local_bytes);
}

static void do_params(struct assembler *a) {
  kernel_number(a, "the bytes of the parameter block", UINT32_MAX, &a->kernel->param_bytes);
  a->params_given = true;
}

static void do_reqntid(struct assembler *a) {
  for (unsigned i = 0; i < 3; i++) {
    if (i > 0)
      asm_expect(a, ',');
    kernel_number(a, "the threads of the CTA", UINT32_MAX, &a->kernel->reqntid[i]);
  }
}

static void param_space(struct assembler *a, struct isa_param *q) {
  for (unsigned i = 0; i <= ISA_SPACE_PARAM; i++)
    if (asm_word(a, isa_space_names[i])) {
      q->space = (enum isa_space)i;
      return;
    }
  asm_fail(a, "expected global, shared, local, const, generic or param");
}

/* , align n  , at n  , ptr space */
static void param_options(struct assembler *a, struct isa_param *q, bool *at) {
  while (asm_char(a, ',')) {
    if (asm_word(a, "align")) {
      q->align = number(a, "the alignment");
    } else if (asm_word(a, "at")) {
      *at = true;
      q->offset = number(a, "the offset");
    } else if (asm_word(a, "ptr")) {
      q->pointer = true;
      param_space(a, q);
    } else if (asm_word(a, "space")) {
      param_space(a, q);
    } else {
      asm_fail(a, "expected align, at or ptr");
    }
  }
}

/* Natural alignment: the largest power of two that divides the size, up to 16. */
static uint32_t natural(uint32_t size) {
  uint32_t align = size & (0U - size);
  return align == 0 ? 1 : align > 16 ? 16 : align;
}

static void do_param(struct assembler *a) {
  char name[ASM_NAME];
  struct isa_kernel *k = a->kernel;
  struct isa_param q = {.space = ISA_SPACE_GLOBAL};
  bool at = false;
  take_name(a, "parameter", name);
  asm_expect(a, ',');
  q.size = number(a, "the size of the parameter");
  q.align = natural(q.size);
  param_options(a, &q, &at);
  if (!at && k->nparams > 0) {
    const struct isa_param *last = &k->params[k->nparams - 1];
    uint32_t end = last->offset + last->size, step = q.align == 0 ? 1 : q.align;
    q.offset = (end + step - 1) / step * step;
  }
  uint64_t end = ((uint64_t)q.offset + q.size + 3) & ~(uint64_t)3;
  if (end > UINT16_MAX)
    asm_fail(a, "the parameters do not fit 64 KB");
  if (!asm_grow(a, &k->params, &a->params_room, k->nparams, sizeof *k->params) ||
      (q.name = asm_copy(a, name)) == NULL)
    return;
  if (!a->params_given && end > k->param_bytes)
    k->param_bytes = (uint32_t)end;
  k->params[k->nparams++] = q;
}

static void do_loc(struct assembler *a) {
  a->loc_given = true;
  a->loc = number(a, "the line");
}

static void do_source(struct assembler *a) {
  char name[ASM_NAME];
  if (!asm_name(a, name)) {
    asm_fail(a, "expected the name of the source file");
    return;
  }
  free(a->p->source);
  a->p->source = asm_copy(a, name);
}

static void do_text(struct assembler *a) { a->in_data = false; }

static void do_data(struct assembler *a) {
  if (a->kernel != NULL)
    asm_fail(a, "kernel %s is not closed; write .end first", a->kernel->name);
  a->in_data = true;
}

static void do_word(struct assembler *a) {
  int64_t value = 0;
  if (a->in_data)
    asm_fail(a, ".word is an instruction; data are .u8, .u16, .u32 or .zero");
  else if (!asm_number(a, &value))
    asm_fail(a, "expected the 64 bits of the instruction");
  asm_emit(a, (uint64_t)value);
}

static void do_nops(struct assembler *a) {
  if (a->in_data)
    asm_fail(a, ".nops are instructions; write .text first");
  int64_t left = asm_range(a, "the number of instructions", 1, ISA_MAX_CODE);
  for (; left > 0 && a->status == 0; left--)
    asm_emit(a, isa_pack((struct isa_inst){
                    .unit = isa_ops[ISA_NOP].unit, .op = isa_ops[ISA_NOP].op, .guard = ISA_PT}));
}

static void need_data(struct assembler *a) {
  if (!a->in_data)
    asm_fail(a, "data must be in the data section; write .data first");
}

/* A number, or for words the address of something in the data. */
static void data_item(struct assembler *a, unsigned bytes) {
  char name[ASM_NAME];
  const uint32_t at = (uint32_t)a->p->data_bytes;
  const int64_t top = ((int64_t)1 << (8 * bytes)) - 1;
  int64_t value = 0;
  if (bytes == 4 && asm_identifier(a, name))
    asm_fixup(a, FIX_DATA, strcmp(name, "data") == 0 ? NULL : name, at, asm_addend(a));
  else
    value = asm_range(a, "the datum", -(top / 2) - 1, top);
  for (unsigned i = 0; i < bytes; i++)
    asm_byte(a, (uint8_t)(value >> (8 * i)));
}

static void data_list(struct assembler *a, unsigned bytes) {
  need_data(a);
  do
    data_item(a, bytes);
  while (asm_char(a, ','));
}
static void do_u8(struct assembler *a) { data_list(a, 1); }
static void do_u16(struct assembler *a) { data_list(a, 2); }
static void do_u32(struct assembler *a) { data_list(a, 4); }

static void do_zero(struct assembler *a) {
  need_data(a);
  int64_t left = asm_range(a, "the number of bytes", 0, ISA_GLOBAL_END - ISA_GLOBAL_FIRST);
  for (; left > 0 && a->status == 0; left--)
    asm_byte(a, 0);
}

void asm_directive(struct assembler *a) {
  static const struct {
    const char *name;
    void (*fn)(struct assembler *);
    bool of_kernel;
  } table[] = {
      {".kernel", do_kernel, false}, {".end", do_end, true},         {".regs", do_regs, true},
      {".shared", do_shared, true},  {".local", do_local, true},     {".params", do_params, true},
      {".param", do_param, true},    {".reqntid", do_reqntid, true}, {".loc", do_loc, false},
      {".source", do_source, false}, {".text", do_text, false},      {".data", do_data, false},
      {".word", do_word, false},     {".u8", do_u8, false},          {".u16", do_u16, false},
      {".u32", do_u32, false},       {".zero", do_zero, false},      {".nops", do_nops, false},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (!asm_word(a, table[i].name))
      continue;
    if (table[i].of_kernel && a->kernel == NULL)
      asm_fail(a, "this belongs into a kernel; write .kernel first");
    else
      table[i].fn(a);
    return;
  }
  asm_fail(a, "unknown directive; docs/reference/isa.md lists them");
}
