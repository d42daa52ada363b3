/* Launch descriptions, with a program at hand; nothing is run.  Buffers of millions of elements
 * take their time: numbers of more than five digits are left out.  A GPU serves many inputs: the
 * sanitizer takes 10 ms for the address space that one reserves.  The description is a file in
 * memory: a disk would take longer than all else. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/gpu/config.h"
#include "tests/fuzz/fuzz.h"

static const char program[] =
    ".source \"k.s\"\n.kernel \"k\"\n.regs 4\n.shared 0\n.local 0\n"
    ".param \"a\", 4, align 4, at 0, ptr global\n.param \"n\", 4, align 4, at 4\n"
    ".params 8\n  exit\n.end\n";

static void put(const char *name, const char *text, size_t n) {
  FILE *f = fopen(name, "w");
  if (f == NULL || fwrite(text, 1, n, f) != n || fclose(f) != 0)
    fuzz_differ("no file");
}

static bool is_large(const char *text) {
  unsigned digits = 0;
  for (; *text != '\0' && digits < 6; text++)
    digits = isxdigit((unsigned char)*text) || strchr("_*=", *text) != NULL ? digits + 1 : 0;
  return digits == 6;
}

/* The GPU, a new one after some inputs: their programs and buffers stay in it. */
static struct tandem *gpu(const struct tandem_config *c) {
  enum { INPUTS = 500 };
  static struct tandem *t;
  static unsigned left;
  struct tandem_error err;
  if (left-- != 0)
    return t;
  left = INPUTS - 1;
  tandem_close(t);
  if (tandem_open(c, &t, &err) != TANDEM_OK)
    fuzz_differ(err.text);
  return t;
}

void fuzz_one(const char *text, size_t n) {
  static char folder[] = "/tmp/tandem-fuzz-XXXXXX";
  static struct tandem_config *c;
  struct tandem_job *job;
  struct tandem_error err;
  if (is_large(text) || strstr(text, ".cl") != NULL)
    return;
  if (c == NULL) {
    if ((c = tandem_config_create()) == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0)
      fuzz_differ("no folder");
    put("k.s", program, strlen(program));
    if (symlink(fuzz_file(text, n), "x.yaml") != 0)
      fuzz_differ("no file");
    (void)tandem_config_set(c, "run.engine", "ref", NULL);
    (void)tandem_config_set(c, "sms", "1", NULL);
    (void)tandem_config_set(c, "run.threads", "1", NULL);
  }
  (void)fuzz_file(text, n);
  if (tandem_job_open(gpu(c), "x.yaml", &job, &err) == TANDEM_OK)
    tandem_job_close(job);
}
