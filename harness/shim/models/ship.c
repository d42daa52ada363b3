/* Models that are made when Tandem is built: shared objects for an installed program, or objects to
 * be linked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/shim/models/local.h"

/* A file of what is shipped: a shared object by its key, an object by its number. */
static char *path_of(const char *folder, bool objects, const char *name, const char *key,
                     size_t number) {
  char *path = NULL;
  const int n = objects ? asprintf(&path, "%s/model%zu.o", folder, number)
                        : asprintf(&path, "%s/%s.%s.so", folder, name, key);
  return n < 0 ? NULL : path;
}

/* The table of what is linked (linked.h). */
static int write_table(const char *folder, const struct rtl_spec *specs, size_t n,
                       struct tandem_error *err) {
  char path[MODELS_PATH];
  snprintf(path, sizeof path, "%s/linked.c", folder);
  FILE *out = fopen(path, "w");
  if (out == NULL)
    return tandem_fail(err, -errno, "cannot write %s: %s", path, strerror(errno));
  fprintf(out, "#include <stddef.h>\n#include \"harness/shim/models/linked.h\"\n");
  for (size_t i = 0; i < n; i++)
    fprintf(out, "extern const struct rtl_type rtl_type_%zu;\n", i);
  fprintf(out, "const struct linked_model models_linked[] = {\n");
  for (size_t i = 0; i < n; i++) {
    struct recipe r;
    if (recipe_of(&specs[i], &r, err) == 0) {
      fprintf(out, "    {\"%s\", &rtl_type_%zu},\n", r.name, i);
      recipe_free(&r);
    }
  }
  fprintf(out, "    {NULL, NULL}};\n");
  return fclose(out) == 0 ? 0 : tandem_fail(err, -errno, "cannot write %s", path);
}

static int ship_supports(const bool needs[SUPPORTS], const char *folder, bool objects,
                         size_t number, char *supports[SUPPORTS], struct tandem_error *err) {
  int status = 0;
  for (unsigned s = 0; status == 0 && s < SUPPORTS; s++) {
    char key[HASH_KEY], shipped[HASH_KEY], *of[SUPPORTS] = {supports[SUPPORT_RUNTIME]};
    if (!needs[s])
      continue;
    status = support_keys(support_names[s], key, shipped, err);
    supports[s] = path_of(folder, objects, support_names[s], shipped, number + s);
    if (status == 0)
      status = supports[s] != NULL ? support_make(s, support_names[s], of, supports[s], err)
                                   : tandem_fail(err, -ENOMEM, "out of memory");
  }
  return status;
}

static int ship_model(const struct rtl_spec *s, const char *folder, bool objects, size_t number,
                      char *const supports[SUPPORTS], struct tandem_error *err) {
  struct model m;
  int status = model_open(s, &m, err);
  if (status != 0)
    return status;
  char *needed[SUPPORTS] = {NULL};
  for (unsigned i = 0; i < SUPPORTS; i++)
    needed[i] = m.recipe.needs[i] ? supports[i] : NULL;
  if (objects) {
    snprintf(m.class, sizeof m.class, "Vmodel%zu", number);
    snprintf(m.type, sizeof m.type, "rtl_type_%zu", number);
  }
  char *path = path_of(folder, objects, m.recipe.name, m.shipped, number);
  char *const none[HEADERS] = {NULL};
  status = path != NULL ? model_make(&m, needed, none, &path, err)
                        : tandem_fail(err, -ENOMEM, "out of memory");
  free(path);
  model_close(&m);
  return status;
}

int models_ship(const struct rtl_spec *specs, size_t n, const char *folder, bool objects,
                struct tandem_error *err) {
  char *supports[SUPPORTS] = {NULL};
  bool needs[SUPPORTS] = {[SUPPORT_RUNTIME] = true};
  for (size_t i = 0; i < n; i++)
    needs[SUPPORT_TRACING] = needs[SUPPORT_TRACING] || specs[i].kind == RTL_FULL;
  int status = ship_supports(needs, folder, objects, n, supports, err);
  for (size_t i = 0; status == 0 && i < n; i++)
    status = ship_model(&specs[i], folder, objects, i, supports, err);
  if (status == 0 && objects)
    status = write_table(folder, specs, n, err);
  for (unsigned s = 0; s < SUPPORTS; s++)
    free(supports[s]);
  return status;
}
