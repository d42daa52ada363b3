/* Options that describe the GPU and the run: most from the table of configuration keys. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/ports/facts.h"
#include "harness/cli/cli.h"
#include "harness/gpu/config.h"
#include "harness/gpu/feature.h"

enum {
  KEY_CONFIG = 0x100,
  KEY_GPU,
  KEY_SET,
  KEY_TRACE,
  KEY_TRACE_FROM,
  KEY_TRACE_TO,
  KEY_TRACE_SMS,
  KEY_TRACE_GPU,
  KEY_TRUST,
  KEY_REPORT_DIR,
  KEY_KEEP_PTX,
  KEY_RTL,
  KEY_NETLIST,
  KEY_TABLE = 0x400 /* and above: those of the table */
};

/* Groups of the help: the features' come between the machine and the run. */
enum { GROUP_MACHINE = 1, GROUP_FEATURES, GROUP_RUN = 40, GROUP_TRACE };

/* The options that set no key; those that do come from the table of keys. */
static const struct argp_option others[] = {
    {NULL, 0, NULL, 0, "The machine:", GROUP_MACHINE},
    {"gpu", KEY_GPU, "NAME", 0,
     "gtx480 (default), gpgpusim, or a GPU description; it comes before all other keys",
     GROUP_MACHINE},
    {"config", KEY_CONFIG, "FILE", CLI_REPEATED,
     "GPU description (docs/reference/configuration.md)", GROUP_MACHINE},
    {"set", KEY_SET, "KEY=VALUE", CLI_REPEATED,
     "one key of it, as memory.t_rcd=13 (`tandem config`)", GROUP_MACHINE},
    {NULL, 0, NULL, 0, "The run:", GROUP_RUN},
    {"trust", KEY_TRUST, NULL, 0,
     "the launch description may read any file and pass any option to the compiler "
     "(docs/use/launch.md)",
     GROUP_RUN},
    {"report-dir", KEY_REPORT_DIR, "DIR", 0,
     "where a mismatch's waveform goes, made if it is missing (.)", GROUP_RUN},
    {"keep-ptx", KEY_KEEP_PTX, "DIR", OPTION_ARG_OPTIONAL,
     "keep the PTX of each OpenCL C program K.cl as DIR/K.cl.ptx (.), with its source lines",
     GROUP_RUN},
    {"rtl", KEY_RTL, "DIR", 0,
     "files <module>.sv in DIR and its folders replace those of rtl/ (docs/use/own_rtl.md)",
     GROUP_RUN},
    {"netlist", KEY_NETLIST, "UNIT", 0,
     "a unit as yosys synthesises it takes the place of its RTL; its states are not compared",
     GROUP_RUN},
    {NULL, 0, NULL, 0, "Waveforms:", GROUP_TRACE},
    {"trace", KEY_TRACE, "FILE.fst", 0, "write a waveform", GROUP_TRACE},
    {"trace-from", KEY_TRACE_FROM, "CYCLE", 0, "first cycle of it (0)", GROUP_TRACE},
    {"trace-to", KEY_TRACE_TO, "CYCLE", 0, "last cycle of it", GROUP_TRACE},
    {"trace-sms", KEY_TRACE_SMS, "LIST", 0, "SMs, as 0,3-5 or all (0); one file each", GROUP_TRACE},
    {"trace-gpu", KEY_TRACE_GPU, NULL, 0, "also of what serves all SMs: CTA dispatch", GROUP_TRACE},
};
enum { OTHERS = sizeof others / sizeof others[0], MOST = 64, FEATURES_MOST = 16, TEXT = 256 };

/* All options, and what those of the table are made of; filled once. */
static struct argp_option options[OTHERS + FEATURES_MOST + MOST + 1];
static char headings[FEATURES_MOST][80];
static struct table_text { char name[32], values[64], text[TEXT]; } texts[MOST];

/* A switch that is on by default has an option that turns it off. */
static bool turns_off(const struct config_key *k) {
  return k->names == config_switch && k->standard != 0;
}

static int group_of(const struct config_key *k) {
  for (size_t i = 0; i < features_count; i++)
    if (strcmp(k->section, features[i]->name) == 0)
      return GROUP_FEATURES + (int)i;
  return *k->section == '\0' ? GROUP_MACHINE : GROUP_RUN;
}

