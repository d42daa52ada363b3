/* The steps of experiment_open, each with its file. */
#ifndef TANDEM_EXPERIMENT_SUITE_LOCAL_H
#define TANDEM_EXPERIMENT_SUITE_LOCAL_H

#include "harness/experiment/suite.h"

/* Index of an axis; EXPERIMENT_AXES: there is none. */
size_t experiment_axis(const struct experiment_suite *s, const char *name);
/* The error that there is none, with the names of those that there are; what: the key that names
 * it. */
int experiment_no_axis(const struct experiment_suite *s, const yaml_node_t *node, const char *what,
                       const char *name, struct tandem_error *err);
/* suite_settings.c: those of a mapping, which may have other keys too. */
extern const char *const experiment_setting_keys[]; /* NULL-terminated */
int experiment_settings(struct experiment_suite *s, yaml_node_t *map,
                        struct experiment_settings *to, struct tandem_error *err);
void experiment_add(struct experiment_settings *to, const struct experiment_settings *part);
/* suite_runs.c: all runs of the axes, with include and exclude. */
int experiment_make_runs(struct experiment_suite *s, const struct experiment_settings *defaults,
                         struct tandem_error *err);
int experiment_check_selection(struct experiment_suite *s, yaml_node_t *selection,
                               struct tandem_error *err);
/* suite_tables.c */
int experiment_read_tables(struct experiment_suite *s, yaml_node_t *list, struct tandem_error *err);
/* published.c: whether published figures of a column of the table can be used. */
int experiment_check_published(struct experiment_suite *s, const struct experiment_table *t,
                               yaml_node_t *map, struct tandem_error *err);

#endif
