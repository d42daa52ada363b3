/* Programs: release, kernels by name, the check of a whole program. */
#include "csim/isa/core/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/core/program_check.h"

const char *const isa_space_names[ISA_SPACE_PARAM + 1] = {
    [ISA_SPACE_GLOBAL] = "global", [ISA_SPACE_SHARED] = "shared",   [ISA_SPACE_LOCAL] = "local",
    [ISA_SPACE_CONST] = "const",   [ISA_SPACE_GENERIC] = "generic", [ISA_SPACE_PARAM] = "param"};

void isa_program_free(struct isa_program *p) {
  if (p == NULL)
    return;
  for (size_t i = 0; i < p->nkernels; i++) {
    for (size_t j = 0; j < p->kernels[i].nparams; j++)
      free(p->kernels[i].params[j].name);
    free(p->kernels[i].params);
    free(p->kernels[i].name);
  }
  free(p->kernels);
  free(p->code);
  free(p->lines);
  free(p->source);
  free(p->ptx);
  free(p->ptx_lines);
  free(p->data);
  free(p->relocs);
  free(p);
}

const struct isa_kernel *isa_program_kernel(const struct isa_program *p, const char *name) {
  for (size_t i = 0; i < p->nkernels; i++) {
    if (strcmp(p->kernels[i].name, name) == 0)
      return &p->kernels[i];
  }
  return NULL;
}

bool isa_program_line(const struct isa_program *p, uint32_t pc, char *text, size_t size) {
  const uint32_t line = p->lines != NULL && pc < p->ncode ? p->lines[pc] : 0;
  const char *name = p->source != NULL ? p->source : "source";
  for (uint32_t file = line >> ISA_LINE_BITS; file > 0 && name != NULL; file--)
    if ((name = strchr(name, '\n')) != NULL)
      name++;
  if (line == 0 || name == NULL)
    return false;
  (void)snprintf(text, size, "%.*s:%u", (int)strcspn(name, "\n"), name,
                 line & ((UINT32_C(1) << ISA_LINE_BITS) - 1));
  return true;
}

/* Copies a line without the blanks at its ends, and with one where there are several. */
static void copy_line(const char *line, char *text, size_t size) {
  size_t n = 0;
  for (const char *c = line; *c != '\0' && *c != '\n' && n + 1 < size; c++) {
    const bool blank = *c == ' ' || *c == '\t' || *c == '\r';
    if (!blank)
      text[n++] = *c;
    else if (n > 0 && text[n - 1] != ' ')
      text[n++] = ' ';
  }
  n -= n > 0 && text[n - 1] == ' ';
  text[n] = '\0';
  tandem_printable(text);
}

bool isa_program_ptx(const struct isa_program *p, uint32_t pc, struct isa_ptx_line *l, char *text,
                     size_t size) {
  const uint32_t number = p->ptx != NULL && pc < p->ncode ? p->ptx_lines[pc] : 0;
  if (number == 0)
    return false;
  if (l->number == 0 || l->number > number)
    *l = (struct isa_ptx_line){1, p->ptx};
  while (l->number < number) {
    const char *end = strchr(l->at, '\n');
    if (end == NULL)
      return false;
    *l = (struct isa_ptx_line){l->number + 1, end + 1};
  }
  copy_line(l->at, text, size);
  return true;
}

bool isa_is_name(const char *text) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$%",
                    others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$.0123456789";
  const size_t n = strlen(text);
  return n > (*text == '%') && n <= ISA_NAME_MAX && strchr(first, *text) != NULL &&
         strspn(text + 1, others) == n - 1;
}

