/* Proofs of units, by tests/mutation/equal.sh; a verdict is kept by all that it depends on. */
#include "harness/compare/proofs.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"

/* Bounds of a proof. */
#define SECONDS "60" /* of processor time, for each step */
#define CYCLES "60"  /* of the search for a difference */

const char *const compare_outcomes[PROOF_OUTCOMES] = {"equal", "differs", "open"};

/* The only file of a pattern below a side's root; "": there is none. */
static void find_file(const struct compare_side *s, const char *pattern, const char *unit,
                      char path[COMPARE_PATH]) {
  char whole[COMPARE_PATH];
  glob_t found;
  const int n = snprintf(whole, sizeof whole, "%.3000s/", s->root);
  snprintf(whole + n, sizeof whole - (size_t)n, pattern, unit);
  path[0] = '\0';
  if (glob(whole, GLOB_BRACE, NULL, &found) != 0)
    return;
  snprintf(path, COMPARE_PATH, "%s", found.gl_pathv[0]);
  globfree(&found);
}

/* Returns true if both sides have the same file of a pattern. */
static bool same_file(const struct compare_modules *m, const char *pattern, const char *unit) {
  char path[SIDES][COMPARE_PATH], key[SIDES][HASH_KEY];
  for (int side = 0; side < SIDES; side++) {
    struct hash h;
    hash_start(&h);
    find_file(&m->sides[side], pattern, unit, path[side]);
    if (*path[side] == '\0' || files_hash(&h, path[side], NULL) != 0)
      return false;
    hash_end(&h, key[side]);
  }
  return strcmp(key[BEFORE], key[AFTER]) == 0;
}

/* Adds the texts that a module is made of, each once. */
static void hash_below(const struct compare_modules *m, int side, size_t of, bool *seen,
                       struct hash *h) {
  if (seen[of] || m->at[of].text[side] == NULL)
    return;
  seen[of] = true;
  hash_text(h, m->at[of].text[side]);
  for (size_t i = 0; i < m->n; i++)
    if (compare_names(&m->at[of], side, m->at[i].name))
      hash_below(m, side, i, seen, h);
}

/* Adds the version of yosys.  -ENOEXEC: it does not run. */
static int hash_yosys(struct hash *h, struct tandem_error *err) {
  static const char *const argv[] = {"yosys", "-V", NULL};
  char *said = NULL;
  int ended = 0;
  if (process_output(&(struct process){.argv = argv, .errors = "/dev/null"}, &ended, &said) != 0 ||
      ended != 0) {
    free(said);
    return tandem_fail(err, -ENOEXEC, "yosys -V does not run (Debian package yosys)");
  }
  hash_text(h, said);
  free(said);
  return 0;
}

/* Adds what the proof of any unit depends on: scripts, tool and bounds. */
static int hash_method(const struct compare_places *at, const struct compare_modules *m,
                       struct hash *h, struct tandem_error *err) {
  static const char *const scripts[] = {"equal", "miter"};
  static const char *const facts[] = {"tests/units.sh", "tests/facts.awk", "tests/texts.awk",
                                      "csim/ports/units.def", "tests/formal/clock_is_enable.v"};
  char path[COMPARE_PATH];
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    snprintf(path, sizeof path, "%.3000s/tests/mutation/%s.sh", at->root, scripts[i]);
    TRY(files_hash(h, path, err));
  }
  for (int side = 0; side < SIDES; side++)
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
      snprintf(path, sizeof path, "%.3000s/%s", m->sides[side].root, facts[i]);
      TRY(files_hash(h, path, err));
    }
  hash_text(h, SECONDS);
  hash_text(h, CYCLES);
  return hash_yosys(h, err);
}

