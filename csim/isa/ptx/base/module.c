/* The parsed module: types by name, functions and variables by name, alignment of variables. */
#include <string.h>

#include "csim/isa/ptx/base/base.h"

static const struct {
  const char *name;
  unsigned bits;
} types[PTX_TYPES] = {
    [PTX_NONE] = {"", 0},        [PTX_PRED] = {"pred", 1}, [PTX_B8] = {"b8", 8},
    [PTX_B16] = {"b16", 16},     [PTX_B32] = {"b32", 32},  [PTX_B64] = {"b64", 64},
    [PTX_U8] = {"u8", 8},        [PTX_U16] = {"u16", 16},  [PTX_U32] = {"u32", 32},
    [PTX_U64] = {"u64", 64},     [PTX_S8] = {"s8", 8},     [PTX_S16] = {"s16", 16},
    [PTX_S32] = {"s32", 32},     [PTX_S64] = {"s64", 64},  [PTX_F16] = {"f16", 16},
    [PTX_F16X2] = {"f16x2", 32}, [PTX_F32] = {"f32", 32},  [PTX_F64] = {"f64", 64},
};

enum ptx_type ptx_type_of(const char *name) {
  for (unsigned t = PTX_PRED; t < PTX_TYPES; t++)
    if (strcmp(types[t].name, name) == 0)
      return (enum ptx_type)t;
  return PTX_NONE;
}

unsigned ptx_bits(enum ptx_type t) { return types[t].bits; }

struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name) {
  struct ptx_func *found = NULL;
  for (size_t i = 0; i < m->nfuncs; i++)
    if (m->funcs[i]->name == name && (!found || m->funcs[i]->body))
      found = m->funcs[i];
  return found && found->alias ? found->alias : found;
}

struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name) {
  struct ptx_var *found = NULL;
  for (size_t i = 0; i < m->nvars; i++)
    if (m->vars[i]->name == name && (!found || !m->vars[i]->external))
      found = m->vars[i];
  return found;
}

uint32_t ptx_alignment(const struct ptx_var *v) {
  uint32_t align = v->external ? PTX_WIDEST : 1;
  while (align < PTX_WIDEST && 2 * align <= v->size)
    align *= 2;
  return align > v->align ? align : v->align;
}
