/* Faults of clang 14's back end, mended in its PTX and in the IR before it. */
#include "csim/isa/opencl/mend.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 };

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* ---- rotations ----
 *
 * clang's rotation by a variable amount n, left or right, w being 32 or 64:
 *     .reg .b32 %amt2;
 *     shl.b32 %lhs, x, n;
 *     sub.s32 %amt2, w, n;
 *     shr.b32 %rhs, x, %amt2;
 * Any n is meant modulo w.  The first two lines become
 *     and.b32 %amt2, n, w - 1; shl.b32 %lhs, x, %amt2;
 *     sub.s32 %amt2, w, %amt2;
 * Each mend writes what takes the place of the text, and returns the bytes of the latter; 0: it is
 * another text. */

static int mend_rotation(const char *text, FILE *out) {
  char shift[16], x[80], n[80], minus[16], again[80];
  unsigned width;
  int first = 0, all = 0;
  if (sscanf(text, " sh%15[^ \t] %%lhs, %79[^, \t], %79[^;, \t];%n", shift, x, n, &first) != 3 ||
      first == 0 || text[first] != '\n')
    return 0;
  if (sscanf(text + first, " sub.%15[^ \t] %%amt2, %u, %79[^;, \t];%n", minus, &width, again,
             &all) != 3 ||
      all == 0 || strcmp(n, again) != 0 || (width != 32 && width != 64))
    return 0;
  fprintf(out, "and.b32 %%amt2, %s, %u; sh%s %%lhs, %s, %%amt2;\nsub.%s %%amt2, %u, %%amt2;", n,
          width - 1, shift, x, minus, width);
  return first + all;
}

/* ---- widened values ----
 *
 * clang's (long)x << 31 and (int)x << 15 of signed x, by the wrong factor:
 *     mul.wide.s32 d, x, -2147483648;
 * It never multiplies by that number, but shifts and subtracts.  The line becomes
 *     cvt.s64.s32 d, x; shl.b64 d, d, 31;
 */

static int mend_widening(const char *text, FILE *out) {
  char d[80], x[80];
  unsigned long width, factor;
  int all = 0;
  if (sscanf(text, " mul.wide.s%lu %79[^, \t\n], %79[^, \t\n], -%lu;%n", &width, d, x, &factor,
             &all) != 4 ||
      all == 0 || text[all] != '\n' || (width != 32 && width != 16) || factor != 1UL << (width - 1))
    return 0;
  fprintf(out, "cvt.s%lu.s%lu %s, %s; shl.b%lu %s, %s, %lu;", 2 * width, width, d, x, 2 * width, d,
          d, width - 1);
  return all;
}

/* ---- fields ----
 *
 * clang's (x >> s) & m of a signed x, m having n bits, with s + n > 64:
 *     bfe.u64 d, x, s, n;
 * From an unsigned x the mask would be gone.  The line becomes
 *     shr.s64 d, x, s; and.b64 d, d, m;
 */

static int mend_field(const char *text, FILE *out) {
  char d[80], x[80];
  unsigned start, n;
  int all = 0;
  if (sscanf(text, " bfe.u64 %79[^, \t\n], %79[^, \t\n], %u, %u;%n", d, x, &start, &n, &all) != 4 ||
      all == 0 || text[all] != '\n' || start > 63 || n > 63 || start + n <= 64)
    return 0;
  fprintf(out, "shr.s64 %s, %s, %u; and.b64 %s, %s, %llu;", d, x, start, d, d, (1ULL << n) - 1);
  return all;
}

/* ---- PTX ---- */

/* Copies two lines at most: sscanf measures all that it is given. */
static void copy_lines(char to[2 * LINE], const char *line) {
  const size_t n = strcspn(line, "\n"),
               more = line[n] != '\0' ? strcspn(line + n + 1, "\n") + 1 : 0;
  snprintf(to, 2 * LINE, "%.*s\n", (int)(n + more), line);
}