/* The file of a proof's verdict, named by the unit's texts, its miter, and the method. */
static int verdict_path(const struct compare_places *at, const struct compare_modules *m,
                        size_t unit, const char *miter, char path[COMPARE_PATH],
                        struct tandem_error *err) {
  struct hash h;
  char key[HASH_KEY];
  hash_start(&h);
  for (int side = 0; side < SIDES; side++) {
    bool *seen = calloc(m->n + 1, sizeof *seen);
    if (seen == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    hash_below(m, side, unit, seen, &h);
    free(seen);
  }
  TRY(files_hash(&h, miter, err));
  TRY(hash_method(at, m, &h, err));
  hash_end(&h, key);
  snprintf(path, COMPARE_PATH, "%.2000s/compare/proofs", at->build);
  TRY(files_folder(path, err));
  snprintf(path, COMPARE_PATH, "%.2000s/compare/proofs/%.100s-%s", at->build, m->at[unit].name,
           key);
  return 0;
}

/* Reads "VERDICT NUMBER", and lines behind it. */
static int read_verdict(const char *path, struct compare_proof *p, struct tandem_error *err) {
  char *text;
  TRY(files_read(path, &text, NULL, err));
  const size_t first = strcspn(text, "\n");
  p->outcome = PROOF_OPEN;
  for (int i = 0; i < PROOF_OUTCOMES; i++)
    if (strncmp(text, compare_outcomes[i], strlen(compare_outcomes[i])) == 0)
      p->outcome = (enum compare_outcome)i;
  p->cycle = (unsigned)strtoul(text + strcspn(text, " \n"), NULL, 10);
  p->text = strdup(text[first] == '\n' ? text + first + 1 : "");
  free(text);
  return p->text != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

static int prove(const struct compare_places *at, const struct compare_modules *m, size_t unit,
                 void (*starts)(const char *unit), struct compare_proof *p,
                 struct tandem_error *err) {
  char script[COMPARE_PATH], generated[COMPARE_PATH], miter[COMPARE_PATH], path[COMPARE_PATH];
  snprintf(script, sizeof script, "%.3000s/tests/mutation/equal.sh", at->root);
  snprintf(generated, sizeof generated, "%.3000s/generated/csim/ports", m->sides[AFTER].build);
  snprintf(miter, sizeof miter, "%.3800s/%.100s_miter.sv", generated, m->at[unit].name);
  TRY(verdict_path(at, m, unit, miter, path, err));
  if (access(path, R_OK) != 0) {
    const char *const argv[] = {"bash",
                                script,
                                m->sides[BEFORE].root,
                                m->sides[AFTER].root,
                                generated,
                                m->at[unit].name,
                                SECONDS,
                                CYCLES,
                                path,
                                NULL};
    starts(m->at[unit].name);
    if (!process_run(&(struct process){.argv = argv}) || access(path, R_OK) != 0)
      return tandem_fail(err, -EIO, "the proof of %s ended without a verdict", m->at[unit].name);
  }
  return read_verdict(path, p, err);
}

int compare_proofs_make(const struct compare_places *at, const struct compare_modules *m,
                        void (*starts)(const char *unit), struct compare_proofs *p,
                        struct tandem_error *err) {
  static const char *const specified[] = {"csim/ref/*/%s.c", "csim/ref/*/%s.h",
                                          "csim/ports{,/?*}/%s.def"};
  *p = (struct compare_proofs){.at = calloc(m->n + 1, sizeof *p->at)};
  if (p->at == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < m->n; i++) {
    const struct compare_text *t = &m->at[i];
    bool same = t->chosen && !t->asked && t->unit && m->sides[AFTER].failure == NULL;
    for (size_t k = 0; same && k < sizeof specified / sizeof specified[0]; k++)
      same = same_file(m, specified[k], t->name);
    if (!same)
      continue;
    struct compare_proof *to = &p->at[p->n++];
    struct tandem_error why;
    *to = (struct compare_proof){.unit = t->name, .outcome = PROOF_OPEN};
    if (prove(at, m, i, starts, to, &why) != 0 && (to->text = strdup(why.text)) == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
  }
  return 0;
}

void compare_proofs_free(struct compare_proofs *p) {
  for (size_t i = 0; i < p->n; i++)
    free(p->at[i].text);
  free(p->at);
  *p = (struct compare_proofs){.n = 0};
}
