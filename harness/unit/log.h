/* The log of a unit in lockstep, by which its RTL follows its reference (docs/models/lockstep.md).
 *
 * The reference drives the machine.  Each clock edge is logged with its inputs, and with what the
 * reference shows behind it: outputs, and the states that are due.  Whoever has time clocks the RTL
 * through the log and compares each cycle.  One thread writes a log, and one at a time follows. */
#ifndef TANDEM_UNIT_LOG_H
#define TANDEM_UNIT_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct tandem_error;
struct unit;
struct unit_log;

/* Gives a unit a log, which is off, for blocks of so many clock edges.  0 or -ENOMEM. */
int unit_log_open(struct unit *u, unsigned block, struct tandem_error *err);
void unit_log_close(struct unit_log *log); /* NULL allowed */

/* The parts of unit_compare and unit_step_rtl while u->follows.  Outputs before the first edge are
 * compared at once: false if they differ. */
bool unit_log_look(struct unit *u, uint64_t cycle, uint64_t *ticks);
void unit_log_edge(struct unit *u, uint64_t cycle, uint64_t *ticks);

/* Returns true if so many clock edges or more are there to be followed. */
bool unit_log_due(const struct unit *u, unsigned edges);
/* The state of the log after the last edge, for the thread that writes it. */
enum unit_log_level {
  UNIT_LOG_ROOM,
  UNIT_LOG_BLOCK, /* a block has just become complete */
  UNIT_LOG_FULL   /* the next edge has no room: the RTL has to follow first */
};
enum unit_log_level unit_log_level(const struct unit *u);

/* Clocks the RTL through what is logged, unless another thread does: *taken says so.  False, with
 * the reason in u->failure, if something differs or an assertion failed; the rest of the log is
 * dropped then, and what comes later. */
bool unit_follow(struct unit *u, bool *taken, uint64_t *ticks);
/* The same to the last edge, which has shown no outputs yet.  No other thread may follow. */
bool unit_follow_all(struct unit *u, uint64_t *ticks);

#endif
