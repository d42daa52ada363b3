/* The assembler's output: words, bytes of data, labels, and the places that refer to labels. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"

void asm_out_of_memory(struct assembler *a) {
  if (a->status == 0)
    a->status = tandem_fail(a->err, -ENOMEM, "%s: out of memory", a->file);
}

char *asm_copy(struct assembler *a, const char *text) {
  char *copy = a->status == 0 ? strdup(text) : NULL;
  if (copy == NULL)
    asm_out_of_memory(a);
  return copy;
}

bool asm_grow(struct assembler *a, void *array, size_t *room, size_t n, size_t element) {
  if (a->status != 0 || n < *room)
    return a->status == 0;
  void *old;
  memcpy(&old, array, sizeof old);
  size_t more = *room == 0 ? 16 : *room * 2;
  void *bigger = realloc(old, more * element);
  if (bigger == NULL) {
    asm_out_of_memory(a);
    return false;
  }
  memcpy(array, &bigger, sizeof bigger);
  *room = more;
  return true;
}

void asm_emit(struct assembler *a, uint64_t word) {
  struct isa_program *p = a->p;
  if (p->ncode >= ISA_MAX_CODE)
    asm_fail(a, "a program has at most %u instructions", (unsigned)ISA_MAX_CODE);
  if (!asm_grow(a, &p->code, &a->code_room, p->ncode, sizeof *p->code) ||
      !asm_grow(a, &p->lines, &a->lines_room, p->ncode, sizeof *p->lines))
    return;
  p->code[p->ncode] = word;
  p->lines[p->ncode++] = a->loc_given ? a->loc : a->line;
}

void asm_byte(struct assembler *a, uint8_t byte) {
  struct isa_program *p = a->p;
  if (p->data_bytes >= ISA_GLOBAL_END - ISA_GLOBAL_FIRST)
    asm_fail(a, "the data do not fit the address space");
  if (asm_grow(a, &p->data, &a->data_room, p->data_bytes, 1))
    p->data[p->data_bytes++] = byte;
}

/* FNV-1a. */
static uint32_t *bucket(struct assembler *a, const char *name) {
  uint32_t hash = 2166136261U;
  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619U;
  return &a->buckets[(hash ^ hash >> 16) % ASM_BUCKETS];
}

static const struct asm_symbol *lookup(struct assembler *a, const char *name) {
  for (uint32_t at = *bucket(a, name); at != 0; at = a->symbols[at - 1].next)
    if (strcmp(a->symbols[at - 1].name, name) == 0)
      return &a->symbols[at - 1];
  return NULL;
}

void asm_define(struct assembler *a, const char *name) {
  if (lookup(a, name) != NULL)
    asm_fail(a, "label %s is defined twice; rename one", name);
  char *copy = asm_copy(a, name);
  if (!asm_grow(a, &a->symbols, &a->symbols_room, a->nsymbols, sizeof *a->symbols)) {
    free(copy);
    return;
  }
  size_t value = a->in_data ? a->p->data_bytes : a->p->ncode;
  uint32_t *first = bucket(a, name);
  a->symbols[a->nsymbols++] = (struct asm_symbol){
      .name = copy, .value = (uint32_t)value, .data = a->in_data, .next = *first};
  *first = (uint32_t)a->nsymbols;
}

void asm_fixup(struct assembler *a, int kind, const char *name, uint32_t at, uint32_t addend) {
  char *copy = name != NULL ? asm_copy(a, name) : NULL;
  if (!asm_grow(a, &a->fixups, &a->fixups_room, a->nfixups, sizeof *a->fixups)) {
    free(copy);
    return;
  }
  struct asm_fixup f = {.at = at, .addend = addend, .name = copy, .line = a->line};
  f.kind = kind;
  f.column = asm_column(a);
  a->fixups[a->nfixups++] = f;
}

void asm_resolve(struct assembler *a, const struct asm_fixup *f) {
  static const struct asm_symbol data_start = {.data = true};
  const bool data = f->kind == FIX_MOVI || f->kind == FIX_DATA;
  const struct asm_symbol *s = f->name == NULL ? &data_start : lookup(a, f->name);
  char text[ASM_NAME + 100];
  if (s == NULL || s->data != data) {
    (void)snprintf(text, sizeof text, "%s is not a label of the %s; define it with `%s:`", f->name,
                   data ? "data" : "code", f->name);
    asm_fail_at(a, f->line, f->column, text);
    return;
  }
  struct isa_program *p = a->p;
  uint32_t value = s->value + f->addend;
  if (!data) { /* at most 0xffff, which only the label behind the longest program has */
    if (value == ISA_NO_RPC)
      asm_fail_at(a, f->line, f->column, "a branch cannot name PC 0xffff");
    p->code[f->at] |= (uint64_t)value << (f->kind == FIX_TARGET ? 32 : 0);
    return;
  }
  if (!asm_grow(a, &p->relocs, &a->relocs_room, p->nrelocs, sizeof *p->relocs))
    return;
  p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = f->at, .in_data = f->kind == FIX_DATA};
  if (f->kind == FIX_MOVI) {
    p->code[f->at] |= (uint64_t)(value & 0xffff) << 32 | (uint64_t)(value >> 16 & 0x7fff) << 5 |
                      (uint64_t)(value >> 31) << 25;
  } else {
    for (unsigned i = 0; i < 4; i++)
      p->data[f->at + i] = (uint8_t)(value >> (8 * i));
  }
}
