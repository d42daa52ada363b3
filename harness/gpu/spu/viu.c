/* The program of virtual interface units: viu.s, which the build embeds. */
#include "harness/gpu/spu/viu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"

static const char source[] =
#include "harness/gpu/spu/viu.s.h"
    ;

/* Makes comments of the lines with a mark. */
static void leave_out(char *text, const char *mark) {
  for (char *at = text; (at = strstr(at, mark)) != NULL; at++) {
    char *line = at;
    while (line > text && line[-1] != '\n')
      line--;
    *line = ';';
  }
}

/* Makes one kernel of the text: without the lines of the other, with labels of its own. */
static void make_kernel(char *text, const char *other, char label) {
  leave_out(text, other);
  for (char *at = text; (at = strpbrk(at, ";?")) != NULL; at++)
    if (*at == '?')
      *at = label;
    else
      at += strcspn(at, "\n") - 1;
}

/* Lines of the second kernel are those of the first. */
static void lines_of_file(struct isa_program *viu) {
  uint32_t n = 0;
  for (const char *p = source; *p != '\0'; p++)
    n += *p == '\n';
  for (uint32_t pc = isa_program_kernel(viu, "restore")->entry; pc < viu->ncode; pc++)
    viu->lines[pc] -= n;
}

int spu_viu_make(struct tandem *t, struct isa_program **viu, struct tandem_error *err) {
  const size_t n = sizeof source - 1;
  char *text = malloc(2 * n + 1);
  if (text == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  memcpy(text, source, n + 1);
  make_kernel(text, "; restore", 's');
  memcpy(text + n, source, n + 1);
  make_kernel(text + n, "; spill", 'r');
  leave_out(text, t->config.feature.spu.sync == SPU_SYNC_GLOBAL ? "; point" : "; global");
  const int status = isa_assemble(text, "viu.s", viu, err);
  free(text);
  if (status == 0)
    lines_of_file(*viu);
  return status;
}
