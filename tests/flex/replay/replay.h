/* A replay: what the C models of collectors and caches do in a run is done again by the units
 * flex_map, flex_tags and flex_dispatch, RTL and reference, and each must do as the model did.
 *
 * watch.c sees the models: the linker gives it their functions (--wrap), so that the models have
 * nothing for it.  units.c has the units.  A difference fails the test. */
#ifndef TANDEM_TESTS_FLEX_REPLAY_H
#define TANDEM_TESTS_FLEX_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

enum { REPLAY_SMS = 6, REPLAY_PIPES = 3, REPLAY_OWN_PLANES = 3 };

/* The role of an SM in the run's scheme. */
struct replay_role {
  int lender;         /* -1: it borrows nothing */
  unsigned requester; /* at its lender: 1 left, 2 right */
  bool upper;         /* it has bank 1 of it alone */
  unsigned owner;     /* of its own banks, 2 bits each: 0 itself, 1 left, 2 right */
};

struct replay_run {
  unsigned scheme; /* as the port `mode` */
  unsigned stages, link;
  struct replay_role role[REPLAY_SMS];
};

/* How often the models did something, in all SMs. */
struct replay_counts {
  uint64_t operands[2], results[2]; /* registers read and written, by side */
  uint64_t words[2];                /* of shared memory, by side */
  uint64_t hits[2], misses, drops;  /* of L1D, by side */
  uint64_t fills[2];
  uint64_t dispatched[2]; /* instructions by side */
  uint64_t crossings;     /* cycles of links beyond the first of an instruction */
};
extern struct replay_counts replay_counts;

/* watch.c: watches the SMs of the next run. */
void watch_begin(const struct replay_run *run);

/* ---- units.c ---- */

/* Makes the units of a run's SMs, or ends them. */
void units_begin(const struct replay_run *run);
void units_end(void);

struct replay_place {
  unsigned side, bank, row, way;
};

/* The places that flex_map gives. */
struct replay_place units_register(unsigned sm, unsigned warp, unsigned reg);
struct replay_place units_word(unsigned sm, uint32_t address);
struct replay_place units_line(unsigned sm, unsigned set, unsigned way);

/* A lookup of a line in the tags of an SM and of its lender, where the model has the line in this
 * way, -1: nowhere. */
void units_look_up(unsigned sm, uint32_t line, int way);
/* The model puts a line into a way, or empties it; it empties all ways. */
void units_write(unsigned sm, uint32_t line, unsigned way, bool keep);
void units_flush(unsigned sm);

/* The model dispatches an instruction in a cycle, of a side; its pipeline starts in cycle `out`. */
struct replay_dispatch {
  unsigned side, planes, id;
  uint64_t cycle, out;
};
void units_dispatch(unsigned sm, unsigned pipe, const struct replay_dispatch *d);

#endif
