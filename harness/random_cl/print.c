/* Declarations and statements of both languages.  In C a condition is `({ ...; })`, so that the
 * statements around it are the same. */
#include "harness/random_cl/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";

/* ---- what is left out ---- */

static bool is_kept(const struct printer *w, unsigned part) {
  return w->kept == NULL || w->kept[part];
}

static bool type_kept(const struct printer *w, const struct type *t) {
  bool kept = t->kind == PLAIN || is_kept(w, t->part);
  for (unsigned i = 0; t->kind != PLAIN && kept && i < (t->kind == ARRAY ? 1 : t->n); i++)
    kept = type_kept(w, t->of[i]);
  return kept;
}

static bool variable_kept(const struct printer *w, const struct variable *v) {
  return v->space == PARAMETER || v->space == COUNT ||
         (is_kept(w, v->part) && type_kept(w, v->type));
}

static bool expr_kept(const struct printer *w, const struct expr *e) {
  return is_kept(w, e->part) && (e->kind != REF || variable_kept(w, e->var)) &&
         (e->kind != CALL || is_kept(w, e->function->part));
}

const struct expr *shown(const struct printer *w, const struct expr *e) {
  while (!expr_kept(w, e)) {
    unsigned i = 0;
    while (i < e->n && (e->a[i] == NULL || !same(e->a[i]->shape, e->shape)))
      i++;
    if (i == e->n)
      return w->p->ones[e->shape.base][e->shape.width];
    e = e->a[i];
  }
  return e;
}

static const struct expr *target(const struct statement *s) {
  return s->to->kind == SWIZZLE ? s->to->a[0] : s->to;
}

static bool statement_kept(const struct printer *w, const struct statement *s) {
  const struct variable *v = s->kind == ASSIGN ? target(s)->var : s->var;
  return is_kept(w, s->part) && (v == NULL || variable_kept(w, v)) &&
         (s->kind != LEAVE || w->leave);
}

/* ---- texts ---- */

void print_number(struct printer *w, enum base base, uint64_t bits) {
  const uint32_t narrow = (uint32_t)bits;
  float f;
  double d;
  memcpy(&f, &narrow, sizeof f);
  memcpy(&d, &bits, sizeof d);
  if (is_float(base))
    fprintf(w->out, base == FLOAT ? "%af" : "%a", base == FLOAT ? (double)f : d);
  else if ((int64_t)bits > -65536 && (int64_t)bits < 65536)
    fprintf(w->out, "%" PRId64, (int64_t)bits);
  else
    fprintf(w->out, "0x%" PRIx64 "UL", bits);
}

static void print_variable(struct printer *w, const struct variable *v) {
  static const char letters[] = {'v', 'c', 'l', 'a', 'i'};
  fprintf(w->out, w->c && v->space == COUNT ? "&%c%u" : "%c%u", letters[v->space], v->number);
  if (v->space == CONSTANT || v->space == LOCAL)
    say(w, "_%i");
}

static void print_scalar(struct printer *w, const struct expr *e) {
  if (w->c) {
    say(w, "({ ");
    const unsigned t = compute(w, e);
    say(w, "t%u[0]; })", t);
  } else {
    print_cl(w, e);
  }
}

static void print_place(struct printer *w, const struct expr *ref) {
  print_variable(w, ref->var);
  for (unsigned k = 0; k < ref->n; k++) {
    const struct type *t = type_at(ref, k);
    if (t->kind == ARRAY)
      say(w, "[%e %% %uu]", ref->a[k], t->n);
    else
      say(w, ".m%u", ref->lane[k]);
  }
}

static void print_shape(struct printer *w, struct shape s) {
  fprintf(w->out, s.width > 1 ? "%s%u" : "%s", base_names[s.base], s.width);
}

