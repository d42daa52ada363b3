/* The assembler: lines, and what stands in them.  docs/isa.md describes the text. */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/asm/asm_local.h"
#include "csim/isa/core/program_check.h"

static int labels(struct assembler *a) {
  for (;;) {
    char name[ASM_NAME];
    const char *start = a->at;
    if (!asm_identifier(a, name) || !asm_char(a, ':')) {
      a->at = start;
      return 0;
    }
    int rc = asm_define(a, name);
    if (rc != 0)
      return rc;
  }
}

static int statement(struct assembler *a) {
  int rc = labels(a);
  if (rc != 0 || asm_line_ends(a))
    return rc;
  rc = *a->at == '.' ? asm_directive(a) : asm_instruction(a);
  if (rc == 0 && !asm_line_ends(a))
    rc = asm_fail(a, "unexpected text behind the statement; write one statement a line");
  return rc;
}

static int assemble(struct assembler *a, const char *text) {
  for (a->line_start = text; *a->line_start != '\0';) {
    a->line++;
    a->at = a->line_start;
    int rc = statement(a);
    if (rc != 0)
      return rc;
    a->line_start += strcspn(a->line_start, "\n");
    a->line_start += *a->line_start == '\n';
  }
  a->at = a->line_start;
  if (a->kernel != NULL)
    return asm_fail(a, "kernel %s is not closed; write .end behind it", a->kernel->name);
  for (size_t i = 0; i < a->nfixups; i++) {
    int rc = asm_resolve(a, &a->fixups[i]);
    if (rc != 0)
      return rc;
  }
  struct tandem_error why;
  const int rc = isa_program_check(a->p, &why);
  return rc != 0 ? tandem_fail(a->err, rc, "%s: %s", a->file, why.text) : 0;
}

int isa_assemble(const char *text, const char *name, struct isa_program **p,
                 struct tandem_error *err) {
  struct assembler a = {.file = name, .err = err};
  a.p = calloc(1, sizeof *a.p);
  int rc = a.p == NULL ? asm_out_of_memory(&a) : assemble(&a, text);
  if (rc == 0 && a.p->source == NULL && (a.p->source = strdup(name)) == NULL)
    rc = asm_out_of_memory(&a);
  for (size_t i = 0; i < a.nsymbols; i++)
    free(a.symbols[i].name);
  for (size_t i = 0; i < a.nfixups; i++)
    free(a.fixups[i].name);
  free(a.symbols);
  free(a.fixups);
  if (rc != 0)
    isa_program_free(a.p);
  else
    *p = a.p;
  return rc;
}
