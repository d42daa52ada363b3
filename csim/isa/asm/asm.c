/* The assembler: lines and their statements.  docs/reference/isa.md describes the text. */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/asm/asm_local.h"
#include "csim/isa/core/program_check.h"

static void labels(struct assembler *a) {
  char name[ASM_NAME];
  const char *start = a->at;
  while (asm_identifier(a, name) && asm_char(a, ':')) {
    asm_define(a, name);
    start = a->at;
  }
  a->at = start;
}

static void statement(struct assembler *a) {
  labels(a);
  if (asm_line_ends(a))
    return;
  if (*a->at == '.')
    asm_directive(a);
  else
    asm_instruction(a);
  if (!asm_line_ends(a))
    asm_fail(a, "unexpected text behind the statement; write one statement a line");
}

static void assemble(struct assembler *a, const char *text) {
  for (a->line_start = text; *a->line_start != '\0' && a->status == 0;) {
    a->line++;
    a->at = a->line_start;
    statement(a);
    a->line_start += strcspn(a->line_start, "\n");
    a->line_start += *a->line_start == '\n';
  }
  if (a->status != 0)
    return;
  a->at = a->line_start;
  if (a->kernel != NULL)
    asm_fail(a, "kernel %s is not closed; write .end behind it", a->kernel->name);
  for (size_t i = 0; i < a->nfixups; i++)
    asm_resolve(a, &a->fixups[i]);
  struct tandem_error why;
  if (a->status == 0 && (a->status = isa_program_check(a->p, &why)) != 0)
    (void)tandem_fail(a->err, a->status, "%s: %s", a->file, why.text);
}

int isa_assemble(const char *text, const char *name, struct isa_program **p,
                 struct tandem_error *err) {
  struct assembler a = {.file = name, .err = err, .p = calloc(1, sizeof *a.p)};
  if (a.p == NULL)
    asm_out_of_memory(&a);
  else
    assemble(&a, text);
  if (a.status == 0 && a.p->source == NULL)
    a.p->source = asm_copy(&a, name);
  for (size_t i = 0; i < a.nsymbols; i++)
    free(a.symbols[i].name);
  for (size_t i = 0; i < a.nfixups; i++)
    free(a.fixups[i].name);
  free(a.symbols);
  free(a.fixups);
  if (a.status != 0)
    isa_program_free(a.p);
  else
    *p = a.p;
  return a.status;
}
