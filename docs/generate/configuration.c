/* Prints docs/reference/configuration.md: the introduction, then the tables of configuration keys.
 */
#include <inttypes.h>
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/config.h"
#include "harness/gpu/feature.h"
#include "harness/job/config.h"

static void print_section(FILE *out, const char *name, const char *title) {
  const struct config_key *k;
  fprintf(out,
          "\n## %s%s%s\n\n| key | default | range | unit | meaning |\n"
          "| --- | --- | --- | --- | --- |\n",
          name, *name != '\0' ? ": " : "", title);
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
    char range[64], standard[32];
    if (strcmp(k->section, name) != 0)
      continue;
    config_range(k, range, sizeof range);
    config_value(k, k->standard, standard, sizeof standard);
    fprintf(out, "| `%s` | %s | %s | %s | ", k->name, standard, range, k->unit);
    page_cell(out, k->text);
    fprintf(out, " |\n");
  }
}

static void print_rules(FILE *out) {
  static const char *const rules[] = {
#define CONFIG_NUMBER(...)
#define CONFIG_POWER(...)
#define CONFIG_SWITCH(...)
#define CONFIG_RULE(section, condition, text, ...) text,
#include "csim/mem/config.def"
  };
  fprintf(out, "\nValues of `memory` must go together:\n\n");
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    fprintf(out, "* %s.\n", rules[i]);
}

/* The classes of instructions: both keys in a line. */
static void print_latencies(FILE *out) {
  const struct config_key *k;
  static const char start[] = "sm.latency.";
  fprintf(out, "\n## sm.latency: classes of instructions\n\n"
               "| class | `latency` | `interval` |\n| --- | --- | --- |\n");
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (strncmp(k->section, start, strlen(start)) == 0 && strcmp(k->name, "latency") == 0)
      fprintf(out, "| `%s` | %" PRIu64 " | %" PRIu64 " |\n", k->section + strlen(start),
              k->standard, gpu_key(k->section, "interval")->standard);
  for (unsigned i = 0; i < 2; i++) {
    k = gpu_key("sm.latency.int_add", i == 0 ? "latency" : "interval");
    char range[64];
    config_range(k, range, sizeof range);
    fprintf(out, "\n`%s`: %s, %s %s.\n", k->name, k->text, range, k->unit);
  }
}

/* ---- GPUs that have names ---- */

static struct gpu {
  const char *name;
  struct tandem_config config;
  struct config_sources sources;
} gpus[] = {{.name = GPU_DEFAULT}, {.name = "gpgpusim"}};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

/* A class of instructions has both keys in one row. */
static bool is_class(const struct config_key *k) {
  return strncmp(k->section, "sm.latency.", 11) == 0;
}

static void print_text(FILE *out, const char *text) { page_cell(out, text != NULL ? text : ""); }

/* The values of a key, and their sources; that of the second GPU where it is another one. */
static void print_values(FILE *out, size_t i) {
  const struct config_key *k = gpu_key_at(i);
  const char *source[GPUS] = {gpus[0].sources.of[i], gpus[1].sources.of[i]};
  const char *dot = *k->section != '\0' && !is_class(k) ? "." : "";
  fprintf(out, "| `%s%s%s` |", k->section, dot, is_class(k) ? "" : k->name);
  for (unsigned g = 0; g < GPUS; g++) {
    char value[32];
    config_value(k, config_get(k, &gpus[g].config), value, sizeof value);
    fprintf(out, " %s", value);
    if (is_class(k))
      fprintf(out, " / %" PRIu64, config_get(gpu_key(k->section, "interval"), &gpus[g].config));
    fprintf(out, " |");
  }
  fputc(' ', out);
  print_text(out, source[0]);
  if (source[0] != NULL && source[1] != NULL && strcmp(source[0], source[1]) != 0) {
    fprintf(out, "; `%s`: ", gpus[1].name);
    print_text(out, source[1]);
  }
  fprintf(out, " |\n");
}

static void print_gpus(FILE *out) {
  const struct config_key *k;
  fprintf(out,
          "\n## GPUs: values and sources\n\n"
          "Classes of instructions: `latency` / `interval`. Sources: *article*, table III of the "
          "Buddy SM article;\n*card*, what NVIDIA publishes of a GTX 480; *SM2_GTX480*, that "
          "configuration of GPGPU-Sim 4.2.0;\n*measured*, fitted to GPGPU-Sim's cycles; *Tandem*, "
          "a decision (pages of the [back end](../models/sm.md)\nand of "
          "[memory](../models/memory.md)).\n\n"
          "| key | %s | %s | source |\n| --- | --- | --- | --- |\n",
          gpus[0].name, gpus[1].name);
  for (unsigned g = 0; g < GPUS; g++) {
    gpu_config_default(&gpus[g].config);
    (void)config_choose(&gpus[g].config, gpus[g].name, &gpus[g].sources, NULL);
  }
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (gpu_key_describes(k) && !(is_class(k) && strcmp(k->name, "interval") == 0))
      print_values(out, i);
  for (unsigned g = 0; g < GPUS; g++)
    config_forget_sources(&gpus[g].sources);
}

static void print(FILE *out) {
  print_section(out, "", "Top level");
  for (size_t i = 0; i < features_count; i++)
    if (strcmp(features[i]->keys[0].section, features[i]->name) == 0)
      print_section(out, features[i]->name, features[i]->title);
  print_section(out, "sm", "the back end of an SM");
  print_section(out, "memory", "caches, crossbar, DRAM");
  print_rules(out);
  print_section(out, "run", "how the GPU is simulated");
  print_latencies(out);
  print_gpus(out);
}

int main(int argc, char **argv) { return page_main(argc, argv, "configuration_page", print); }