/* "TITLE (PAGE):" over the options of each feature whose keys are a section. */
static size_t make_headings(size_t n) {
  for (size_t i = 0; i < features_count && i < FEATURES_MOST; i++) {
    const struct feature *f = features[i];
    if (strcmp(f->keys[0].section, f->name) != 0)
      continue;
    snprintf(headings[i], sizeof headings[i], "%c%s (%s):", toupper((unsigned char)*f->title),
             f->title + 1, f->page);
    options[n++] = (struct argp_option){.doc = headings[i], .group = GROUP_FEATURES + (int)i};
  }
  return n;
}

/* "N", or the values as a|b|c where they can be listed. */
static void values_of(const struct config_key *k, char *text, size_t size) {
  size_t n = 0;
  if (k->names == NULL && !k->power) {
    snprintf(text, size, "N");
    return;
  }
  for (uint64_t v = k->names != NULL ? 0 : k->low; config_takes(k, v) && n < size;
       v = k->names != NULL ? v + 1 : 2 * v) {
    char word[32];
    config_value(k, v, word, sizeof word);
    n += (size_t)snprintf(text + n, size - n, "%s%s", n != 0 ? "|" : "", word);
  }
}

/* "text (range, default value unit)" */
static void describe(const struct config_key *k, char *text, size_t size) {
  char range[64], standard[32];
  const bool listed = k->names != NULL || k->power; /* by values_of */
  config_range(k, range, sizeof range);
  config_value(k, k->standard, standard, sizeof standard);
  if (k->names == config_switch)
    snprintf(text, size, "%s %s", turns_off(k) ? "no" : "with", k->text);
  else
    snprintf(text, size, "%s (%s%sdefault %s%s%s)", k->text, listed ? "" : range,
             listed ? "" : ", ", standard, *k->unit != '\0' ? " " : "", k->unit);
}

static void make_options(void) {
  size_t n = 0;
  for (; n < OTHERS; n++)
    options[n] = others[n];
  n = make_headings(n);
  for (size_t i = 0; i < gpu_noptions() && i < MOST; i++) {
    const struct config_key *k = gpu_key_at(i);
    struct table_text *t = &texts[i];
    snprintf(t->name, sizeof t->name, "%s%s", turns_off(k) ? "no-" : "", k->option);
    for (char *p = t->name; *p != '\0'; p++)
      if (*p == '_')
        *p = '-';
    values_of(k, t->values, sizeof t->values);
    describe(k, t->text, sizeof t->text);
    options[n++] = (struct argp_option){.name = t->name,
                                        .key = KEY_TABLE + (int)i,
                                        .arg = k->names == config_switch ? NULL : t->values,
                                        .doc = t->text,
                                        .group = group_of(k)};
  }
}

