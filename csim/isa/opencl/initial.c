/* Initial values of variables that hold vectors with a gap after their elements.
 *
 * A vector of three has the room of four, but clang writes its initial value to PTX with three
 * elements.  PTX has bytes only, so the values are read from the LLVM IR:
 *     @NAME = ... constant [2 x %struct.Ball] [%struct.Ball { <3 x float> <float 1.0, ...>, ... }]
 */
#include "csim/isa/opencl/initial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/opencl/layout.h"

enum { MOST_BYTES = 1 << 26 }; /* of a variable */

/* ---- addresses ---- */

struct address {
  const char *name; /* of a variable, with its @; NULL: a number */
  size_t n;
  bool generic;
  uint64_t offset;
};

static struct address read_address(struct layout_reader *r);

/* Goes from the type that is here to that of an element of it; its offset. */
static uint64_t enter_element(struct layout_reader *r, uint64_t index) {
  while (*r->at == '%' && r->wrong == NULL)
    (void)layout_enter_name(r);
  const bool packed = layout_take(r, "<{");
  if (packed || layout_take(r, "{"))
    return layout_structure(r, packed, index).bytes;
  const bool vector = *r->at == '<';
  if (!layout_take(r, "[") && !layout_take(r, "<"))
    layout_fail(r);
  layout_number(r);
  layout_expect(r, " x ");
  const char *element = r->at;
  const struct layout l = layout_read(r);
  r->at = element;
  return index * (vector ? l.bytes : l.room);
}

/* "(T, T* P, i32 0, i32 1)" */
static struct address element_address(struct layout_reader *r) {
  layout_expect(r, "(");
  const char *type = r->at;
  uint64_t step = layout_read(r).room;
  layout_expect(r, ", ");
  (void)layout_read(r);
  layout_expect(r, " ");
  struct address a = read_address(r);
  for (bool first = true; layout_take(r, ", "); first = false) {
    (void)layout_take(r, "inrange ");
    (void)layout_read(r);
    layout_expect(r, " ");
    const uint64_t index = (uint64_t)strtoll(r->at, NULL, 10);
    r->at += strspn(r->at, "-0123456789");
    const char *rest = r->at;
    if (!first) {
      r->at = type;
      step = enter_element(r, index);
      type = r->at;
    }
    a.offset += first ? step * index : step;
    r->at = rest;
  }
  layout_expect(r, ")");
  return a;
}

/* The value of a pointer, or of an integer made from one. */
static struct address read_address(struct layout_reader *r) {
  struct address a = {NULL, 0, false, 0};
  if (layout_take(r, "null") || layout_take(r, "undef") || layout_take(r, "poison"))
    return a;
  if (*r->at == '@') {
    a.name = r->at;
    a.n = layout_skip_name(r);
    return a;
  }
  if (layout_take(r, "getelementptr ")) {
    (void)layout_take(r, "inbounds ");
    return element_address(r);
  }
  const bool generic = layout_take(r, "addrspacecast (");
  if (generic || layout_take(r, "bitcast (") || layout_take(r, "inttoptr (") ||
      layout_take(r, "ptrtoint (")) {
    (void)layout_read(r);
    layout_expect(r, " ");
    a = read_address(r);
    a.generic = a.generic || generic;
    layout_expect(r, " to ");
    (void)layout_read(r);
    layout_expect(r, ")");
    return a;
  }
  a.offset = (uint64_t)strtoll(r->at, NULL, 10);
  if (strspn(r->at, "-0123456789") == 0)
    layout_fail(r);
  r->at += strspn(r->at, "-0123456789");
  return a;
}

/* ---- values ---- */

struct image {
  uint8_t *bytes;
  uint64_t size;
  struct address *to; /* by word of the size of a pointer */
  bool pointers;      /* some have a name */
};

static void put(struct layout_reader *r, struct image *i, uint64_t at, uint64_t value,
                uint64_t bytes) {
  if (bytes > 8 || bytes > i->size || at > i->size - bytes)
    layout_fail(r);
  else
    for (uint64_t k = 0; k < bytes; k++)
      i->bytes[at + k] = (uint8_t)(value >> 8 * k);
}

static void put_address(struct layout_reader *r, struct image *i, uint64_t at,
                        const struct layout *l) {
  const struct address a = read_address(r);
  put(r, i, at, a.offset, l->bytes);
  if (a.name == NULL || r->wrong != NULL)
    return;
  if (l->bytes != r->pointer || at % r->pointer != 0 || i->size % r->pointer != 0)
    layout_fail(r); /* PTX has no such variable */
  else
    i->to[at / r->pointer] = a;
  i->pointers = true;
}

