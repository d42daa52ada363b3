/* Verilated models as shared objects: made when they are first needed, kept in a cache, loaded.
 *
 * A model's file is named by what it is and by a key of all that it is made of: the text of the RTL
 * that it reads, parameters, options, Verilator, the compiler, the shim and the ports tables.  So a
 * file is never wrong, only unused, and any number of processes and versions share one cache:
 *
 *   $XDG_CACHE_HOME/tandem, else ~/.cache/tandem
 *     sm_frontend.WarpSize=32.plain.0123456789abcdef0123456789abcdef.so
 *
 * Making a model takes seconds and needs Verilator, a C++ compiler and Tandem's sources. */
#ifndef TANDEM_SHIM_MODELS_H
#define TANDEM_SHIM_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "csim/util/error.h"
#include "harness/shim/rtl.h"

/* The kind says what is added to a unit's text.  A plain and a full model have the same text and
 * options otherwise (a test compares them). */
enum rtl_kind {
  RTL_PLAIN,   /* nothing: it is the fastest */
  RTL_FULL,    /* traces, assertions, seeded faults, checks */
  RTL_CHECKED, /* assertions and faults: of a unit by itself, for its test */
  RTL_COVERED, /* assertions, and counts of what is covered (docs/models/coverage.md) */
  RTL_NETLIST, /* the unit as yosys synthesises it, or as `files` has it */
  RTL_MUTANTS, /* a netlist with mutants (docs/models/mutation.md), in `files` */
  RTL_KINDS
};
extern const char *const rtl_kind_names[RTL_KINDS];

/* A model that is wanted. */
struct rtl_spec {
  const char *unit;       /* top module */
  const char *parameters; /* "Members=4 Hop=1 Entries=1"; NULL or "": as the RTL has them */
  enum rtl_kind kind;
  /* A folder whose files <module>.sv, and those of the folders in it, take the place of those of
   * rtl/; NULL: none.  Verilator's warnings about them are shown, and its boundary is checked. */
  const char *rtl;
  /* NULL-ended, NULL: none.  A netlist has its Verilog files here, with Verilator's configuration
   * (.vlt) and definitions for the shim (.h); a covered model has the files of its cover points. */
  const char *const *files;
};

/* The models of n specs, made if they are not in the cache, side by side; each is loaded once and
 * stays.  0 or a negative errno, and err says which tool is missing, what Verilator or the compiler
 * say, why the cache cannot be used, which port is not that of the ports table, or from which input
 * a combinational path leads to which output. */
int models_get_all(const struct rtl_spec *specs, size_t n, const struct rtl_type **types,
                   struct tandem_error *err);
/* The model of one spec; NULL: err has the reason. */
const struct rtl_type *models_get(const struct rtl_spec *s, struct tandem_error *err);

/* Where Tandem's sources are; models that it is shipped with, NULL: none.  Both are copied. Without
 * a call: TANDEM_ROOT in the environment, else the folder of the build; none. */
void models_places(const char *root, const char *shipped);

/* A listener gets a line when something takes long (a model is made, or another process makes it),
 * NULL when that is done, and warnings, which are whole texts.  Both come from any thread, one at a
 * time.  The default is no listener, as NULL is. */
struct models_listener {
  void (*progress)(const char *line);
  void (*warning)(const char *text);
};
void models_listen(const struct models_listener *l);

/* The files of the folder `rtl` that no model has read that was got with it, without unchanged
 * copies of Tandem's: the number, the paths in *names, separated by commas, to be freed. */
size_t models_unread(const char *rtl, char **names);

/* The tools that make a model. */
enum model_stage { MODEL_YOSYS, MODEL_VERILATOR, MODEL_COMPILER, MODEL_LINKER, MODEL_STAGES };

/* A file of the cache. */
struct model_file {
  const char *name; /* "sm_frontend.WarpSize=32.plain" */
  const char *path;
  uint64_t bytes;
  time_t used;                  /* last */
  double seconds[MODEL_STAGES]; /* of processor time that making it took */
};
/* Calls each(f, user) for every model of the cache, by name; the cache's folder in *folder unless
 * NULL, to be freed.  0 or a negative errno. */
int models_list(void (*each)(const struct model_file *f, void *user), void *user, char **folder,
                struct tandem_error *err);
/* Removes models that were not used for `seconds`, and what killed processes have left; *files and
 * *bytes get how many.  0 or a negative errno. */
int models_prune(uint64_t seconds, unsigned *files, uint64_t *bytes, struct tandem_error *err);

/* A key of all that models are made of, whatever they are: the RTL, the shim, the ports tables, and
 * the versions of Verilator and the compiler; key[33]; "" for a program that has no sources.  0 or
 * a negative errno. */
int models_hardware(char key[33], struct tandem_error *err);

/* Makes the models of n specs, and what they need, into a folder: shared objects under names that
 * do not depend on this machine's tools, to be shipped (models_places); or objects model<n>.o and a
 * C file `linked`, a table of them (linked.h).  0 or a negative errno. */
int models_ship(const struct rtl_spec *specs, size_t n, const char *folder, bool objects,
                struct tandem_error *err);

#endif
