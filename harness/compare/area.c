/* Synthesis of the modules that a change concerns. */
#include "harness/compare/area.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "harness/compare/kept.h"
#include "synth/flow/synth.h"

/* The folder of a side's netlists, which the text of its RTL names. */
static int folder_of(const struct compare_places *at, const struct compare_modules *m, int side,
                     char path[COMPARE_PATH], struct tandem_error *err) {
  struct hash h;
  char key[HASH_KEY];
  hash_start(&h);
  for (size_t i = 0; i < m->n; i++)
    if (m->at[i].text[side] != NULL) {
      hash_text(&h, m->at[i].name);
      hash_text(&h, m->at[i].text[side]);
    }
  hash_end(&h, key);
  snprintf(path, COMPARE_PATH, "%.2000s/compare/synth/%s", at->build, key);
  TRY(files_folder(path, err));
  compare_kept_use(path);
  return 0;
}

/* Gives a folder the netlists that another one has and it has not, by links.  A step whose inputs
 * differ runs anew, and its folder is replaced as a whole. */
static void take_from(const char *folder, const char *other) {
  static const char *const kept[] = {"rtl", "*-????????"}; /* elaborated; mapped, by library */
  char to[COMPARE_PATH];
  snprintf(to, sizeof to, "%.4000s/synth", folder);
  for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
    char pattern[COMPARE_PATH];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%.4000s/synth/%s", other, kept[k]);
    if (glob(pattern, GLOB_ONLYDIR, NULL, &found) != 0)
      continue;
    for (size_t i = 0; i < found.gl_pathc && files_folder(to, NULL) == 0; i++) {
      const char *const argv[] = {"cp", "-rl", "--no-clobber", found.gl_pathv[i], to, NULL};
      (void)process_run(&(struct process){.argv = argv});
    }
    globfree(&found);
  }
}

/* Puts the figures of a side's report into the modules of the same names. */
static void take_figures(const struct synth_report *r, int side, struct compare_area *a) {
  for (size_t i = 0; i < a->n; i++)
    for (size_t k = 0; k < r->nunits; k++) {
      const struct synth_unit *u = &r->units[k];
      if (u->flat || strcmp(u->name, a->at[i].name) != 0)
        continue;
      a->at[i].value[AREA_CELLS][side] = synth_area(&u->whole);
      a->at[i].value[AREA_BITS][side] = (double)u->whole.memory_bits;
      a->at[i].value[AREA_CLOCK][side] = u->timing.fmax_mhz;
    }
}

/* Synthesises the modules of a side that are there. */
static int synthesise(const struct compare_modules *m, int side, const char *folder,
                      void (*progress)(void *user, const struct synth_progress *p),
                      struct compare_area *a, struct tandem_error *err) {
  const char **units = calloc(a->n + 1, sizeof *units);
  struct synth_report *report;
  struct tandem_error why;
  size_t n = 0;
  if (units == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < m->n; i++)
    if (m->at[i].chosen && m->at[i].text[side] != NULL)
      units[n++] = m->at[i].name;
  const struct synth_config c = {.root = m->sides[side].root,
                                 .build = folder,
                                 .units = units,
                                 .nunits = n,
                                 .progress = progress};
  const int status = n != 0 ? synth_run(&c, &report, &why) : 0;
  free(units);
  if (status != 0) {
    a->failure[side] = strdup(why.text);
    return 0;
  }
  if (n != 0) {
    take_figures(report, side, a);
    synth_free(report);
  }
  return 0;
}

/* True if no other chosen module is made of this one. */
static bool is_whole(const struct compare_modules *m, const char *name) {
  for (size_t k = 0; k < m->n; k++)
    if (m->at[k].chosen && strcmp(m->at[k].name, name) != 0 &&
        (compare_names(&m->at[k], BEFORE, name) || compare_names(&m->at[k], AFTER, name)))
      return false;
  return true;
}

/* Sums over the whole ones; a module that a side does not have adds nothing there. */
static void add_up(struct compare_area *a) {
  for (int side = 0; side < SIDES; side++)
    for (int f = 0; f < AREA_FIGURES; f++) {
      double sum = a->n == 0 || a->failure[side] != NULL ? NAN : f == AREA_CLOCK ? INFINITY : 0;
      for (size_t i = 0; i < a->n; i++) {
        const double v = a->at[i].value[f][side];
        if (a->at[i].whole && !isnan(v))
          sum = f == AREA_CLOCK ? fmin(sum, v) : sum + v;
      }
      a->sum[f][side] = isinf(sum) ? NAN : sum;
    }
}

static int make_room(const struct compare_modules *m, struct compare_area *a,
                     struct tandem_error *err) {
  a->at = calloc(m->n + 1, sizeof *a->at);
  if (a->at == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < m->n; i++) {
    if (!m->at[i].chosen)
      continue;
    struct compare_module *to = &a->at[a->n++];
    *to = (struct compare_module){.name = m->at[i].name, .whole = is_whole(m, m->at[i].name)};
    for (int f = 0; f < AREA_FIGURES; f++)
      to->value[f][BEFORE] = to->value[f][AFTER] = NAN;
  }
  return 0;
}

int compare_area_make(const struct compare_places *at, const struct compare_modules *m,
                      void (*progress)(void *user, const struct synth_progress *p),
                      struct compare_area *a, struct tandem_error *err) {
  char folders[SIDES][COMPARE_PATH];
  *a = (struct compare_area){.n = 0};
  TRY(make_room(m, a, err));
  for (int side = 0; a->n != 0 && side < SIDES; side++) {
    TRY(folder_of(at, m, side, folders[side], err));
    char there[COMPARE_PATH];
    snprintf(there, sizeof there, "%.4000s/synth", folders[side]);
    const bool fresh = access(there, R_OK) != 0;
    if (fresh && side == AFTER)
      take_from(folders[side], folders[BEFORE]);
    if (fresh)
      take_from(folders[side], at->build);
    TRY(synthesise(m, side, folders[side], progress, a, err));
  }
  add_up(a);
  return 0;
}

void compare_area_free(struct compare_area *a) {
  free(a->at);
  free(a->failure[BEFORE]);
  free(a->failure[AFTER]);
  *a = (struct compare_area){.n = 0};
}
