/* Kernels of many cases are one program.  A program that is refused is halved until the case at
 * fault is alone. */
#include "tests/builtins/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/tandem.h"
#include "tests/builtins/operands.h"

enum { ROOM = MOST_WIDTH * 8 };

struct session {
  const struct run_options *o;
  struct tandem *gpu;
  const struct tandem_program *program;
  uint32_t in[INPUTS], out[OUTPUTS], scratch;
  uint64_t *tuples[INPUTS];
  char *buffer[INPUTS + OUTPUTS];
  struct tandem_error err;
};

/* ---- source ---- */

static void write_kernel(FILE *f, const struct builtin_case *c, size_t number) {
  fprintf(f, "__kernel void k%zu(", number);
  for (unsigned k = 0; k < c->nin; k++)
    fprintf(f, "%s %s *a%u, ", c->constant ? "__constant" : "__global const",
            type_in_memory(c->in[k].type), k);
  for (unsigned k = 0; k < c->nout; k++)
    fprintf(f, "__global %s *r%u, ", type_in_memory(c->out[k].type), k);
  fprintf(f, "__global ulong16 *scratch) { size_t i = %s; %s}\n",
          c->solid ? "(get_global_id(2) * 6 + get_global_id(1)) * 32 + get_global_id(0)"
                   : "get_global_id(0)",
          c->body);
}

static bool write_source(const char *path, const struct builtin_case *cases, size_t n) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fprintf(f,
          "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
          "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
          "#define BLOCK %d\n",
          BLOCK);
  for (size_t i = 0; i < n; i++)
    write_kernel(f, &cases[i], i);
  return fclose(f) == 0;
}

/* ---- a GPU ---- */

static bool open_gpu(struct session *s) {
  struct tandem_config *c = tandem_config_create();
  const bool checked = strcmp(s->o->engine, "ref") != 0;
  bool ok = c != NULL && tandem_config_set(c, "sms", "1", &s->err) == TANDEM_OK &&
            tandem_config_set(c, "run.engine", s->o->engine, &s->err) == TANDEM_OK &&
            tandem_config_set(c, "run.iss", checked ? "true" : "false", &s->err) == TANDEM_OK &&
            tandem_config_set(c, "run.shadow", checked ? "true" : "false", &s->err) == TANDEM_OK &&
            tandem_open(c, &s->gpu, &s->err) == TANDEM_OK;
  tandem_config_destroy(c);
  const uint64_t bytes = s->o->tuples * ROOM;
  for (unsigned k = 0; ok && k < INPUTS; k++)
    ok = tandem_alloc(s->gpu, bytes, &s->in[k], &s->err) == TANDEM_OK;
  for (unsigned k = 0; ok && k < OUTPUTS; k++)
    ok = tandem_alloc(s->gpu, bytes, &s->out[k], &s->err) == TANDEM_OK;
  return ok && tandem_alloc(s->gpu, bytes, &s->scratch, &s->err) == TANDEM_OK;
}

static void close_gpu(struct session *s) {
  tandem_close(s->gpu);
  s->gpu = NULL;
}

static bool load(struct session *s, const struct builtin_case *cases, size_t n) {
  char folder[] = "/tmp/builtins-XXXXXX", path[64];
  if (!open_gpu(s) || !mkdtemp(folder))
    return false;
  snprintf(path, sizeof path, "%s/builtins.cl", folder);
  const bool ok = write_source(path, cases, n) &&
                  tandem_load(s->gpu, path, NULL, &s->program, &s->err) == TANDEM_OK;
  unlink(path);
  rmdir(folder);
  return ok;
}

/* ---- a case ---- */

/* The operands of work-item i, element e, lie at tuple i * width + e; scalars are those of element
 * 0. */
static void fill_inputs(struct session *s, const struct builtin_case *c, size_t items) {
  operands_make(c, s->o->seed, s->o->tuples, s->tuples);
  for (unsigned k = 0; k < c->nin; k++)
    for (size_t i = 0; i < items; i++)
      for (unsigned e = 0; e < c->in[k].n; e++)
        type_store(c->in[k].type, s->buffer[k], i * c->in[k].n + e,
                   s->tuples[k][(i * c->width + e) % s->o->tuples]);
}

