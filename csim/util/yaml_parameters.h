/* Parameters of a YAML file: names with whole numbers, from which values of the file are computed
 * (docs/use/launch.md). */
#ifndef TANDEM_YAML_PARAMETERS_H
#define TANDEM_YAML_PARAMETERS_H

#include "csim/util/yaml_tree.h"

struct yaml_parameter {
  const char *name; /* text of the file where the file defines the parameter */
  int64_t value;
};

/* Reads the mapping of parameters (NULL: there are none), takes the values of `given` in the place
 * of the file's, and computes all values of the file: texts that start with "=", and "${...}"
 * within texts.  From then on the functions of yaml_tree.h see the results.  *list: the parameters
 * in the order of the file, to be freed by the caller, also after an error.  0 or a negative errno.
 */
int yaml_parameters(struct yaml_file *f, yaml_node_t *map, const struct yaml_parameter *given,
                    size_t ngiven, struct yaml_parameter **list, size_t *n,
                    struct tandem_error *err);

#endif
