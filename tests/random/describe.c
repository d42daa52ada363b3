/* A random program as a launch description, which `tandem run` runs. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/util/files.h"
#include "harness/job/config.h"
#include "tests/random/run.h"

struct place {
  const char *folder;
  uint64_t seed;
};

/* Writes FOLDER/random-SEED and the ending. */
static int put(const struct place *at, const char *ending, const void *bytes, size_t size,
               struct tandem_error *err) {
  char *path;
  if (asprintf(&path, "%s/random-%" PRIu64 "%s", at->folder, at->seed, ending) < 0)
    return tandem_fail(err, -ENOMEM, "out of memory");
  const int status = files_write(path, bytes, size, err);
  free(path);
  return status;
}

/* The program's words of parameters, which a launch description fills one by one. */
static bool name_parameters(struct isa_kernel *k) {
  k->params = calloc(GEN_PARAM_WORDS, sizeof *k->params);
  for (unsigned i = 0; k->params != NULL && i < GEN_PARAM_WORDS; i++) {
    char name[8];
    snprintf(name, sizeof name, "w%u", i);
    k->params[i] = (struct isa_param){
        .name = strdup(name), .offset = 4 * i, .size = 4, .align = 4, .pointer = i < 2};
    if (k->params[i].name == NULL)
      return false;
    k->nparams++;
  }
  return k->params != NULL;
}

static int put_program(const struct place *at, struct isa_program *p, struct tandem_error *err) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = name_parameters(&p->kernels[0]) ? open_memstream(&text, &size) : NULL;
  int status = out != NULL ? isa_disassemble(p, out) : -ENOMEM;
  if (out != NULL && fclose(out) != 0)
    status = -ENOMEM;
  status = status == 0 ? put(at, ".s", text, size, err)
                       : tandem_fail(err, status, "cannot write the program as text");
  free(text);
  return status;
}

static void put_launch(FILE *out, const struct run_record *r, const struct run_launch *l) {
  static const char *const schemes[] = {"base", "occ", "bal", "bigsm", "bigsm_occ", "auto"};
  fprintf(out, "  - launch: {kernel: random, grid: [%u], block: [%u]", l->grid[0], l->block[0]);
  if (l->dynamic_shared != 0)
    fprintf(out, ", dynamic_shared: %u", l->dynamic_shared);
  if (l->flex && l->scheme < sizeof schemes / sizeof schemes[0])
    fprintf(out, ", flex: %s", schemes[l->scheme]);
  fprintf(out, ",\n             args: [");
  for (unsigned w = 0; w < GEN_PARAM_WORDS; w++) {
    unsigned b = w < 2 ? 0 : r->buffers;
    while (b < r->buffers && r->address[b] != l->params[w])
      b++;
    if (b < r->buffers)
      fprintf(out, "%s{buffer: b%u}", w != 0 ? ", " : "", b);
    else
      fprintf(out, "%s{u32: %u}", w != 0 ? ", " : "", l->params[w]);
  }
  fprintf(out, "]}\n");
}

static int put_description(const struct place *at, const struct run_record *r,
                           const struct tandem_config *config, struct tandem_error *err) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  fprintf(out, "program: random-%" PRIu64 ".s\ngpu:\n", at->seed);
  config_write(out, config, NULL, 1);
  fprintf(out, "buffers:\n");
  for (unsigned b = 0; b < r->buffers; b++) {
    fprintf(out, "  - {name: b%u, type: u32, count: %zu", b,
            (r->image.begin[b + 1] - r->image.begin[b]) / 4);
    if (b == 0)
      fprintf(out, ", fill: {file: random-%" PRIu64 ".bin}", at->seed);
    fprintf(out, "}\n");
  }
  fprintf(out, "steps:\n");
  for (unsigned i = 0; i < r->nlaunches; i++)
    put_launch(out, r, &r->launches[i]);
  const int status = fclose(out) == 0 ? put(at, ".yaml", text, size, err)
                                      : tandem_fail(err, -ENOMEM, "out of memory");
  free(text);
  return status;
}

int run_describe(uint64_t seed, const struct run_record *r, const struct tandem_config *config,
                 const char *folder, struct tandem_error *err) {
  const struct place at = {folder, seed};
  TRY(files_folder(folder, err));
  TRY(put(&at, ".bin", r->image.bytes, r->image.begin[1], err));
  TRY(put_program(&at, r->program, err));
  return put_description(&at, r, config, err);
}
