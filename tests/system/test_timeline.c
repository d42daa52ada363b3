/* Timelines, read back: the slices of a track nest, CTAs are those of the grids, launches have the
 * cycles of the run, sums of counters are the statistics; and what a killed run leaves. */
#include "harness/gpu/core/open.h"
#include "harness/gpu/inside/timeline.h"

#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <zlib.h>

#include "tests/flex/machine.h"

static const char text[] =
    "program: profile.cl\n"
    "buffers:\n"
    "  - {name: out, type: s32, count: 5120}\n"
    "  - {name: in, type: s32, count: 4096, fill: {range: {start: 1, step: 3}}}\n"
    "steps:\n"
    "  - launch: {kernel: mixed, grid: [9], block: [128], args: [{buffer: out}, {buffer: in}, "
    "{s32: 4096}]}\n"
    "  - launch: {kernel: other, grid: [40], block: [128], args: [{buffer: out}]}\n";
enum { CTAS = 9, MORE = 40, /* of the second launch */ DEPTH = 4, TRACKS = 512, ARROWS = 1 << 15 };

static char path[] = "/tmp/tandem-timeline-XXXXXX.json.gz";

/* ---- reading back ---- */

struct track {
  const char *name;
  unsigned depth;
  const char *open[DEPTH];
  uint64_t at, begun[DEPTH];
};

struct trace {
  json_t *events;
  struct track track[TRACKS];
  unsigned slices, ctas, barriers, launches, arrows, marks, open;
  uint64_t launch_begun[2], launch_ended[2];
};

static uint64_t number(const json_t *o, const char *key) {
  const json_t *v = json_object_get(o, key);
  assert_true(json_is_integer(v) && json_integer_value(v) >= 0);
  return (uint64_t)json_integer_value(v);
}

/* The events; of a list that has no end, if `killed`. */
static json_t *read_events(bool killed) {
  static char all[1 << 25];
  json_error_t error;
  gzFile f = gzopen(path, "rb");
  assert_non_null(f);
  const int n = gzread(f, all, sizeof all - 2);
  assert_true(n > 0 && n < (int)sizeof all - 2);
  assert_int_equal(gzclose(f), Z_OK);
  all[n] = '\0';
  assert_int_equal(strcmp(all + n - 2, "]\n") == 0, !killed);
  if (killed)
    strcat(all, "]");
  json_t *events = json_loads(all, JSON_REJECT_DUPLICATES, &error);
  if (events == NULL)
    fail_msg("line %d: %s", error.line, error.text);
  assert_true(json_is_array(events) && json_array_size(events) > 10);
  return events;
}

static bool begins(const char *text_, const char *with) {
  return strncmp(text_, with, strlen(with)) == 0;
}

static void begin_slice(struct trace *r, struct track *t, uint64_t at, const char *name) {
  assert_true(t->depth < DEPTH);
  t->begun[t->depth] = at;
  t->open[t->depth++] = name;
  r->slices++;
  r->ctas += begins(name, "CTA (");
  r->barriers += begins(name, "barrier ");
  assert_true(!begins(name, "CTA (") || t->depth == 1);
  assert_true(!begins(name, "barrier ") || t->depth == 2);
  if (strcmp(t->name, "launches") == 0) {
    assert_true(r->launches < 2 && t->depth == 1);
    r->launch_begun[r->launches] = at;
  }
}

static void end_slice(struct trace *r, struct track *t, uint64_t at) {
  assert_true(t->depth > 0);
  t->depth--;
  if (strcmp(t->name, "launches") == 0)
    r->launch_ended[r->launches++] = at;
}

/* Slices of a track are in the order of time, each within those that are open. */
static void read_event(struct trace *r, const json_t *e) {
  const char *phase = json_string_value(json_object_get(e, "ph"));
  const char *name = json_string_value(json_object_get(e, "name"));
  assert_true(phase != NULL && strlen(phase) == 1 && strchr("BECMisf", *phase) != NULL);
  r->arrows += *phase == 'f';
  r->marks += *phase == 'i';
  if (strchr("BEi", *phase) == NULL && (*phase != 'M' || strcmp(name, "thread_name") != 0))
    return;
  assert_true(number(e, "tid") < TRACKS);
  struct track *t = &r->track[number(e, "tid")];
  if (*phase == 'M') {
    assert_null(t->name);
    t->name = json_string_value(json_object_get(json_object_get(e, "args"), "name"));
    return;
  }
  const uint64_t at = number(e, "ts");
  assert_true(t->name != NULL && at >= t->at);
  t->at = at;
  if (*phase == 'B')
    begin_slice(r, t, at, name);
  else if (*phase == 'E')
    end_slice(r, t, at);
}

