/* Statistics: what one line of a table (csim/sm/stats.def, csim/mem/stats.def, harness/gpu/
 * run_stats.def, harness/gpu/buddy/statistics.def) says.  The structs of counters, their sums, the
 * text report, the JSON and docs/reference/statistics.md are made from these lines.
 *
 *   STAT_COUNT(field, path, title, unit, text)    a counter; parts of a whole add up
 *   STAT_MOST(field, path, title, unit, text)     a maximum; that of a whole is the largest
 *   STAT_VALUE(path, title, value, unit, text)    computed from counters of *s, the table's struct
 *   STAT_SHARE(path, title, part, whole, text)    part / whole, 0 of nothing; computed likewise
 *   STAT_MEAN(path, title, sum, count, unit, text)
 *
 * `path` is the name in the JSON, with a dot for each object within another, "" for what it does
 * not have; `title` the line of the text report, "" likewise.
 *
 * Who includes a table defines all macros that it uses; the table undefines them at its end.
 */
#ifndef TANDEM_UTIL_STATS_H
#define TANDEM_UTIL_STATS_H

/* Lines that are no field, or of which nothing is to be made. */
#define STAT_NOTHING(...)
/* Fields of a struct of counters. */
#define STAT_FIELD(field, ...) uint64_t field;
/* Adds *from to *to. */
#define STAT_ADD(field, ...) to->field += from->field;
/* Adds to *to what *now has more than *before. */
#define STAT_GROWTH(field, ...) to->field += now->field - before->field;
#define STAT_LARGER(field, ...) to->field = to->field > from->field ? to->field : from->field;

#endif
