/* OpenCL C made smaller by cvise, which asks `tandem shrink --as PLACE` about each text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "csim/util/shell.h"
#include "harness/shrink/cvise.h"
#include "harness/shrink/passes.h"

enum { PATH = 4200 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The question that cvise asks, as a script: its folder has the text alone. */
static int write_test(const struct judge *j, const char *folder, struct tandem_error *err) {
  char place[200], path[PATH], *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  regress_place_text(&j->wanted, place, sizeof place);
  fputs("#!/bin/sh\nln -s ", out);
  shell_word(out, folder);
  fprintf(out, "/rest/* . || exit 1\nexec ");
  shell_word(out, j->program);
  fputs(" shrink " SHRINK_LAUNCH " --as=", out);
  shell_word(out, place);
  fprintf(out, " --as-alone=%s --run-time=%.0fs", j->alone, j->run_s + 1);
  if (j->max_cycles != 0)
    fprintf(out, " --max-cycles=%" PRIu64, j->max_cycles);
  for (size_t i = 0; j->words[i] != NULL; i++) {
    fputc(' ', out);
    shell_word(out, j->words[i]);
  }
  fputs(" >/dev/null 2>&1\n", out);
  snprintf(path, sizeof path, "%.4000s/test.sh", folder);
  int status = fclose(out) == 0 ? files_write(path, text, size, err)
                                : tandem_fail(err, -ENOMEM, "out of memory");
  free(text);
  if (status == 0 && chmod(path, 0755) != 0)
    status = tandem_fail(err, -errno, "%s: %s", path, strerror(errno));
  return status;
}

static bool is_late(void *user) { return judge_late(user); }

/* The file of the text beside the rest of the case's files, in a folder of their own. */
static int lay_out(const struct judge *j, const char *folder, struct tandem_error *err) {
  char rest[PATH], from[2 * PATH], to[2 * PATH];
  snprintf(rest, sizeof rest, "%.4000s/rest", folder);
  TRY(files_folder(rest, err));
  TRY(case_write(&j->best, rest, "", err));
  snprintf(from, sizeof from, "%s/%s", rest, j->best.source_name);
  snprintf(to, sizeof to, "%s/%s", folder, j->best.source_name);
  if (rename(from, to) != 0)
    return tandem_fail(err, -errno, "%s: %s", to, strerror(errno));
  return write_test(j, folder, err);
}

static bool with_text(void *user, size_t i, void *to) {
  const struct shrink_case *base = user;
  (void)i;
  return case_copy(to, base);
}

void pass_source(struct judge *j) {
  const struct tries t = judge_tries(j);
  struct tandem_error err;
  struct shrink_case c;
  char *folder = NULL, path[2 * PATH], *text = NULL;
  size_t size;
  if (j->best.source == NULL || judge_late(j) || scratch_folder(NULL, &folder) != 0)
    return;
  if (lay_out(j, folder, &err) == 0 && case_copy(&c, &j->best)) {
    const struct cvise run = {folder, c.source_name, j->slots, 3 * j->run_s, false, is_late, j};
    (void)cvise_run(&run);
    snprintf(path, sizeof path, "%s/%s", folder, c.source_name);
    if (files_read(path, &text, &size, &err) == 0 && strlen(text) < strlen(c.source)) {
      free(c.source);
      c.source = text;
      text = NULL;
      j->until = j->until > 0 && now() > j->until ? now() + 1 : j->until;
      (void)t.first(t.self, 1, with_text, &c);
    }
    free(text);
    case_free(&c);
  }
  scratch_drop(folder);
}
