/* The assembler: lines, labels, and what refers to them.  docs/isa.md describes the text. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program_check.h"

static int fail_at(struct assembler *a, unsigned line, unsigned column, const char *text) {
  return tandem_fail(a->err, -EINVAL, "%s:%u:%u: %s", a->file, line, column, text);
}

static unsigned column(const struct assembler *a) { return (unsigned)(a->at - a->line_start) + 1; }

int asm_fail(struct assembler *a, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fail_at(a, a->line, column(a), text);
}

int asm_grow(struct assembler *a, void *array, size_t *room, size_t n, size_t element) {
  if (n < *room)
    return 0;
  void *old;
  memcpy(&old, array, sizeof old);
  size_t more = *room == 0 ? 16 : *room * 2;
  void *bigger = realloc(old, more * element);
  if (bigger == NULL)
    return tandem_fail(a->err, -ENOMEM, "%s: out of memory", a->file);
  memcpy(array, &bigger, sizeof bigger);
  *room = more;
  return 0;
}

/* Lexing ------------------------------------------------------------------------------------ */

void asm_space(struct assembler *a) {
  while (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')
    a->at++;
}

bool asm_line_ends(struct assembler *a) {
  asm_space(a);
  return *a->at == '\0' || *a->at == '\n' || *a->at == ';' || (a->at[0] == '/' && a->at[1] == '/');
}

bool asm_char(struct assembler *a, char c) {
  asm_space(a);
  if (*a->at != c)
    return false;
  a->at++;
  return true;
}

static bool name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

bool asm_identifier(struct assembler *a, char name[ASM_NAME]) {
  asm_space(a);
  size_t n = 0;
  while (name_char(a->at[n]))
    n++;
  if (n == 0 || n >= ASM_NAME || isdigit((unsigned char)*a->at))
    return false;
  memcpy(name, a->at, n);
  name[n] = '\0';
  a->at += n;
  return true;
}

bool asm_word(struct assembler *a, const char *word) {
  asm_space(a);
  size_t n = strlen(word);
  if (strncmp(a->at, word, n) != 0 || name_char(a->at[n]))
    return false;
  a->at += n;
  return true;
}

static int hex_digit(char c) {
  return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

static bool quoted(struct assembler *a, char name[ASM_NAME]) {
  const char *c = a->at + 1;
  size_t n = 0;
  while (*c != '"' && *c != '\0' && *c != '\n' && n < ASM_NAME - 1) {
    if (c[0] == '\\' && c[1] == 'x' && isxdigit((unsigned char)c[2]) &&
        isxdigit((unsigned char)c[3])) {
      name[n++] = (char)(hex_digit(c[2]) * 16 + hex_digit(c[3]));
      c += 4;
    } else {
      name[n++] = *c++;
    }
  }
  if (*c != '"')
    return false;
  name[n] = '\0';
  a->at = c + 1;
  return true;
}

bool asm_name(struct assembler *a, char name[ASM_NAME]) {
  asm_space(a);
  return *a->at == '"' ? quoted(a, name) : asm_identifier(a, name);
}

bool asm_number(struct assembler *a, int64_t *value) {
  asm_space(a);
  const char *digits = a->at + (*a->at == '-' || *a->at == '+');
  if (!isdigit((unsigned char)*digits))
    return false;
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end;
  errno = 0;
  uint64_t magnitude = strtoull(digits, &end, hex ? 16 : 10);
  if (errno != 0 || name_char(*end))
    return false;
  *value = (int64_t)(*a->at == '-' ? 0 - magnitude : magnitude);
  a->at = end;
  return true;
}

int asm_expect(struct assembler *a, char c) {
  return asm_char(a, c) ? 0 : asm_fail(a, "expected '%c' here", c);
}

int asm_range(struct assembler *a, const char *what, int64_t low, int64_t high, int64_t *value) {
  asm_space(a);
  const char *start = a->at;
  if (!asm_number(a, value))
    return asm_fail(a, "expected %s, a number of %lld to %lld", what, (long long)low,
                    (long long)high);
  if (*value >= low && *value <= high)
    return 0;
  a->at = start;
  return asm_fail(a, "%s is %lld, but must be within %lld to %lld", what, (long long)*value,
                  (long long)low, (long long)high);
}

int asm_addend(struct assembler *a, uint32_t *addend) {
  *addend = 0;
  bool minus = asm_char(a, '-');
  if (!minus && !asm_char(a, '+'))
    return 0;
  int64_t value;
  int rc = asm_range(a, "the offset", 0, UINT32_MAX, &value);
  if (rc == 0)
    *addend = minus ? 0U - (uint32_t)value : (uint32_t)value;
  return rc;
}

/* Output ------------------------------------------------------------------------------------ */

int asm_emit(struct assembler *a, uint64_t word) {
  struct isa_program *p = a->p;
  if (p->ncode >= ISA_MAX_CODE)
    return asm_fail(a, "a program has at most %u instructions", (unsigned)ISA_MAX_CODE);
  int rc = asm_grow(a, &p->code, &a->code_room, p->ncode, sizeof *p->code);
  if (rc == 0)
    rc = asm_grow(a, &p->lines, &a->lines_room, p->ncode, sizeof *p->lines);
  if (rc != 0)
    return rc;
  p->code[p->ncode] = word;
  p->lines[p->ncode++] = a->loc_given ? a->loc : a->line;
  return 0;
}

int asm_byte(struct assembler *a, uint8_t byte) {
  struct isa_program *p = a->p;
  if (p->data_bytes >= ISA_GLOBAL_END - ISA_GLOBAL_FIRST)
    return asm_fail(a, "the data do not fit the address space");
  int rc = asm_grow(a, &p->data, &a->data_room, p->data_bytes, 1);
  if (rc == 0)
    p->data[p->data_bytes++] = byte;
  return rc;
}

/* Symbols ----------------------------------------------------------------------------------- */

static int out_of_memory(struct assembler *a) {
  return tandem_fail(a->err, -ENOMEM, "%s: out of memory", a->file);
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

static int define(struct assembler *a, const char *name) {
  if (lookup(a, name) != NULL)
    return asm_fail(a, "label %s is defined twice; rename one", name);
  int rc = asm_grow(a, &a->symbols, &a->symbols_room, a->nsymbols, sizeof *a->symbols);
  if (rc != 0)
    return rc;
  char *copy = strdup(name);
  if (copy == NULL)
    return out_of_memory(a);
  size_t value = a->in_data ? a->p->data_bytes : a->p->ncode;
  uint32_t *first = bucket(a, name);
  a->symbols[a->nsymbols++] = (struct asm_symbol){
      .name = copy, .value = (uint32_t)value, .data = a->in_data, .next = *first};
  *first = (uint32_t)a->nsymbols;
  return 0;
}

int asm_fixup(struct assembler *a, int kind, const char *name, uint32_t at, uint32_t addend) {
  int rc = asm_grow(a, &a->fixups, &a->fixups_room, a->nfixups, sizeof *a->fixups);
  if (rc != 0)
    return rc;
  char *copy = name == NULL ? NULL : strdup(name);
  if (name != NULL && copy == NULL)
    return out_of_memory(a);
  struct asm_fixup f = {.at = at, .addend = addend, .name = copy, .line = a->line};
  f.kind = kind;
  f.column = column(a);
  a->fixups[a->nfixups++] = f;
  return 0;
}

static int resolve(struct assembler *a, const struct asm_fixup *f) {
  static const struct asm_symbol data_start = {.data = true};
  const bool data = f->kind == FIX_MOVI || f->kind == FIX_DATA;
  const struct asm_symbol *s = f->name == NULL ? &data_start : lookup(a, f->name);
  char text[ASM_NAME + 100];
  if (s == NULL || s->data != data) {
    (void)snprintf(text, sizeof text, "%s is not a label of the %s; define it with `%s:`", f->name,
                   data ? "data" : "code", f->name);
    return fail_at(a, f->line, f->column, text);
  }
  struct isa_program *p = a->p;
  uint32_t value = s->value + f->addend;
  if (!data) { /* at most 0xffff, which only the label behind the longest program has */
    if (value == ISA_NO_RPC)
      return fail_at(a, f->line, f->column, "a branch cannot name PC 0xffff");
    p->code[f->at] |= (uint64_t)value << (f->kind == FIX_TARGET ? 32 : 0);
    return 0;
  }
  int rc = asm_grow(a, &p->relocs, &a->relocs_room, p->nrelocs, sizeof *p->relocs);
  if (rc != 0)
    return rc;
  p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = f->at, .in_data = f->kind == FIX_DATA};
  if (f->kind == FIX_MOVI) {
    p->code[f->at] |= (uint64_t)(value & 0xffff) << 32 | (uint64_t)(value >> 16 & 0x7fff) << 5 |
                      (uint64_t)(value >> 31) << 25;
  } else {
    for (unsigned i = 0; i < 4; i++)
      p->data[f->at + i] = (uint8_t)(value >> (8 * i));
  }
  return 0;
}

/* Lines ------------------------------------------------------------------------------------- */

static int labels(struct assembler *a) {
  for (;;) {
    char name[ASM_NAME];
    const char *start = a->at;
    if (!asm_identifier(a, name) || !asm_char(a, ':')) {
      a->at = start;
      return 0;
    }
    int rc = define(a, name);
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
    int rc = resolve(a, &a->fixups[i]);
    if (rc != 0)
      return rc;
  }
  return isa_program_check(a->p, a->err);
}

int isa_assemble(const char *text, const char *name, struct isa_program **p,
                 struct tandem_error *err) {
  struct assembler a = {.file = name, .err = err};
  a.p = calloc(1, sizeof *a.p);
  int rc = a.p == NULL ? out_of_memory(&a) : assemble(&a, text);
  if (rc == 0 && a.p->source == NULL && (a.p->source = strdup(name)) == NULL)
    rc = out_of_memory(&a);
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
