/* The assembler's errors, and lexing within a line. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"

void asm_fail_at(struct assembler *a, unsigned line, unsigned column, const char *text) {
  if (a->status == 0)
    a->status = tandem_fail(a->err, -EINVAL, "%s:%u:%u: %s", a->file, line, column, text);
}

static unsigned column_of(const struct assembler *a, const char *at) {
  return (unsigned)(at - a->line_start) + 1;
}

unsigned asm_column(const struct assembler *a) { return column_of(a, a->at); }

static void fail(struct assembler *a, const char *at, const char *format, va_list args) {
  char text[512];
  (void)vsnprintf(text, sizeof text, format, args);
  asm_fail_at(a, a->line, column_of(a, at), text);
}

void asm_fail(struct assembler *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(a, a->at, format, args);
  va_end(args);
}

void asm_fail_here(struct assembler *a, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(a, at, format, args);
  va_end(args);
}

void asm_space(struct assembler *a) {
  while (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')
    a->at++;
}

bool asm_line_ends(struct assembler *a) {
  asm_space(a);
  return a->status != 0 || *a->at == '\0' || *a->at == '\n' || *a->at == ';' ||
         (a->at[0] == '/' && a->at[1] == '/');
}

bool asm_char(struct assembler *a, char c) {
  asm_space(a);
  if (a->status != 0 || *a->at != c)
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
  if (a->status != 0 || n == 0 || n >= ASM_NAME || isdigit((unsigned char)*a->at))
    return false;
  memcpy(name, a->at, n);
  name[n] = '\0';
  a->at += n;
  return true;
}

bool asm_word(struct assembler *a, const char *word) {
  asm_space(a);
  size_t n = strlen(word);
  if (a->status != 0 || strncmp(a->at, word, n) != 0 || name_char(a->at[n]))
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
  return a->status == 0 && *a->at == '"' ? quoted(a, name) : asm_identifier(a, name);
}

bool asm_number(struct assembler *a, int64_t *value) {
  asm_space(a);
  const char *digits = a->at + (*a->at == '-' || *a->at == '+');
  if (a->status != 0 || !isdigit((unsigned char)*digits))
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

void asm_expect(struct assembler *a, char c) {
  if (!asm_char(a, c))
    asm_fail(a, "expected '%c' here", c);
}

int64_t asm_range(struct assembler *a, const char *what, int64_t low, int64_t high) {
  int64_t value = 0;
  asm_space(a);
  const char *start = a->at;
  if (!asm_number(a, &value))
    asm_fail(a, "expected %s, a number of %lld to %lld", what, (long long)low, (long long)high);
  else if (value < low || value > high)
    asm_fail_here(a, start, "%s is %lld, but must be within %lld to %lld", what, (long long)value,
                  (long long)low, (long long)high);
  return a->status == 0 ? value : 0;
}

uint32_t asm_addend(struct assembler *a) {
  const bool minus = asm_char(a, '-');
  if (!minus && !asm_char(a, '+'))
    return 0;
  const uint32_t value = (uint32_t)asm_range(a, "the offset", 0, UINT32_MAX);
  return minus ? 0U - value : value;
}
