/* OpenCL C: what the IR that clang writes says of a program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/opencl/text.h"

/* ---- nodes of the IR ---- */

/* The text behind "!NUMBER = ". */
static const char *find_node(const char *ir, unsigned long number) {
  char key[40];
  snprintf(key, sizeof key, "\n!%lu = ", number);
  const char *p = strstr(ir, key);
  return p ? p + strlen(key) : NULL;
}

/* The node that the first "key !NUMBER" of the line names. */
static const char *attribute(const char *ir, const char *line, const char *key) {
  const char *end = strchr(line, '\n'), *p = strstr(line, key);
  if (!p || (end && p > end))
    return NULL;
  p = strchr(p + strlen(key), '!');
  return p ? find_node(ir, strtoul(p + 1, NULL, 10)) : NULL;
}

/* The elements of "!{a, b}", from a on. */
static const char *list(const char *node) {
  return node && strncmp(node, "!{", 2) == 0 ? node + 2 : NULL;
}

/* Copies the next string of a list of strings, and steps behind it; false at the end. */
static bool next_string(const char **node, char *text, size_t size) {
  const char *p = *node, *end = p && strncmp(p, "!\"", 2) == 0 ? strchr(p + 2, '"') : NULL;
  if (!end)
    return false;
  snprintf(text, size, "%.*s", (int)(end - p - 2), p + 2);
  *node = strncmp(end, "\", ", 3) == 0 ? end + 3 : NULL;
  return true;
}

/* Where the instruction or function in this line comes from: "FILE:LINE", else the path alone. */
static void locate(const char *path, const char *ir, const char *line, char *text, size_t size) {
  snprintf(text, size, "%s", path);
  const char *at = attribute(ir, line, "!dbg");
  const char *end = at ? strchr(at, '\n') : NULL, *number = at ? strstr(at, "line: ") : NULL;
  if (!number || !end || number > end)
    return;
  const char *scope = at;
  while (scope && strncmp(scope, "!DILocation", 11) == 0)
    scope = attribute(ir, scope, "scope:");
  const char *file = scope ? attribute(ir, scope, "file:") : NULL;
  const char *name = file ? strstr(file, "filename: \"") : NULL;
  size_t n = name ? strcspn(name += strlen("filename: \""), "\"\n") : 0;
  if (n > 0)
    snprintf(text, size, "%.*s:%lu", (int)n, name, strtoul(number + 6, NULL, 10));
}

/* The line "define ... spir_kernel void @NAME(". */
static const char *find_define(const char *ir, const char *name) {
  char key[300];
  snprintf(key, sizeof key, " @%s(", name);
  for (const char *p = ir; (p = strstr(p, "\ndefine ")) != NULL; p++) {
    const char *end = strchr(p + 1, '\n'), *at = strstr(p, key);
    if (at && (!end || at < end))
      return p + 1;
  }
  return NULL;
}

/* ---- arguments ---- */

/* "i32 1, i32 3, i32 0}" */
static void set_spaces(struct isa_kernel *k, const char *node) {
  for (size_t i = 0; i < k->nparams && node && strncmp(node, "i32 ", 4) == 0; i++) {
    char *end;
    unsigned long space = strtoul(node + 4, &end, 10);
    struct isa_param *p = &k->params[i];
    p->pointer = space != 0;
    p->space = space == 3 ? ISA_SPACE_SHARED : space == 2 ? ISA_SPACE_CONST : ISA_SPACE_GLOBAL;
    node = *end == ',' ? end + 2 : NULL;
  }
}

/* "i32 64, i32 1, i32 1}" */
static void set_shape(struct isa_kernel *k, const char *node) {
  for (size_t i = 0; i < 3 && node && strncmp(node, "i32 ", 4) == 0; i++) {
    char *end;
    k->reqntid[i] = (uint32_t)strtoul(node + 4, &end, 10);
    node = *end == ',' ? end + 2 : NULL;
  }
}

static int set_names(struct isa_kernel *k, const char *node) {
  char text[256];
  for (size_t i = 0; i < k->nparams && next_string(&node, text, sizeof text); i++) {
    char *name = strdup(text);
    if (!name)
      return -ENOMEM;
    free(k->params[i].name);
    k->params[i].name = name;
  }
  return 0;
}

