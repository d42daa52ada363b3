/* Inside of the synthesis reports. */
#ifndef TANDEM_SYNTH_LOCAL_H
#define TANDEM_SYNTH_LOCAL_H

#include <sys/types.h>

#include "synth/flow/synth.h"

/* designs.c: what designs.yaml says. */
struct synth_part {
  struct synth_spec spec;
  unsigned count;
  bool own;
};
struct synth_cluster {
  char feature[32], variant[32];
  unsigned members;
  struct synth_part parts[SYNTH_PARTS];
  size_t nparts;
};
struct synth_clock {
  char port[32];
  unsigned multiple;
};
struct synth_designs {
  char package[256], folders[8][256], reset[32];
  unsigned nfolders, memory_bits, sms;
  double mhz;
  struct synth_clock clocks[8];
  unsigned nclocks;
  struct synth_spec baseline;
  struct synth_cluster *clusters;
  size_t nclusters;
};
int synth_designs_load(const char *root, struct synth_designs *d, struct tandem_error *err);
void synth_designs_free(struct synth_designs *d);
/* The file of a module, relative to the root; false: there is none. */
bool synth_source(const struct synth_designs *d, const char *root, const char *module, char *path,
                  size_t size);
/* Module names of the tree, sorted, separated by blanks; to be freed. */
char *synth_modules(const struct synth_designs *d, const char *root);

/* spec.c: modules with parameters. */
void synth_spec_sort(struct synth_spec *s);
bool synth_spec_same(const struct synth_spec *a, const struct synth_spec *b);
void synth_spec_name(const struct synth_spec *s, char *name, size_t size);

/* liberty.c: of a Liberty file the figures that the reports need. */
struct liberty_port {
  char name[64];
  unsigned width; /* bits of a bus; 1: a pin */
};
struct liberty_cell {
  char name[64];
  double area;
  bool sequential;
  bool timed; /* has times */
  unsigned inputs, outputs;
  unsigned table; /* truth table of up to two inputs in the order of their pins; ~0u: not known */
  char output[32];
  struct liberty_port *ports; /* pins and buses */
  size_t nports;
};
struct liberty {
  char name[64];
  struct liberty_cell *cells;
  size_t ncells;
};
/* text: the file's whole contents; path for messages. */
int liberty_parse(const char *text, const char *path, struct liberty *l, struct tandem_error *err);
void liberty_free(struct liberty *l);
const struct liberty_cell *liberty_find(const struct liberty *l, const char *name);
/* A Liberty file, which may be compressed: read, parsed, hashed and, for the tools, unpacked into
 * the folder; where is its path then. */
int liberty_open(const char *path, const char *folder, struct liberty *l, char key[40], char *where,
                 size_t size, struct tandem_error *err);
/* Finds and reads the library that was asked for, unpacks it into the folder if it is compressed.
 */
int synth_library_load(const struct synth_config *c, const char *folder, struct liberty *l,
                       struct synth_library *info, struct tandem_error *err);

/* parse.c: what the tools wrote. */
struct synth_instance {
  struct synth_spec spec;          /* without what is as by default */
  struct synth_spec given;         /* as the instance has it */
  char bits[SYNTH_PARAMETERS][80]; /* of given's values, as in JSON */
  unsigned count;
};
struct synth_elaborated {
  struct synth_instance *instances;
  size_t n;
  struct synth_memory memories[SYNTH_SHAPES];
  char memory_bits[SYNTH_SHAPES][5][80];
  size_t nmemories;
};
int synth_parse_elaborated(const char *path, const char *top, struct synth_elaborated *e,
                           struct tandem_error *err);
void synth_elaborated_free(struct synth_elaborated *e);
/* Sums the cells of a `stat` of the module up; cells that the library lacks are children. */
int synth_parse_stat(const char *path, const char *top, const struct liberty *l,
                     struct synth_size *size, struct tandem_error *err);
