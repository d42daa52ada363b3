/* Which warps wait in loops, where, and for whom. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/sm/spin.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/report/report.h"
#include "harness/gpu/report/spin.h"

enum { WARPS = 48, LOOPS = 3, PLACES = 3, GROUPS = 3, SHOWN = 24 };

/* A loop, or a barrier, and the warps that are there. */
struct spot {
  uint16_t from, to;
  unsigned warps;
  unsigned sm, warp; /* the first */
  struct sm_spin_state state;
};

struct spots {
  struct spot loop[LOOPS], barrier[PLACES];
  unsigned loops, barriers; /* that are known */
  unsigned spinning, waiting, others;
  bool apart; /* lanes of a warp wait for those of it that spin */
};

static void add(struct spot *spots, unsigned *n, unsigned max, const struct spot *s) {
  for (unsigned i = 0; i < *n; i++)
    if (spots[i].from == s->from && spots[i].to == s->to) {
      spots[i].warps++;
      return;
    }
  if (*n < max)
    spots[(*n)++] = *s;
}

static void look(const struct tandem *t, struct spots *s) {
  for (unsigned sm = 0; sm < t->nsms; sm++)
    for (unsigned w = 0; w < WARPS; w++) {
      struct spot at = {.warps = 1, .sm = sm, .warp = w, .state = sm_spin_of(t->sms[sm].sm, w)};
      if (at.state.kind == SM_SPIN_LOOP) {
        at.from = at.state.from;
        at.to = at.state.to;
        s->spinning++;
        s->apart |= at.state.lanes != at.state.alive;
        add(s->loop, &s->loops, LOOPS, &at);
      } else if (at.state.kind == SM_SPIN_BARRIER) {
        at.from = at.to = at.state.bar_pc;
        s->waiting++;
        add(s->barrier, &s->barriers, PLACES, &at);
      }
    }
}

struct text {
  char *at;
  size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(x->at + x->used, x->size - x->used, format, args);
  va_end(args);
  if (n > 0)
    x->used += (size_t)n < x->size - x->used ? (size_t)n : x->size - x->used - 1;
}

/* "lanes 0 to 30", "lane 31", "lanes 5555aaaa". */
static void put_lanes(struct text *x, uint64_t lanes) {
  const unsigned first = (unsigned)__builtin_ctzll(lanes),
                 n = (unsigned)__builtin_popcountll(lanes);
  const uint64_t run = lanes >> first;
  if (n == 1)
    put(x, "lane %u", first);
  else if ((run & (run + 1)) == 0)
    put(x, "lanes %u to %u", first, first + n - 1);
  else
    put(x, "lanes %08" PRIx64, lanes);
}

/* "k.cl:6 (PC 4)" */
static void put_place(struct text *x, const struct tandem *t, uint32_t from, uint32_t to) {
  char place[256];
  if (report_source(t, from, place, sizeof place))
    put(x, "%s (PC%s %u", place, from != to ? "s" : "", from);
  else
    put(x, "PC%s %u", from != to ? "s" : "", from);
  if (from != to)
    put(x, " to %u", to);
  if (*place != '\0')
    put(x, ")");
}

/* The lanes that wait for those that spin.  The check has a wide warp as two. */
static void put_groups(struct text *x, const struct tandem *t, const struct spot *s,
                       unsigned half) {
  struct iss_group group[GROUPS];
  const struct iss *iss = t->sms[s->sm].iss;
  const unsigned warp = s->state.wide ? 2 * s->warp + half : s->warp;
  const bool runs = (uint32_t)(s->state.lanes >> 32 * half) != 0;
  const unsigned n = iss != NULL ? iss_groups(iss, warp, runs, group, GROUPS) : 0;
  for (unsigned i = 0; i < n; i++) {
    put(x, "\n    ");
    put_lanes(x, (uint64_t)group[i].lanes << 32 * half);
    put(x, " of the same warp wait%s for them at ",
        __builtin_popcount(group[i].lanes) == 1 ? "s" : "");
    put_place(x, t, group[i].pc, group[i].pc);
  }
}

static void put_loop(struct text *x, const struct tandem *t, const struct spot *s) {
  const struct warp_place *w = sm_place(t->sms[s->sm].sm, s->warp);
  const unsigned slices = t->config.sm.slices;
  char name[GPU_SM_NAME];
  gpu_sm_name(t, s->sm, name);
  put(x, "\n  ");
  put_lanes(x, s->state.lanes);
  if (slices > 1)
    put(x, " of slice %u", s->warp % slices);
  put(x, " of %s warp %u (CTA %u, %u, %u) spin%s at ", name, s->warp / slices, w->ctaid[0],
      w->ctaid[1], w->ctaid[2], __builtin_popcountll(s->state.lanes) == 1 ? "s" : "");
  put_place(x, t, s->from, s->to);
  if (s->warps > 1)
    put(x, ", and %u more warp%s", s->warps - 1, s->warps > 2 ? "s" : "");
  for (unsigned half = 0; half <= s->state.wide; half++)
    put_groups(x, t, s, half);
}

