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

int spu_viu_make(struct tandem *t, struct isa_program **viu, struct tandem_error *err) {
  char *text = strdup(source);
  if (text == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  leave_out(text, t->config.feature.spu.sync == SPU_SYNC_GLOBAL ? "; point" : "; global");
  const int status = isa_assemble(text, "viu.s", viu, err);
  free(text);
  return status;
}
