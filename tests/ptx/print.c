/* Printing of a parsed module, from the meaning that its tree has. */
#include "tests/ptx/print.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"
#include "csim/util/error.h"

struct tokens {
  struct ptx *x;
  struct ptx_token *list;
  size_t n, cap;
};

static void put(struct tokens *t, enum ptx_tok kind, const char *text, uint64_t value) {
  PTX_PUSH(t->x, t->list, t->n, t->cap) =
      (struct ptx_token){.kind = kind, .text = text, .value = value};
}
static void id(struct tokens *t, const char *name) { put(t, PTX_T_ID, name, 0); }
static void dot(struct tokens *t, const char *word) { put(t, PTX_T_DOT, word, 0); }
static void punct(struct tokens *t, char c) { put(t, PTX_T_PUNCT, "", (unsigned char)c); }

/* ---- expressions and operands ---- */

static void print_expr(struct tokens *t, const struct ptx_expr *e) {
  switch (e->kind) {
  case PTX_E_NUMBER:
    put(t, e->token.kind, "", e->value);
    break;
  case PTX_E_NAME:
    id(t, e->value == ISA_WARP_SIZE ? "WARP_SZ" : "?");
    break;
  case PTX_E_SIGN:
    punct(t, e->op);
    print_expr(t, e->right);
    break;
  case PTX_E_PAIR:
    if (e->left)
      print_expr(t, e->left);
    punct(t, e->op);
    if (e->op == '<' || e->op == '>')
      punct(t, e->op);
    print_expr(t, e->right);
    break;
  case PTX_E_GROUP:
    punct(t, '(');
    print_expr(t, e->right);
    punct(t, ')');
    break;
  }
}

static void print_operand(struct tokens *t, const struct ptx_operand *o) {
  if (o->mem)
    punct(t, '[');
  if (o->neg)
    punct(t, '!');
  if (o->kind == PTX_O_VEC) {
    punct(t, '{');
    for (unsigned k = 0; k < o->nelems; k++) {
      if (k > 0)
        punct(t, ',');
      print_operand(t, &o->elems[k]);
    }
    punct(t, '}');
  } else if (o->kind == PTX_O_SINK) {
    id(t, "_");
  } else if (o->name) {
    id(t, o->kind == PTX_O_VAR ? o->var->name : o->name);
  }
  if (o->suffix)
    dot(t, o->suffix);
  if (o->second) {
    punct(t, '|');
    id(t, o->second);
  }
  if (o->expr)
    print_expr(t, o->expr);
  if (o->mem)
    punct(t, ']');
}

static void print_list(struct tokens *t, const struct ptx_operand *list, unsigned n) {
  punct(t, '(');
  for (unsigned i = 0; i < n; i++) {
    if (i > 0)
      punct(t, ',');
    print_operand(t, &list[i]);
  }
  punct(t, ')');
}

/* ---- statements ---- */

static void print_call(struct tokens *t, const struct ptx_stmt *s) {
  if (s->has_rets) {
    print_list(t, s->rets, s->nrets);
    punct(t, ',');
  }
  print_operand(t, &s->callee);
  if (s->has_args) {
    punct(t, ',');
    print_list(t, s->args, s->nargs);
  }
  if (s->has_prototype) {
    punct(t, ',');
    print_operand(t, &s->prototype);
  }
}

static void print_operands(struct tokens *t, const struct ptx_operand *list, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (i > 0)
      punct(t, ',');
    print_operand(t, &list[i]);
  }
}

static void print_stmt(struct tokens *t, const struct ptx_stmt *s) {
  if (s->kind == PTX_S_LABEL || s->kind == PTX_S_TARGETS) {
    id(t, s->op);
    punct(t, ':');
    if (s->kind == PTX_S_LABEL)
      return;
    dot(t, "branchtargets");
    print_operands(t, s->args, s->nargs);
    punct(t, ';');
    return;
  }
  if (s->guard >= 0) {
    punct(t, '@');
    if (s->guard_neg)
      punct(t, '!');
    id(t, s->guard_name);
  }
  id(t, s->op);
  for (unsigned i = 0; i < s->nmods; i++)
    dot(t, s->mods[i]);
  if (s->kind == PTX_S_CALL)
    print_call(t, s);
  else
    print_operands(t, s->ops, s->nops);
  punct(t, ';');
}

