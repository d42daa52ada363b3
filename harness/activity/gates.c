/* A flat netlist of cells: reading it, writing it as a model and for timing. */
#include "harness/activity/gates.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MEMORY[] = "tandem_mem_";

/* Constants are strings in the file; one that is unknown may be either. */
static uint32_t bit_of(const json_t *bit) {
  if (json_is_integer(bit))
    return (uint32_t)json_integer_value(bit);
  return strcmp(json_string_value(bit), "1") == 0 ? GATES_ONE : GATES_ZERO;
}

static bool add_pin(struct gates *g, const char *port, bool output, const json_t *bits) {
  size_t i;
  const json_t *bit;
  g->pins[g->npins++] = (struct gates_pin){.port = port,
                                           .output = output,
                                           .width = (unsigned)json_array_size(bits),
                                           .first = (unsigned)g->nbits};
  json_array_foreach(bits, i, bit) {
    if (!json_is_integer(bit) && !json_is_string(bit))
      return false;
    g->bits[g->nbits] = bit_of(bit);
    if (g->bits[g->nbits] >= g->nets)
      g->nets = g->bits[g->nbits] + 1;
    g->nbits++;
  }
  return true;
}

/* The file has no directions of memories and blocks. */
static bool is_output(const json_t *direction, const char *port) {
  const char *text = json_string_value(direction);
  const size_t n = strlen(port);
  return text != NULL ? strcmp(text, "output") == 0
                      : strcmp(port, "r_data") == 0 || (n > 2 && strcmp(port + n - 2, "_o") == 0);
}

/* How much there is, to allocate it at once. */
static void count(const json_t *module, size_t *cells, size_t *pins, size_t *bits) {
  const char *name, *port;
  json_t *cell, *item;
  *cells = json_object_size(json_object_get(module, "cells"));
  *pins = json_object_size(json_object_get(module, "ports"));
  *bits = 0;
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    const json_t *connections = json_object_get(cell, "connections");
    *pins += json_object_size(connections);
    json_object_foreach((json_t *)(uintptr_t)connections, port, item) *bits +=
        json_array_size(item);
  }
  json_object_foreach(json_object_get(module, "ports"), name, item) *bits +=
      json_array_size(json_object_get(item, "bits"));
}

static bool read_cell(struct gates *g, const char *name, const json_t *cell) {
  struct gates_cell *c = &g->cells[g->ncells++];
  const char *port;
  json_t *bits;
  *c = (struct gates_cell){.name = name,
                           .type = json_string_value(json_object_get(cell, "type")),
                           .first = (unsigned)g->npins};
  if (c->type == NULL)
    return false;
  const json_t *directions = json_object_get(cell, "port_directions");
  if (strncmp(c->type, MEMORY, sizeof MEMORY - 1) == 0)
    c->kind = GATES_MEMORY;
  else if (directions == NULL)
    c->kind = GATES_BLOCK;
  json_object_foreach(json_object_get(cell, "connections"), port, bits) {
    if (!add_pin(g, port, is_output(json_object_get(directions, port), port), bits))
      return false;
  }
  c->pins = (unsigned)(g->npins - c->first);
  return true;
}

static bool read_module(struct gates *g, json_t *module) {
  const char *name;
  json_t *item;
  size_t cells, pins, bits;
  count(module, &cells, &pins, &bits);
  g->cells = calloc(cells + 1, sizeof *g->cells);
  g->pins = calloc(pins + 1, sizeof *g->pins);
  g->bits = calloc(bits + 1, sizeof *g->bits);
  if (g->cells == NULL || g->pins == NULL || g->bits == NULL)
    return false;
  g->nets = GATES_FIRST;
  json_object_foreach(json_object_get(module, "cells"), name, item) {
    if (!read_cell(g, name, item))
      return false;
  }
  g->own = g->npins;
  json_object_foreach(json_object_get(module, "ports"), name, item) {
    if (!add_pin(g, name, is_output(json_object_get(item, "direction"), name),
                 json_object_get(item, "bits")))
      return false;
  }
  return true;
}

int gates_read(struct gates *g, const char *path, const char *top, struct tandem_error *err) {
  json_error_t error;
  *g = (struct gates){.top = strdup(top), .json = json_load_file(path, 0, &error)};
  if (g->json == NULL)
    return tandem_fail(err, -ENOENT, "%s: %s", path, error.text);
  json_t *module = json_object_get(json_object_get(g->json, "modules"), top);
  if (g->top == NULL || module == NULL || !read_module(g, module)) {
    gates_free(g);
    return tandem_fail(err, -EINVAL, "%s has no netlist of %s that can be read", path, top);
  }
  return 0;
}

