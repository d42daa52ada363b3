/* The parsing of all commands: which of two values of an option counts. */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"

enum { MOST = 256 };

/* The options of a command and of its children, as getopt has them: the value of each is its place
 * here. */
struct parsing {
  struct option longs[MOST];
  const struct argp_option *of[MOST];
  char letters[2 * MOST + 2];
  size_t n, nletters;
};

static void collect(struct parsing *p, const struct argp *argp) {
  for (const struct argp_option *o = argp->options;
       o != NULL && (o->name != NULL || o->key != 0 || o->doc != NULL) && p->n + 1 < MOST; o++) {
    const int has = o->arg == NULL                          ? no_argument
                    : (o->flags & OPTION_ARG_OPTIONAL) != 0 ? optional_argument
                                                            : required_argument;
    if (o->key > ' ' && o->key < 0x7f)
      p->nletters +=
          (size_t)sprintf(p->letters + p->nletters, "%c%s", o->key, has == no_argument ? "" : ":");
    if (o->name != NULL || o->key != 0) {
      p->of[p->n] = o;
      p->longs[p->n] = (struct option){o->name != NULL ? o->name : "", has, NULL, MOST + (int)p->n};
      p->n++;
    }
  }
  for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++)
    collect(p, c->argp);
}

/* The option that getopt has found, by its place or its letter; p->n: none. */
static size_t found(const struct parsing *p, int key) {
  size_t i = key >= MOST ? (size_t)(key - MOST) : 0;
  while (key < MOST && i < p->n && p->of[i]->key != key)
    i++;
  return i;
}

/* Bytes in which two values must agree to be of one thing: a name before its value, or none. */
static size_t name_of(const struct argp_option *o, const char *value) {
  return strstr(o->arg, "=VALUE") != NULL ? strcspn(value, "=") + 1 : 0;
}

/* Says which of two values of an option, or of a name in it, counts: the other one is dropped. */
static void tell_twice(const struct parsing *p, int argc, char **argv) {
  struct given {
    size_t option;
    const char *value;
  } *given = calloc((size_t)argc, sizeof *given);
  size_t n = 0;
  optind = 0;
  opterr = 0;
  for (int key;
       given != NULL && (key = getopt_long(argc, argv, p->letters, p->longs, NULL)) != -1;) {
    const size_t i = found(p, key);
    const char *value = optarg != NULL ? optarg : "";
    if (i == p->n || p->of[i]->arg == NULL)
      continue;
    const size_t name = name_of(p->of[i], value);
    if ((p->of[i]->flags & CLI_REPEATED) != 0 && name == 0)
      continue;
    size_t before = n;
    while (before > 0 &&
           (given[before - 1].option != i || strncmp(given[before - 1].value, value, name) != 0))
      before--;
    if (before > 0 && strcmp(given[before - 1].value, value) != 0)
      fprintf(stderr, "tandem: --%s is given twice: \"%s\" counts, \"%s\" does not\n",
              p->of[i]->name != NULL ? p->of[i]->name : "D", value, given[before - 1].value);
    given[n++] = (struct given){i, value};
  }
  free(given);
}

void cli_argp(const struct argp *argp, int argc, char **argv, void *input) {
  struct parsing *p = calloc(1, sizeof *p);
  char **words = calloc((size_t)argc + 1, sizeof *words); /* getopt changes the order */
  if (p != NULL && words != NULL) {
    memcpy(words, argv, (size_t)argc * sizeof *words);
    collect(p, argp);
    tell_twice(p, argc, words);
  }
  free(words);
  free(p);
  argp_parse(argp, argc, argv, 0, NULL, input);
}
