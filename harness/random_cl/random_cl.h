/* Random OpenCL programs beside plain C that computes the same (docs/use/random_cl.md). */
#ifndef TANDEM_RANDOM_CL_H
#define TANDEM_RANDOM_CL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/util/error.h"

struct program;

/* The program of a seed and an index; the same on every machine.  size: statements of its kernel.
 * NULL: out of memory. */
struct program *random_cl_make(uint64_t seed, uint64_t index, unsigned size);
void random_cl_free(struct program *p); /* NULL allowed */
/* Returns true if programs have an operation of this name (ops.def). */
bool random_cl_has(const char *operation);
/* Number of its parts, any of which can be left out. */
size_t random_cl_parts(const struct program *p);

struct random_cl_request {
  const char *program, *engine; /* the executable of tandem; the engine of runs */
  uint64_t seed, first, count;  /* programs `first` to `first + count - 1` of the seed */
  unsigned size;
  const char *broken; /* an operation that the C computes wrong on purpose; NULL: none */
  const char *folder; /* for programs that differ */
  const char *parts;  /* a file with the numbers of the parts that are kept; NULL: all */
  bool shrink;        /* programs that differ become small, each within shrink_s seconds */
  double shrink_s;
  const volatile sig_atomic_t *stop; /* not 0: ends; NULL: never */
  void (*on_progress)(void *user, uint64_t done, uint64_t different);
  void *user;
};

/* How one program that differs does so. */
struct random_cl_difference {
  uint64_t index;
  bool refused;         /* it could not be compiled or run */
  char text[1024];      /* the first lines of the reason */
  size_t before, after; /* parts; equal unless it was made small */
};

struct random_cl_result {
  uint64_t done;
  struct random_cl_difference *different; /* for the caller to free */
  size_t n;
};

/* Runs programs and compares them with C by gcc.  0, also if some differ, or a negative errno. */
int random_cl_run(const struct random_cl_request *q, struct random_cl_result *r,
                  struct tandem_error *err);

#endif