/* ---- declarations ---- */

static const char *space_name(enum isa_space space) {
  static const char *const names[] = {
      [ISA_SPACE_GLOBAL] = "global", [ISA_SPACE_SHARED] = "shared", [ISA_SPACE_LOCAL] = "local",
      [ISA_SPACE_CONST] = "const",   [ISA_SPACE_PARAM] = "param",   [ISA_SPACE_GENERIC] = "?"};
  return names[space];
}

static const char *type_name(enum ptx_type type) {
  static const char *const names[PTX_TYPES] = {
      [PTX_NONE] = "?",  [PTX_PRED] = "pred", [PTX_B8] = "b8",   [PTX_B16] = "b16",
      [PTX_B32] = "b32", [PTX_B64] = "b64",   [PTX_U8] = "u8",   [PTX_U16] = "u16",
      [PTX_U32] = "u32", [PTX_U64] = "u64",   [PTX_S8] = "s8",   [PTX_S16] = "s16",
      [PTX_S32] = "s32", [PTX_S64] = "s64",   [PTX_F16] = "f16", [PTX_F16X2] = "f16x2",
      [PTX_F32] = "f32", [PTX_F64] = "f64"};
  return names[type];
}

static void print_align(struct tokens *t, uint32_t align) {
  if (align != 0) {
    dot(t, "align");
    put(t, PTX_T_INT, "", align);
  }
}

static void print_shape(struct tokens *t, const struct ptx_shape *s) {
  print_align(t, s->align);
  if (s->vector > 1)
    dot(t, s->vector == 2 ? "v2" : "v4");
  dot(t, type_name(s->type));
  if (s->ptr)
    dot(t, "ptr");
  if (s->in_space)
    dot(t, space_name(s->space));
  print_align(t, s->ptr_align);
}

static void print_init(struct tokens *t, const struct ptx_init *i) {
  bool comma = false;
  for (; i; i = i->next) {
    if (comma && i->kind != PTX_INIT_CLOSE)
      punct(t, ',');
    comma = i->kind != PTX_INIT_OPEN;
    if (i->kind != PTX_INIT_VALUE) {
      punct(t, i->kind == PTX_INIT_OPEN ? '{' : '}');
      continue;
    }
    if (i->generic) {
      id(t, "generic");
      punct(t, '(');
    }
    if (i->symbol)
      id(t, i->symbol);
    if (i->generic && i->symbol)
      punct(t, ')');
    if (i->expr)
      print_expr(t, i->expr);
    if (i->generic && !i->symbol)
      punct(t, ')');
  }
}

static void print_var(struct tokens *t, const struct ptx_var *v) {
  id(t, v->name);
  for (unsigned i = 0; i < v->ndims; i++) {
    punct(t, '[');
    if (v->dims[i])
      print_expr(t, v->dims[i]);
    punct(t, ']');
  }
  if (v->init) {
    punct(t, '=');
    print_init(t, v->init);
  }
}

static void print_declaration(struct tokens *t, const struct ptx_declaration *d) {
  dot(t, d->regs ? "reg" : space_name(d->space));
  print_shape(t, &d->shape);
  for (size_t i = 0; i < d->n; i++) {
    if (i > 0)
      punct(t, ',');
    if (!d->regs) {
      print_var(t, d->list[i].var);
      continue;
    }
    id(t, d->list[i].name);
    if (d->list[i].count) {
      punct(t, '<');
      put(t, PTX_T_INT, "", d->list[i].count->value);
      punct(t, '>');
    }
  }
  punct(t, ';');
}

static void print_formals(struct tokens *t, struct ptx_var *const *list, size_t n) {
  punct(t, '(');
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      punct(t, ',');
    dot(t, list[i]->reg >= 0 ? "reg" : "param");
    print_shape(t, &list[i]->shape);
    print_var(t, list[i]);
  }
  punct(t, ')');
}

