/* Programs in the GPU's memory: loaded, placed, relocated. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/isa/opencl/opencl.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/journal.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/program.h"

enum { LINE_WORDS = 16 /* of an icache line */ };

/* Adds the data segment's address to a MOVI: its 32 bits are {mods[0], src3, src2, src1, imm}. */
static uint64_t relocate_movi(uint64_t word, uint32_t add) {
  struct isa_inst f = isa_unpack(word);
  uint32_t value = (uint32_t)(f.mods & 1U) << 31 | (uint32_t)f.src3 << 26 | (uint32_t)f.src2 << 21 |
                   (uint32_t)f.src1 << 16 | f.imm;
  value += add;
  f.mods = (uint8_t)((f.mods & ~1U) | value >> 31);
  f.src3 = value >> 26 & 31;
  f.src2 = value >> 21 & 31;
  f.src1 = value >> 16 & 31;
  f.imm = (uint16_t)value;
  return isa_pack(f);
}

/* Moves target and reconvergence PC of a branch: bits 47:32 and 15:0. */
static uint64_t relocate_branch(uint64_t word, uint32_t add) {
  const uint64_t target = (word >> 32) + add, meet = word + add;
  if (isa_id_of(word) != ISA_BRA)
    return word;
  if ((word & 0xffff) != ISA_NO_RPC)
    word = (word & ~UINT64_C(0xffff)) | (meet & 0xffff);
  return (word & ~(UINT64_C(0xffff) << 32)) | (target & 0xffff) << 32;
}

/* The machine's appendix, from the next icache line on. */
static void append(struct tandem_program *g, const struct isa_program *appendix) {
  for (size_t i = 0; i < appendix->ncode; i++)
    g->code[g->appendix + i] = relocate_branch(appendix->code[i], g->appendix);
}

/* Places data and code in global memory, with relocations applied. */
static int place(struct tandem *t, struct tandem_program *g, struct tandem_error *err) {
  const struct isa_program *p = g->isa;
  if (p->data_bytes != 0) {
    TRY(gpu_mem_alloc(t->mem, p->data_bytes, &g->data_address, err));
    TRY(gpu_mem_write(t->mem, g->data_address, p->data, p->data_bytes, err));
  }
  memcpy(g->code, p->code, p->ncode * sizeof *g->code);
  for (size_t i = 0; i < p->nrelocs; i++) {
    const struct isa_reloc *r = &p->relocs[i];
    uint32_t word;
    if (r->in_data == 0) {
      if (r->pc < p->ncode)
        g->code[r->pc] = relocate_movi(g->code[r->pc], g->data_address);
    } else if (r->pc + 4U <= p->data_bytes) {
      memcpy(&word, p->data + r->pc, sizeof word);
      word += g->data_address;
      TRY(gpu_mem_write(t->mem, g->data_address + r->pc, &word, sizeof word, err));
    }
  }
  /* Whole icache lines. */
  const uint64_t bytes = (g->ncode * sizeof *g->code + 127) & ~UINT64_C(127);
  TRY(gpu_mem_alloc(t->mem, bytes, &g->code_address, err));
  TRY(gpu_mem_write(t->mem, g->code_address, g->code, g->ncode * sizeof *g->code, err));
  for (size_t i = 0; i < g->ncode; i++)
    isa_uop_decode(g->code[i], &g->uops[i]);
  return 0;
}

static void drop(struct tandem_program *g, bool owned) {
  if (owned)
    isa_program_free(g->isa);
  free(g->code);
  free(g->uops);
  free(g);
}

static enum tandem_status out_of_memory(struct tandem_error *err) {
  tandem_fail(err, -ENOMEM, "out of memory for a program");
  return TANDEM_USAGE;
}

enum tandem_status gpu_load(struct tandem *t, struct isa_program *isa, bool owned,
                            const struct tandem_program **program, struct tandem_error *err) {
  struct tandem_program *g = calloc(1, sizeof *g);
  *program = NULL;
  if (g == NULL) {
    if (owned)
      isa_program_free(isa);
    return out_of_memory(err);
  }
  const struct isa_program *appendix =
      t->machine->launch.appendix != NULL ? t->machine->launch.appendix(t, isa) : NULL;
  *g = (struct tandem_program){.isa = isa, .owned = owned, .ncode = (uint32_t)isa->ncode};
  if (appendix != NULL) {
    g->appendix = ((uint32_t)isa->ncode + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    g->ncode = g->appendix + (uint32_t)appendix->ncode;
  }
  g->code = calloc(g->ncode + LINE_WORDS, sizeof *g->code);
  g->uops = aligned_alloc(64, (g->ncode + 1) * sizeof *g->uops);
  if (g->code == NULL || g->uops == NULL ||
      (t->journal != NULL && !journal_load(t->journal, isa))) {
    drop(g, owned);
    return out_of_memory(err);
  }
  g->next = t->programs;
  t->programs = g;
  if (g->ncode > UINT16_MAX && appendix != NULL) {
    tandem_fail(err, -EINVAL, "a program of %zu instructions leaves no room for those of the %s",
                isa->ncode, t->machine->shape.name);
    return TANDEM_USAGE;
  }
  if (appendix != NULL)
    append(g, appendix);
  if (place(t, g, err) != 0)
    return TANDEM_USAGE;
  *program = g;
  return TANDEM_OK;
}

void gpu_unload(struct tandem *t) {
  while (t->programs != NULL) {
    struct tandem_program *g = t->programs;
    t->programs = g->next;
    drop(g, g->owned);
  }
}

void gpu_keep(struct tandem *t, struct tandem_program *programs) {
  struct tandem_program **end = &t->programs;
  while (*end != NULL)
    end = &(*end)->next;
  *end = programs;
}

struct ptx_options gpu_ptx_options(const struct tandem_config *c) {
  struct ptx_options ptx = {.max_regs = c->max_regs, .keep = c->keep_ptx};
  if (c->spread_registers)
    sm_spread_registers(&c->sm, ptx.spread);
  return ptx;
}

enum tandem_status tandem_load(struct tandem *t, const char *path, const char *const *options,
                               const struct tandem_program **program, struct tandem_error *err) {
  const struct ptx_options ptx = gpu_ptx_options(&t->config);
  struct isa_program *isa;
  struct tandem_error ignored;
  if (err == NULL)
    err = &ignored;
  *program = NULL;
  if (path == NULL) {
    tandem_fail(err, -EINVAL, "a program needs a path");
    return TANDEM_USAGE;
  }
  if (isa_program_load(path, options, &ptx, &isa, err) != 0)
    return TANDEM_USAGE;
  return gpu_load(t, isa, true, program, err);
}
