/* A suite of runs as its YAML file describes it (docs/use/experiments.md): runs, and tables of
 * their results.  Names and texts are the file's. */
#ifndef TANDEM_EXPERIMENT_SUITE_H
#define TANDEM_EXPERIMENT_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"
#include "csim/util/plot.h"
#include "csim/util/yaml_tree.h"
#include "harness/experiment/names.h"

struct experiment_places;
struct experiment_revision;

enum {
  EXPERIMENT_AXES = 8,
  EXPERIMENT_PAIRS = 32,
  EXPERIMENT_ARGS = 16,
  EXPERIMENT_KEY = 40,
  EXPERIMENT_LAST = 6
};

struct experiment_pair {
  const char *name, *value;
};
struct experiment_pairs {
  struct experiment_pair at[EXPERIMENT_PAIRS];
  size_t n;
};

/* The kinds of runs, by the setting that each is named by. */
enum experiment_kind {
  EXPERIMENT_LAUNCH, /* a simulation */
  EXPERIMENT_RANDOM, /* a random program in lockstep, one for each seed */
  EXPERIMENT_UNIT,   /* the test of a unit */
  EXPERIMENT_MUTANTS,
  EXPERIMENT_FAULT,     /* a seeded fault, which lockstep has to find */
  EXPERIMENT_RANDOM_CL, /* random OpenCL programs beside C, a batch for each seed */
  EXPERIMENT_KINDS
};
extern const char *const experiment_kinds[]; /* their names */
/* Returns true if a kind has a run for each seed. */
bool experiment_has_seeds(int kind);

/* Seeds `first` to `first + count - 1`. */
struct experiment_seeds {
  uint64_t first, count;
};

/* A run that is no simulation of a launch. */
struct experiment_special {
  const char *unit;     /* of a unit's test, or whose mutants */
  uint64_t count, seed; /* of mutants; count: of OpenCL programs of a seed */
  double least;         /* score of mutants, in % */
  const struct gpu_fault *fault;
  struct experiment_seeds seeds; /* of random programs */
};

/* A part of a run's settings; the parts that apply to a run are added up. */
struct experiment_settings {
  int kind; /* of enum experiment_kind; -1: not in this part */
  struct experiment_special special;
  const char *seed;                    /* of a random program; NULL: none */
  const char *because;                 /* the reason why it is expected to fail; NULL: it is not */
  const char *place;                   /* where it is to fail, as reports name it; NULL: anywhere */
  int expects_failure;                 /* -1: not in this part */
  yaml_node_t *launch, *base, *config; /* NULL: not in this part */
  const char *engine;                  /* likewise */
  /* The only launch of a program; `kernel` of a launch description: that of the tables' figures. */
  const char *kernel, *grid, *block;
  const char *args[EXPERIMENT_ARGS]; /* as --arg takes them */
  size_t nargs;                      /* 0: not in this part */
  double timeout_s;                  /* 0: not in this part */
  uint64_t memory_most;              /* bytes; 0: not in this part */
  struct experiment_pairs params, set;
};

struct experiment_value {
  const char *name;
  const yaml_node_t *at; /* for messages */
  struct experiment_settings settings;
};
/* An axis of the matrix.  The first one, "run", has the entries of `runs:`. */
struct experiment_axis {
  const char *name;
  struct experiment_value *values;
  size_t n;
  struct name *names; /* of the values, sorted */
};

struct experiment_run {
  char *name;                                         /* its values of the axes, as "vecadd/16" */
  const struct experiment_value *at[EXPERIMENT_AXES]; /* NULL: it is not on the axis */
  const yaml_node_t *from;                            /* the part of the suite that makes it */
  struct experiment_settings settings;
  bool program;             /* the launch is a program, not a launch description */
  char *launch, *config;    /* paths; config NULL: none */
  char *base;               /* name of a GPU, or path of its description; NULL: none */
  char key[EXPERIMENT_KEY]; /* of all that determines its result; "": not computed yet */
  size_t result;            /* the first run that has the same key, and so the same result */
  const struct experiment_places *places; /* of its program; NULL: those of the request */
};

enum experiment_form {
  EXPERIMENT_NUMBER,
  EXPERIMENT_RATIO,   /* of the value to that of the other run */
  EXPERIMENT_SPEEDUP, /* the other way round */
  EXPERIMENT_PERCENT,
  EXPERIMENT_CHANGE
};
enum experiment_mean {
  EXPERIMENT_ARITHMETIC,
  EXPERIMENT_GEOMETRIC,
  EXPERIMENT_DEVIATION, /* of the values from the published figures */
  EXPERIMENT_LARGEST,   /* not a mean: the largest value */
  EXPERIMENT_ABOVE      /* nor this: the number of values above a limit */
};
/* A row below those of a table. */
struct experiment_last {
  enum experiment_mean kind;
  double limit;          /* of EXPERIMENT_ABOVE */
  const char *name;      /* in the table */
  const char *published; /* the key of its published figures; NULL: it has none */
};

