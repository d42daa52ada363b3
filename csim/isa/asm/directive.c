/* The assembler's directives. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"
#include "csim/isa/core/program_check.h"

static int number_u32(struct assembler *a, const char *what, uint32_t *field) {
  int64_t value;
  int rc = asm_range(a, what, 0, UINT32_MAX, &value);
  if (rc == 0)
    *field = (uint32_t)value;
  return rc;
}

static int need_kernel(struct assembler *a) {
  return a->kernel != NULL ? 0 : asm_fail(a, "this belongs into a kernel; write .kernel first");
}

static int do_kernel(struct assembler *a) {
  char name[ASM_NAME];
  struct isa_program *p = a->p;
  if (a->kernel != NULL)
    return asm_fail(a, "kernel %s is not closed; write .end first", a->kernel->name);
  if (a->in_data)
    return asm_fail(a, "a kernel is code; write .text first");
  if (!asm_name(a, name))
    return asm_fail(a, "expected the name of the kernel");
  if (isa_program_kernel(p, name) != NULL)
    return asm_fail(a, "there is a kernel %s already; rename one", name);
  if (p->nkernels == ISA_MAX_KERNELS)
    return asm_fail(a, "a program has at most %u kernels", (unsigned)ISA_MAX_KERNELS);
  int rc = asm_grow(a, &p->kernels, &a->kernels_room, p->nkernels, sizeof *p->kernels);
  if (rc != 0)
    return rc;
  struct isa_kernel *k = &p->kernels[p->nkernels];
  *k = (struct isa_kernel){.name = strdup(name), .entry = (uint16_t)p->ncode, .regs = ISA_REGS};
  if (k->name == NULL)
    return asm_out_of_memory(a);
  p->nkernels++;
  a->kernel = k;
  a->params_room = 0;
  a->params_given = false;
  return 0;
}

static int do_end(struct assembler *a) {
  int rc = need_kernel(a);
  if (rc != 0)
    return rc;
  a->kernel->end = (uint16_t)a->p->ncode;
  a->kernel = NULL;
  return 0;
}

static int do_regs(struct assembler *a) {
  int64_t value;
  int rc = need_kernel(a);
  if (rc == 0)
    rc = asm_range(a, "the number of registers", 0, ISA_REGS, &value);
  if (rc == 0)
    a->kernel->regs = (uint32_t)value;
  return rc;
}

static int do_shared(struct assembler *a) {
  int rc = need_kernel(a);
  return rc != 0 ? rc : number_u32(a, "the bytes of shared memory", &a->kernel->shared_bytes);
}

static int do_local(struct assembler *a) {
  int rc = need_kernel(a);
  return rc != 0 ? rc : number_u32(a, "the bytes of local memory", &a->kernel->local_bytes);
}

static int do_params(struct assembler *a) {
  int rc = need_kernel(a);
  if (rc == 0)
    rc = number_u32(a, "the bytes of the parameter block", &a->kernel->param_bytes);
  a->params_given = true;
  return rc;
}

static int do_reqntid(struct assembler *a) {
  int rc = need_kernel(a);
  for (unsigned i = 0; rc == 0 && i < 3; i++) {
    if (i > 0)
      rc = asm_expect(a, ',');
    if (rc == 0)
      rc = number_u32(a, "the threads of the CTA", &a->kernel->reqntid[i]);
  }
  return rc;
}

static int param_space(struct assembler *a, struct isa_param *q) {
  for (unsigned i = 0; i <= ISA_SPACE_PARAM; i++) {
    if (asm_word(a, isa_space_names[i])) {
      q->space = (enum isa_space)i;
      return 0;
    }
  }
  return asm_fail(a, "expected global, shared, local, const, generic or param");
}

/* , align n  , at n  , ptr space */
static int param_options(struct assembler *a, struct isa_param *q, bool *at) {
  int rc = 0;
  while (rc == 0 && asm_char(a, ',')) {
    if (asm_word(a, "align")) {
      rc = number_u32(a, "the alignment", &q->align);
    } else if (asm_word(a, "at")) {
      *at = true;
      rc = number_u32(a, "the offset", &q->offset);
    } else if (asm_word(a, "ptr")) {
      q->pointer = true;
      rc = param_space(a, q);
    } else if (asm_word(a, "space")) {
      rc = param_space(a, q);
    } else {
      rc = asm_fail(a, "expected align, at or ptr");
    }
  }
  return rc;
}

/* Natural alignment: the largest power of two that divides the size, up to 16. */
static uint32_t natural(uint32_t size) {
  uint32_t align = size & (0U - size);
  return align == 0 ? 1 : align > 16 ? 16 : align;
}

