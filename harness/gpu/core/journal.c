/* The journal of what the host did, in order. */
#include "harness/gpu/core/journal.h"
#include "harness/gpu/feature.h"

#include <stdlib.h>
#include <string.h>

struct journal *journal_create(void) {
  return calloc(1, sizeof(struct journal));
}

void journal_destroy(struct journal *j) {
  if (j == NULL)
    return;
  for (size_t i = 0; i < j->n; i++) {
    free(j->entries[i].data);
    free((void *)(uintptr_t)j->entries[i].launch.kernel);
    launch_parts_free(&j->entries[i].launch);
  }
  free(j->entries);
  free(j);
}

static struct journal_entry *append(struct journal *j, enum journal_kind kind) {
  if (j->n == j->capacity) {
    const size_t capacity = j->capacity == 0 ? 64 : 2 * j->capacity;
    struct journal_entry *grown = realloc(j->entries, capacity * sizeof *grown);
    if (grown == NULL)
      return NULL;
    j->entries = grown;
    j->capacity = capacity;
  }
  struct journal_entry *e = &j->entries[j->n++];
  *e = (struct journal_entry){.kind = kind};
  return e;
}

static bool keep(struct journal_entry *e, const void *from, uint64_t bytes) {
  e->bytes = bytes;
  e->data = malloc(bytes != 0 ? bytes : 1);
  if (e->data == NULL)
    return false;
  if (bytes != 0)
    memcpy(e->data, from, bytes);
  return true;
}

bool journal_alloc(struct journal *j, uint64_t bytes) {
  struct journal_entry *e = append(j, JOURNAL_ALLOC);
  if (e != NULL)
    e->bytes = bytes;
  return e != NULL;
}

bool journal_write(struct journal *j, uint32_t address, const void *from, uint64_t bytes) {
  struct journal_entry *e = append(j, JOURNAL_WRITE);
  if (e == NULL)
    return false;
  e->address = address;
  return keep(e, from, bytes);
}

bool journal_load(struct journal *j, struct isa_program *program) {
  struct journal_entry *e = append(j, JOURNAL_LOAD);
  if (e != NULL)
    e->program = program;
  return e != NULL;
}

bool journal_launch(struct journal *j, const struct tandem_launch *launch) {
  struct journal_entry *e = append(j, JOURNAL_LAUNCH);
  if (e == NULL)
    return false;
  e->launch = *launch;
  e->launch.kernel = strdup(launch->kernel);
  return launch_parts_copy(&e->launch) && e->launch.kernel != NULL &&
         keep(e, launch->args, launch->args_bytes);
}
