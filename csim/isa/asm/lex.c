/* The assembler's errors, and lexing within a line. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"

int asm_fail_at(struct assembler *a, unsigned line, unsigned column, const char *text) {
  return tandem_fail(a->err, -EINVAL, "%s:%u:%u: %s", a->file, line, column, text);
}

unsigned asm_column(const struct assembler *a) { return (unsigned)(a->at - a->line_start) + 1; }

int asm_fail(struct assembler *a, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return asm_fail_at(a, a->line, asm_column(a), text);
}

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