struct experiment_column {
  const char *title, *value; /* value: an expression over a run's JSON */
  const char *name;          /* in expressions of later columns; NULL: none */
  const char *condition;     /* an expression; not above 0: the cell is empty; NULL: none */
  yaml_node_t *least;        /* names of columns, in the place of value; NULL: none */
  yaml_node_t *at;           /* for messages */
  yaml_node_t *where, *of;   /* which runs; which run a value is divided by; NULL: none */
  const struct experiment_value *only; /* of the axis of columns; NULL: there is no such axis */
  bool pair;                           /* the expression is over both runs: not divided */
  enum experiment_form form;
  int decimals;           /* -1: by the form */
  bool quotient;          /* the difference from a published figure is shown as a quotient */
  yaml_node_t *published; /* by row, numbers or lists of two; NULL: none */
  const char *source;     /* of the published figures; NULL: none */
};

/* A series of points: of each row the value of one column against that of another. */
struct experiment_points {
  const char *title;
  size_t x, y; /* columns */
};

struct experiment_table {
  const char *title, *text; /* text: "" if none */
  char *made;               /* the title, of a table that is there once for each control */
  size_t rows, across;      /* axes; across EXPERIMENT_AXES: the columns are listed */
  bool kernels;             /* a row for each kernel of a row's runs */
  yaml_node_t *where;
  yaml_node_t *against; /* `of` of columns that have none of their own; NULL: none */
  struct experiment_column *columns;
  size_t ncolumns;
  struct experiment_last last[EXPERIMENT_LAST];
  size_t nlast;
  struct {
    bool wanted, log_x, log_y;
    enum plot_kind kind;
    const char *x, *y;                /* labels */
    struct experiment_points *points; /* series of points; NULL: other kinds */
    size_t npoints;
    bool front; /* a line through the points that no other one is better than */
  } plot;
};

struct experiment_suite {
  struct yaml_file file;
  char *name, *folder;           /* of the file, without ".yaml"; with its slash */
  char (*seeds)[24];             /* names of the values of the axis "seed" */
  struct experiment_seeds fresh; /* more of each entry with random programs; count 0: none */
  const char *title, *text;
  struct experiment_axis axes[EXPERIMENT_AXES];
  size_t naxes;
  struct experiment_run *runs;
  size_t nruns;
  const struct experiment_run **order; /* the runs, sorted by their values */
  yaml_node_t *columns;                /* list of paths, or "all"; NULL: none */
  struct experiment_table *tables;
  size_t ntables;
};

/* Reads a suite.  fresh: more seeds of each entry with random programs, NULL: none.  0 or a
 * negative errno; after an error *s is empty.  Errors name file and line. */
int experiment_open(struct experiment_suite *s, const char *path,
                    const struct experiment_seeds *fresh, struct tandem_error *err);
void experiment_close(struct experiment_suite *s);

/* All runs are to have this engine, whatever the suite says, but those with a value of an axis that
 * names one: there is no other for them. */
int experiment_engine(struct experiment_suite *s, const char *engine, struct tandem_error *err);

/* Where programs of runs are. */
struct experiment_places {
  const char *program; /* the executable of tandem */
  const char *root,
      *build;  /* the sources; the folder with tests, which `./tandem regress` builds */
  bool others; /* the program was built of other sources, and is to take these */
  const struct experiment_revision *revision; /* of the sources; NULL: that of the call */
};

/* Computes the keys of the runs, and so reads their launch descriptions and programs.  hardware: a
 * key of the RTL that is run (models_hardware).  chosen: of each run; others may lack what they
 * need, and then have no result.  NULL: all are. */
int experiment_keys(struct experiment_suite *s, const struct experiment_places *places,
                    const char *hardware, const bool *chosen, struct tandem_error *err);
/* Runs with equal keys have one result: that of the first of them. */
int experiment_equal_runs(struct experiment_suite *s, struct tandem_error *err);

/* The run that has the same value, or none, of each axis; NULL: there is none. */
const struct experiment_run *experiment_run_at(const struct experiment_suite *s,
                                               const struct experiment_run *wanted);

/* Returns true if a selection has the run.  A selection is a mapping from axes to a value or a list
 * of values; NULL selects all. */
bool experiment_selects(struct experiment_suite *s, yaml_node_t *selection,
                        const struct experiment_run *run);

#endif