void gates_free(struct gates *g) {
  json_decref(g->json);
  free(g->top);
  free(g->cells);
  free(g->pins);
  free(g->bits);
  *g = (struct gates){0};
}

static void write_bit(const struct gates *g, FILE *out, unsigned at) {
  if (g->bits[at] < GATES_FIRST)
    fprintf(out, "1'b%u", g->bits[at]);
  else
    fprintf(out, "n%u", g->bits[at]);
}

/* Highest first, as Verilog has it. */
static void write_bits(const struct gates *g, FILE *out, const struct gates_pin *p) {
  if (p->width == 1) {
    write_bit(g, out, p->first);
    return;
  }
  fputc('{', out);
  for (unsigned i = p->width; i-- != 0;) {
    write_bit(g, out, p->first + i);
    if (i != 0)
      fputc(',', out);
  }
  fputc('}', out);
}

void gates_memory(const struct gates_cell *c, unsigned *words, unsigned *width, unsigned *reads,
                  unsigned *writes) {
  *words = *width = *reads = *writes = 0;
  (void)sscanf(c->type, "tandem_mem_%ux%u_%ur%uw", words, width, reads, writes);
}

static void write_type(const struct gates *g, FILE *out, const struct gates_cell *c) {
  unsigned words, width, reads, writes, bits = 0;
  if (c->kind != GATES_MEMORY) {
    fputs(c->type, out);
    return;
  }
  gates_memory(c, &words, &width, &reads, &writes);
  for (unsigned i = 0; i < c->pins; i++)
    if (strcmp(g->pins[c->first + i].port, "r_addr") == 0)
      bits = g->pins[c->first + i].width;
  fprintf(out, "counted_memory #(.Words(%u), .Width(%u), .Abits(%u), .Reads(%u), .Writes(%u))",
          words, width, reads != 0 ? bits / reads : 0, reads, writes);
}

static void write_cell(const struct gates *g, FILE *out, size_t index) {
  const struct gates_cell *c = &g->cells[index];
  fputs("  ", out);
  write_type(g, out, c);
  fprintf(out, " c%zu (", index);
  for (unsigned i = 0; i < c->pins; i++) {
    const struct gates_pin *p = &g->pins[c->first + i];
    fprintf(out, "%s.%s(", i != 0 ? ", " : "", p->port);
    write_bits(g, out, p);
    fputc(')', out);
  }
  fputs(");\n", out);
}

bool *gates_used(const struct gates *g) {
  bool *used = calloc(g->nets, sizeof *used);
  for (size_t i = 0; used != NULL && i < g->nbits; i++)
    used[g->bits[i]] = g->bits[i] >= GATES_FIRST;
  return used;
}

/* All nets in words that can be seen from outside, the lowest number in the lowest bit. */
static void write_words(const bool *used, uint32_t nets, FILE *out) {
  uint32_t net[GATES_WORD];
  unsigned words = 0, n = 0;
  for (uint32_t at = GATES_FIRST; at < nets; at++) {
    if (used[at])
      net[n++] = at;
    if (n == 0 || (n < GATES_WORD && at + 1 < nets))
      continue;
    fprintf(out, "  wire [%d:0] nets%u /*verilator public_flat_rd*/ = {", GATES_WORD - 1, words++);
    while (n-- > 1)
      fprintf(out, "n%u, ", net[n]);
    fprintf(out, "n%u};\n", net[0]);
    n = 0;
  }
}

bool gates_write_model(const struct gates *g, FILE *out, const char *name) {
  bool *used = gates_used(g);
  if (used == NULL)
    return false;
  fprintf(out, "module %s (\n", name);
  for (size_t i = g->own; i < g->npins; i++) {
    const struct gates_pin *p = &g->pins[i];
    fprintf(out, "  %s wire [%u:0] \\%s %s\n", p->output ? "output" : "input", p->width - 1,
            p->port, i + 1 != g->npins ? "," : "\n);");
  }
  for (uint32_t n = GATES_FIRST; n < g->nets; n++)
    if (used[n])
      fprintf(out, "  wire n%u;\n", n);
  write_words(used, g->nets, out);
  free(used);
  for (size_t i = g->own; i < g->npins; i++) {
    const struct gates_pin *p = &g->pins[i];
    fputs("  assign ", out);
    if (p->output)
      fprintf(out, "\\%s = ", p->port);
    write_bits(g, out, p);
    if (!p->output)
      fprintf(out, " = \\%s ", p->port);
    fputs(";\n", out);
  }
  for (size_t i = 0; i < g->ncells; i++)
    write_cell(g, out, i);
  fputs("endmodule\n", out);
  return ferror(out) == 0;
}