/* A decimal number, the bits of a double, or after 0xH those of a half. */
static uint64_t real(struct layout_reader *r, uint64_t bytes) {
  char *end;
  double d = 0;
  uint64_t bits = 0;
  if (layout_take(r, "0xH")) {
    bits = strtoull(r->at, &end, 16);
  } else if (r->at[0] == '0' && r->at[1] == 'x') {
    bits = strtoull(r->at, &end, 16);
    memcpy(&d, &bits, sizeof d);
  } else {
    d = strtod(r->at, &end);
    memcpy(&bits, &d, sizeof d);
  }
  if (end == r->at)
    layout_fail(r);
  r->at = end;
  if (bytes != 4)
    return bits;
  const float f = (float)d;
  uint32_t single;
  memcpy(&single, &f, sizeof single);
  return single;
}

/* "a\22\\\00": a backslash has another one after it, or a code. */
static void text_value(struct layout_reader *r, struct image *i, uint64_t at) {
  for (; r->wrong == NULL && *r->at != '"' && *r->at != '\n'; at++) {
    unsigned long code = (uint8_t)*r->at++;
    if (code == '\\' && *r->at == '\\') {
      r->at++;
    } else if (code == '\\') {
      char two[3] = {r->at[0]}, *end;
      if (*two != '\0')
        two[1] = r->at[1];
      code = strtoul(two, &end, 16);
      if (end != two + 2)
        layout_fail(r);
      else
        r->at += 2;
    }
    put(r, i, at, code, 1);
  }
  layout_expect(r, "\"");
}

static void read_value(struct layout_reader *r, const struct layout *l, struct image *i,
                       uint64_t at);

/* "float 1.0, float 2.0>" and the like, after the bracket that opens it. */
static void read_elements(struct layout_reader *r, struct image *i, uint64_t at, bool packed,
                          const char *close) {
  struct layout whole = {.kind = LAYOUT_AGGREGATE, .align = 1};
  (void)layout_take(r, " ");
  while (r->wrong == NULL && !layout_take(r, close)) {
    const struct layout e = layout_read(r);
    layout_expect(r, " ");
    read_value(r, &e, i, at + layout_append(&whole, &e, packed));
    (void)layout_take(r, ", ");
    if (*r->at == ' ')
      r->at++;
  }
}

static void read_value(struct layout_reader *r, const struct layout *l, struct image *i,
                       uint64_t at) {
  if (++r->depth > LAYOUT_DEEPEST)
    layout_fail(r);
  if (layout_take(r, "zeroinitializer") || layout_take(r, "undef") || layout_take(r, "poison") ||
      layout_take(r, "null"))
    ; /* zeros */
  else if (l->kind == LAYOUT_ADDRESS)
    put_address(r, i, at, l);
  else if (l->kind == LAYOUT_REAL)
    put(r, i, at, real(r, l->bytes), l->bytes);
  else if (layout_take(r, "true"))
    put(r, i, at, 1, 1);
  else if (layout_take(r, "false"))
    put(r, i, at, 0, 1);
  else if (l->kind == LAYOUT_INTEGER)
    put_address(r, i, at, l);
  else if (layout_take(r, "c\""))
    text_value(r, i, at);
  else if (layout_take(r, "<{"))
    read_elements(r, i, at, true, "}>");
  else if (layout_take(r, "<"))
    read_elements(r, i, at, false, ">");
  else if (layout_take(r, "["))
    read_elements(r, i, at, false, "]");
  else if (layout_take(r, "{"))
    read_elements(r, i, at, false, "}");
  else
    layout_fail(r);
  r->depth--;
}

/* ---- variables ---- */

struct variable {
  const char *name; /* with its @ */
  size_t n;
  struct layout l;
};

/* The next variable with a gap, with its initial value next in the text. */
static bool next_variable(struct layout_reader *r, struct variable *v) {
  while ((r->at = strstr(r->at, "\n@")) != NULL) {
    r->at++;
    v->name = r->at;
    v->n = layout_skip_name(r);
    const char *end = strchr(r->at, '\n'), *type = strstr(r->at, " constant ");
    const size_t line = end != NULL ? (size_t)(end - r->at) : strlen(r->at);
    if (type == NULL || type > r->at + line)
      type = strstr(r->at, " global ");
    if (strncmp(r->at, " = extern", 9) == 0 || type == NULL || type > r->at + line)
      continue;
    r->at = strchr(type + 1, ' ') + 1;
    v->l = layout_read(r);
    layout_expect(r, " ");
    if (r->wrong != NULL)
      return false;
    if (v->l.gap && strncmp(r->at, "zeroinitializer", 15) != 0 && strncmp(r->at, "undef", 5) != 0)
      return true;
  }
  return false;
}