static void print_type(struct printer *w, const struct type *t) {
  while (t->kind == ARRAY)
    t = t->of[0];
  if (t->kind != PLAIN)
    say(w, "%s%u_%i", t->kind == STRUCT ? "S" : "U", t->number);
  else if (w->c)
    say(w, "%s", c_names[t->shape.base]);
  else
    print_shape(w, t->shape);
}

static void print_dimensions(struct printer *w, const struct type *t) {
  for (; t->kind == ARRAY; t = t->of[0])
    say(w, "[%u]", t->n);
  if (w->c && t->kind == PLAIN)
    say(w, "[%u]", t->shape.width == 3 ? 4 : t->shape.width);
}

static void print_directive(struct printer *w, char directive, va_list *args) {
  switch (directive) {
  case 's':
    fputs(va_arg(*args, const char *), w->out);
    break;
  case 'u':
  case 'd':
    fprintf(w->out, "%u", va_arg(*args, unsigned));
    break;
  case 'x':
    fprintf(w->out, "%x", va_arg(*args, unsigned));
    break;
  case 'e':
    print_scalar(w, va_arg(*args, const struct expr *));
    break;
  case 'p':
    print_place(w, va_arg(*args, const struct expr *));
    break;
  case 'v':
    print_variable(w, va_arg(*args, const struct variable *));
    break;
  case 't':
    print_shape(w, va_arg(*args, struct shape));
    break;
  case 'T':
    print_type(w, va_arg(*args, const struct type *));
    break;
  case 'D':
    print_dimensions(w, va_arg(*args, const struct type *));
    break;
  case 'i':
    fprintf(w->out, "%" PRIu64, w->p->index);
    break;
  case 'l':
    fprintf(w->out, "\n%*s", 2 * (int)w->level, "");
    break;
  default:
    fputc(directive, w->out);
  }
}

void say(struct printer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  for (; *format != '\0'; format++)
    if (*format == '%')
      print_directive(w, *++format, &args);
    else
      fputc(*format, w->out);
  va_end(args);
}

/* ---- declarations ---- */

static void print_types(struct printer *w) {
  for (size_t i = 0; i < w->p->ntypes; i++) {
    const struct type *t = w->p->types[i];
    if (!type_kept(w, t))
      continue;
    say(w, "typedef %s {", t->kind == STRUCT ? "struct" : "union");
    for (unsigned k = 0; k < t->n; k++)
      say(w, " %T m%u%D;", t->of[k], k, t->of[k]);
    say(w, " } %T;\n", t);
  }
}

static void print_init(struct printer *w, const struct init *i) {
  if (i->value != NULL) {
    print_cl(w, i->value);
    return;
  }
  for (unsigned k = 0; k < i->n; k++) {
    say(w, k == 0 ? "{" : ", ");
    print_init(w, i->of[k]);
  }
  say(w, "}");
}

/* The same by assignments, in C: `path` has zeros before. */
static void assign_init(struct printer *w, const struct init *i, const struct type *t,
                        const char *path) {
  char inside[256];
  if (i->value != NULL) {
    say(w, "%l");
    const unsigned v = compute(w, i->value);
    say(w, "memcpy(%s, t%u, sizeof t%u);", path, v, v);
  }
  for (unsigned k = 0; i->value == NULL && k < i->n; k++) {
    snprintf(inside, sizeof inside, t->kind == ARRAY ? "%s[%u]" : "%s.m%u", path, k);
    assign_init(w, i->of[k], t->of[t->kind == ARRAY ? 0 : k], inside);
  }
}

static void initialise(struct printer *w, const struct variable *v) {
  char path[64];
  snprintf(path, sizeof path, v->space == CONSTANT ? "c%u_%" PRIu64 : "v%u", v->number,
           w->p->index);
  assign_init(w, v->init, v->type, path);
}

