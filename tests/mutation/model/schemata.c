/* Writes a C source with all of its mutants in it, of which one at a time acts (mutant.h).
 *
 *   clang -fsyntax-only -Xclang -ast-dump=json ... FILE | schemata FILE NAME FIRST >MUTATED 2>LIST
 *
 * Standard input is clang's syntax tree of FILE as JSON.  Mutants are numbered from FIRST; LIST has
 * a line for each, "number NAME:line what it is".  Mutated are, in functions of FILE itself:
 *
 *   arithmetic and bit operators                become another one
 *   comparisons                                 become their opposite
 *   conditions, operands of && and ||           are negated
 *   integer literals                            become larger by 1, truth values are negated
 *   assignments and calls that are statements   are left out: the target keeps its value
 *
 * Left as they are: constant expressions, static tables, functions of included files, null
 * pointers, calls of free, and a literal that its function always returns, which its callers do not
 * need. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mutator {
  char *text;
  size_t size;
  const char *name;
  unsigned next;
  bool returns_constant; /* the function at hand returns one literal, wherever it returns */
};

struct span {
  size_t begin, end;
};

static const char *text_of(const json_t *node, const char *key) {
  const char *s = json_string_value(json_object_get(node, key));
  return s != NULL ? s : "";
}

static bool is(const json_t *node, const char *kind) {
  return strcmp(text_of(node, "kind"), kind) == 0;
}

/* Where a token is; false: the node has no place. */
static bool offset_of(const json_t *at, size_t *offset, size_t *length) {
  const json_t *o = json_object_get(at, "offset"), *n = json_object_get(at, "tokLen");
  if (o == NULL || n == NULL)
    return false;
  *offset = (size_t)json_integer_value(o);
  *length = (size_t)json_integer_value(n);
  return true;
}

static bool span_of(const json_t *node, struct span *s) {
  const json_t *range = json_object_get(node, "range");
  size_t length, last;
  if (!offset_of(json_object_get(range, "begin"), &s->begin, &length) ||
      !offset_of(json_object_get(range, "end"), &last, &length))
    return false;
  s->end = last + length;
  return s->begin < s->end;
}

static json_t *child(const json_t *node, size_t i) {
  return json_array_get(json_object_get(node, "inner"), i);
}

/* Without parentheses and implicit casts. */
static const json_t *bare(const json_t *node) {
  while (is(node, "ParenExpr") || is(node, "ImplicitCastExpr"))
    node = child(node, 0);
  return node;
}

static bool arithmetic(const json_t *node) {
  const json_t *type = json_object_get(node, "type");
  const char *name = text_of(type, "desugaredQualType");
  name = *name != '\0' ? name : text_of(type, "qualType");
  return strpbrk(name, "*([{") == NULL && strstr(name, "vector") == NULL &&
         strstr(name, "struct") == NULL && strstr(name, "union") == NULL;
}

