/* Reports of a comparison: as text, JSON, and an HTML page. */
#ifndef TANDEM_COMPARE_REPORT_H
#define TANDEM_COMPARE_REPORT_H

#include "harness/compare/area.h"
#include "harness/compare/difference.h"
#include "harness/compare/proofs.h"

/* A limit of --fail-on: by how many % a figure may be worse. */
struct compare_limit {
  char name[16];
  double most, worse; /* %; worse: as found, NAN: there is no figure */
  bool exceeded;
};
enum { COMPARE_LIMITS = 8 };
#define COMPARE_NAMES "cycles, ipc, energy, area, memory, fmax"

struct compare_report {
  const char *suite;
  const struct compare_difference *d;
  const struct compare_modules *modules; /* NULL: their area was not to be compared */
  const struct compare_area *area;       /* of these */
  const struct compare_proofs *proofs;   /* NULL: none were to be made */
  struct compare_limit limits[COMPARE_LIMITS];
  size_t nlimits;
};

/* limits.c: reads "cycles:2%,energy:1%".  -EINVAL: unknown figures, or no percentage. */
int compare_limits_read(struct compare_report *r, const char *text, struct tandem_error *err);
/* Compares the limits with what was found; a figure that is not known exceeds its limit. */
void compare_limits_check(struct compare_report *r);
/* True if no limit is exceeded and both sides were built. */
bool compare_fine(const struct compare_report *r);

/* sections.c: the differences as tables of values before and after. */
struct compare_row {
  const char *name;
  double value[SIDES];
};
struct compare_section {
  const char *title;
  int decimals;
  struct compare_row *rows; /* those that differ */
  size_t n;
  char note[200]; /* a line below it; "": none */
};
enum { COMPARE_SECTIONS = 8 };
struct compare_sections {
  struct compare_section at[COMPARE_SECTIONS];
  size_t n;
};
int compare_sections_make(const struct compare_report *r, struct compare_sections *s,
                          struct tandem_error *err);
void compare_sections_free(struct compare_sections *s);
/* A change as text: "+1.25 %", "=" for none, "-" for one that cannot be computed. */
const char *compare_change_text(double before, double after, char text[32]);

int compare_text(FILE *out, const struct compare_report *r, struct tandem_error *err);
bool compare_json(FILE *out, const struct compare_report *r); /* false: I/O error */
/* One page that needs nothing else.  -ENOENT: there is no gnuplot. */
int compare_page(FILE *out, const struct compare_report *r, struct tandem_error *err);

#endif