static void declare(struct printer *w, const struct variable *list) {
  static const char *const spaces[2][3] = {{"", "__constant ", "__local "},
                                           {"", "static ", "static "}};
  for (const struct variable *v = list; v != NULL; v = v->next) {
    if (!variable_kept(w, v))
      continue;
    say(w, "%l%s%T %v%D", spaces[w->c][v->space], v->type, v, v->type);
    if (v->init != NULL && !w->c) {
      say(w, " = ");
      print_init(w, v->init);
    }
    say(w, w->c ? " = {0};" : ";");
    if (w->c && v->space == PRIVATE)
      initialise(w, v);
  }
}

/* ---- statements ---- */

static void print_block(struct printer *w, const struct statement *s);

static void in_braces(struct printer *w, const struct statement *body) {
  say(w, "{");
  w->level++;
  print_block(w, body);
  w->level--;
  say(w, "%l}");
}

static void print_assign(struct printer *w, const struct statement *s) {
  const bool lanes = s->to->kind == SWIZZLE;
  if (!w->c) {
    say(w, "%p", target(s));
    if (lanes)
      print_lanes(w, s->to);
    say(w, " = %e;", s->value);
    return;
  }
  const unsigned t = compute(w, s->value);
  say(w, "%s *p = %p", c_names[s->to->shape.base], target(s));
  for (unsigned i = 0; i < s->to->shape.width; i++)
    say(w, "%s p[%u] = t%u[%u];", i == 0 ? ";" : "", lanes ? s->to->lane[i] : i, t, i);
}

static void print_return(struct printer *w, const struct expr *e) {
  if (w->c) {
    const unsigned t = compute(w, e);
    say(w, "memcpy(r, t%u, sizeof t%u); return;", t, t);
  } else {
    say(w, "return %e;", e);
  }
}

static void print_loop(struct printer *w, const struct statement *s) {
  const bool there = is_kept(w, s->part + 1), leave = w->leave;
  const unsigned i = s->var->number;
  w->leave = there && s->form != GOTO;
  say(w, "{ uint i%u = 0; ", i);
  if (there && s->form == FOR)
    say(w, "for (; i%u < %e %% %uu; i%u++) ", i, s->value, s->limit, i);
  else if (there && s->form == WHILE)
    say(w, "while (i%u++ < %e %% %uu) ", i, s->value, s->limit);
  else if (there)
    say(w, s->form == DO ? "do " : "again%u: ", i);
  in_braces(w, s->body);
  if (there && s->form == DO)
    say(w, " while (++i%u < %e %% %uu);", i, s->value, s->limit);
  else if (there && s->form == GOTO)
    say(w, " if (++i%u < %e %% %uu) goto again%u;", i, s->value, s->limit, i);
  say(w, " }");
  w->leave = leave;
}

static void print_branch(struct printer *w, const struct statement *s) {
  const bool there = is_kept(w, s->part + 1), skip = s->kind == SKIP;
  if (there)
    say(w, skip ? "if (%e) goto past%u; " : "if (%e) ", s->value, s->number);
  in_braces(w, s->body);
  if (there && skip)
    say(w, " past%u:;", s->number);
  if (there && s->other != NULL) {
    say(w, " else ");
    in_braces(w, s->other);
  }
}

static void print_switch(struct printer *w, const struct statement *s) {
  const bool leave = w->leave;
  w->leave = false;
  say(w, "switch (%e & 7) {", s->value);
  for (unsigned i = 0; i < s->limit; i++) {
    say(w, (s->flow[i] & 15) == DEFAULT ? "%ldefault: " : "%lcase %u: ", s->flow[i] & 15U);
    in_braces(w, s->cases[i]);
    say(w, s->flow[i] & FOLLOWS ? "" : " break;");
  }
  say(w, " }");
  w->leave = leave;
}