static void print_header(struct tokens *t, const struct ptx_func *f) {
  dot(t, f->entry ? "entry" : "func");
  if (f->has_rets)
    print_formals(t, f->rets, f->nrets);
  id(t, f->name);
  if (f->has_params)
    print_formals(t, f->params, f->nparams);
}

static void print_module(struct tokens *t, const struct ptx_module *m) {
  for (size_t i = 0; i < m->nitems; i++) {
    const struct ptx_item *it = &m->items[i];
    if (it->kind == PTX_I_TOKEN)
      put(t, it->token.kind, it->token.text, it->token.value);
    else if (it->kind == PTX_I_DECL)
      print_declaration(t, it->decl);
    else if (it->kind == PTX_I_FUNC)
      print_header(t, it->func);
    else
      print_stmt(t, &it->func->stmts[it->index]);
  }
}

/* ---- comparison ---- */

static bool same(const struct ptx_token *a, const struct ptx_token *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == PTX_T_ID || a->kind == PTX_T_DOT || a->kind == PTX_T_STR)
    return strcmp(a->text, b->text) == 0;
  return a->value == b->value;
}

/* The words of a declaration may stand in any order: sorts each run of them, .align with its
 * number. */
static void sort_words(struct ptx_token *list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (list[i].kind != PTX_T_DOT || (i > 0 && list[i - 1].kind == PTX_T_ID))
      continue;
    size_t end = i;
    while (end < n && (list[end].kind == PTX_T_DOT ||
                       (list[end].kind == PTX_T_INT && strcmp(list[end - 1].text, "align") == 0)))
      end++;
    for (size_t k = i; k + 1 < end; k++) /* the number is written into its word */
      if (list[k + 1].kind == PTX_T_INT)
        list[k].value = list[k + 1].value;
    for (size_t a = i; a < end; a++)
      for (size_t b = a + 1; b < end; b++) {
        const int order = strcmp(list[a].text, list[b].text);
        if (order > 0 || (order == 0 && list[a].value > list[b].value)) {
          struct ptx_token swap = list[a];
          list[a] = list[b];
          list[b] = swap;
        }
      }
    i = end;
  }
}

static void spell(const struct ptx_token *k, char *text, size_t bytes) {
  if (k->kind == PTX_T_PUNCT)
    snprintf(text, bytes, "'%c'", (char)k->value);
  else if (k->kind == PTX_T_ID || k->kind == PTX_T_DOT || k->kind == PTX_T_STR)
    snprintf(text, bytes, "'%s%s'", k->kind == PTX_T_DOT ? "." : "", k->text);
  else
    snprintf(text, bytes, "the number %llu", (unsigned long long)k->value);
}

static enum print_result compare(struct tokens *read, struct tokens *printed, char *what,
                                 size_t bytes) {
  const struct ptx_token end = {.kind = PTX_T_STR, .text = "the end"};
  unsigned *lines = ptx_alloc(read->x, (read->n + 1) * sizeof *lines);
  for (size_t i = 0; i < read->n; i++)
    lines[i] = read->list[i].line;
  sort_words(read->list, read->n);
  sort_words(printed->list, printed->n);
  for (size_t i = 0; i < read->n || i < printed->n; i++) {
    const struct ptx_token *a = i < read->n ? &read->list[i] : &end;
    const struct ptx_token *b = i < printed->n ? &printed->list[i] : &end;
    if (same(a, b))
      continue;
    char left[100], right[100];
    spell(a, left, sizeof left);
    spell(b, right, sizeof right);
    snprintf(what, bytes, "line %u: %s was read, the tree has %s", i < read->n ? lines[i] : 0, left,
             right);
    return PRINT_DIFFERS;
  }
  return PRINT_SAME;
}

static void read_tokens(struct tokens *t, const char *text) {
  t->x->pos = text;
  t->x->line = 1;
  for (struct ptx_token k; (k = ptx_lex(t->x)).kind != PTX_T_END;)
    PTX_PUSH(t->x, t->list, t->n, t->cap) = k;
}

