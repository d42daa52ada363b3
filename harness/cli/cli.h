/* The command line, inside. */
#ifndef TANDEM_CLI_H
#define TANDEM_CLI_H

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

#include "csim/util/output.h"
#include "harness/gpu/config.h"
#include "harness/job/config.h"
#include "harness/netlist.h"

/* False, with a message on stderr, if it could not be written. */
bool outfile_open(struct output *o, const char *path);
bool outfile_commit(struct output *o);

/* Options that several commands share, as an argp child.  Its input is a struct cli_config. */
enum { CLI_DESCRIPTIONS = 16 };
struct cli_config {
  struct tandem_config config;
  struct config_sources *sources; /* of the values that descriptions give; NULL: not wanted */
  const char *gpu;                /* of --gpu; NULL: none */
  const char *descriptions[CLI_DESCRIPTIONS];
  size_t ndescriptions; /* of --config */
  bool verbose;
  bool traced;                   /* an option of --trace is there */
  struct tandem_instead instead; /* of --netlist */
  struct cli_setting {
    const struct config_key *key;
    uint64_t value;
  } * settings; /* keys that options set, in the order of the command line */
  size_t nsettings;
};
extern const struct argp cli_config_argp;
/* Parses the command's options; exits with 2 on errors.  config has what --gpu and --config read.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, struct cli_config *c, void *input);
/* Puts the keys that options set into config, over what descriptions have put there. */
void cli_settle(struct cli_config *c);
/* Parses the options of a command; exits with 2 on errors.  Of two values of an option the last
 * counts, and a message says so: scripts and a report's `reproduce:` add options to given ones.  An
 * option with this flag takes them all. */
enum { CLI_REPEATED = 1 << 12 };
void cli_argp(const struct argp *argp, int argc, char **argv, void *input);
/* The key of an argp option that only stores what it is given in a member of the command's struct
 * `type`: a flag that is true; a text; a text that may be missing, "-" then. */
enum { CLI_FLAG = 1 << 16, CLI_TEXT = 2 << 16, CLI_OPTIONAL = 3 << 16 };
#define CLI_STORE(kind, type, member) ((kind) | (int)offsetof(struct type, member))
/* Stores an option with such a key in *command; ARGP_ERR_UNKNOWN: it has another one. */
error_t cli_store(int key, const char *arg, void *command);
uint64_t cli_number(const char *text, const char *what, uint64_t min, uint64_t max,
                    struct argp_state *state);

/* Seconds of a time as 90s, 30m or 8h; a positive number with one of letters behind it, whose
 * factors are given. */
double cli_time(const char *text, const char *option, struct argp_state *state);
double cli_with_unit(const char *text, const char *letters, const double *factors,
                     const char *option, struct argp_state *state);
/* Bytes of --disk, as 500M, 20G; its default. */
uint64_t cli_size(const char *text, struct argp_state *state);
#define CLI_DISK 2000000000

/* A list of numbers up to `most`, as 0,3-5, as a set; all ones for `all`. */
unsigned __int128 cli_list(const char *text, const char *what, unsigned most,
                           struct argp_state *state);

bool cli_ends(const char *text, const char *ending);
/* Joins `--json FILE` to `--json=FILE`, as an optional argument must be; returns the new count. */
int cli_join_json(int argc, char **argv);

/* The call of a command as a shell takes it, "./tandem NAME ...", allocated; NULL: out of memory.
 */
char *cli_command(const char *name, int argc, char **argv);

/* The description of a finished run. */
struct cli_result {
  const char *status; /* "ok", "unchecked", "mismatch", "fault", "unexpected" */
  const char *error;  /* text, "" if none */
  const struct tandem *t;
  const struct tandem_job *job;
  const struct tandem_config *config;
  uint64_t digest;
};
bool cli_json_write(FILE *out, const struct cli_result *r); /* false: I/O error */
void cli_summary(FILE *out, const struct cli_result *r);
void cli_stats(FILE *out, const struct cli_result *r);
void cli_races(FILE *out, const struct tandem *t); /* those listed */
void cli_comparisons(FILE *out, const struct tandem *t);
enum { CLI_RACES = 64, CLI_PARAMETERS = 64 }; /* at most */
extern const char *const cli_wall_names[TANDEM_WALLS];

/* places.c: the folder with tests/kernels, and, unless the program is installed, all other sources;
 * where `synth` keeps what it makes. */
const char *cli_root(void);
const char *cli_build(void);

/* From now on the standard error gets no control characters but those of lines of progress. */
void cli_messages(void);

void cli_progress(void *user, const struct tandem_progress *p);
void cli_progress_end(void);
/* The first word of a failure, whose report may take a while: models with waveforms are made. */
void cli_failure(void *user, const char *reason);

/* Nanoseconds of one step of the bare front end, best of ten runs: busy (48 warps in a loop of
 * adds, the instructions issued a cycle in *ipc unless NULL) or stalled (48 warps waiting for
 * memory).  False: err has the reason. */
bool bench_frontend(bool busy, double *ns, double *ipc, struct tandem_error *err);

/* models.c: from now on models are made of the program's own sources, their making is shown (on a
 * terminal), and warnings of Verilator. */
void cli_models(void);
/* Warns of files of the folder --rtl that no model of the run reads; NULL: there is none. */
void cli_unread(const char *rtl);

/* The commands: their exit status. */
int cli_run(int argc, char **argv);
int cli_why(int argc, char **argv);
int cli_config(int argc, char **argv);
int cli_compile(int argc, char **argv);
int cli_disasm(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_bugs(int argc, char **argv);
int cli_synth(int argc, char **argv);
int cli_experiment(int argc, char **argv);
int cli_regress(int argc, char **argv);
int cli_worker(int argc, char **argv);
int cli_shrink(int argc, char **argv);
int cli_random_cl(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_models_command(int argc, char **argv);

/* Launch description of a program named on the command line (launch_text.c). */
struct cli_launch {
  const char *kernel, *grid, *block, *dynamic_shared;
  const char *args[64];
  size_t nargs;
};
char *cli_launch_text(const char *program, const struct cli_launch *l); /* NULL: message printed */

#endif
