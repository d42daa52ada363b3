/* Copies of modules with planted faults. */
#include "tests/unit/flex/planted.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"

enum { PATH = 4096 };

_Noreturn static void give_up(const char *what, const char *which) {
  fprintf(stderr, "planted faults: %s: %s\n", what, which);
  exit(1);
}

/* The text with a fault; frees the text without. */
static char *plant(char *text, const struct planted *p) {
  const char *at = strstr(text, p->text);
  if (at == NULL || strstr(at + 1, p->text) != NULL)
    give_up(p->module, "a text to change is not there once");
  const size_t before = (size_t)(at - text), gone = strlen(p->text), come = strlen(p->planted);
  char *changed = malloc(strlen(text) - gone + come + 1);
  if (changed == NULL)
    give_up(p->module, "no memory");
  memcpy(changed, text, before);
  memcpy(changed + before, p->planted, come);
  strcpy(changed + before + come, text + before + gone);
  free(text);
  return changed;
}

/* again: another fault has changed the module before. */
static void plant_in(const char *folder, const struct planted *p, bool again) {
  struct tandem_error err;
  char copy[PATH], path[PATH];
  snprintf(copy, sizeof copy, "%s/%s.sv", folder, p->module);
  snprintf(path, sizeof path, "%s/rtl/flex/%s.sv", SOURCES, p->module);
  char *text = NULL;
  size_t size;
  if (files_read(again ? copy : path, &text, &size, &err) != 0)
    give_up(err.text, path);
  text = plant(text, p);
  if (files_write(copy, text, strlen(text), &err) != 0)
    give_up(err.text, copy);
  free(text);
}

void planted_write(const char *folder, const struct planted *list, unsigned n) {
  struct tandem_error err;
  if (files_folder(folder, &err) != 0)
    give_up(err.text, folder);
  for (unsigned i = 0; i < n; i++) {
    bool again = false;
    for (unsigned k = 0; k < i; k++)
      again |= strcmp(list[k].module, list[i].module) == 0;
    plant_in(folder, &list[i], again);
  }
}