/* "p.ptx:LINE: ..." with a line of the text, the one behind the last among them */
static enum print_result check_line(const char *text, const char *error, char *what, size_t bytes) {
  unsigned long lines = 1, line = 0;
  for (const char *p = text; *p; p++)
    lines += *p == '\n';
  char *end = NULL;
  if (strncmp(error, "p.ptx:", 6) == 0)
    line = strtoul(error + 6, &end, 10);
  const bool good = end != NULL && strncmp(end, ": ", 2) == 0 && line >= 1 && line <= lines;
  snprintf(what, bytes, "%s%s", good ? "" : "this error names no line: ", error);
  return good ? PRINT_REFUSED : PRINT_DIFFERS;
}

enum print_result print_check(const char *text, char *what, size_t bytes) {
  struct tandem_error err = {""};
  struct ptx *x = calloc(1, sizeof *x);
  enum print_result result = PRINT_REFUSED;
  if (!x)
    abort();
  x->file = "p.ptx";
  x->err = &err;
  *what = '\0';
  if (setjmp(x->unwind) == 0) {
    struct ptx_module m = {0};
    struct tokens read = {.x = x}, printed = {.x = x};
    ptx_parse(x, text, &m);
    read_tokens(&read, text);
    print_module(&printed, &m);
    result = compare(&read, &printed, what, bytes);
  } else {
    result = check_line(text, err.text, what, bytes);
  }
  ptx_release(x);
  free(x);
  return result;
}

/* ---- texts with one token changed ---- */

/* Where the tokens of the text begin and end; they end where the lexer refuses one. */
static size_t spans(const char *text, const char *(*at)[2], size_t most) {
  struct tandem_error err = {""};
  struct ptx *x = calloc(1, sizeof *x);
  volatile size_t n = 0;
  if (!x)
    abort();
  x->file = "p.ptx";
  x->err = &err;
  x->pos = text;
  x->line = 1;
  if (setjmp(x->unwind) == 0)
    while (n < most) {
      const char *before = x->pos;
      if (ptx_lex(x).kind == PTX_T_END)
        break;
      for (;;) { /* blanks and comments */
        if (isspace((unsigned char)*before))
          before++;
        else if (before[0] == '/' && before[1] == '/')
          before += strcspn(before, "\n");
        else if (before[0] == '/' && before[1] == '*')
          before = strstr(before + 2, "*/") + 2;
        else
          break;
      }
      at[n][0] = before;
      at[n][1] = x->pos;
      n++;
    }
  ptx_release(x);
  free(x);
  return n;
}

char *print_edit(const char *text, uint64_t choice) {
  static const char *const more[] = {
      ",",   ";", ".u32", "+",     "4", "%r1", "{",    "}",          "[",       "]",
      "!",   "@", ".foo", ":",     "(", ")",   "-",    "|",          "_",       "add",
      "=",   "~", "*",    "\"x\"", "<", ">>",  ".reg", "0f3F800000", "WARP_SZ", ".align",
      "ret", "&", ".ptr", "1.5",   "/", ".cc", ".sat", "generic",    ".v2",     ".noreturn"};
  enum { MOST = 8192, MORE = sizeof more / sizeof *more };
  const char *(*at)[2] = malloc(MOST * sizeof *at);
  const size_t n = at ? spans(text, at, MOST) : 0;
  char *edited = n > 0 ? malloc(strlen(text) + 100) : NULL;
  if (edited) {
    const char *const *const span = at[choice / 1024 % n];
    const char *from = choice % 3 == 0 ? span[1] : span[0], *put = "";
    if (choice % 3 == 2)
      put = more[choice / 3 % MORE];
    const int twice = choice % 3 == 1 && span[1] - span[0] < 60 ? (int)(span[1] - span[0]) : 0;
    sprintf(edited, "%.*s%.*s%s %s", (int)(span[0] - text), text, twice, span[0], put, from);
  }
  free(at);
  return edited;
}
