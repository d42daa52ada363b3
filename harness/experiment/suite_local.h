/* The steps of experiment_open, each with its file. */
#ifndef TANDEM_EXPERIMENT_SUITE_LOCAL_H
#define TANDEM_EXPERIMENT_SUITE_LOCAL_H

#include "harness/experiment/suite.h"

/* A suite that is read (suite_reader.c).  Once status is not 0, all that reads it does nothing. */
struct suite_reader {
  struct experiment_suite *s;
  struct tandem_error *err;
  int status;
};

/* An error of the suite, if it is the first. */
void suite_fail(struct suite_reader *r, const yaml_node_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* n elements of zeros; after an error NULL. */
void *suite_room(struct suite_reader *r, size_t n, size_t bytes);

/* A mapping of known keys; the value of one, NULL: there is none, or after an error. */
void suite_keys(struct suite_reader *r, yaml_node_t *map, const char *what,
                const char *const *known);
yaml_node_t *suite_get(struct suite_reader *r, yaml_node_t *map, const char *key);
/* A text; after an error "". */
const char *suite_word(struct suite_reader *r, yaml_node_t *node, const char *what);
/* The text of a key; *text stays if there is none. */
void suite_text(struct suite_reader *r, yaml_node_t *map, const char *key, const char **text);
/* The index of a key's text among names; 0 if there is none. */
unsigned suite_choice(struct suite_reader *r, yaml_node_t *map, const char *key,
                      const char *const *names);
double suite_real(struct suite_reader *r, yaml_node_t *node, const char *what);
/* The number of a list's items; 0 if there is no list, or after an error. */
size_t suite_count(struct suite_reader *r, yaml_node_t *list, const char *what);
/* A new axis with room for n values, and a value of it; end: all are there, each name once. */
struct experiment_axis *suite_add_axis(struct suite_reader *r, const char *name, size_t n);
struct experiment_value *suite_add_value(struct suite_reader *r, struct experiment_axis *axis,
                                         const yaml_node_t *at, const char *name);
void suite_end_axis(struct suite_reader *r, struct experiment_axis *axis);
/* An axis by the name that a node has; 0 after an error. */
size_t suite_axis(struct suite_reader *r, yaml_node_t *node, const char *what);
/* Values of axes; node NULL is one of all. */
yaml_node_t *suite_selection(struct suite_reader *r, yaml_node_t *node);

/* Index of an axis; EXPERIMENT_AXES: there is none. */
size_t experiment_axis(const struct experiment_suite *s, const char *name);
/* suite_kinds.c: the settings that are no simulation's, and what is expected of any run.  Seeds may
 * be named by an entry of `runs:` alone. */
extern const char *const experiment_kind_keys[]; /* NULL-terminated */
void experiment_read_kind(struct suite_reader *r, yaml_node_t *map, struct experiment_settings *to);
/* Makes the axis "seed" if an entry has random programs. */
void experiment_read_seeds(struct suite_reader *r);
/* Returns true if an entry has random programs of this seed. */
bool experiment_has_seed(const struct experiment_suite *s, const struct experiment_value *entry,
                         const char *seed);
/* suite_settings.c: those of a mapping, which may have other keys too. */
extern const char *const experiment_setting_keys[]; /* NULL-terminated */
enum { SETTING_KEYS = 64 };                         /* settings, axes and other keys of a mapping */
void experiment_settings(struct suite_reader *r, yaml_node_t *map, struct experiment_settings *to);
void experiment_add(struct experiment_settings *to, const struct experiment_settings *part);
/* suite_runs.c: all runs of the axes, with include and exclude. */
void experiment_make_runs(struct suite_reader *r, const struct experiment_settings *defaults);
/* Checks names of axes with their values; more: other keys that may be there, NULL-terminated. */
void experiment_check_names(struct suite_reader *r, yaml_node_t *map, const char *const *more);
/* suite_tables.c */
void experiment_read_tables(struct suite_reader *r, yaml_node_t *list);
/* published.c: whether published figures of a column of the table can be used. */
void experiment_check_published(struct suite_reader *r, const struct experiment_table *t,
                                yaml_node_t *map);

#endif
