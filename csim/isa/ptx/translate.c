/* PTX text to a program: the stages in order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/alloc/alloc.h"
#include "csim/isa/ptx/emit/emit.h"
#include "csim/isa/ptx/opt/opt.h"
#include "csim/isa/ptx/parse/parse.h"
#include "csim/isa/ptx/ptx.h"
#include "csim/isa/ptx/select/select.h"

/* Parameters laid out as C would, each at its alignment. */
static void place_params(struct ptx *x, struct ptx_func *f, struct isa_kernel *k) {
  uint64_t at = 0;
  for (size_t i = 0; i < f->nparams; i++) {
    struct ptx_var *v = f->params[i];
    at = (at + v->align - 1) & ~(uint64_t)(v->align - 1);
    v->offset = (uint32_t)at;
    at += v->size;
    if (at > 4096)
      ptx_fail(x, v->line, "the parameters of '%s' pass 4096 bytes", f->name);
  }
  k->param_bytes = (uint32_t)(at + 3) & ~3U;
  k->params = calloc(f->nparams + 1, sizeof *k->params);
  if (!k->params)
    ptx_fail_code(x, -ENOMEM, "out of memory");
  for (size_t i = 0; i < f->nparams; i++) {
    const struct ptx_var *v = f->params[i];
    struct isa_param *p = &k->params[k->nparams++];
    *p = (struct isa_param){.name = strdup(v->name),
                            .offset = v->offset,
                            .size = (uint32_t)v->size,
                            .align = v->align,
                            .pointer = v->shape.ptr,
                            .space = v->shape.ptr ? v->shape.space : ISA_SPACE_GLOBAL};
    if (!p->name)
      ptx_fail_code(x, -ENOMEM, "out of memory");
  }
}

static void translate_kernel(struct ptx *x, struct ptx_module *m, struct ptx_func *f,
                             unsigned max_regs, struct isa_program *p) {
  if (p->nkernels == ISA_MAX_KERNELS)
    ptx_fail(x, f->line, "a program has at most %u kernels", (unsigned)ISA_MAX_KERNELS);
  struct isa_kernel *grown = realloc(p->kernels, (p->nkernels + 1) * sizeof *grown);
  if (!grown)
    ptx_fail_code(x, -ENOMEM, "out of memory");
  p->kernels = grown;
  struct isa_kernel *k = &p->kernels[p->nkernels++];
  *k = (struct isa_kernel){.name = strdup(f->name)};
  if (!k->name)
    ptx_fail_code(x, -ENOMEM, "out of memory");
  memcpy(k->reqntid, f->reqntid, sizeof k->reqntid);
  place_params(x, f, k);
  ptx_place_memory(x, m, f, k);
  struct ir *ir = ptx_alloc(x, sizeof *ir);
  *ir = (struct ir){.x = x, .line = f->line, .name = f->name, .local_bytes = k->local_bytes};
  ptx_select(x, m, f, ir);
  ir_build_cfg(ir);
  ir_analyse_cfg(ir);
  ir_optimise(ir);
  ir_find_waits(ir);
  ir_allocate(ir, max_regs, x->spread);
  ir_emit(ir, p, k);
}

static void translate(struct ptx *x, const char *text, unsigned max_regs, struct isa_program *p) {
  struct ptx_module m = {0};
  ptx_parse(x, text, &m);
  ptx_place_data(x, &m, p);
  for (size_t i = 0; i < m.nfuncs; i++)
    if (m.funcs[i]->entry && m.funcs[i]->body)
      translate_kernel(x, &m, m.funcs[i], max_regs, p);
  if (p->nkernels == 0)
    ptx_fail(x, x->line, "there is no kernel (.entry) in this file");
}

/* The program keeps its PTX: the lines of its instructions may become those of other sources. */
static int keep_ptx(struct isa_program *p, const char *text) {
  p->ptx = strdup(text);
  p->ptx_lines = malloc(p->ncode * sizeof *p->ptx_lines);
  if (!p->ptx || !p->ptx_lines)
    return -ENOMEM;
  memcpy(p->ptx_lines, p->lines, p->ncode * sizeof *p->ptx_lines);
  return 0;
}

int ptx_translate(const char *text, const char *name, const struct ptx_options *opt,
                  struct isa_program **out, struct tandem_error *err) {
  *out = NULL;
  unsigned max_regs = opt && opt->max_regs ? opt->max_regs : ISA_REGS;
  if (max_regs < 8 || max_regs > ISA_REGS)
    return tandem_fail(err, -EINVAL, "%s: max_regs is %u; it must be 8 to %d", name, max_regs,
                       ISA_REGS);
  struct ptx *x = calloc(1, sizeof *x);
  struct isa_program *p = calloc(1, sizeof *p);
  int status = 0;
  if (x && p)
    p->source = strdup(name);
  if (!x || !p || !p->source) {
    status = tandem_fail(err, -ENOMEM, "%s: out of memory", name);
  } else {
    x->file = name;
    x->err = err;
    x->spread = opt ? opt->spread : NULL;
    if (setjmp(x->unwind) == 0)
      translate(x, text, max_regs, p);
    status = x->status;
    ptx_release(x);
    if (status == 0 && (status = keep_ptx(p, text)) != 0)
      (void)tandem_fail(err, status, "%s: out of memory", name);
  }
  free(x);
  if (status == 0)
    *out = p;
  else
    isa_program_free(p);
  return status;
}
