/* How a model is made: Verilator's options, the shim's definitions, the compiler's flags. */
#ifndef TANDEM_MODELS_RECIPE_H
#define TANDEM_MODELS_RECIPE_H

#include <stdbool.h>

#include "harness/shim/models/models.h"
#include "harness/shim/models/words.h"

/* Verilator's own library, in the parts that a model may need, each a shared object of its own. */
enum recipe_support {
  SUPPORT_RUNTIME,  /* every model */
  SUPPORT_TRACING,  /* full ones: waveforms, and the registers of what loses its power */
  SUPPORT_COVERAGE, /* those that are covered */
  SUPPORTS
};

/* Flags with which many models are compiled, small ones and what runs once: the headers of all
 * units (harness/shim/headers.h) are compiled with them beforehand, half of the time of a small
 * model. */
enum recipe_headers { HEADERS_CHECKED, HEADERS_SLOW, HEADERS };

struct recipe {
  const struct rtl_spec *spec;
  char name[160];           /* "sm_frontend.WarpSize=32.plain" */
  struct words options;     /* Verilator's, without files */
  struct words vlt;         /* its configuration, below rtl/ */
  struct words definitions; /* the shim's */
  char shim[80];            /* C++ that the model is compiled with, below the root */
  char fast[80], slow[40];  /* flags of what runs in each cycle, with the shim, and of the rest */
  bool whole;               /* of one translation unit */
  bool needs[SUPPORTS];
};

/* 0 or -EINVAL: there is no such unit, or its parameters are none. */
int recipe_of(const struct rtl_spec *s, struct recipe *r, struct tandem_error *err);
void recipe_free(struct recipe *r);

/* A parameter's value in "Name=value Name=value", `otherwise` if it has none. */
unsigned recipe_parameter(const char *parameters, const char *name, unsigned otherwise);

/* Flags of every file that is compiled. */
void recipe_compile(struct words *w);

/* A file of which a support is made: Verilator's own, below its include folder, or one of the
 * shim's, below harness/shim. */
struct support_source {
  const char *file;
  bool shim;
  const char *flags;
};
extern const char *const headers_names[HEADERS], *const headers_flags[HEADERS];
extern const char *const support_names[SUPPORTS];
extern const struct support_source support_sources[SUPPORTS][5]; /* a file of NULL ends each */

#endif
