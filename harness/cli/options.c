/* Options that describe the GPU and the run. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"

enum {
  KEY_CONFIG = 0x100,
  KEY_ENGINE,
  KEY_SMS,
  KEY_THREADS,
  KEY_SEED,
  KEY_SCHEDULER,
  KEY_WARP_SIZE,
  KEY_BUDDY,
  KEY_FORMATION,
  KEY_REGROUP,
  KEY_MON_ENTRIES,
  KEY_POWER_UP,
  KEY_HOP_LATENCY,
  KEY_MAX_CYCLES,
  KEY_HANG_CYCLES,
  KEY_NO_ISS,
  KEY_NO_COMPARE,
  KEY_NO_SKIP,
  KEY_NO_BARRIER_CHECK,
  KEY_ASSERTIONS,
  KEY_BUG,
  KEY_BUG_SM,
  KEY_STATE_INTERVAL,
  KEY_MAX_REGS,
  KEY_TRACE,
  KEY_TRACE_FROM,
  KEY_TRACE_TO,
  KEY_TRACE_SMS,
  KEY_REPORT_DIR,
  KEY_NO_PIN
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The machine:", 1},
    {"config", KEY_CONFIG, "FILE", 0, "GPU description (docs/configuration.md)", 1},
    {"sms", KEY_SMS, "N", 0, "SMs, 1 to 64 (16)", 1},
    {"scheduler", KEY_SCHEDULER, "gto|lrr", 0, "warp scheduler (gto)", 1},
    {"warp-size", KEY_WARP_SIZE, "32|64|128", 0, "threads of a warp (32)", 1},
    {"buddy", KEY_BUDDY, "1|2|4|8", 0, "SMs that share a front end (1: none; docs/buddy.md)", 1},
    {"formation", KEY_FORMATION, "default|adaptive|apart", 0,
     "of the last cluster, or none (default)", 1},
    {"regroup", KEY_REGROUP, "new-kernel|halfway", 0, "when groups form again (new-kernel)", 1},
    {"mon-entries", KEY_MON_ENTRIES, "1|2|4", 0, "loads that a master follows for a warp (1)", 1},
    {"power-up", KEY_POWER_UP, "CYCLES", 0, "in which a front end comes up (24)", 1},
    {"hop-latency", KEY_HOP_LATENCY, "N", 0, "NoC cycles from an SM to the next (1)", 1},
    {NULL, 0, NULL, 0, "The run:", 2},
    {"engine", KEY_ENGINE, "rtl|ref|lockstep", 0, "what the front ends are (lockstep)", 2},
    {"threads", KEY_THREADS, "N", 0, "host threads (as many as processors)", 2},
    {"seed", KEY_SEED, "N", 0, "of uninitialised RTL state (1)", 2},
    {"max-cycles", KEY_MAX_CYCLES, "N", 0, "that a kernel may take (100000000)", 2},
    {"hang-cycles", KEY_HANG_CYCLES, "N", 0, "without progress that are a hang (50000)", 2},
    {"max-regs", KEY_MAX_REGS, "N", 0, "registers a thread, 8 to 32 (32)", 2},
    {NULL, 0, NULL, 0, "Checks:", 3},
    {"state-interval", KEY_STATE_INTERVAL, "N", 0, "cycles between comparisons of state (64)", 3},
    {"assertions", KEY_ASSERTIONS, NULL, 0, "RTL with its assertions", 3},
    {"no-iss", KEY_NO_ISS, NULL, 0, "without the architectural check", 3},
    {"no-compare", KEY_NO_COMPARE, NULL, 0, "without comparing the engines", 3},
    {"no-skip-quiet", KEY_NO_SKIP, NULL, 0, "clock quiet front ends too", 3},
    {"no-barrier-check", KEY_NO_BARRIER_CHECK, NULL, 0,
     "allow barriers that ended warps never reached", 3},
    {"bug", KEY_BUG, "N", 0, "switch a deliberate RTL fault on (`tandem bugs --list`)", 3},
    {"bug-sm", KEY_BUG_SM, "N", 0, "in this SM (0)", 3},
    {"report-dir", KEY_REPORT_DIR, "DIR", 0, "where a mismatch's waveform goes (.)", 3},
    {"no-pin", KEY_NO_PIN, NULL, 0, "do not run again after a mismatch", 3},
    {NULL, 0, NULL, 0, "Waveforms:", 4},
    {"trace", KEY_TRACE, "FILE.fst", 0, "write a waveform", 4},
    {"trace-from", KEY_TRACE_FROM, "CYCLE", 0, "first cycle of it (0)", 4},
    {"trace-to", KEY_TRACE_TO, "CYCLE", 0, "last cycle of it", 4},
    {"trace-sms", KEY_TRACE_SMS, "LIST", 0, "SMs, as 0,3-5 or all (0); one file each", 4},
    {0}};

uint64_t cli_number(const char *text, const char *what, uint64_t min, uint64_t max,
                    struct argp_state *state) {
  char *end;
  errno = 0;
  const uint64_t v = strtoull(text, &end, 0);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || v < min || v > max)
    argp_error(state, "%s must be %" PRIu64 " to %" PRIu64 ", not \"%s\"", what, min, max, text);
  return v;
}

static unsigned choice(const char *text, const char *what, const char *const *names,
                       struct argp_state *state) {
  unsigned i = 0;
  while (names[i] != NULL && strcmp(names[i], text) != 0)
    i++;
  if (names[i] == NULL)
    argp_error(state, "%s cannot be \"%s\"", what, text);
  return i;
}

static uint64_t sm_list(const char *text, struct argp_state *state) {
  uint64_t set = 0;
  if (strcmp(text, "all") == 0)
    return ~UINT64_C(0);
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
    bad = bad || first > last || last > 63 || (*end != ',' && *end != '\0');
    if (bad)
      argp_error(state, "--trace-sms must be a list like 0,3-5 or all, not \"%s\"", text);
    for (unsigned long i = first; i <= last; i++)
      set |= UINT64_C(1) << i;
    p = *end == ',' ? end + 1 : end;
  }
  return set;
}

/* Options with a number: where it goes and what it may be. */
static const struct {
  int key;
  const char *what;
  size_t offset, size;
  uint64_t min, max;
} numbers[] = {
#define NUMBER(key, what, member, min, max)                                                        \
  {                                                                                                \
    key, what, offsetof(struct tandem_config, member),                                             \
        sizeof(((struct tandem_config *)0)->member), min, max                                      \
  }
    NUMBER(KEY_SMS, "--sms", sms, 1, 64),
    NUMBER(KEY_WARP_SIZE, "--warp-size", warp_size, 32, 128),
    NUMBER(KEY_BUDDY, "--buddy", buddy, 1, 8),
    NUMBER(KEY_MON_ENTRIES, "--mon-entries", mon_entries, 1, 4),
    NUMBER(KEY_POWER_UP, "--power-up", power_up, 0, 255),
    NUMBER(KEY_HOP_LATENCY, "--hop-latency", hop_latency, 1, 30),
    NUMBER(KEY_THREADS, "--threads", threads, 0, 256),
    NUMBER(KEY_SEED, "--seed", seed, 0, INT64_MAX),
    NUMBER(KEY_MAX_CYCLES, "--max-cycles", max_cycles, 1, UINT64_MAX),
    NUMBER(KEY_HANG_CYCLES, "--hang-cycles", hang_cycles, 100, UINT32_MAX),
    NUMBER(KEY_BUG, "--bug", bug, 0, 255),
    NUMBER(KEY_BUG_SM, "--bug-sm", bug_sm, 0, 63),
    NUMBER(KEY_STATE_INTERVAL, "--state-interval", state_interval, 1, 1 << 20),
    NUMBER(KEY_MAX_REGS, "--max-regs", max_regs, 8, 32),
    NUMBER(KEY_TRACE_FROM, "--trace-from", trace_from, 0, UINT64_MAX),
    NUMBER(KEY_TRACE_TO, "--trace-to", trace_to, 0, UINT64_MAX - 1),
};

