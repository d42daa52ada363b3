/* Profiles (harness/gpu/results/profile.h) as text, JSON and a page of HTML. */
#ifndef TANDEM_CLI_PROFILE_H
#define TANDEM_CLI_PROFILE_H

#include <stdio.h>

#include "harness/gpu/results/profile.h"

/* A counter of the profile, of a table of csim. */
struct profile_column {
  const char *name, *title, *text;
  size_t at; /* in struct gpu_profile_row */
};
extern const struct profile_column profile_columns[];
extern const size_t profile_ncolumns;
enum { PROFILE_PTX = 256 }; /* bytes of a line of PTX that are shown */
static inline uint64_t profile_value(const struct gpu_profile_row *r, size_t column) {
  return *(const uint64_t *)(const void *)((const char *)r + profile_columns[column].at);
}

/* Slots of all causes but `issued`. */
uint64_t profile_waits(const struct gpu_profile_row *r);

/* Returns whether anything was counted. */
bool profile_counted(const struct gpu_profile_row *r);

/* The sum of all rows of a kernel, also that of no instruction. */
struct gpu_profile_row profile_total(const struct gpu_profile_kernel *k);

/* A source line of a kernel with the sum of its instructions. */
struct profile_line {
  uint32_t place; /* isa_line; 0: not known */
  char name[128]; /* "k.cl:12" */
  char *text;     /* NULL: the file cannot be read */
  struct gpu_profile_row row;
};
struct profile_lines {
  struct profile_line *line; /* by file, then line */
  size_t n;
};
/* Sums by source line, with the lines between them that have no instruction if `all`.  False: out
 * of memory. */
bool profile_lines(const struct gpu_profile_kernel *k, bool all, struct profile_lines *l);
void profile_lines_free(struct profile_lines *l);

/* Write all kernels' profiles; the JSON returns false if it could not be written. */
void profile_text(FILE *out, const struct tandem *t);
bool profile_json(FILE *out, const struct tandem *t);
void profile_html(FILE *out, const struct tandem *t);

#endif