/* CTAs that run, and those that have not begun. */
static uint64_t resident(const struct tandem *t) {
  uint64_t n = 0;
  for (unsigned i = 0; i < t->config.sms; i++)
    for (unsigned slot = 0; slot < 8; slot++)
      n += sm_cta_resident(t->sms[i].sm, slot);
  return n;
}

static void put_remedy(struct text *x, const struct spots *s, uint64_t later, uint64_t run) {
  put(x, "\n  ");
  if (later != 0)
    put(x, "A CTA begins when another has ended: launch at most %" PRIu64 " CTAs of this size, ",
        run);
  if (later != 0)
    put(x, "or do not wait for CTAs that may not run yet");
  else if (s->apart)
    put(x, "Lanes of a warp run on when those that spin have left the loop: do what the loop waits "
           "for "
           "within the loop, or let one lane of each warp wait (docs/use/toolchain.md)");
  else if (s->waiting != 0)
    put(x, "Warps at a barrier run on when those that spin have reached it: do what the loop waits "
           "for "
           "before the barrier");
  else
    put(x, "No thread is left that could change what they read");
}

/* The sentence that matters. */
static void put_first(struct text *x, const struct tandem *t, const struct spots *s, uint64_t later,
                      uint64_t run) {
  const struct failure *f = &t->end.failure;
  const char *kernel = t->launch.grid.kernel != NULL ? t->launch.grid.kernel->name : "?";
  const bool spin = f->kind == FAIL_SPIN;
  if (spin && later != 0)
    put(x,
        "%" PRIu64 " of %" PRIu64 " CTAs have not begun: none of the %" PRIu64 " that run ends. ",
        later, t->launch.grid.ctas, run);
  if (spin)
    put(x, "Kernel %.200s waits for ever: ", kernel);
  else if (f->kind == FAIL_HANG)
    put(x, "hang: kernel %.200s has made no progress for more than %u cycles (cycle %" PRIu64 ")",
        kernel, t->config.hang_cycles, f->cycle);
  else
    put(x, "kernel %.200s has not ended within %" PRIu64 " cycles (--max-cycles, max_cycles)",
        kernel, t->config.max_cycles);
  if (!spin && later != 0)
    put(x, "; %" PRIu64 " of %" PRIu64 " CTAs have not begun, %" PRIu64 " run", later,
        t->launch.grid.ctas, run);
  if (!spin && s->spinning != 0)
    put(x, "\n  ");
  if (s->spinning != 0)
    put(x, "%u warp%s a loop that changes nothing", s->spinning,
        s->spinning == 1 ? " repeats" : "s repeat");
  if (s->waiting != 0)
    put(x, ", %u wait%s for them at barriers", s->waiting, s->waiting == 1 ? "s" : "");
  if (spin)
    put(x, " (cycle %" PRIu64 ")", f->cycle);
}

void spin_reason(struct tandem *t) {
  const uint64_t run = resident(t), later = t->launch.dispatch.done
                                                ? 0
                                                : t->launch.grid.ctas - t->launch.dispatch.first;
  struct spots s = {0};
  char text[sizeof t->end.reason.text];
  struct text x = {.at = text, .size = sizeof text};
  const char *kernel = t->launch.grid.kernel != NULL ? t->launch.grid.kernel->name : "?";
  snprintf(t->end.failed.where, sizeof t->end.failed.where, "kernel %.70s", kernel);
  look(t, &s);
  put_first(&x, t, &s, later, run);
  for (unsigned i = 0; i < s.loops; i++)
    put_loop(&x, t, &s.loop[i]);
  for (unsigned i = 0; i < s.barriers; i++) {
    put(&x, "\n  %u warp%s at the barrier at ", s.barrier[i].warps,
        s.barrier[i].warps == 1 ? " waits" : "s wait");
    put_place(&x, t, s.barrier[i].from, s.barrier[i].from);
  }
  if (t->end.failure.kind == FAIL_SPIN)
    put_remedy(&x, &s, later, run);
  tandem_fail(&t->end.reason, 0, "%s", text);
}

void spin_print(const struct tandem *t, FILE *out) {
  struct spots s = {0};
  look(t, &s);
  for (unsigned i = 0; i < s.loops; i++) {
    fprintf(out, "\nloop:\n");
    for (uint32_t pc = s.loop[i].from; pc <= s.loop[i].to && pc - s.loop[i].from < SHOWN; pc++) {
      char code[ISA_TEXT], place[256];
      isa_disasm(t->launch.grid.code[pc], code);
      fprintf(out, "  %5u  %s%s%s\n", pc, code,
              report_source(t, pc, place, sizeof place) ? "   // " : "", place);
    }
  }
}