static const struct {
  int key;
  size_t offset;
  bool value;
} switches[] = {
    {KEY_NO_ISS, offsetof(struct tandem_config, iss), false},
    {KEY_NO_COMPARE, offsetof(struct tandem_config, compare), false},
    {KEY_NO_SKIP, offsetof(struct tandem_config, skip_quiet), false},
    {KEY_NO_BARRIER_CHECK, offsetof(struct tandem_config, barrier_check), false},
    {KEY_ASSERTIONS, offsetof(struct tandem_config, assertions), true},
    {KEY_NO_PIN, offsetof(struct tandem_config, pin), false},
};

static bool simple(int key, const char *arg, struct tandem_config *c, struct argp_state *state) {
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (numbers[i].key != key)
      continue;
    const uint64_t v = cli_number(arg, numbers[i].what, numbers[i].min, numbers[i].max, state);
    char *at = (char *)c + numbers[i].offset;
    if (numbers[i].size == sizeof(uint32_t))
      *(uint32_t *)(void *)at = (uint32_t)v;
    else
      *(uint64_t *)(void *)at = v;
    return true;
  }
  for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
    if (switches[i].key == key) {
      *((bool *)c + switches[i].offset) = switches[i].value;
      return true;
    }
  return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const schedulers[] = {"gto", "lrr", NULL};
  static const char *const formations[] = {"default", "adaptive", "apart", NULL};
  static const char *const regroups[] = {"new-kernel", "halfway", NULL};
  struct cli_config *c = state->input;
  struct tandem_error err;
  if (c->first_pass) {
    if (key == KEY_CONFIG && tandem_config_load(&c->config, arg, &err) != TANDEM_OK) {
      fprintf(stderr, "tandem: %s\n", err.text);
      exit(TANDEM_USAGE);
    }
    return key >= KEY_CONFIG && key <= KEY_NO_PIN ? 0 : ARGP_ERR_UNKNOWN;
  }
  if (simple(key, arg, &c->config, state))
    return 0;
  switch (key) {
  case KEY_CONFIG:
    return 0;
  case KEY_ENGINE:
    c->config.engine = (enum tandem_engine)choice(arg, "--engine", cli_engine_names, state);
    return 0;
  case KEY_SCHEDULER:
    c->config.scheduler = (enum tandem_scheduler)choice(arg, "--scheduler", schedulers, state);
    return 0;
  case KEY_FORMATION:
    c->config.formation = (enum tandem_formation)choice(arg, "--formation", formations, state);
    return 0;
  case KEY_REGROUP:
    c->config.regroup = (enum tandem_regroup)choice(arg, "--regroup", regroups, state);
    return 0;
  case KEY_TRACE:
    c->config.trace = arg;
    return 0;
  case KEY_TRACE_SMS:
    c->config.trace_sms = sm_list(arg, state);
    return 0;
  case KEY_REPORT_DIR:
    c->config.report_dir = *arg != '\0' ? arg : NULL;
    if (*arg != '\0' && access(arg, W_OK | X_OK) != 0)
      argp_failure(state, TANDEM_USAGE, errno, "cannot write reports to %s", arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp cli_config_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void cli_parse(const struct argp *argp, int argc, char **argv, struct cli_config *c, void *input) {
  tandem_config_default(&c->config);
  c->config.report_dir = ".";
  c->first_pass = true;
  argp_parse(argp, argc, argv, 0, NULL, input);
  c->first_pass = false;
  argp_parse(argp, argc, argv, 0, NULL, input);
}

bool cli_ends(const char *text, const char *ending) {
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

/* Whether a word after --json is a file for it rather than the thing to run. */
static bool json_target(const char *word) {
  static const char *const inputs[] = {".yaml", ".yml", ".cl", ".ptx", ".s", ".img"};
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