void gates_write_nets(const struct gates *g, FILE *out, const char *prefix) {
  bool *used = gates_used(g);
  size_t nets = 0;
  for (uint32_t n = GATES_FIRST; used != NULL && n < g->nets; n++)
    nets += used[n];
  for (size_t word = 0; word * GATES_WORD < nets; word++) {
    const size_t left = nets - word * GATES_WORD;
    fprintf(out, "NETS(%snets%zu, %zu)\n", prefix, word, left < GATES_WORD ? left : GATES_WORD);
  }
  free(used);
  for (size_t i = 0; i < g->ncells; i++)
    if (g->cells[i].kind == GATES_MEMORY)
      fprintf(out, "MEMORY(%sc%zu__DOT__)\n", prefix, i);
}

static bool is_clock(const char *port, const char *const *clocks) {
  for (; *clocks != NULL; clocks++)
    if (strcmp(*clocks, port) == 0)
      return true;
  return false;
}

/* A register of the first clock that drives what nothing else does. */
static void write_source(FILE *out, const char *net, uint32_t number) {
  fprintf(out, "  tandem_source %s_%u (.C(clock), .Q(%s%u));\n", net, number, net, number);
}

static void write_sources(const struct gates *g, FILE *out, const struct gates_pin *p) {
  for (unsigned i = 0; i < p->width; i++)
    if (g->bits[p->first + i] >= GATES_FIRST)
      write_source(out, "n", g->bits[p->first + i]);
}

static void write_loads(const struct gates *g, FILE *out, size_t index) {
  const struct gates_cell *c = &g->cells[index];
  fprintf(out, "  %s c%zu (", c->type, index);
  for (unsigned i = 0; i < c->pins; i++) {
    const struct gates_pin *p = &g->pins[c->first + i];
    const uint32_t net = g->bits[p->first];
    fprintf(out, "%s.%s(%s%u)", i != 0 ? ", " : "", p->port, net < GATES_FIRST ? "constant" : "n",
            net);
  }
  fputs(");\n", out);
}

bool gates_write_timing(const struct gates *g, FILE *out, const char *const *clocks) {
  bool *used = gates_used(g);
  const char *first = NULL;
  if (used == NULL)
    return false;
  fputs("module top (", out);
  for (size_t i = g->own; i < g->npins; i++)
    if (!g->pins[i].output && is_clock(g->pins[i].port, clocks)) {
      fprintf(out, "%s%s", first != NULL ? ", " : "", g->pins[i].port);
      first = first != NULL ? first : g->pins[i].port;
    }
  fputs(");\n  wire clock, constant0, constant1;\n", out);
  for (size_t i = g->own; i < g->npins; i++)
    if (!g->pins[i].output && is_clock(g->pins[i].port, clocks))
      fprintf(out, "  input %s;\n", g->pins[i].port);
  for (uint32_t n = GATES_FIRST; n < g->nets; n++)
    if (used[n])
      fprintf(out, "  wire n%u;\n", n);
  free(used);
  fprintf(out, "  assign clock = %s;\n", first != NULL ? first : "1'b0");
  write_source(out, "constant", 0);
  write_source(out, "constant", 1);
  for (size_t i = g->own; i < g->npins; i++) {
    const struct gates_pin *p = &g->pins[i];
    if (!p->output && is_clock(p->port, clocks))
      fprintf(out, "  assign n%u = %s;\n", g->bits[p->first], p->port);
    else if (!p->output)
      write_sources(g, out, p);
  }
  for (size_t i = 0; i < g->ncells; i++) {
    const struct gates_cell *c = &g->cells[i];
    if (c->kind == GATES_CELL)
      write_loads(g, out, i);
    for (unsigned k = 0; c->kind != GATES_CELL && k < c->pins; k++)
      if (g->pins[c->first + k].output)
        write_sources(g, out, &g->pins[c->first + k]);
  }
  fputs("endmodule\n", out);
  return ferror(out) == 0;
}
