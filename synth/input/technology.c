/* Costs of processes, memories and wires: reading technology.yaml, and arithmetic. */
#include "synth/input/technology.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "synth/input/reader.h"

static const double MEMORY_NM = 45; /* the process of the file's memories */

/* A key of a mapping that holds a number above 0, and where it goes. */
struct number {
  const char *key;
  size_t at;
};
#define MEMORY(name)                                                                               \
  { #name, offsetof(struct technology, memory.name) }
#define GATING(name)                                                                               \
  { #name, offsetof(struct technology, gating.name) }
#define LEAKAGE(name)                                                                              \
  { #name, offsetof(struct technology, leakage.name) }
#define WIRE(name)                                                                                 \
  { #name, offsetof(struct technology, wire.name) }
static const struct number memory_numbers[] = {
    MEMORY(bit_um2),        MEMORY(port_side), MEMORY(read_bit_pj), MEMORY(read_bits),
    MEMORY(leakage_bit_uw), MEMORY(access_ns), MEMORY(least_ns)};
static const struct number gating_numbers[] = {GATING(leakage_left)};
static const struct number leakage_numbers[] = {
    LEAKAGE(front_end_w), LEAKAGE(register_file_w),    LEAKAGE(simd_w),
    LEAKAGE(l1_shared_w), LEAKAGE(texture_constant_w), LEAKAGE(register_file_bits),
    LEAKAGE(texture_kb),  LEAKAGE(constant_kb)};
static const struct number wire_numbers[] = {
    WIRE(hop_mm),   WIRE(low_swing_fj_bit_mm), WIRE(full_swing_fj_bit_mm),
    WIRE(pitch_um), WIRE(full_swing_ns),       WIRE(low_swing_ns)};
static const struct number crossbar_numbers[] = {WIRE(sms), WIRE(partitions), WIRE(bits),
                                                 WIRE(ways), WIRE(die_mm)};
static const struct number process_numbers[] = {{"nm", offsetof(struct technology_process, nm)},
                                                {"area", offsetof(struct technology_process, area)},
                                                {"vdd", offsetof(struct technology_process, vdd)}};

enum { MOST_KEYS = 10 };

/* Reads the numbers into a struct; the mapping may have two more keys, or none. */
static void read_numbers(struct reader *r, yaml_node_t *map, const char *what,
                         const struct number *numbers, unsigned count, const char *const more[2],
                         void *to) {
  const char *keys[MOST_KEYS] = {NULL};
  unsigned n = 0;
  for (; n < count; n++)
    keys[n] = numbers[n].key;
  for (unsigned i = 0; i < 2 && more != NULL && more[i] != NULL; i++)
    keys[n++] = more[i];
  reader_keys(r, map, what, keys);
  for (unsigned i = 0; i < count; i++) {
    yaml_node_t *node = reader_need(r, map, numbers[i].key, what);
    const double value = reader_real(r, node, numbers[i].key);
    if (!(value > 0 && value < 1e9))
      reader_fail(r, node, "%s must be above 0", numbers[i].key);
    *(double *)(void *)((char *)to + numbers[i].at) = value;
  }
}
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void read_factors(struct reader *r, yaml_node_t *map, const char *key, unsigned count,
                         double *to) {
  yaml_node_t *list = reader_need(r, map, key, "a process");
  const size_t n = reader_list(r, list, key, SIZE_MAX);
  if (n != count)
    reader_fail(r, list, "%s must have %u factors", key, count);
  for (unsigned i = 0; i < count && r->status == 0; i++)
    to[i] = reader_real(r, reader_item(r, list, i), key);
}

static void read_processes(struct reader *r, yaml_node_t *list, struct technology *t) {
  static const char *const more[2] = {"delay", "energy"};
  const size_t n = reader_list(r, list, "processes", SIZE_MAX);
  if (n < 1 || n > TECHNOLOGY_PROCESSES)
    reader_fail(r, list, "there must be 1 to %d processes", TECHNOLOGY_PROCESSES);
  for (t->processes = 0; t->processes < n && r->status == 0; t->processes++) {
    yaml_node_t *map = reader_item(r, list, t->processes);
    struct technology_process *p = &t->process[t->processes];
    read_numbers(r, map, "a process", process_numbers, COUNT(process_numbers), more, p);
    read_factors(r, map, "delay", 4, p->delay);
    read_factors(r, map, "energy", 3, p->energy);
    if (t->processes > 0 && !(p->nm < p[-1].nm))
      reader_fail(r, map, "processes must be listed from the largest to the smallest");
  }
}

static void read_library(struct reader *r, yaml_node_t *map, struct technology *t) {
  static const struct number numbers[] = {{"nm", offsetof(struct technology_corner, nm)},
                                          {"vdd", offsetof(struct technology_corner, vdd)}};
  static const char *const more[2] = {"name", "latch_um2"};
  struct technology_corner corner = {0, 0};
  struct technology_factors same;
  read_numbers(r, map, "a library", numbers, COUNT(numbers), more, &corner);
  (void)reader_need(r, map, "name", "a library");
  reader_copy(r, map, "name", t->library[t->libraries].start, sizeof t->library->start);
  if (r->status == 0 && technology_scale(t, corner, corner, &same, NULL) != 0)
    reader_fail(r, map, "nothing scales to %g nm at %g V", corner.nm, corner.vdd);
  yaml_node_t *area = reader_get(r, map, more[1]);
  double *latch = &t->library[t->libraries].latch_um2;
  *latch = area != NULL ? reader_real(r, area, more[1]) : 0;
  if (area != NULL && !(*latch > 0))
    reader_fail(r, area, "%s must be above 0", more[1]);
  t->library[t->libraries++].corner = corner;
}

static void read_libraries(struct reader *r, yaml_node_t *list, struct technology *t) {
  const size_t n = reader_list(r, list, "libraries", TECHNOLOGY_LIBRARIES);
  t->libraries = 0;
  for (size_t i = 0; i < n && r->status == 0; i++)
    read_library(r, reader_item(r, list, i), t);
}

static void read_targets(struct reader *r, yaml_node_t *list, struct technology *t) {
  const size_t n = reader_list(r, list, "targets", TECHNOLOGY_TARGETS);
  for (t->targets = 0; t->targets < n && r->status == 0; t->targets++) {
    yaml_node_t *item = reader_item(r, list, t->targets);
    const double nm = t->target_nm[t->targets] = reader_real(r, item, "a target");
    if (!(nm <= t->process[0].nm && nm >= t->process[t->processes - 1].nm))
      reader_fail(r, item, "a target of %g nm lies outside the processes", nm);
  }
}

static void read_all(struct reader *r, yaml_node_t *root, struct technology *t) {
  static const char *const keys[] = {"processes", "libraries", "targets", "memories",
                                     "gating",    "leakage",   "wires",   NULL};
  static const char *const more[2] = {"crossbar"};
  reader_keys(r, root, "the file", keys);
  for (unsigned i = 0; keys[i] != NULL; i++)
    if (reader_get(r, root, keys[i]) == NULL)
      reader_fail(r, root, "%s is missing", keys[i]);
  read_processes(r, reader_get(r, root, "processes"), t);
  read_libraries(r, reader_get(r, root, "libraries"), t);
  read_targets(r, reader_get(r, root, "targets"), t);
  read_numbers(r, reader_get(r, root, "memories"), "memories", memory_numbers,
               COUNT(memory_numbers), NULL, t);
  read_numbers(r, reader_get(r, root, "gating"), "gating", gating_numbers, COUNT(gating_numbers),
               NULL, t);
  read_numbers(r, reader_get(r, root, "leakage"), "leakage", leakage_numbers,
               COUNT(leakage_numbers), NULL, t);
  yaml_node_t *wires = reader_get(r, root, "wires");
  read_numbers(r, wires, "wires", wire_numbers, COUNT(wire_numbers), more, t);
  read_numbers(r, reader_get(r, wires, "crossbar"), "crossbar", crossbar_numbers,
               COUNT(crossbar_numbers), NULL, t);
}

int technology_load(struct technology *t, const char *path, struct tandem_error *err) {
  struct reader r;
  read_all(&r, reader_open(&r, path, err), t);
  return reader_close(&r);
}

bool technology_number(const struct technology *t, const char *name, double *value) {
  static const struct {
    const char *section;
    const struct number *numbers;
    unsigned n;
  } sections[] = {{"memories.", memory_numbers, COUNT(memory_numbers)},
                  {"gating.", gating_numbers, COUNT(gating_numbers)},
                  {"leakage.", leakage_numbers, COUNT(leakage_numbers)},
                  {"wires.", wire_numbers, COUNT(wire_numbers)}};
  for (unsigned s = 0; s < COUNT(sections); s++) {
    const size_t length = strlen(sections[s].section);
    for (unsigned i = 0; strncmp(name, sections[s].section, length) == 0 && i < sections[s].n; i++)
      if (strcmp(name + length, sections[s].numbers[i].key) == 0) {
        memcpy(value, (const char *)t + sections[s].numbers[i].at, sizeof *value);
        return true;
      }
  }
  return false;
}

/* Scaling */

static double delay_of(const struct technology_process *p, double v) {
  return ((p->delay[0] * v + p->delay[1]) * v + p->delay[2]) * v + p->delay[3];
}

static double energy_of(const struct technology_process *p, double v) {
  return (p->energy[0] * v + p->energy[1]) * v + p->energy[2];
}

/* Looks up the factors of a corner, in the table's units. */
static int look_up(const struct technology *t, struct technology_corner c,
                   struct technology_factors *value, struct tandem_error *err) {
  const struct technology_process *p = t->process, *last = &t->process[t->processes - 1];
  if (!(c.nm <= p->nm && c.nm >= last->nm))
    return tandem_fail(err, -EINVAL,
                       "nothing published scales to or from %g nm: the table has %g to %g nm", c.nm,
                       last->nm, p->nm);
  while (p < last && p[1].nm >= c.nm)
    p++;
  const struct technology_process *below = p->nm > c.nm ? p + 1 : p;
  const double way = p->nm > c.nm ? (p->nm - c.nm) / (p->nm - below->nm) : 0;
  const double vdd = c.vdd > 0 ? c.vdd : p->vdd + way * (below->vdd - p->vdd);
  value->area = p->area * (c.nm / p->nm) * (c.nm / p->nm);
  const double high[2] = {delay_of(p, vdd), delay_of(below, vdd)};
  const double energies[2] = {energy_of(p, vdd), energy_of(below, vdd)};
  value->delay = high[0] + way * (high[1] - high[0]);
  value->energy = energies[0] + way * (energies[1] - energies[0]);
  if (!(value->delay > 0 && value->energy > 0))
    return tandem_fail(err, -EINVAL, "the scaling equations do not hold for %g nm at %g V", c.nm,
                       vdd);
  return 0;
}

int technology_scale(const struct technology *t, struct technology_corner from,
                     struct technology_corner to, struct technology_factors *factors,
                     struct tandem_error *err) {
  struct technology_factors a = {1, 1, 1}, b = a;
  int status = look_up(t, from, &a, err);
  if (status != 0)
    return status;
  status = look_up(t, to, &b, err);
  if (status != 0)
    return status;
  *factors = (struct technology_factors){
      .area = b.area / a.area, .delay = b.delay / a.delay, .energy = b.energy / a.energy};
  return 0;
}

bool technology_process(const struct technology *t, const char *library,
                        struct technology_corner *corner) {
  for (unsigned i = 0; i < t->libraries; i++)
    if (strncmp(library, t->library[i].start, strlen(t->library[i].start)) == 0) {
      *corner = t->library[i].corner;
      return true;
    }
  return false;
}

double technology_latch_um2(const struct technology *t, const char *library) {
  for (unsigned i = 0; i < t->libraries; i++)
    if (strncmp(library, t->library[i].start, strlen(t->library[i].start)) == 0)
      return t->library[i].latch_um2;
  return 0;
}

/* Memories */

int technology_macro(const struct technology *t, const struct technology_memory *memory,
                     struct technology_corner corner, struct technology_macro *macro,
                     struct tandem_error *err) {
  struct technology_factors by;
  int status = technology_scale(t, (struct technology_corner){MEMORY_NM, 0}, corner, &by, err);
  if (status != 0)
    return status;
  const double bits = (double)memory->words * memory->width;
  const double side = 1 + t->memory.port_side * (memory->ports > 1 ? memory->ports - 1 : 0);
  const double length = sqrt(bits / t->memory.read_bits); /* of word and bit lines */
  *macro = (struct technology_macro){
      .area_um2 = bits * t->memory.bit_um2 * side * side * by.area,
      .access_pj = memory->width * t->memory.read_bit_pj * length * by.energy,
      .leakage_uw = bits * t->memory.leakage_bit_uw,
      .access_ns = fmax(t->memory.access_ns * length, t->memory.least_ns) * by.delay};
  return 0;
}

/* Wires */

/* Mean distance of an SM from the middle of the die: a column of half of the SMs to each side. */
static double crossbar_mm(const struct technology *t) {
  const unsigned column = (unsigned)t->wire.sms / 2;
  double sum = 0;
  for (unsigned i = 0; i < column; i++)
    sum += hypot(t->wire.die_mm / 4, t->wire.die_mm * ((2 * i + 1.0) / (2.0 * column) - 0.5));
  return column != 0 ? sum / column : t->wire.die_mm / 4;
}

void technology_wiring(const struct technology *t, const struct technology_links *links,
                       struct technology_wiring *wiring) {
  double hops = 0; /* of one cluster, of all pairs of a leader and a follower */
  for (unsigned leader = 0; leader < (links->all_leaders ? links->cluster : 1); leader++) {
    const unsigned leads = leader == 0 ? links->cluster : leader & (~leader + 1);
    hops += leads * (leads - 1) / 2.0;
  }
  const double clusters = (double)links->sms / links->cluster;
  wiring->wire_mm = clusters * hops * t->wire.hop_mm * (links->down + links->up);
  wiring->area_mm2 = wiring->wire_mm * t->wire.pitch_um * 1e-3;
  wiring->share_crossbar = wiring->wire_mm / (t->wire.sms * t->wire.partitions * t->wire.bits *
                                              t->wire.ways * crossbar_mm(t));
}

double technology_move_pj(const struct technology *t, double bits, double hops, bool full_swing) {
  const double fj = full_swing ? t->wire.full_swing_fj_bit_mm : t->wire.low_swing_fj_bit_mm;
  return bits * hops * t->wire.hop_mm * fj * 1e-3;
}