static void print_copy(struct printer *w, const struct statement *s) {
  const struct type *t = s->var->type;
  const struct shape shape = t->of[0]->shape;
  const unsigned size = size_of(shape.base);
  if (w->c) {
    say(w, "L(%u) memcpy(%v[i], (const char *)in + (%u + i * %u) * %u, %u);", t->n, s->var,
        s->limit, s->stride, size * (shape.width == 3 ? 4 : shape.width), size * shape.width);
    return;
  }
  say(w, "event_t e = async_work_group_%scopy(%v, (__global const %T *)in + %u, %u, ",
      s->stride > 1 ? "strided_" : "", s->var, t, s->limit, t->n);
  say(w, s->stride > 1 ? "%u, 0);" : "0);", s->stride);
  say(w, " wait_group_events(1, &e);");
}

/* Fills an array in local memory, before other items read it. */
static void print_fill(struct printer *w, const struct statement *s) {
  if (s->kind == COPY) {
    print_copy(w, s);
  } else if (s->kind == TALLY) {
    say(w,
        w->c ? "if (LOCAL_NUMBER(0) == 0) L(%u) %v[i][0] = %uu; "
             : "if (LOCAL_NUMBER(0) == 0) L(%u) %v[i] = %uu; ",
        COUNTERS, s->var, s->limit);
  } else if (w->c) {
    const unsigned t = compute(w, s->value);
    say(w, "memcpy(%v[LOCAL_NUMBER(0)], t%u, sizeof t%u); ", s->var, t, t);
  } else {
    say(w, "%v[LOCAL_NUMBER(0)] = %e; ", s->var, s->value);
  }
  say(w, "%s", s->kind == COPY ? "" : barrier);
}

static void print_shared(struct printer *w, const struct statement *s) {
  say(w, "{");
  w->level++;
  say(w, "%l");
  print_fill(w, s);
  for (unsigned i = 0; i < (s->other != NULL ? 2 : 1); i++) {
    print_block(w, i == 0 ? s->body : s->other);
    say(w, "%l%s", barrier);
  }
  w->level--;
  say(w, " }");
}

static void print_atomic(struct printer *w, const struct statement *s) {
  const struct atomic *a = &atomics[s->number];
  char place[64] = "out";
  if (s->var != NULL)
    snprintf(place, sizeof place, "l%u_%" PRIu64, s->var->number, w->p->index);
  if (w->c)
    say(w, "%s x = %e, *p = (%s *)(%s + %u); %s;", c_names[a->base], s->value, c_names[a->base],
        place, a->counter, a->c);
  else
    say(w,
        a->alone ? "%s((volatile __%s %s *)(%s + %u));" : "%s((volatile __%s %s *)(%s + %u), %e);",
        a->name, s->var != NULL ? "local" : "global", base_names[a->base], place, a->counter,
        s->value);
}

/* Adds all values of a part of a variable, whose text is in `path`, to the sum. */
static void print_sum(struct printer *w, const struct type *t, const char *path, unsigned depth) {
  const bool real = t->kind == PLAIN && is_float(t->shape.base);
  char inside[256];
  if (t->kind == PLAIN && w->c) {
    say(w, " L(%u) s = sum(s, %s(%s[i]));", t->shape.width, real ? "bits" : "(uint64_t)", path);
  } else if (t->kind == PLAIN) {
    say(w, real ? " s = sum(s, convert_%t(canon(%s)));" : " s = sum(s, convert_%t(%s));",
        (struct shape){ULONG, t->shape.width}, path);
  } else if (t->kind == ARRAY) {
    say(w, " for (uint j%u = 0; j%u < %uu; j%u++) {", depth, depth, t->n, depth);
    snprintf(inside, sizeof inside, "%s[j%u]", path, depth);
    print_sum(w, t->of[0], inside, depth + 1);
    say(w, " }");
  } else {
    for (unsigned k = 0; k < (t->kind == UNION ? 1 : t->n); k++) {
      snprintf(inside, sizeof inside, "%s.m%u", path, k);
      print_sum(w, t->of[k], inside, depth);
    }
  }
}