static struct layout_reader start(const char *ir) {
  return (struct layout_reader){
      .ir = ir, .at = ir, .pointer = strstr(ir, "\ntarget triple = \"nvptx64") != NULL ? 8 : 4};
}

bool opencl_has_gaps(const char *ir) {
  struct layout_reader r = start(ir);
  struct variable v;
  return next_variable(&r, &v) || r.wrong != NULL;
}

/* ---- PTX ---- */

/* The name that the PTX has for the IR's: characters that PTX lacks are replaced. */
static void write_name(FILE *out, const char *name, size_t n) {
  const bool quoted = n > 1 && name[1] == '"';
  for (size_t i = quoted ? 2 : 1; i < n - quoted; i++)
    if (name[i] == '.' || name[i] == '@')
      fputs("_$_", out);
    else
      fputc(name[i], out);
}

/* " .b8 NAME[16] = {1, 2, ...}", or with words if some are addresses. */
static void write_image(FILE *out, const struct variable *v, const struct image *i,
                        unsigned pointer) {
  const unsigned word = i->pointers ? pointer : 1;
  fprintf(out, " .%s ", !i->pointers ? "b8" : pointer == 8 ? "u64" : "u32");
  write_name(out, v->name, v->n);
  fprintf(out, "[%llu] = {", (unsigned long long)(i->size / word));
  for (uint64_t at = 0; at < i->size; at += word) {
    const struct address *a = &i->to[at / pointer];
    uint64_t value = 0;
    for (unsigned k = word; k-- > 0;)
      value = value << 8 | i->bytes[at + k];
    fputs(at != 0 ? ", " : "", out);
    if (!i->pointers || a->name == NULL) {
      fprintf(out, "%llu", (unsigned long long)value);
      continue;
    }
    fputs(a->generic ? "generic(" : "", out);
    write_name(out, a->name, a->n);
    fputs(a->generic ? ")" : "", out);
    if (value != 0)
      fprintf(out, "+%llu", (unsigned long long)value);
  }
  fputs("}", out);
}

/* Where the type begins in a declaration ".const .align 16 .b8 NAME[16]", of which key is " NAME[";
 * NULL: there is none. */
static const char *find_declaration(const char *ptx, const char *key) {
  for (const char *p = ptx; (p = strstr(p, key)) != NULL; p++) {
    const char *line = p, *type = p;
    while (line > ptx && line[-1] != '\n')
      line--;
    while (type > line && type[-1] != ' ')
      type--;
    if (*line == '.' && type > line)
      return type - 1;
  }
  return NULL;
}

static int replace(char **ptx, const struct variable *v, const struct image *i, unsigned pointer) {
  char *key = NULL, *text = NULL;
  size_t n;
  FILE *out = open_memstream(&key, &n);
  if (out == NULL)
    return -ENOMEM;
  fputc(' ', out);
  write_name(out, v->name, v->n);
  fputc('[', out);
  if (fclose(out) != 0) {
    free(key);
    return -ENOMEM;
  }
  const char *from = find_declaration(*ptx, key);
  free(key);
  if (from == NULL)
    return 0; /* nothing uses it */
  if ((out = open_memstream(&text, &n)) == NULL)
    return -ENOMEM;
  fwrite(*ptx, 1, (size_t)(from - *ptx), out);
  write_image(out, v, i, pointer);
  fputs(from + strcspn(from, ";\n"), out);
  if (fclose(out) != 0) {
    free(text);
    return -ENOMEM;
  }
  free(*ptx);
  *ptx = text;
  return 0;
}

int opencl_fill_gaps(const char *path, const char *ir, char **ptx, struct tandem_error *err) {
  struct layout_reader r = start(ir);
  struct variable v;
  int status = 0;
  while (status == 0 && next_variable(&r, &v)) {
    if (v.l.room > MOST_BYTES) {
      layout_fail(&r);
      break;
    }
    struct image i = {.bytes = calloc(v.l.room, 1), .size = v.l.room};
    i.to = calloc(v.l.room / r.pointer + 1, sizeof *i.to);
    if (i.bytes == NULL || i.to == NULL)
      status = -ENOMEM;
    else
      read_value(&r, &v.l, &i, 0);
    if (status == 0 && r.wrong == NULL)
      status = replace(ptx, &v, &i, r.pointer);
    free(i.bytes);
    free(i.to);
    if (r.wrong != NULL)
      break;
  }
  if (status != 0)
    return tandem_fail(err, status, "%s: out of memory", path);
  if (r.wrong != NULL)
    return tandem_fail(err, -EINVAL,
                       "%s: the initial value of '%.*s', which holds a vector of three, has a form "
                       "that is not supported: \"%.60s\"; assign it in the kernel",
                       path, (int)v.n - 1, v.name + 1, r.wrong);
  return 0;
}