int synth_parse_path(const char *path, struct synth_timing *t, struct tandem_error *err);
int synth_parse_power(const char *path, struct synth_power *p, struct tandem_error *err);
int synth_parse_fmax(const char *path, struct synth_timing *t, struct tandem_error *err);

/* steps.c: a tool's run in a folder of its own, not repeated while its key is the same. */
struct synth_step {
  char folder[1000], key[40];
  const char *tool, *script, *output; /* output: what it writes last */
  pid_t pid;                          /* 0: not running */
};
/* 1: as before, nothing to do; 0: started; negative: error.  job: the text of the job's file. */
int synth_step_start(struct synth_step *s, const char *job, struct tandem_error *err);
/* What the tool ended with; puts the folder where it belongs, or removes it. */
int synth_step_end(struct synth_step *s, int status, struct tandem_error *err);
/* Path of a program; NULL with a message that names its package. */
int synth_tool(const char *name, const char *package, char *path, size_t size,
               struct tandem_error *err);
/* First line that the program prints with the argument. */
int synth_version(const char *tool, const char *argument, char *text, size_t size,
                  struct tandem_error *err);

/* files.c */
int synth_read(const char *path, char **text, size_t *size, struct tandem_error *err);
int synth_write(const char *path, const char *text, size_t size, struct tandem_error *err);
int synth_folder(const char *path, struct tandem_error *err); /* and those above it */
void synth_remove(const char *path);                          /* with all in it */

/* A key: hash of texts and files, 32 hexadecimal digits. */
struct synth_hash {
  uint64_t a, b;
};
void synth_hash_start(struct synth_hash *h);
void synth_hash_text(struct synth_hash *h, const char *text);
/* The text, wherever it stands, without the names of folders that say nothing of its meaning. */
void synth_hash_without(struct synth_hash *h, const char *text, const char *const *left_out,
                        size_t n);
int synth_hash_file(struct synth_hash *h, const char *path, struct tandem_error *err);
void synth_hash_end(const struct synth_hash *h, char key[40]);

/* flow.c */
struct synth_flow {
  const struct synth_config *config;
  struct synth_designs designs;
  struct liberty liberty, macros; /* macros: those that were given */
  struct synth_report *report;
  struct synth_node *nodes; /* of the report's units */
  char build[512], yosys[256], sta[256];
};
int synth_flow_run(struct synth_flow *f, struct tandem_error *err);
/* The unit of this name, adding it; SIZE_MAX: out of memory. */
size_t synth_flow_unit(struct synth_flow *f, const struct synth_spec *s, bool flat);
void synth_flow_free(struct synth_flow *f);

/* macros.c: memories, and the Liberty of those that are not given. */
void synth_memory_name(const struct synth_memory *m, char *name, size_t size);
void synth_macros_liberty(FILE *out, const struct synth_memory *m, size_t n);
/* Reads the Liberty that was asked for. */
int synth_macros_load(const struct synth_config *c, const char *folder, struct liberty *l,
                      struct synth_report *r, struct tandem_error *err);
/* Fills in the source and the figures of a memory of this shape. */
int synth_memory_figures(const struct synth_report *r, const struct liberty *given,
                         struct synth_memory *m, struct tandem_error *err);
/* Adds memories of one shape to a size, at a clock in MHz. */
void synth_memory_add(struct synth_size *to, const struct synth_memory *m, double mhz);

/* measured.c: nothing if nothing was measured. */
void synth_measured_text(FILE *out, const struct synth_report *r);
struct json_t *synth_measured_json(const struct synth_report *r);

/* rollup.c */
void synth_rollup(struct synth_report *r);
void synth_size_add(struct synth_size *to, const struct synth_size *s, double times);
int synth_added_all(struct synth_report *r, const struct synth_designs *d, const char *feature,
                    struct tandem_error *err);
size_t synth_find(const struct synth_report *r, const struct synth_spec *s, bool flat);

#endif