/* ---- events in the order of a viewer ---- */

struct timed {
  uint64_t at, place;
  const json_t *event;
};

static int in_time(const void *a, const void *b) {
  const struct timed *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static const char *text_of(const json_t *e, const char *key) {
  const char *value = json_string_value(json_object_get(e, key));
  return value != NULL ? value : "";
}

/* An arrow's end needs a slice that is open in its track, and the category, the name and the number
 * of its beginning. */
static void take_arrow(const json_t *e, unsigned depth, const json_t **begun) {
  const uint64_t id = number(e, "id");
  assert_true(depth > 0 && id > 0 && id < ARROWS);
  if (strcmp(text_of(e, "ph"), "s") == 0) {
    assert_null(begun[id]);
    begun[id] = e;
    return;
  }
  assert_string_equal(text_of(e, "bp"), "e");
  assert_non_null(begun[id]);
  assert_string_equal(text_of(e, "cat"), text_of(begun[id], "cat"));
  assert_string_equal(text_of(e, "name"), text_of(begun[id], "name"));
}

/* Perfetto sorts events by time, and those of one time by their place in the file
 * (importers/json of its trace_processor). */
static void suits_viewers(const struct trace *r) {
  const size_t n = json_array_size(r->events);
  struct timed *list = calloc(n, sizeof *list);
  const json_t **begun = calloc(ARROWS, sizeof *begun);
  uint64_t process[TRACKS] = {0};
  unsigned depth[TRACKS] = {0};
  assert_true(list != NULL && begun != NULL);
  for (size_t i = 0; i < n; i++) {
    const json_t *e = json_array_get(r->events, i);
    list[i] = (struct timed){*text_of(e, "ph") != 'M' ? number(e, "ts") : 0, i, e};
  }
  qsort(list, n, sizeof *list, in_time);
  for (size_t i = 0; i < n; i++) {
    const json_t *e = list[i].event;
    const char phase = *text_of(e, "ph");
    const uint64_t track = json_object_get(e, "tid") != NULL ? number(e, "tid") : 0;
    assert_true(track < TRACKS && (track != 0 || phase == 'C' || phase == 'M'));
    assert_true(process[track] == 0 || track == 0 || process[track] == number(e, "pid"));
    process[track] = number(e, "pid");
    depth[track] += (unsigned)(phase == 'B') - (unsigned)(phase == 'E');
    assert_true(depth[track] < DEPTH);
    if (phase == 's' || phase == 'f')
      take_arrow(e, depth[track], begun);
  }
  free(list);
  free(begun);
}

static struct trace *read_trace(bool killed) {
  static struct trace r;
  json_decref(r.events);
  memset(&r, 0, sizeof r);
  r.events = read_events(killed);
  for (size_t i = 0; i < json_array_size(r.events); i++)
    read_event(&r, json_array_get(r.events, i));
  for (unsigned i = 0; i < TRACKS; i++)
    r.open += r.track[i].depth;
  assert_true(killed || r.open == 0);
  suits_viewers(&r);
  return &r;
}

/* The sum of a counter over all groups. */
static uint64_t sum(const struct trace *r, const char *name) {
  uint64_t total = 0;
  for (size_t i = 0; i < json_array_size(r->events); i++) {
    const json_t *e = json_array_get(r->events, i);
    if (strcmp(json_string_value(json_object_get(e, "ph")), "C") == 0 &&
        strcmp(json_string_value(json_object_get(e, "name")), name) == 0)
      total += number(json_object_get(e, "args"), "value");
  }
  return total;
}

/* Slices whose name begins so. */
static unsigned slices(const struct trace *r, const char *with) {
  unsigned n = 0;
  for (size_t i = 0; i < json_array_size(r->events); i++) {
    const json_t *e = json_array_get(r->events, i);
    n += strcmp(json_string_value(json_object_get(e, "ph")), "B") == 0 &&
         begins(json_string_value(json_object_get(e, "name")), with);
  }
  return n;
}

/* ---- runs ---- */

/* Cycles in which launches begin. */
static uint64_t begun[2];

static int look(struct tandem *t, void *own, struct tandem_error *err) {
  (void)own, (void)err;
  assert_true(t->launch.count < 2);
  begun[t->launch.count] = t->launch.start;
  return 0;
}

static void equals_statistics(const struct trace *r, const struct tandem *t) {
  struct gpu_stats s;
  gpu_statistics(t, &s);
  assert_true(s.mem.dram_reads != 0 && s.sm.barriers != 0);
  assert_int_equal(sum(r, "warp instructions"), s.sm.warp_instructions);
  assert_int_equal(sum(r, "DRAM reads"), s.mem.dram_reads);
  assert_int_equal(sum(r, "DRAM writes"), s.mem.dram_writes);
  assert_int_equal(sum(r, "DRAM bus, busy cycles"), s.mem.dram_busy);
  assert_int_equal(sum(r, "crossbar flits"), s.mem.xbar_flits);
  assert_int_equal(r->launches, 2);
  for (unsigned i = 0; i < 2; i++)
    assert_int_equal(r->launch_begun[i], begun[i]);
  assert_int_equal(r->launch_ended[0], begun[1]);
  assert_int_equal(r->launch_ended[1], s.cycles);
  assert_int_equal(r->ctas, CTAS + MORE);
}

/* Runs the text; the caller closes *t. */
static struct trace *run(const struct tandem_config *c, uint32_t every, struct tandem **out) {
  struct tandem *t = *out = open_gpu(c);
  struct tandem_job *job;
  struct tandem_error err;
  struct timeline *l;
  assert_int_equal(timeline_open(t, path, every, &l, &err), 0);
  assert_true(gpu_observe(t, look, NULL));
  const enum tandem_status opened =
      tandem_job_open_text(t, text, PROGRAMS "/text.yaml", &job, &err);
  if (run_job(opened, job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_int_equal(timeline_finish(t, l, &err), 0);
  timeline_close(l);
  struct trace *r = read_trace(false);
  equals_statistics(r, t);
  return r;
}

TEST(plain_sms) {
  static const uint32_t intervals[] = {1, 7, 256, 1000000};
  for (unsigned i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
    struct tandem_config c = small(TANDEM_ENGINE_REF);
    struct tandem *t;
    const struct trace *r = run(&c, intervals[i], &t);
    assert_int_equal(r->barriers, CTAS);
    assert_int_equal(r->marks + r->arrows, 0);
    assert_int_equal(sum(r, "live warps") != 0, intervals[i] < 1000);
    assert_int_equal(sum(r, "L1D miss registers") != 0, intervals[i] < 1000);
    assert_int_equal(sum(r, "L2 miss registers") != 0, intervals[i] < 1000);
    tandem_close(t);
  }
}

TEST(clusters) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t;
  struct gpu_stats s;
  c.feature.buddy.size = 2;
  const struct trace *r = run(&c, 256, &t);
  gpu_statistics(t, &s);
  const struct buddy_statistics *b = &s.feature.buddy;
  assert_true(b->ungroups + b->splits != 0);
  assert_int_equal(r->marks, b->ungroups + b->splits + b->regroups_kernel + b->regroups_halfway);
  assert_true(slices(r, "master") != 0 && slices(r, "slave of SM 0") != 0);
  assert_int_equal(r->barriers, CTAS);
  tandem_close(t);
}

TEST(large_warps) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t;
  c.feature.wide.warp_size = 64;
  assert_int_equal(run(&c, 256, &t)->barriers, CTAS);
  tandem_close(t);
}

TEST(all_schemes) {
  for (unsigned scheme = FLEX_BASE; scheme < FLEX_SCHEMES; scheme++) {
    struct tandem_config c = table2_gpu(FLEX_MEMBERS, (enum flex_scheme)scheme);
    char name[32];
    struct tandem *t;
    const struct trace *r = run(&c, 256, &t);
    snprintf(name, sizeof name, "%s:", flex_name((enum flex_scheme)scheme));
    assert_int_equal(slices(r, name), 2);
    assert_int_equal(r->marks, scheme != FLEX_BASE);
    assert_int_equal(r->barriers, CTAS);
    assert_int_equal(slices(r, "lends") != 0, scheme != FLEX_BASE);
    tandem_close(t);
  }
}

/* Runs an opened job on a GPU with an SPU: passes of blocks, and an arrow for each face that is
 * handed over. */
static void run_spu(const struct tandem_config *c, struct tandem_job *job, const char *what) {
  struct tandem *t = open_gpu(c);
  struct tandem_error err;
  struct timeline *l;
  struct gpu_stats s;
  assert_int_equal(tandem_job_bind(job, t, &err), TANDEM_OK);
  assert_int_equal(timeline_open(t, path, 256, &l, &err), 0);
  if (run_job(TANDEM_OK, job, &err) != TANDEM_OK)
    fail_msg("%s: %s", what, err.text);
  assert_int_equal(timeline_finish(t, l, &err), 0);
  timeline_close(l);
  const struct trace *r = read_trace(false);
  gpu_statistics(t, &s);
  assert_true(s.feature.spu.tiles != 0 && slices(r, "synchronises: ") != 0);
  assert_int_equal(r->arrows, s.feature.spu.tiles);
  assert_int_equal(slices(r, "block, pass ("), s.feature.spu.blocks);
  tandem_close(t);
}

TEST(stencils) {
  static const char *const launches[] = {"relay", "relay_decoupled", "relay_spill"};
  for (unsigned i = 0; i < sizeof launches / sizeof launches[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    struct tandem_job *job;
    char file[512];
    snprintf(file, sizeof file, KERNELS "/spu/faults/%s.yaml", launches[i]);
    assert_int_equal(tandem_job_read(file, NULL, 0, &job, &err), TANDEM_OK);
    gpu_config_default(&c);
    assert_int_equal(tandem_job_config(job, &c, &err), TANDEM_OK);
    c.engine = TANDEM_ENGINE_REF;
    run_spu(&c, job, launches[i]);
  }
}

#define FACE "{buffer: a, rows: 1, row_words: 32, row_pitch: 0, tile_pitch: 128, block_pitch: 512}"

/* Interface units that are SMs. */
TEST(interface_units) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem_error err;
  struct tandem_job *job;
  c.feature.spu.columns = 2;
  c.feature.spu.rows = 1;
  c.feature.spu.cb_bytes = 1024;
  c.feature.spu.interface = SPU_INTERFACE_SM;
  c.mem.l1d = c.mem.l2 = false;
  assert_int_equal(
      tandem_job_read_text("program: spu.cl\nbuffers: [{name: a, type: u32, count: 4096}]\nsteps:\n"
                           "  - launch: {kernel: units, grid: [5], block: [32],\n"
                           "             args: [{s32: 3}, {buffer: a}],\n"
                           "             spu: {tiles: 3, north: " FACE ", south: " FACE
                           ", west: " FACE ", east: " FACE "}}\n",
                           PROGRAMS "/text.yaml", &job, &err),
      TANDEM_OK);
  run_spu(&c, job, "units");
}

/* ---- a run that is killed ---- */

static int kill_it(struct tandem *t, void *own, struct tandem_error *err) {
  (void)own, (void)err;
  if (t->cycle == 4000)
    raise(SIGKILL);
  return 0;
}

static void run_to_the_kill(void) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t = open_gpu(&c);
  struct tandem_job *job;
  struct timeline *l;
  struct tandem_error err;
  if (timeline_open(t, path, 1, &l, NULL) != 0 || !gpu_observe(t, kill_it, NULL))
    _exit(1);
  if (tandem_job_open_text(t, text, PROGRAMS "/text.yaml", &job, &err) == TANDEM_OK)
    (void)tandem_job_run(job, &err);
  _exit(2);
}

TEST(killed) {
  unlink(path);
  const pid_t child = fork();
  if (child == 0)
    run_to_the_kill();
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const struct trace *r = read_trace(true);
  assert_true(r->open > 1 && r->ctas >= CTAS);
  assert_int_equal(r->launches, 0);
}

/* ---- */

static int make_path(void **state) {
  (void)state;
  const int fd = mkstemps(path, (int)strlen(".json.gz"));
  return fd < 0 ? -1 : close(fd);
}
static int drop_path(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) { return test_run(make_path, drop_path); }
