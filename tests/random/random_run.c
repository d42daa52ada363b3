/* The random program of one seed, in lockstep, and with the same outcome from the reference alone.
 *
 *   random_run --seed N [--set KEY=VALUE]... [--report-dir DIR] [--json FILE]
 *              [--write DIR] [--deep]
 *
 * The seed chooses the configuration, with clusters of the size that --set buddy.size or flex.size
 * gives; --set overrides it.  --write: nothing is run; the launch description DIR/random-N.yaml is
 * written, with which `tandem run` does the same in lockstep.  --deep: with it, the program
 * overflows the SIMT stack.
 *
 * The exit status is that of tandem run.  The JSON has its status, failure, seed, cycles,
 * warp_instructions and digest.  With --report-dir a mismatch leaves its waveform and report there,
 * and a failure leaves its program. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/output.h"
#include "csim/util/scratch.h"
#include "tests/random/run.h"

enum { SETTINGS = 64, USAGE = 2 };

static struct {
  uint64_t seed;
  bool deep;
  const char *settings[SETTINGS], *folder, *json, *write;
  size_t nsettings;
} chosen = {.seed = 1};

static int refuse(const char *what, const char *why) {
  fprintf(stderr, "random_run: %s: %s\n", what, why);
  return USAGE;
}

static int take_all(int argc, char **argv) {
  enum { SEED = 256, SET, REPORT_DIR, JSON, DEEP, WRITE };
  static const struct option options[] = {{"seed", required_argument, NULL, SEED},
                                          {"set", required_argument, NULL, SET},
                                          {"report-dir", required_argument, NULL, REPORT_DIR},
                                          {"json", required_argument, NULL, JSON},
                                          {"deep", no_argument, NULL, DEEP},
                                          {"write", required_argument, NULL, WRITE},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
    if (option == SEED)
      chosen.seed = strtoull(optarg, NULL, 0);
    else if (option == SET && chosen.nsettings < SETTINGS)
      chosen.settings[chosen.nsettings++] = optarg;
    else if (option == REPORT_DIR)
      chosen.folder = *optarg != '\0' ? optarg : NULL;
    else if (option == JSON)
      chosen.json = optarg;
    else if (option == DEEP)
      chosen.deep = true;
    else if (option == WRITE)
      chosen.write = optarg;
    else
      return USAGE;
  }
  if (chosen.deep && chosen.write == NULL)
    return refuse("--deep", "for --write alone");
  return optind == argc ? 0 : refuse(argv[optind], "no option");
}

static bool set_all(struct tandem_config *c, struct tandem_error *err) {
  for (size_t i = 0; i < chosen.nsettings; i++) {
    char key[64];
    const char *setting = chosen.settings[i], *value = strchr(setting, '=');
    snprintf(key, sizeof key, "%.*s", (int)strcspn(setting, "="), setting);
    if (tandem_config_set(c, key, value != NULL ? value + 1 : "", err) != TANDEM_OK)
      return false;
  }
  return true;
}

/* The seed's configuration, and over it what --set says. */
static bool configure(struct tandem_config *c, struct tandem_error *err) {
  gpu_config_default(c);
  if (!set_all(c, err))
    return false;
  const uint32_t buddy = c->feature.buddy.size, flex = c->feature.flex.size;
  if (flex != 0)
    run_configure_flex(chosen.seed, flex, 1, c);
  else if (buddy == 1)
    run_configure(chosen.seed, c);
  else
    run_configure_buddy(chosen.seed, buddy,
                        chosen.seed % 2 == 0 ? BUDDY_REGROUP_HALFWAY : BUDDY_REGROUP_NEW_KERNEL, c);
  c->engine = TANDEM_ENGINE_LOCKSTEP;
  c->report_dir = chosen.folder;
  return set_all(c, err);
}

/* Runs both engines; of a failure o says which and where. */
static enum tandem_status run(const struct tandem_config *c, struct run_outcome *o,
                              struct tandem_error *err) {
  struct run_outcome *other = calloc(1, sizeof *other);
  struct tandem_config ref = *c;
  enum tandem_status status = run_random(chosen.seed, c, o, err);
  if (other == NULL || status != TANDEM_OK) {
    free(other);
    return other == NULL ? TANDEM_USAGE : status;
  }
  ref.engine = TANDEM_ENGINE_REF;
  status = run_random(chosen.seed, &ref, other, err);
  const bool same = other->stats.cycles == o->stats.cycles && other->digest == o->digest;
  const bool compared = c->engine != TANDEM_ENGINE_LOCKSTEP || o->stats.compared > o->stats.cycles;
  if (status == TANDEM_OK && (!same || !compared)) {
    status = TANDEM_FAULT;
    o->failure.kind = same ? "nothing" : "engines";
    snprintf(o->failure.where, sizeof o->failure.where, "%s", same ? "compared" : "digest");
    snprintf(err->text, sizeof err->text, "%s",
             same ? "the run in lockstep compared nothing"
                  : "the reference alone has another outcome than lockstep");
  } else if (status == TANDEM_FAULT) {
    o->failure = other->failure;
  }
  free(other);
  return status;
}

static bool write_json(enum tandem_status status, const struct run_outcome *o) {
  struct output out = {0};
  struct tandem_error err;
  if (output_open(&out, chosen.json, &err) != 0)
    return false;
  fprintf(out.file, "{\"status\": \"%s\", \"seed\": %" PRIu64,
          status == TANDEM_OK ? "ok" : "mismatch", chosen.seed);
  if (status != TANDEM_OK) /* names of units and fields need no quotes */
    fprintf(out.file,
            ", \"failure\": {\"kind\": \"%s\", \"where\": \"%s\", \"sm\": %d, \"cycle\": %" PRIu64
            "}",
            o->failure.kind, o->failure.where, (int)o->failure.sm, (uint64_t)o->failure.cycle);
  fprintf(out.file,
          ", \"cycles\": %" PRIu64 ", \"warp_instructions\": %" PRIu64 ", \"digest\": \"%016" PRIx64
          "\"}\n",
          o->stats.cycles, o->stats.sm.warp_instructions, o->digest);
  return output_commit(&out, &err) == 0;
}

/* The program of a failure, beside its report. */
static void leave_program(void) {
  char path[4096];
  if (chosen.folder != NULL && snprintf(path, sizeof path, "%s/random-%" PRIu64 ".s", chosen.folder,
                                        chosen.seed) < (int)sizeof path)
    (void)run_write_program(chosen.seed, false, path);
}

static int write_description(const struct tandem_config *c) {
  struct run_record record;
  struct tandem_error err;
  const bool good = run_record(chosen.seed, chosen.deep, c, &record, &err) == TANDEM_OK &&
                    run_describe(chosen.seed, &record, c, chosen.write, &err) == 0;
  run_record_free(&record);
  return good ? 0 : refuse(chosen.write, err.text);
}

int main(int argc, char **argv) {
  static struct run_outcome o;
  struct tandem_config c;
  struct tandem_error err = {{0}};
  scratch_on_signals();
  const int bad = take_all(argc, argv);
  if (bad != 0)
    return bad;
  if (!configure(&c, &err))
    return refuse("--set", err.text);
  if (chosen.write != NULL)
    return write_description(&c);
  const enum tandem_status status = run(&c, &o, &err);
  if (status == TANDEM_USAGE)
    return refuse("the run", err.text);
  if (status != TANDEM_OK) {
    fprintf(stderr, "%s\n", *o.report != '\0' ? o.report : err.text);
    leave_program();
  }
  if (chosen.json != NULL && !write_json(status, &o))
    return refuse(chosen.json, "cannot be written");
  return (int)status;
}
