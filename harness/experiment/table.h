/* The cells of a suite's tables, from the results of its runs. */
#ifndef TANDEM_EXPERIMENT_TABLE_H
#define TANDEM_EXPERIMENT_TABLE_H

#include <jansson.h>

#include "csim/util/expression.h"
#include "harness/experiment/suite.h"

/* A result of a run of the suite. */
struct experiment_result {
  char *status; /* "ok", "failed", "timeout", "memory"; NULL: it has not been run */
  double wall_s;
  char *error;    /* what it wrote to standard error; NULL: none */
  json_t *json;   /* NULL: none */
  int64_t number; /* of the attempt in the database */
  int signal;     /* that ended it; 0: none did */
  char *command;
};

struct experiment_cell {
  double value, published; /* NAN: none */
  double upto;             /* a published range: from published up to this; NAN: no range */
  double deviation;        /* in a last row: of the column, in %; NAN: none */
  const char *name; /* the title of the column that has the value; NULL: it is shown itself */
  bool count;       /* value and published are numbers of rows */
};

/* A table's cells: nrows rows and the last rows of the suite's table, of as many cells as that has
 * columns. */
struct experiment_cells {
  char **rows;  /* their names */
  size_t nrows; /* without the last ones */
  struct experiment_cell *cells;
};

/* Results whose numbers an expression names (value.c): of a run or of one of its kernels, of the
 * other one behind "of.", of the whole run what a kernel does not have, as sms, and behind "row."
 * cells of the row. */
struct experiment_values {
  const json_t *run, *of; /* of NULL: names of it are unknown */
  const json_t *whole;
  const struct experiment_column *columns; /* of the cells to the left, with these */
  const struct experiment_cell *cells;
  size_t n;
};
/* The index of a column by its name, among the first n; n: there is none. */
size_t experiment_named(const struct experiment_column *columns, size_t n, const char *name);
/* Checks that a result has a number or text at a path; the error names the paths that it has. */
int experiment_check_path(const json_t *run, const char *path, struct tandem_error *err);
/* A name's value, as struct expression_names has it; user: struct experiment_values. */
int experiment_value_of(void *user, const char *text, union expression_value *v,
                        struct tandem_error *err);

/* A table that is computed, or whose cells are looked at (cell_runs.c).  Once status is not 0, its
 * functions do nothing. */
struct table_context {
  struct experiment_suite *s;
  const struct experiment_table *t;
  const struct experiment_result *results; /* of each run */
  struct experiment_cells *cells;
  struct tandem_error *err;
  int status;
  /* Filled by table_begin: the runs by row, and by column if these are an axis, and where those of
   * each such place begin. */
  const struct experiment_run **runs;
  size_t *first;
};
void table_begin(struct table_context *x);
int table_end(struct table_context *x); /* returns the status */

/* The run of a cell, and the one that its value is divided by; NULL: there is none.  Several runs
 * are an error. */
struct table_cell {
  const struct experiment_run *run, *of;
};
struct table_cell table_cell(struct table_context *x, size_t row,
                             const struct experiment_column *c);
/* The runs that may be in a cell: all that are in its row and its column's value of an axis. */
const struct experiment_run *const *table_place(const struct table_context *x, size_t row,
                                                const struct experiment_column *c, size_t *n);
/* Returns true if one of these is in the cell. */
bool table_has(const struct table_context *x, const struct experiment_column *c,
               const struct experiment_run *run);

/* Computes a table; results: of each run.  A figure that a finished run does not have is an error
 * that names file, line and run.  The caller frees the cells, also after an error. */
int experiment_compute(struct experiment_suite *s, const struct experiment_table *t,
                       const struct experiment_result *results, struct experiment_cells *cells,
                       struct tandem_error *err);
void experiment_cells_free(struct experiment_cells *cells);

/* Reads the published figures of a cell of the row with that name (published.c); NAN: there are
 * none. */
void experiment_published(struct table_context *x, const struct experiment_column *c,
                          const char *row, struct experiment_cell *cell);

/* The head of the column that compares with published figures. */
const char *experiment_compared(const struct experiment_column *c);

/* The number of all rows of a table, with the last ones, and the name of one. */
size_t experiment_rows(const struct experiment_table *t, const struct experiment_cells *cells);
const char *experiment_row(const struct experiment_table *t, const struct experiment_cells *cells,
                           size_t row);

/* Returns true if a column has published figures, of another source than those before it. */
bool experiment_new_source(const struct experiment_table *t, size_t column);

/* A value, a cell's value or name, the published figure, and its difference from that, as text:
 * percent and change with their sign and unit, the difference of these in points; from a range the
 * difference from its nearest end, or "within". */
enum { EXPERIMENT_CELL = 48 };
void experiment_print(const struct experiment_column *c, double value, char text[EXPERIMENT_CELL]);
/* The column as which a cell is printed: a number of rows has no unit. */
const struct experiment_column *experiment_printed_as(const struct experiment_column *c,
                                                      const struct experiment_cell *cell);
void experiment_print_cell(const struct experiment_column *c, const struct experiment_cell *cell,
                           char text[EXPERIMENT_CELL]);
void experiment_print_published(const struct experiment_column *c,
                                const struct experiment_cell *cell, char text[EXPERIMENT_CELL]);
void experiment_print_difference(const struct experiment_column *c,
                                 const struct experiment_cell *cell, char text[EXPERIMENT_CELL]);

#endif
