/* Prints docs/reference/configuration.md: the introduction, then the tables of configuration keys.
 */
#include <inttypes.h>
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/config.h"
#include "harness/gpu/feature.h"

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
}

int main(int argc, char **argv) { return page_main(argc, argv, "configuration_page", print); }