int opencl_describe(struct isa_program *p, const char *ir) {
  for (size_t i = 0; i < p->nkernels; i++) {
    struct isa_kernel *k = &p->kernels[i];
    const char *line = find_define(ir, k->name);
    if (!line)
      continue;
    set_shape(k, list(attribute(ir, line, "!reqd_work_group_size")));
    set_spaces(k, list(attribute(ir, line, "!kernel_arg_addr_space")));
    if (set_names(k, list(attribute(ir, line, "!kernel_arg_name"))) != 0)
      return -ENOMEM;
  }
  return 0;
}

int opencl_check_arguments(const char *path, const char *ir, struct tandem_error *err) {
  for (const char *p = ir; (p = strstr(p, "\ndefine ")) != NULL;) {
    p++;
    char type[128], name[128], where[400];
    const char *types = list(attribute(ir, p, "!kernel_arg_base_type"));
    const char *names = list(attribute(ir, p, "!kernel_arg_name"));
    while (next_string(&types, type, sizeof type)) {
      if (!next_string(&names, name, sizeof name))
        name[0] = '\0';
      if (strncmp(type, "image", 5) != 0 && strcmp(type, "sampler_t") != 0)
        continue;
      locate(path, ir, p, where, sizeof where);
      return tandem_fail(err, -EINVAL,
                         "%s: the argument '%s' of a kernel is of type %s; images and samplers are "
                         "not supported, use a buffer",
                         where, name, type);
    }
  }
  return 0;
}

/* ---- functions without a body ---- */

/* The next function after *p that the PTX declares as external: its name, mangled. */
static bool next_external(const char **p, char *name, size_t size) {
  const char *at = strstr(*p, "\n.extern .func ");
  if (!at)
    return false;
  at += strlen("\n.extern .func ");
  const char *end = strchr(at, '\n'), *result = strchr(at, ')');
  if (result && end && result < end) /* (.param .b32 func_retval0) comes first */
    at = result + 1;
  at += strspn(at, " \t\n");
  snprintf(name, size, "%.*s", (int)strcspn(at, " \t\n(;"), at);
  *p = at;
  return true;
}

/* The line of the IR that calls the function. */
static const char *find_call(const char *ir, const char *name) {
  char key[300];
  snprintf(key, sizeof key, " @%s(", name);
  for (const char *p = ir; (p = strstr(p, key)) != NULL; p++) {
    const char *line = p;
    while (line > ir && line[-1] != '\n')
      line--;
    const char *call = strstr(line, "call ");
    if (call && call < p)
      return line;
  }
  return NULL;
}

/* "_Z11read_imagef14ocl..." to "read_imagef"; others as they are. */
static void plain_name(const char *mangled, char *name, size_t size) {
  snprintf(name, size, "%s", mangled);
  if (strncmp(mangled, "_Z", 2) != 0)
    return;
  char *rest;
  unsigned long n = strtoul(mangled + 2, &rest, 10);
  if (n > 0 && n <= strlen(rest))
    snprintf(name, size, "%.*s", (int)n, rest);
}

void opencl_explain(const char *path, const char *ptx, const char *ir, struct tandem_error *err) {
  char mangled[256], name[256], quoted[300], where[400];
  while (next_external(&ptx, mangled, sizeof mangled)) {
    snprintf(quoted, sizeof quoted, "'%s'", mangled);
    if (!strstr(err->text, quoted))
      continue;
    const char *call = find_call(ir, mangled), *known = strstr(err->text, ": ");
    if (call == NULL && known != NULL) /* a function of ours calls it: the place is its caller's */
      snprintf(where, sizeof where, "%.*s", (int)(known - err->text), err->text);
    else
      locate(path, ir, call ? call : "", where, sizeof where);
    plain_name(mangled, name, sizeof name);
    if (strcmp(name, "printf") == 0)
      tandem_fail(err, -EINVAL, "%s: printf is not supported; write values to a buffer", where);
    else if (strstr(name, "image") || strstr(name, "sampler"))
      tandem_fail(err, -EINVAL, "%s: '%s': images and samplers are not supported; use a buffer",
                  where, name);
    else
      tandem_fail(err, -EINVAL, "%s: the function '%s' is called but defined nowhere", where, name);
    return;
  }
}
