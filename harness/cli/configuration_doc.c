/* Prints docs/configuration.md: the introduction, then the tables of configuration keys. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/config.h"

static const struct section {
  const char *name, *title;
} sections[] = {{"", "Top level"},
                {"buddy", "buddy: shared front ends"},
                {"spu", "spu: stencil processing unit"},
                {"sm", "sm: the back end of an SM"},
                {"memory", "memory: caches, crossbar, DRAM"},
                {"run", "run: how the GPU is simulated"}};

static void print_section(FILE *out, const struct section *s) {
  fprintf(out,
          "\n## %s\n\n| key | default | range | unit | meaning |\n"
          "| --- | --- | --- | --- | --- |\n",
          s->title);
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++) {
    char range[64], standard[32];
    if (strcmp(k->section, s->name) != 0)
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
  static const char start[] = "sm.latency.";
  fprintf(out, "\n## sm.latency: classes of instructions\n\n"
               "| class | `latency` | `interval` |\n| --- | --- | --- |\n");
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++)
    if (strncmp(k->section, start, strlen(start)) == 0 && strcmp(k->name, "latency") == 0)
      fprintf(out, "| `%s` | %" PRIu64 " | %" PRIu64 " |\n", k->section + strlen(start),
              k->standard, gpu_key(k->section, "interval")->standard);
  for (unsigned i = 0; i < 2; i++) {
    const struct config_key *k = gpu_key("sm.latency.int_add", i == 0 ? "latency" : "interval");
    char range[64];
    config_range(k, range, sizeof range);
    fprintf(out, "\n`%s`: %s, %s %s.\n", k->name, k->text, range, k->unit);
  }
}

/* The page has every key. */
static void check_sections(void) {
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++) {
    bool listed = strncmp(k->section, "sm.latency.", 11) == 0;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
      listed = listed || strcmp(k->section, sections[i].name) == 0;
    if (!listed) {
      fprintf(stderr, "configuration_page: section %s has no table\n", k->section);
      exit(1);
    }
  }
}

static void print(FILE *out) {
  check_sections();
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
    print_section(out, &sections[i]);
    if (strcmp(sections[i].name, "memory") == 0)
      print_rules(out);
  }
  print_latencies(out);
}

int main(int argc, char **argv) { return page_main(argc, argv, "configuration_page", print); }