static bool launch(struct session *s, const struct builtin_case *c, size_t number, size_t items) {
  uint32_t args[INPUTS + OUTPUTS + 1];
  unsigned n = 0;
  char name[24];
  for (unsigned k = 0; k < c->nin; k++) {
    args[n++] = s->in[k];
    if (tandem_write(s->gpu, s->in[k], s->buffer[k], items * c->in[k].n * type_bytes(c->in[k].type),
                     &s->err) != TANDEM_OK)
      return false;
  }
  memset(s->buffer[INPUTS], 0xa5, s->o->tuples * ROOM);
  for (unsigned k = 0; k < c->nout; k++) {
    args[n++] = s->out[k];
    if (tandem_write(s->gpu, s->out[k], s->buffer[INPUTS],
                     items * c->out[k].n * type_bytes(c->out[k].type), &s->err) != TANDEM_OK)
      return false;
  }
  args[n++] = s->scratch;
  snprintf(name, sizeof name, "k%zu", number);
  struct tandem_launch l = {.program = s->program,
                            .kernel = name,
                            .grid = {(uint32_t)(items / BLOCK), 1, 1},
                            .block = {BLOCK, 1, 1},
                            .args = args,
                            .args_bytes = n * sizeof *args};
  if (c->solid) {
    memcpy(l.block, (uint32_t[]){8, 2, 2}, sizeof l.block);
    memcpy(l.grid, (uint32_t[]){SOLID_X / 8, SOLID_Y / 2, SOLID_Z / 2}, sizeof l.grid);
  }
  if (tandem_launch(s->gpu, &l, &s->err) != TANDEM_OK) {
    if (!*s->err.text)
      snprintf(s->err.text, sizeof s->err.text, "%.900s", tandem_report(s->gpu));
    return false;
  }
  for (unsigned k = 0; k < c->nout; k++)
    if (tandem_read(s->gpu, s->out[k], s->buffer[INPUTS + k],
                    items * c->out[k].n * type_bytes(c->out[k].type), &s->err) != TANDEM_OK)
      return false;
  return true;
}

static void judge_items(struct session *s, const struct builtin_case *c, size_t items,
                        struct run_result *r) {
  uint64_t values[INPUTS + OUTPUTS][64];
  for (size_t i = 0; i < items; i++) {
    struct item it = {.c = c, .index = i};
    for (unsigned k = 0; k < c->nin; k++) {
      it.in[k] = values[k];
      it.buffer[k] = s->buffer[k];
      for (unsigned e = 0; e < c->in[k].n; e++)
        values[k][e] = type_load(c->in[k].type, s->buffer[k], i * c->in[k].n + e);
    }
    for (unsigned k = 0; k < c->nout; k++) {
      it.got[k] = values[INPUTS + k];
      for (unsigned e = 0; e < c->out[k].n; e++)
        values[INPUTS + k][e] =
            type_load(c->out[k].type, s->buffer[INPUTS + k], i * c->out[k].n + e);
    }
    c->judge(&it);
    if (isfinite(it.worst) && it.worst > r->worst)
      r->worst = it.worst;
    if (it.failed && r->wrong++ == 0)
      snprintf(r->text, sizeof r->text, "%s", it.text);
  }
  r->state = r->wrong > 0 ? WRONG : RIGHT;
}

static void refuse(struct session *s, struct run_result *r) {
  r->state = REFUSED;
  const char *line = strstr(s->err.text, "error: ");
  snprintf(r->text, sizeof r->text, "%.500s", line ? line : s->err.text);
  for (char *p = r->text; *p; p++)
    if (*p == '\n' || *p == '\t')
      *p = ' ';
}

static void run_program(struct session *s, const struct builtin_case *cases, size_t n,
                        struct run_result *results) {
  s->err.text[0] = '\0';
  if (!load(s, cases, n)) {
    if (n == 1)
      refuse(s, results);
    close_gpu(s);
    if (n > 1) {
      run_program(s, cases, n / 2, results);
      run_program(s, cases + n / 2, n - n / 2, results + n / 2);
    }
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t items = cases[i].solid ? SOLID_X * SOLID_Y * SOLID_Z
                                        : s->o->tuples / cases[i].width / BLOCK * BLOCK;
    fill_inputs(s, &cases[i], items);
    s->err.text[0] = '\0';
    if (launch(s, &cases[i], i, items)) {
      judge_items(s, &cases[i], items, &results[i]);
      continue;
    }
    refuse(s, &results[i]);
    close_gpu(s); /* has failed */
    if (i + 1 < n)
      run_program(s, cases + i + 1, n - i - 1, results + i + 1);
    return;
  }
  close_gpu(s);
}

void run_cases(const struct run_options *o, const struct builtin_case *cases, size_t n,
               struct run_result *results) {
  struct session s = {.o = o};
  for (unsigned k = 0; k < INPUTS; k++)
    s.tuples[k] = calloc(o->tuples, sizeof **s.tuples);
  for (unsigned k = 0; k < INPUTS + OUTPUTS; k++)
    s.buffer[k] = malloc(o->tuples * ROOM);
  memset(results, 0, n * sizeof *results);
  run_program(&s, cases, n, results);
  for (unsigned k = 0; k < INPUTS; k++)
    free(s.tuples[k]);
  for (unsigned k = 0; k < INPUTS + OUTPUTS; k++)
    free(s.buffer[k]);
}