static int do_param(struct assembler *a) {
  char name[ASM_NAME];
  struct isa_kernel *k = a->kernel;
  int rc = need_kernel(a);
  if (rc != 0)
    return rc;
  if (!asm_name(a, name))
    return asm_fail(a, "expected the name of the parameter");
  struct isa_param q = {.space = ISA_SPACE_GLOBAL};
  bool at = false;
  rc = asm_expect(a, ',');
  if (rc == 0)
    rc = number_u32(a, "the size of the parameter", &q.size);
  q.align = natural(q.size);
  if (rc == 0)
    rc = param_options(a, &q, &at);
  if (rc == 0)
    rc = asm_grow(a, &k->params, &a->params_room, k->nparams, sizeof *k->params);
  if (rc != 0)
    return rc;
  if (!at && k->nparams > 0) {
    const struct isa_param *last = &k->params[k->nparams - 1];
    uint32_t end = last->offset + last->size, step = q.align == 0 ? 1 : q.align;
    q.offset = (end + step - 1) / step * step;
  }
  uint64_t end = ((uint64_t)q.offset + q.size + 3) & ~(uint64_t)3;
  if (end > UINT16_MAX)
    return asm_fail(a, "the parameters do not fit 64 KB");
  if (!a->params_given && end > k->param_bytes)
    k->param_bytes = (uint32_t)end;
  q.name = strdup(name);
  if (q.name == NULL)
    return asm_out_of_memory(a);
  k->params[k->nparams++] = q;
  return 0;
}

static int do_loc(struct assembler *a) {
  a->loc_given = true;
  return number_u32(a, "the line", &a->loc);
}

static int do_source(struct assembler *a) {
  char name[ASM_NAME];
  if (!asm_name(a, name))
    return asm_fail(a, "expected the name of the source file");
  char *copy = strdup(name);
  if (copy == NULL)
    return asm_out_of_memory(a);
  free(a->p->source);
  a->p->source = copy;
  return 0;
}

static int do_text(struct assembler *a) {
  a->in_data = false;
  return 0;
}

static int do_data(struct assembler *a) {
  if (a->kernel != NULL)
    return asm_fail(a, "kernel %s is not closed; write .end first", a->kernel->name);
  a->in_data = true;
  return 0;
}

static int do_word(struct assembler *a) {
  int64_t value;
  if (a->in_data)
    return asm_fail(a, ".word is an instruction; data are .u8, .u16, .u32 or .zero");
  if (!asm_number(a, &value))
    return asm_fail(a, "expected the 64 bits of the instruction");
  return asm_emit(a, (uint64_t)value);
}

static int data_bytes(struct assembler *a, uint32_t value, unsigned bytes) {
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < bytes; i++)
    rc = asm_byte(a, (uint8_t)(value >> (8 * i)));
  return rc;
}

/* A number, or for words the address of something in the data. */
static int data_item(struct assembler *a, unsigned bytes) {
  char name[ASM_NAME];
  int64_t value;
  uint32_t addend, at = (uint32_t)a->p->data_bytes;
  if (bytes == 4 && asm_identifier(a, name)) {
    int rc = asm_addend(a, &addend);
    if (rc == 0)
      rc = asm_fixup(a, FIX_DATA, strcmp(name, "data") == 0 ? NULL : name, at, addend);
    return rc != 0 ? rc : data_bytes(a, 0, 4);
  }
  int64_t top = ((int64_t)1 << (8 * bytes)) - 1;
  int rc = asm_range(a, "the datum", -(top / 2) - 1, top, &value);
  return rc != 0 ? rc : data_bytes(a, (uint32_t)value, bytes);
}

static int data_list(struct assembler *a, unsigned bytes) {
  if (!a->in_data)
    return asm_fail(a, "data must be in the data section; write .data first");
  int rc;
  do {
    rc = data_item(a, bytes);
  } while (rc == 0 && asm_char(a, ','));
  return rc;
}
static int do_u8(struct assembler *a) { return data_list(a, 1); }
static int do_u16(struct assembler *a) { return data_list(a, 2); }
static int do_u32(struct assembler *a) { return data_list(a, 4); }

static int do_zero(struct assembler *a) {
  int64_t count;
  if (!a->in_data)
    return asm_fail(a, "data must be in the data section; write .data first");
  int rc = asm_range(a, "the number of bytes", 0, ISA_GLOBAL_END - ISA_GLOBAL_FIRST, &count);
  for (int64_t i = 0; rc == 0 && i < count; i++)
    rc = asm_byte(a, 0);
  return rc;
}

int asm_directive(struct assembler *a) {
  static const struct {
    const char *name;
    int (*fn)(struct assembler *);
  } table[] = {
      {".kernel", do_kernel}, {".end", do_end},         {".regs", do_regs},
      {".shared", do_shared}, {".local", do_local},     {".params", do_params},
      {".param", do_param},   {".reqntid", do_reqntid}, {".loc", do_loc},
      {".source", do_source}, {".text", do_text},       {".data", do_data},
      {".word", do_word},     {".u8", do_u8},           {".u16", do_u16},
      {".u32", do_u32},       {".zero", do_zero},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (asm_word(a, table[i].name))
      return table[i].fn(a);
  }
  return asm_fail(a, "unknown directive; docs/isa.md lists them");
}