error_t cli_store(int key, const char *arg, void *command) {
  char *member = (char *)command + (key & 0xffff);
  switch (key & ~0xffff) {
  case CLI_FLAG:
    *(bool *)member = true;
    return 0;
  case CLI_TEXT:
  case CLI_OPTIONAL:
    *(const char **)(void *)member = arg != NULL ? arg : "-";
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

uint64_t cli_number(const char *text, const char *what, uint64_t min, uint64_t max,
                    struct argp_state *state) {
  char *end;
  errno = 0;
  const uint64_t v = strtoull(text, &end, 0);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || v < min || v > max)
    argp_error(state, "%s must be %" PRIu64 " to %" PRIu64 ", not \"%s\"", what, min, max, text);
  return v;
}

double cli_with_unit(const char *text, const char *letters, const double *factors,
                     const char *option, struct argp_state *state) {
  char *end;
  const double value = strtod(text, &end);
  const char *letter = *end != '\0' && end[1] == '\0' ? strchr(letters, *end) : NULL;
  if (!(value > 0 && value < 1e9) || letter == NULL)
    argp_error(state, "--%s %s: a number with one of %s behind it is needed", option, text,
               letters);
  return letter != NULL ? value * factors[letter - letters] : 0;
}

double cli_time(const char *text, const char *option, struct argp_state *state) {
  static const double factors[] = {1, 60, 3600};
  return cli_with_unit(text, "smh", factors, option, state);
}

uint64_t cli_size(const char *text, struct argp_state *state) {
  static const double factors[] = {1e6, 1e9, 1e12};
  return (uint64_t)cli_with_unit(text, "MGT", factors, "disk", state);
}

unsigned __int128 cli_list(const char *text, const char *what, unsigned most,
                           struct argp_state *state) {
  unsigned __int128 set = 0;
  if (strcmp(text, "all") == 0)
    return GPU_TRACE_ALL;
  for (const char *p = text; *p != '\0';) {
    char *end;
    const unsigned long first = strtoul(p, &end, 10);
    unsigned long last = first;
    bool bad = end == p || *p == '-' || *p == '+' || *p == ' ';
    if (*end == '-') {
      p = end + 1;
      last = strtoul(p, &end, 10);
      bad = bad || end == p || *p == '-' || *p == '+' || *p == ' ';
    }
    bad = bad || first > last || last > most || (*end != ',' && *end != '\0');
    if (bad)
      argp_error(state, "%s must be a list like 0,3-5 or all, of numbers up to %u, not \"%s\"",
                 what, most, text);
    for (unsigned long i = first; i <= last; i++)
      set |= (unsigned __int128)1 << i;
    p = *end == ',' ? end + 1 : end;
  }
  return set;
}

/* A key that an option sets.  It wins over the descriptions, wherever they stand. */
static void add_setting(struct cli_config *c, const struct config_key *k, uint64_t value) {
  struct cli_setting *more = realloc(c->settings, (c->nsettings + 1) * sizeof *more);
  if (more == NULL) {
    fprintf(stderr, "tandem: out of memory for options\n");
    exit(TANDEM_USAGE);
  }
  c->settings = more;
  c->settings[c->nsettings++] = (struct cli_setting){k, value};
}

void cli_settle(struct cli_config *c) {
  for (size_t i = 0; i < c->nsettings; i++) {
    config_put(c->settings[i].key, &c->config, c->settings[i].value);
    config_note_source(c->sources, c->settings[i].key, NULL);
  }
  free(c->settings);
  c->settings = NULL;
  c->nsettings = 0;
}

/* An option of the table. */
static void set_from_table(const struct config_key *k, const char *option, const char *arg,
                           struct cli_config *c, struct argp_state *state) {
  struct tandem_error err;
  char what[40];
  uint64_t value = !turns_off(k);
  snprintf(what, sizeof what, "--%s", option);
  if (k->names != config_switch && config_parse(k, what, arg, &value, &err) != 0)
    argp_error(state, "%s", err.text);
  add_setting(c, k, value);
}

static void set_key(char *arg, struct cli_config *c, struct argp_state *state) {
  struct tandem_error err;
  uint64_t v = 0;
  char *value = strchr(arg, '=');
  char *key = strndup(arg, value != NULL ? (size_t)(value - arg) : 0);
  const struct config_key *k = key != NULL && value != NULL ? config_find(key, &err) : NULL;
  if (key == NULL || value == NULL)
    argp_error(state, "--set takes KEY=VALUE, not \"%s\"", arg);
  else if (k == NULL || config_parse(k, NULL, value + 1, &v, &err) != 0)
    argp_error(state, "--set: %s", err.text);
  else
    add_setting(c, k, v);
  free(key);
}

static void set_netlist(struct cli_config *c, const char *unit, struct argp_state *state) {
  const struct unit_facts *f = unit_facts_of(unit);
  if (f == NULL || f->machine == NULL) {
    char text[300] = "";
    size_t n = 0;
    for (f = unit_facts; f->name != NULL; f++)
      if (f->machine != NULL && n < sizeof text)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n != 0 ? ", " : "", f->name);
    argp_error(state, "--netlist must be a unit that GPUs are made of (%s), not \"%s\"", text,
               unit);
  }
  c->instead = (struct tandem_instead){.unit = unit, .kind = RTL_NETLIST};
  c->config.instead = &c->instead;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct cli_config *c = state->input;
  const bool of_table = key >= KEY_TABLE && key < KEY_TABLE + (int)gpu_noptions();
  if (of_table) {
    set_from_table(gpu_key_at((size_t)(key - KEY_TABLE)), texts[key - KEY_TABLE].name, arg, c,
                   state);
    return 0;
  }
  c->traced = c->traced || (key >= KEY_TRACE_FROM && key <= KEY_TRACE_GPU);
  switch (key) {
  case KEY_CONFIG:
    if (c->ndescriptions == CLI_DESCRIPTIONS)
      argp_error(state, "--config at most %d times", CLI_DESCRIPTIONS);
    c->descriptions[c->ndescriptions++] = arg;
    return 0;
  case KEY_GPU:
    c->gpu = arg;
    return 0;
  case KEY_TRUST:
    c->config.trust = true;
    return 0;
  case KEY_SET:
    set_key(arg, c, state);
    return 0;
  case KEY_TRACE_FROM:
    c->config.trace_from = cli_number(arg, "--trace-from", 0, UINT64_MAX, state);
    return 0;
  case KEY_TRACE_TO:
    c->config.trace_to = cli_number(arg, "--trace-to", 0, UINT64_MAX - 1, state);
    return 0;
  case KEY_TRACE:
    if (cli_ends(arg, ".vcd"))
      argp_error(state, "--trace writes a file in the format FST, FILE.fst, not \"%s\"", arg);
    c->config.trace = arg;
    return 0;
  case KEY_TRACE_SMS:
    c->config.trace_sms = cli_list(arg, "--trace-sms", 127, state);
    return 0;
  case KEY_TRACE_GPU:
    c->config.trace_gpu = true;
    return 0;
  case KEY_REPORT_DIR:
    c->config.report_dir = *arg != '\0' ? arg : NULL;
    return 0;
  case KEY_KEEP_PTX:
    c->config.keep_ptx = arg != NULL ? arg : ".";
    return 0;
  case KEY_RTL:
    c->config.rtl = arg;
    return 0;
  case KEY_NETLIST:
    set_netlist(c, arg, state);
    return 0;
  case ARGP_KEY_END:
    if (c->traced && c->config.trace == NULL)
      argp_error(state, "--trace-from, --trace-to, --trace-sms and --trace-gpu are for --trace");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Reads the GPU, wherever it stands, then the other descriptions in their order. */
static void read_descriptions(struct cli_config *c) {
  struct tandem_error err;
  int status = c->gpu != NULL ? config_choose(&c->config, c->gpu, c->sources, &err)
                              : config_start(&c->config, GPU_DEFAULT, c->sources, &err);
  for (size_t i = 0; status == 0 && i < c->ndescriptions; i++)
    status = config_load(&c->config, c->descriptions[i], c->sources, &err);
  if (status == 0)
    return;
  fprintf(stderr, "tandem: %s\n", err.text);
  exit(TANDEM_USAGE);
}

const struct argp cli_config_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void cli_parse(const struct argp *argp, int argc, char **argv, struct cli_config *c, void *input) {
  make_options();
  gpu_config_default(&c->config);
  c->config.report_dir = ".";
  cli_argp(argp, argc, argv, input);
  read_descriptions(c);
}

bool cli_ends(const char *text, const char *ending) {
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

/* Returns true if a word after --json is its file rather than the thing to run. */
static bool json_target(const char *word) {
  static const char *const inputs[] = {".yaml", ".yml", ".cl", ".cu", ".ptx", ".s", ".img"};
  if (*word == '-')
    return word[1] == '\0';
  for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
    if (cli_ends(word, inputs[i]))
      return false;
  return true;
}

int cli_join_json(int argc, char **argv) {
  int n = 0;
  for (int i = 0; i < argc; i++) {
    char *joined = NULL;
    if (strcmp(argv[i], "--json") == 0 && i + 1 < argc && json_target(argv[i + 1]) &&
        asprintf(&joined, "--json=%s", argv[i + 1]) > 0) {
      argv[n++] = joined; /* lives as long as the arguments do */
      i++;
    } else {
      argv[n++] = argv[i];
    }
  }
  argv[n] = NULL;
  return n;
}