static const char *other_operator(const char *op) {
  static const char *const pairs[][2] = {{"+", "-"},   {"-", "+"},   {"*", "+"},   {"/", "+"},
                                         {"%", "+"},   {"&", "|"},   {"|", "&"},   {"^", "&"},
                                         {"<<", ">>"}, {">>", "<<"}, {"<", ">="},  {"<=", ">"},
                                         {">", "<="},  {">=", "<"},  {"==", "!="}, {"!=", "=="}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (strcmp(pairs[i][0], op) == 0)
      return pairs[i][1];
  return NULL;
}

/* The line of the source that a place of the preprocessed text is from; 0: another file's. */
static unsigned source_line(const struct mutator *m, size_t offset) {
  unsigned line = 0;
  bool own = false;
  for (const char *p = m->text, *end; p <= m->text + offset && p < m->text + m->size; p = end + 1) {
    unsigned number;
    char file[4096];
    end = memchr(p, '\n', m->size - (size_t)(p - m->text));
    if (end == NULL)
      end = m->text + m->size;
    if (*p == '#' && sscanf(p, "# %u \"%4095[^\"]\"", &number, file) == 2) {
      own = strcmp(file, m->name) == 0;
      line = number - 1;
    } else {
      line++;
    }
  }
  return own ? line : 0;
}

/* A number for a mutant, which is listed. */
static unsigned mutant(struct mutator *m, size_t offset, const char *what, const char *more) {
  fprintf(stderr, "%u %s:%u %s%s\n", m->next, m->name, source_line(m, offset), what, more);
  return m->next++;
}

static void copy(const struct mutator *m, size_t from, size_t to) {
  fwrite(m->text + from, 1, to - from, stdout);
}

static void emit(struct mutator *m, const json_t *node, struct span s);

static void emit_condition(struct mutator *m, const json_t *node, struct span s);
static bool emit_cut(struct mutator *m, const json_t *node, struct span s);

/* The node's text with its parts mutated: the first of them are conditions, or all are statements
 * of a block. */
static void emit_parts(struct mutator *m, const json_t *node, struct span s, size_t conditions,
                       bool block) {
  size_t at = s.begin, i;
  json_t *part;
  json_array_foreach(json_object_get(node, "inner"), i, part) {
    struct span p;
    if (!span_of(part, &p) || p.begin < at || p.end > s.end)
      continue;
    copy(m, at, p.begin);
    if (i < conditions)
      emit_condition(m, part, p);
    else if (!block || !emit_cut(m, part, p))
      emit(m, part, p);
    at = p.end;
  }
  copy(m, at, s.end);
}

static bool emit_binary(struct mutator *m, const json_t *node) {
  const char *op = text_of(node, "opcode"), *other = other_operator(op);
  const json_t *left = child(node, 0), *right = child(node, 1);
  struct span l, r;
  if (other == NULL || !arithmetic(left) || !arithmetic(right) || !arithmetic(node) ||
      !span_of(left, &l) || !span_of(right, &r) || l.end > r.begin)
    return false;
  printf("MUTANT_BINARY(%u, (", mutant(m, l.end, op, ""));
  emit(m, left, l);
  printf("), %s, %s, (", op, other);
  emit(m, right, r);
  fputs("))", stdout);
  return true;
}

/* A condition that is not itself a comparison, which is mutated as such. */
static void emit_condition(struct mutator *m, const json_t *node, struct span s) {
  const json_t *what = bare(node);
  if (is(what, "BinaryOperator") || is(what, "IntegerLiteral")) {
    emit(m, node, s);
    return;
  }
  printf("MUTANT_NOT(%u, (", mutant(m, s.begin, "condition", ""));
  emit(m, node, s);
  fputs("))", stdout);
}

static bool assigns(const json_t *node) {
  const char *op = text_of(node, "opcode");
  return is(node, "CompoundAssignOperator") ||
         (is(node, "BinaryOperator") && strcmp(op, "=") == 0) ||
         (is(node, "UnaryOperator") && (strcmp(op, "++") == 0 || strcmp(op, "--") == 0));
}

/* Returns true if an expression may be evaluated several times. */
static bool pure(const json_t *node) {
  size_t i;
  json_t *part;
  if (assigns(node) || is(node, "CallExpr") || is(node, "StmtExpr"))
    return false;
  json_array_foreach(json_object_get(node, "inner"), i, part) if (!pure(part)) return false;
  return true;
}

/* Returns true if a call is one of free. */
static bool frees(const json_t *node) {
  const json_t *callee = json_object_get(bare(child(node, 0)), "referencedDecl");
  return strcmp(text_of(callee, "name"), "free") == 0;
}

/* A statement that is an assignment or a call; false: it is none. */
static bool emit_cut(struct mutator *m, const json_t *node, struct span s) {
  const json_t *target = child(node, 0);
  struct span t;
  if (!assigns(node) && (!is(node, "CallExpr") || frees(node)))
    return false;
  const unsigned id = mutant(m, s.begin, "left out", "");
  if (assigns(node) && pure(target) && span_of(target, &t)) {
    printf("%s(%u, (", arithmetic(target) ? "MUTANT_KEEP" : "MUTANT_KEEP_OBJECT", id);
    copy(m, t.begin, t.end);
    fputs("), ", stdout);
    emit(m, node, s);
    putchar(')');
    return true;
  }
  printf("if (!MUTANT_CUT(%u)) ", id);
  emit(m, node, s);
  return true;
}

/* Returns true if the node must be constant, or is no expression that runs. */
static bool fixed(const json_t *node) {
  static const char *const kinds[] = {
      "ConstantExpr", "StaticAssertDecl",         "EnumDecl",
      "RecordDecl",   "UnaryExprOrTypeTraitExpr", "OffsetOfExpr",
      "TypedefDecl",  "ShuffleVectorExpr",        "DesignatedInitExpr"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (is(node, kinds[i]))
      return true;
  return is(node, "VarDecl") && strcmp(text_of(node, "storageClass"), "static") == 0;
}

static bool null_pointer(const json_t *node) {
  return strcmp(text_of(node, "castKind"), "NullToPointer") == 0;
}

static void emit(struct mutator *m, const json_t *node, struct span s) {
  const bool logical = is(node, "BinaryOperator") && (strcmp(text_of(node, "opcode"), "&&") == 0 ||
                                                      strcmp(text_of(node, "opcode"), "||") == 0);
  if (fixed(node) || null_pointer(node) || (m->returns_constant && is(node, "ReturnStmt")))
    copy(m, s.begin, s.end);
  else if (logical)
    emit_parts(m, node, s, 2, false);
  else if (is(node, "IfStmt") || is(node, "WhileStmt") || is(node, "ConditionalOperator"))
    emit_parts(m, node, s, 1, false);
  else if (is(node, "CompoundStmt"))
    emit_parts(m, node, s, 0, true);
  else if (strcmp(text_of(node, "castKind"), "IntegralToBoolean") == 0 &&
           is(bare(node), "IntegerLiteral")) {
    printf("MUTANT_NOT(%u, (", mutant(m, s.begin, "truth value", ""));
    copy(m, s.begin, s.end);
    fputs("))", stdout);
  } else if (is(node, "IntegerLiteral")) {
    printf("MUTANT_LITERAL(%u, ", mutant(m, s.begin, "literal ", text_of(node, "value")));
    copy(m, s.begin, s.end);
    putchar(')');
  } else if (!is(node, "BinaryOperator") || !emit_binary(m, node))
    emit_parts(m, node, s, 0, false);
}

/* Returns true if all returns below a node are of one literal, *value, "" before the first. */
static bool one_literal(const json_t *node, const char **value) {
  size_t i;
  json_t *part;
  if (is(node, "ReturnStmt")) {
    const json_t *what = bare(child(node, 0));
    const bool same = is(what, "IntegerLiteral") &&
                      (**value == '\0' || strcmp(*value, text_of(what, "value")) == 0);
    *value = text_of(what, "value");
    return same;
  }
  json_array_foreach(json_object_get(node, "inner"), i,
                     part) if (!one_literal(part, value)) return false;
  return true;
}

/* The functions of the file itself. */
static void emit_file(struct mutator *m, const json_t *root) {
  size_t at = 0, i;
  json_t *part;
  puts("#include \"tests/mutation/model/mutant.h\"");
  json_array_foreach(json_object_get(root, "inner"), i, part) {
    struct span p;
    if (!is(part, "FunctionDecl") || !span_of(part, &p) || p.begin < at || p.end > m->size ||
        m->text[p.end - 1] != '}' || source_line(m, p.begin) == 0)
      continue;
    copy(m, at, p.begin);
    const char *value = "";
    m->returns_constant = one_literal(part, &value);
    emit_parts(m, part, p, 0, false);
    at = p.end;
  }
  copy(m, at, m->size);
}

static bool read_text(struct mutator *m, const char *path) {
  FILE *f = fopen(path, "r");
  size_t n = 0;
  if (f == NULL)
    return false;
  m->text = NULL;
  do {
    m->text = realloc(m->text, m->size + 65536);
    n = m->text != NULL ? fread(m->text + m->size, 1, 65536, f) : 0;
    m->size += n;
  } while (n == 65536);
  fclose(f);
  return m->text != NULL;
}

int main(int argc, char **argv) {
  struct mutator m = {0};
  json_error_t error;
  if (argc != 4 || !read_text(&m, argv[1])) {
    fprintf(stderr, "schemata: usage: schemata FILE NAME FIRST, FILE a C source\n");
    return 2;
  }
  json_t *root = json_loadf(stdin, 0, &error);
  if (root == NULL) {
    fprintf(stderr, "schemata: no syntax tree of %s: %s\n", argv[1], error.text);
    return 2;
  }
  m.name = argv[2];
  m.next = (unsigned)atoi(argv[3]);
  emit_file(&m, root);
  json_decref(root);
  free(m.text);
  return 0;
}
