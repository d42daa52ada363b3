/* The way of each instruction through the pipelines, for a window of cycles, some SMs and some
 * warps.  It is recorded between cycles, from the ports and the state of front ends and from the
 * back ends' records; a run without it does nothing. */
#ifndef TANDEM_GPU_PIPELINE_H
#define TANDEM_GPU_PIPELINE_H

#include <stdio.h>

#include "harness/gpu/core/gpu.h"

struct pipeline;

enum { PIPELINE_MOST = 1 << 18 };
struct pipeline_request {
  uint64_t from, to;     /* cycles of the whole run */
  unsigned __int128 sms; /* bit mask of SMs, or GPU_TRACE_ALL */
  uint64_t warps;        /* bit mask of warps of the front end */
  size_t room;           /* instructions at most; 0: PIPELINE_MOST */
};

/* When a stage began; PIPELINE_NEVER: not in the window. */
#define PIPELINE_NEVER UINT64_MAX
enum { PIPELINE_NONE = -1 };

/* An instruction that issues in the window. */
struct pipeline_inst {
  const struct isa_uop *uop;
  const struct isa_program *program;
  uint64_t fetch, buffer; /* requested by fetch; in the instruction buffer */
  uint64_t issue;
  uint64_t execute; /* collected, and in a pipeline or in the memory side */
  uint64_t end;     /* result written, or no longer in flight */
  uint32_t mask;    /* active lanes; of large warps the lower 32 */
  int32_t producer; /* the instruction for whose result the scoreboard waited last */
  int32_t stall;    /* last stall of its scheduler before the issue */
  uint16_t pc;
  uint8_t sm, warp;
  bool memory; /* it executes in the memory side */
};

/* From `cycle` on the scheduler has this cause; of NONE it issues. */
struct pipeline_stall {
  uint64_t cycle;
  int32_t before; /* the scheduler's last one, PIPELINE_NONE: none */
  uint8_t sm, scheduler, cause;
};

/* Begins to record at the next launch.  0 or a negative errno. */
int pipeline_open(struct tandem *t, const struct pipeline_request *r, struct pipeline **p,
                  struct tandem_error *err);
void pipeline_close(struct pipeline *p); /* NULL allowed */

/* The instructions in the order of their issue: by cycle, SM and port.  *full: there were more. */
const struct pipeline_inst *pipeline_insts(const struct pipeline *p, size_t *n, bool *full);
const struct pipeline_stall *pipeline_stalls(const struct pipeline *p, size_t *n);

/* Returns whether a quarter of the room is left, or less. */
bool pipeline_nearly_full(const struct pipeline *p);
/* Forgets each instruction n with now[n] = PIPELINE_NONE, and all stall causes but the last ones.
 * now[n] of the others becomes their number. */
void pipeline_forget(struct pipeline *p, int32_t *now);

/* Returns a state of a part of a unit, in a view of it (unit_view); NULL: it has none. */
const uint64_t *pipeline_state(const struct unit_type *type, const void *view, const char *instance,
                               const char *state);

/* kanata.c: writes the file of a viewer, Kanata 0004 (docs/use/inside.md).  0 or a negative errno.
 */
int pipeline_kanata(const struct pipeline *p, FILE *out, struct tandem_error *err);

#endif