static void print_result(struct printer *w, const struct statement *s) {
  char path[32];
  snprintf(path, sizeof path, "v%u", s->var->number);
  say(w, "{ ulong s = 0;");
  print_sum(w, s->var->type, path, 0);
  say(w, " out[%u + GLOBAL_NUMBER(0) * %u + %u] = s; }", COUNTERS, w->p->results, s->number);
}

static void print_statement(struct printer *w, const struct statement *s) {
  switch (s->kind) {
  case ASSIGN:
    print_assign(w, s);
    break;
  case IF:
  case SKIP:
    print_branch(w, s);
    break;
  case LOOP:
    print_loop(w, s);
    break;
  case SWITCH:
    print_switch(w, s);
    break;
  case LEAVE:
    say(w, s->limit == 1 ? "if (%e) continue;" : "if (%e) break;", s->value);
    break;
  case RETURN:
    say(w, "if (%e) { ", s->value);
    print_return(w, s->to);
    say(w, " }");
    break;
  case ATOMIC:
    print_atomic(w, s);
    break;
  case SUM:
    print_result(w, s);
    break;
  default:
    print_shared(w, s);
  }
}

static void print_block(struct printer *w, const struct statement *s) {
  for (; s != NULL; s = s->next)
    if (statement_kept(w, s)) {
      say(w, w->c ? "%l{ " : "%l"); /* around the values that it computes */
      print_statement(w, s);
      say(w, w->c ? " }" : "");
    }
}

/* ---- functions ---- */

static void print_head(struct printer *w, const struct function *f) {
  if (f->value == NULL) {
    say(w, w->c ? "\nstatic void k%i(void) {"
                : "\n__kernel void k%i(__global ulong *out, __global const uint *in) {");
    return;
  }
  if (w->c)
    say(w, "\nstatic void f%u_%i(%s *r", f->number, c_names[f->result.base]);
  else
    say(w, "\n%s%t f%u_%i(__global const uint *in",
        f->noinline_ ? "__attribute__((noinline)) " : "", f->result, f->number);
  for (unsigned i = 0; i < f->nparameters; i++)
    say(w, w->c ? ", const %T *%v" : ", %T %v", f->parameters[i]->type, f->parameters[i]);
  say(w, ") {");
}

static void print_function(struct printer *w, const struct function *f) {
  const struct variable *locals = f->value == NULL ? w->p->locals : NULL;
  if (w->c)
    declare(w, locals);
  print_head(w, f);
  w->level = 1;
  if (!w->c)
    declare(w, locals);
  declare(w, f->vars);
  print_block(w, f->body);
  if (f->value != NULL) {
    say(w, "%l");
    print_return(w, f->value);
  }
  w->level = 0;
  say(w, "\n}\n");
}

/* The function that runs the kernel and leaves its results in the file `index`.bin. */
static void print_run(struct printer *w) {
  const struct program *p = w->p;
  say(w, "\nstatic void run_%i(void) {");
  for (unsigned d = 0; d < 3; d++)
    say(w, "\n  now.grid[%u] = %u; now.block[%u] = %u;", d, p->grid[d], d, p->block[d]);
  for (const struct variable *v = p->constants; v != NULL; v = v->next)
    if (variable_kept(w, v))
      initialise(w, v);
  say(w, "\n  now.dims = %u; now.items = %u;\n  run(k%i, %i, %u, \"%i.bin\");\n}\n", p->dims,
      p->items, (unsigned)program_words(p));
}

void print_program(struct printer *w) {
  fprintf(w->out, "\n// Program %" PRIu64 " of seed %" PRIu64 ".\n", w->p->index, w->p->seed);
  print_types(w);
  declare(w, w->p->constants);
  say(w, "\n");
  for (const struct function *f = w->p->functions; f != NULL; f = f->next)
    if (f->value == NULL || is_kept(w, f->part))
      print_function(w, f);
  if (w->c)
    print_run(w);
}