static int check_kernel(const struct isa_program *p, size_t i, struct tandem_error *err) {
  const struct isa_kernel *k = &p->kernels[i];
  if (k->name == NULL || !isa_is_name(k->name))
    return tandem_fail(err, -EINVAL,
                       "the name of kernel %zu is no identifier: letters, digits, _, $ and .", i);
  if (k->entry > k->end || k->end > p->ncode || (i > 0 && k->entry < p->kernels[i - 1].end))
    return tandem_fail(err, -EINVAL, "kernel %s: its PCs %u to %u overlap or leave the code",
                       k->name, k->entry, k->end);
  if (k->regs > ISA_REGS || k->param_bytes > UINT16_MAX)
    return tandem_fail(err, -EINVAL, "kernel %s: over 32 registers or 64 KB of parameters",
                       k->name);
  for (size_t j = 0; j < k->nparams; j++) {
    const struct isa_param *q = &k->params[j];
    if (q->name == NULL || !isa_is_name(q->name))
      return tandem_fail(err, -EINVAL, "kernel %s: the name of parameter %zu is no identifier",
                         k->name, j);
    if (q->space > ISA_SPACE_PARAM || q->size > k->param_bytes ||
        q->offset > k->param_bytes - q->size)
      return tandem_fail(
          err, -EINVAL, "kernel %s: parameter %zu is malformed or not within its block of %u bytes",
          k->name, j, k->param_bytes);
  }
  return 0;
}

static int compare_relocs(const void *x, const void *y) {
  const struct isa_reloc *a = x, *b = y;
  if (a->in_data != b->in_data)
    return a->in_data < b->in_data ? -1 : 1;
  return (a->pc > b->pc) - (a->pc < b->pc);
}

/* relocs is a copy that may be sorted. */
static int check_relocs(const struct isa_program *p, struct isa_reloc *relocs,
                        struct tandem_error *err) {
  qsort(relocs, p->nrelocs, sizeof *relocs, compare_relocs);
  for (size_t i = 0; i < p->nrelocs; i++) {
    const struct isa_reloc *r = &relocs[i];
    if (r->in_data > 1 || (r->in_data == 1 && (p->data_bytes < 4 || r->pc > p->data_bytes - 4)) ||
        (r->in_data == 0 && r->pc >= p->ncode))
      return tandem_fail(err, -EINVAL, "relocation at %u is outside code and data", r->pc);
    if (r->in_data == 0 && (p->code[r->pc] >> 58 != 0 || isa_id_of(p->code[r->pc]) != ISA_MOVI ||
                            isa_check(p->code[r->pc]) != NULL))
      return tandem_fail(err, -EINVAL, "relocation at PC %u, which is not a movi", r->pc);
    if (i > 0 && r[-1].in_data == r->in_data && r->pc - r[-1].pc < (r->in_data == 1 ? 4U : 1U))
      return tandem_fail(err, -EINVAL, "relocation at %u overlaps another", r->pc);
  }
  return 0;
}

int isa_program_check(const struct isa_program *p, struct tandem_error *err) {
  if (p->ncode > ISA_MAX_CODE)
    return tandem_fail(err, -EINVAL, "%zu instructions; a program has at most %u", p->ncode,
                       (unsigned)ISA_MAX_CODE);
  if (p->nkernels > ISA_MAX_KERNELS)
    return tandem_fail(err, -EINVAL, "%zu kernels; a program has at most %u", p->nkernels,
                       (unsigned)ISA_MAX_KERNELS);
  if (p->source != NULL && strlen(p->source) > ISA_NAME_MAX)
    return tandem_fail(err, -EINVAL, "the name of the source file is too long");
  for (size_t pc = 0; pc < p->ncode; pc++)
    if (p->code[pc] >> 58 != 0)
      return tandem_fail(err, -EINVAL,
                         "the word at PC %zu, 0x%016" PRIx64
                         ", has bits in 63:58: the warp's, which "
                         "are 0 in a program",
                         pc, p->code[pc]);
  for (size_t i = 0; i < p->nkernels; i++) {
    int rc = check_kernel(p, i, err);
    if (rc != 0)
      return rc;
  }
  if (p->nrelocs == 0)
    return 0;
  struct isa_reloc *relocs = malloc(p->nrelocs * sizeof *relocs);
  if (relocs == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  memcpy(relocs, p->relocs, p->nrelocs * sizeof *relocs);
  int rc = check_relocs(p, relocs, err);
  free(relocs);
  return rc;
}
