/* A configuration as a GPU description: the keys that have other values than by default. */
#include "harness/job/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/gpu/config.h"

struct writing {
  FILE *out;
  const struct tandem_config *c;
  struct tandem_config standard;
  bool (*leave_out)(const struct config_key *k); /* NULL: nothing is */
};

static bool written(const struct writing *w, const struct config_key *k) {
  return config_get(k, w->c) != config_get(k, &w->standard) &&
         (w->leave_out == NULL || !w->leave_out(k));
}

/* True if section `of` is `section` or below it. */
static bool within(const char *of, const char *section) {
  const size_t n = strlen(section);
  return n == 0 || (strncmp(of, section, n) == 0 && (of[n] == '\0' || of[n] == '.'));
}

static bool has_keys(const struct writing *w, const char *section) {
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (within(k->section, section) && written(w, k))
      return true;
  return false;
}

/* The section directly below `section` that has the key, in *name; false: the key is in `section`
 * itself, or not within it. */
static bool below(const struct config_key *k, const char *section, char *name, size_t size) {
  const size_t n = strlen(section);
  if (!within(k->section, section) || k->section[n] == '\0')
    return false;
  const size_t from = n + (n != 0);
  snprintf(name, size, "%.*s", (int)(from + strcspn(k->section + from, ".")), k->section);
  return true;
}

static void write_section(const struct writing *w, const char *section, unsigned depth) {
  const struct config_key *k;
  char name[96], last[96] = "", value[32];
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (strcmp(k->section, section) == 0 && written(w, k)) {
      config_value(k, config_get(k, w->c), value, sizeof value);
      fprintf(w->out, "%*s%s: %s\n", (int)(2 * depth), "", k->name, value);
    }
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
    bool first = below(k, section, name, sizeof name) && strcmp(name, last) != 0;
    for (size_t j = 0; first && j < i; j++) { /* sections may come in several parts */
      char before[96];
      first = !below(gpu_key_at(j), section, before, sizeof before) || strcmp(before, name) != 0;
    }
    if (!first || !has_keys(w, name))
      continue;
    memcpy(last, name, sizeof last);
    const char *dot = strrchr(name, '.');
    fprintf(w->out, "%*s%s:\n", (int)(2 * depth), "", dot != NULL ? dot + 1 : name);
    write_section(w, name, depth + 1);
  }
}

void config_write(FILE *out, const struct tandem_config *c,
                  bool (*leave_out)(const struct config_key *k), unsigned depth) {
  struct writing w = {.out = out, .c = c, .leave_out = leave_out};
  gpu_config_default(&w.standard);
  write_section(&w, "", depth);
}
