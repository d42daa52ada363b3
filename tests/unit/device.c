/* The device that a test looks at. */
#include "tests/unit/device.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/facts.h"
#include "tests/unit/testing.h"

struct device device;

enum { BAD_USE = 2, FILES_MOST = 16 };

static const struct {
  const char *name;
  enum rtl_kind kind; /* RTL_KINDS: no device */
} kinds[] = {{"rtl", RTL_CHECKED},
             {"netlist", RTL_NETLIST},
             {"mutants", RTL_MUTANTS},
             {"covered", RTL_COVERED},
             {"none", RTL_KINDS}};

static int complain(const char *what, const char *name) {
  fprintf(stderr, "%s: %s %s\n", device.spec.unit, what, name);
  return BAD_USE;
}

static int choose_kind(const char *name) {
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) {
      device.spec.kind = kinds[i].kind;
      return 0;
    }
  return complain("no device", name);
}

static int choose_variant(const char *name) {
  const struct unit_facts *f = unit_facts_of(device.spec.unit);
  for (unsigned i = 0; f != NULL && f->variants[i].name != NULL; i++)
    if (strcmp(f->variants[i].name, name) == 0) {
      device.spec.parameters = f->variants[i].parameters;
      return 0;
    }
  return complain("no variant", name);
}

/* Separated by commas, which become ends. */
static int choose_files(char *list) {
  static const char *files[FILES_MOST + 1];
  unsigned n = 0;
  for (char *file = strtok(list, ","); file != NULL; file = strtok(NULL, ",")) {
    if (n == FILES_MOST)
      return complain("too many files, from", file);
    files[n++] = file;
  }
  device.spec.files = files;
  return 0;
}

static int choose_number(const char *option, const char *text, uint64_t *number) {
  char *end;
  *number = strtoull(text, &end, 0);
  return *text != '\0' && *end == '\0' ? 0 : complain(option, "is not a number");
}

enum { DEVICE = 256, VARIANT, PARAMETERS, FILES, RTL, FAULTS, SEED, CYCLES, MUTANT };

static int take(int option, char *value, uint64_t *mutant) {
  uint64_t seed; /* testing_seeds() reads it */
  switch (option) {
  case DEVICE:
    return choose_kind(value);
  case VARIANT:
    return choose_variant(value);
  case PARAMETERS:
    device.spec.parameters = value;
    return 0;
  case FILES:
    return choose_files(value);
  case RTL:
    device.spec.rtl = value;
    return 0;
  case FAULTS:
    device.faults = true;
    return 0;
  case SEED:
    return choose_number("--seed", value, &seed);
  case CYCLES:
    return choose_number("--cycles", value, &device.cycles);
  case MUTANT:
    return choose_number("--mutant", value, mutant);
  default: /* getopt has printed the error */
    return BAD_USE;
  }
}

static int take_all(int argc, char **argv, uint64_t *mutant) {
  static const struct option options[] = {{"device", required_argument, NULL, DEVICE},
                                          {"variant", required_argument, NULL, VARIANT},
                                          {"parameters", required_argument, NULL, PARAMETERS},
                                          {"files", required_argument, NULL, FILES},
                                          {"rtl", required_argument, NULL, RTL},
                                          {"faults", no_argument, NULL, FAULTS},
                                          {"seed", required_argument, NULL, SEED},
                                          {"cycles", required_argument, NULL, CYCLES},
                                          {"mutant", required_argument, NULL, MUTANT},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
    const int status = take(option, optarg, mutant);
    if (status != 0)
      return status;
  }
  if (optind < argc)
    return complain("no option", argv[optind]);
  if (device.faults && device.spec.kind != RTL_CHECKED)
    return complain("--faults is", "for --device rtl");
  if (*mutant != 0 && device.spec.kind != RTL_MUTANTS)
    return complain("--mutant is", "for --device mutants");
  return 0;
}

static void print_progress(const char *line) {
  if (line != NULL)
    printf("%s\n", line);
}
static void print_warning(const char *text) { fprintf(stderr, "%s\n", text); }

int device_choose(const char *unit, const char *parameters, int argc, char **argv) {
  static const struct models_listener listener = {print_progress, print_warning};
  const struct unit_facts *f = unit_facts_of(unit);
  struct tandem_error err;
  uint64_t mutant = 0;
  device.spec = (struct rtl_spec){.unit = unit, .parameters = parameters, .kind = RTL_CHECKED};
  const int status = take_all(argc, argv, &mutant);
  if (status != 0)
    return status;
  device.seed = testing_seeds(argc, argv, &device.fresh);
  if (device.spec.kind == RTL_KINDS)
    return 0;
  if (device.spec.kind == RTL_CHECKED && f != NULL && f->made_of_units)
    device.spec.kind = RTL_FULL;
  models_listen(&listener);
  device.type = models_get(&device.spec, &err);
  if (device.type == NULL)
    return complain("no model:", err.text);
  if (mutant != 0)
    testing_mutate((unsigned)mutant, device.type->mutate, device.type->mutant_age);
  return 0;
}

/* "Name=value", a number or as Verilog has it: 1'b1. */
unsigned device_parameter(const char *name, unsigned otherwise) {
  const size_t length = strlen(name);
  const char *at = device.spec.parameters;
  for (; at != NULL && *at != '\0'; at += *at == ' ') {
    if (strncmp(at, name, length) == 0 && at[length] == '=') {
      const char *value = at + length + 1, *base = strpbrk(value, "' ");
      const bool based = base != NULL && *base == '\'';
      return (unsigned)strtoul(based ? base + 2 : value, NULL,
                               !based           ? 10
                               : base[1] == 'b' ? 2
                               : base[1] == 'h' ? 16
                                                : 10);
    }
    at += strcspn(at, " ");
  }
  return otherwise;
}

struct rtl_model *device_create(uint64_t seed) {
  return device.type != NULL ? rtl_create(device.type, seed) : NULL;
}

bool device_has_states(void) { return device.type != NULL && device.spec.kind != RTL_NETLIST; }

bool device_asserts(void) {
  return device.type != NULL && device.spec.kind != RTL_NETLIST &&
         device.spec.kind != RTL_MUTANTS && !device.faults;
}
