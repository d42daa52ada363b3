/* Cell libraries: opening them, and the cells that the flow needs of them. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "synth/input/library.h"

/* Where Debian's qflow-tech-osu018 has it. */
#define OSU018 "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

/* Truth tables over the inputs, bit 0 for all low. */
enum { BUFFER = 0x2, INVERTER = 0x1, NAND2 = 0x7 };

/* A name that tools take for one word, wherever it stands. */
static bool is_plain(const char *name) {
  return *name != '\0' &&
         name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] ==
             '\0';
}

static const struct liberty_cell *with_table(const struct liberty *l, unsigned inputs,
                                             unsigned table, bool largest) {
  const struct liberty_cell *found = NULL;
  for (size_t i = 0; i < l->ncells; i++) {
    const struct liberty_cell *c = &l->cells[i];
    if (c->inputs != inputs || c->table != table || c->area <= 0 || !c->timed ||
        !is_plain(c->name) || !is_plain(c->output))
      continue;
    if (found == NULL || (largest ? c->area > found->area : c->area < found->area))
      found = c;
  }
  return found;
}

/* Checks that the library states what OpenSTA needs of it, or what power depends on. */
static int states_all(const struct liberty_tree *t, struct tandem_error *err) {
  static const char *const names[] = {
      "delay_model",
      "input_threshold_pct_rise",
      "input_threshold_pct_fall",
      "output_threshold_pct_rise",
      "output_threshold_pct_fall",
      "slew_lower_threshold_pct_rise",
      "slew_lower_threshold_pct_fall",
      "slew_upper_threshold_pct_rise",
      "slew_upper_threshold_pct_fall",
      "nom_voltage",
  };
  enum { NAMES = sizeof names / sizeof *names };
  const bool conditions = liberty_value(t, t->nodes, "default_operating_conditions") != NULL;
  for (size_t i = 0; i < NAMES - (size_t)conditions; i++) /* which have a voltage */
    if (liberty_value(t, t->nodes, names[i]) == NULL)
      return liberty_wrong(t, t->nodes->line, err, "the library does not state %s", names[i]);
  return 0;
}

/* Checks that the library has all cells that a netlist and its figures need; fills *info in. */
static int complete(const struct liberty *l, const char *path, struct synth_library *info,
                    struct tandem_error *err) {
  const struct liberty_cell *nand2 = with_table(l, 2, NAND2, false);
  const struct liberty_cell *driver = with_table(l, 1, BUFFER, false);
  bool registers = false;
  for (size_t i = 0; i < l->ncells; i++)
    registers |= l->cells[i].sequential && l->cells[i].timed;
  if (driver == NULL)
    driver = with_table(l, 1, INVERTER, true);
  const char *lacks = nand2 == NULL    ? "a NAND of two inputs with an area and times"
                      : driver == NULL ? "a buffer or an inverter with an area and times"
                      : !registers     ? "a flip-flop with times"
                                       : NULL;
  if (lacks != NULL)
    return tandem_fail(err, -EINVAL,
                       "%s: the library \"%s\" cannot be used: none of its %zu cells is %s;\n"
                       "give a library of standard cells with --liberty",
                       path, l->name, l->ncells, lacks);
  const int status = states_all(l->trees, err);
  if (status != 0)
    return status;
  info->nand2 = nand2->area;
  memcpy(info->nand2_name, nand2->name, sizeof info->nand2_name);
  memcpy(info->driver, driver->name, sizeof info->driver);
  memcpy(info->driver_pin, driver->output, sizeof info->driver_pin);
  memcpy(info->name, l->name, sizeof info->name);
  return 0;
}

static bool is_packed(const char *path) {
  unsigned char magic[2] = {0, 0};
  FILE *f = fopen(path, "rb");
  const bool packed =
      f != NULL && fread(magic, 1, 2, f) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  if (f != NULL)
    fclose(f);
  return packed;
}

/* Puts a library that is no single file which the tools read into the folder, by its key. */
static int put(const struct liberty *l, const char *folder, char key[HASH_KEY], char *where,
               size_t size, struct tandem_error *err) {
  const bool plain = l->ntrees == 1 && liberty_plain(&l->trees[0], &l->units[0]);
  char *written = NULL;
  size_t length;
  struct hash h;
  FILE *out = plain ? NULL : open_memstream(&written, &length);
  if (out != NULL) {
    liberty_write(out, l->trees, l->units, l->ntrees, l->name);
    fclose(out);
    hash_start(&h);
    hash_text(&h, written);
    hash_end(&h, key);
  }
  const char *text = plain ? l->trees[0].text : written;
  snprintf(where, size, "%s/%.20s.lib", folder, key);
  int status = text != NULL ? files_folder(folder, err) : tandem_fail(err, -ENOMEM, "no memory");
  if (status == 0 && access(where, R_OK) != 0)
    status = files_write(where, text, strlen(text), err);
  free(written);
  return status;
}

static int add(struct liberty *l, const char *path, struct hash *h, struct tandem_error *err) {
  char *text;
  size_t size;
  int status = files_read(path, &text, &size, err);
  if (status != 0)
    return status;
  if (strlen(text) != size)
    status = tandem_fail(err, -EINVAL, "%s: a byte 0, which no Liberty file has", path);
  if (status == 0)
    status = liberty_add(l, text, path, err);
  hash_text(h, text);
  free(text);
  return status;
}

int liberty_open(const char *const *paths, size_t n, const char *folder, struct liberty *l,
                 char key[HASH_KEY], char *where, size_t size, struct tandem_error *err) {
  struct hash h;
  int status = 0;
  memset(l, 0, sizeof *l);
  hash_start(&h);
  for (size_t i = 0; status == 0 && i < n; i++)
    status = add(l, paths[i], &h, err);
  hash_end(&h, key);
  if (status == 0)
    status = liberty_check(l, err);
  if (status == 0 && (n > 1 || is_packed(paths[0]) || !liberty_plain(&l->trees[0], &l->units[0]))) {
    status = put(l, folder, key, where, size, err);
  } else if (status == 0) {
    char *real = realpath(paths[0], NULL);
    snprintf(where, size, "%s", real != NULL ? real : paths[0]);
    free(real);
  }
  if (status != 0)
    liberty_free(l);
  return status;
}

int synth_library_load(const char *const *given, size_t n, const char *folder, struct liberty *l,
                       struct synth_library *info, struct tandem_error *err) {
  static const char *const otherwise[] = {OSU018};
  const char *const *paths = n > 0 ? given : otherwise;
  if (n == 0 && access(OSU018, R_OK) != 0)
    return tandem_fail(err, -ENOENT,
                       "there is no %s: install Debian's package qflow-tech-osu018, or name a "
                       "library with --liberty",
                       OSU018);
  memset(info, 0, sizeof *info);
  int status =
      liberty_open(paths, n > 0 ? n : 1, folder, l, info->key, info->path, sizeof info->path, err);
  if (status != 0)
    return status;
  status = complete(l, paths[0], info, err);
  if (status != 0)
    liberty_free(l);
  return status;
}