static int mend_line(const char *line, FILE *out) {
  static int (*const mends[])(const char *text, FILE *out) = {mend_rotation, mend_widening,
                                                              mend_field};
  static const char *const starts[] = {"\tsh", "\tmul.wide.s", "\tbfe.u64"};
  for (size_t i = 0; i < sizeof mends / sizeof mends[0]; i++)
    if (begins(line, starts[i]) && strcspn(line, "\n") < LINE) {
      char text[2 * LINE];
      copy_lines(text, line);
      return mends[i](text, out);
    }
  return 0;
}

char *opencl_mend_ptx(const char *ptx) {
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  bool theirs = false; /* inside inline assembly */
  if (out == NULL)
    return NULL;
  for (const char *line = ptx; *line != '\0';) {
    if (begins(line, "\t// begin inline asm"))
      theirs = true;
    else if (begins(line, "\t// end inline asm"))
      theirs = false;
    const int mended = theirs ? 0 : mend_line(line, out);
    line += mended;
    const size_t n = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    fwrite(line, 1, n, out);
    line += n;
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

/* ---- one bit with a sign, as a float ----
 *
 *     sitofp i1 %p to float
 * is -1 or 0.  clang 14 writes
 *     selp.u32 %r1, 1, 0, %p1;
 *     cvt.rn.f32.s32 %f1, %r1;
 */

bool opencl_may_convert_bits(const char *ptx) {
  for (const char *p = ptx; (p = strstr(p, "\tselp.u32 \t")) != NULL;) {
    p += strlen("\tselp.u32 \t");
    const size_t n = strcspn(p, ",\n");
    char use[LINE];
    if (n > 32 || !begins(p + n, ", 1, 0, "))
      continue;
    snprintf(use, sizeof use, ", %.*s;", (int)n, p);
    const char *end = strstr(p, "\n}");
    for (const char *q = p; (q = strstr(q, use)) != NULL && (end == NULL || q < end); q++) {
      const char *line = q;
      while (*line != '\n')
        line--;
      if (begins(line, "\n\tcvt.r"))
        return true;
    }
  }
  return false;
}

/* "float -1.0", or "<2 x float> <float -1.0, float -1.0>", for a type of n characters. */
static void write_minus_one(FILE *out, const char *type, int n) {
  const char *by = *type == '<' ? strstr(type, " x ") : NULL;
  const unsigned long elements = *type == '<' ? strtoul(type + 1, NULL, 10) : 0;
  const bool vector = by != NULL && by + 4 < type + n && elements < LINE;
  const char *element = vector ? by + 3 : type;
  const int length = vector ? (int)(type + n - element) - 1 : n;
  const char *one = begins(element, "half") ? "0xHBC00" : "-1.000000e+00";
  if (vector)
    fprintf(out, "%.*s <", n, type);
  fprintf(out, "%.*s %s", length, element, one);
  for (unsigned long i = 1; vector && i < elements; i++)
    fprintf(out, ", %.*s %s", length, element, one);
  if (vector)
    fputc('>', out);
}

/* "i1 %18 to float" or "<2 x i1> %3 to <2 x float>": the select that does the same; its length, 0:
 * it is another conversion. */
static size_t write_select(const char *from, FILE *out) {
  const size_t n = strcspn(from, "\n");
  const char *bits = *from == '<' ? strstr(from, " x i1> ") : begins(from, "i1 ") ? from : NULL;
  const char *to = strstr(from, " to ");
  if (bits == NULL || to == NULL || bits > from + n || to > from + n || bits > to)
    return 0;
  const char *type = to + strlen(" to ");
  const int length = (int)strcspn(type, ",\n");
  fprintf(out, "select %.*s, ", (int)(to - from), from);
  write_minus_one(out, type, length);
  fprintf(out, ", %.*s zeroinitializer", length, type);
  return (size_t)(type - from) + (size_t)length;
}

/* ---- one element of a loaded vector ----
 *
 *     %e = extractelement <4 x float> %v, i64 %i
 * becomes a load of the element.  clang 14 forgets the space that the vector is in:
 *     ld.f32 %f1, [%r1];
 * A chain of selections takes the place of the line.
 */

bool opencl_may_forget_space(const char *ptx) {
  for (const char *p = ptx; (p = strstr(p, "\tld.")) != NULL;) {
    p += strlen("\tld.");
    if (strchr("bfsu", *p) != NULL && p[1] >= '1' && p[1] <= '9')
      return true;
  }
  return false;
}

/* ---- fields of bytes ----
 *
 * The low bits of bytes are elements of <8 x i4>, the even ones.  clang 14 loads one without the
 * others, from the address of as many bytes:
 *     %8 = load i4, i4 addrspace(1)* %7
 */

bool opencl_may_split_bytes(const char *ptx) {
  if (strstr(ptx, ".u8 ") == NULL)
    return false;
  for (const char *p = ptx; (p = strstr(p, "\tand.b")) != NULL;) {
    const char *end = strchr(p + 1, ';');
    if (end == NULL)
      return false;
    p = end;
    while (*p != ' ')
      p--;
    if (begins(p, " 15;") || begins(p, " 3;") || begins(p, " 1;"))
      return true;
    p = end;
  }
  return false;
}

bool opencl_splits_bytes(const char *ir) {
  static const char load[] = " = load i";
  for (const char *p = ir; (p = strstr(p, load)) != NULL; p += strlen(load))
    if (strtoul(p + strlen(load), NULL, 10) < 8)
      return true;
  return false;
}

/* The lines for "%name = extractelement ", with `from` after it; false: an element that is known.
 */
static bool write_element(const char *name, const char *from, FILE *out) {
  const char *end = from + strcspn(from, "\n"), *type = strstr(from, " x ");
  const char *vector = strstr(from, "> %"), *index = vector != NULL ? strstr(vector, ", i") : NULL;
  if (type == NULL || index == NULL || type > vector || index > end)
    return false;
  const char *rest = index + 2 + strcspn(index + 2, ",\n");
  if (memchr(index, '%', (size_t)(rest - index)) == NULL)
    return false;
  const unsigned long bits = strtoul(index + 3, NULL, 10), all = strtoul(from + 1, NULL, 10);
  const unsigned long elements = bits < 5 && all > 1UL << bits ? 1UL << bits : all;
  const int id = (int)strcspn(name, " "), length = (int)(vector - type) - 3,
            tail = (int)(end - rest);
  for (unsigned long k = 0; k < elements; k++) {
    char to[32] = "";
    if (k + 1 < elements)
      snprintf(to, sizeof to, "to%lu.", k);
    fprintf(out, "  %%at%lu.%.*s = extractelement %.*s, i32 %lu%.*s\n", k, id, name,
            (int)(index - from), from, k, tail, rest);
    fprintf(out, "  %%is%lu.%.*s = icmp eq %.*s, %lu%.*s\n", k, id, name, (int)(rest - index) - 2,
            index + 2, k, tail, rest);
    fprintf(out, "  %%%s%.*s = select i1 %%is%lu.%.*s, %.*s %%at%lu.%.*s, %.*s ", to, id, name, k,
            id, name, length, type + 3, k, id, name, length, type + 3);
    if (k == 0)
      fprintf(out, "undef%.*s\n", tail, rest);
    else
      fprintf(out, "%%to%lu.%.*s%.*s\n", k - 1, id, name, tail, rest);
  }
  return true;
}

/* Writes a line of n bytes, or what takes its place. */
static void mend_ir_line(const char *line, size_t n, FILE *out) {
  static const char bits[] = " = sitofp ", element[] = " = extractelement ";
  const char *rest = line, *is = line + (begins(line, "  %") ? 3 + strcspn(line + 3, " \n") : 0);
  if (begins(is, element) && write_element(line + 3, is + strlen(element), out))
    return;
  if (begins(is, bits)) {
    rest = is + strlen(" = ");
    fwrite(line, 1, (size_t)(rest - line), out);
    const size_t mended = write_select(is + strlen(bits), out);
    if (mended > 0)
      rest = is + strlen(bits) + mended;
  }
  fwrite(rest, 1, (size_t)(line + n - rest), out);
}

char *opencl_mend_ir(const char *ir) {
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  if (out == NULL)
    return NULL;
  for (size_t n; *ir != '\0'; ir += n) {
    n = strcspn(ir, "\n");
    n += ir[n] != '\0';
    mend_ir_line(ir, n, out);
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
