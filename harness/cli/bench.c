/* tandem bench: speed of whole runs and of their parts. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "harness/cli/bench.h"
#include "harness/cli/cli.h"
#include "harness/gpu/config.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/results/statistics.h"
#include "harness/shim/rtl.h"

enum { KEY_JSON = 0x200, KEY_THREADS, KEY_KERNEL };

/* The guide: warp instructions a second of the simulator that the sources used, on two cores of
 * such a machine; 0: none is published. */
static const struct bench_kernel {
  const char *name;
  double guide;
} kernels[] = {{"blackscholes", 22e3},
               {"nbody", 49e3},
               {"bfs", 16e3},
               {"smith_waterman", 0},
               {"stencil2d", 0}};
enum { KERNELS = sizeof kernels / sizeof kernels[0], ROUNDS = 5, GPUS = 8 };

struct bench {
  const char *json, *only;
  uint32_t threads;
  struct output out;
  double busy, busy_ipc, stalled; /* of the bare front end: ns a step, instructions a cycle */
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "results as JSON to FILE (standard output)", 0},
    {"threads", KEY_THREADS, "N", 0, "host threads of the runs on several (2)", 0},
    {"kernel", KEY_KERNEL, "NAME", 0, "this kernel only", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct bench *b = state->input;
  char names[200] = "";
  size_t n = 0;
  switch (key) {
  case KEY_JSON:
    b->json = arg != NULL ? arg : "-";
    return 0;
  case KEY_THREADS:
    b->threads = (uint32_t)cli_number(arg, "--threads", 1, 64, state);
    return 0;
  case KEY_KERNEL:
    b->only = arg;
    for (int i = 0; i < KERNELS; i++)
      if (strcmp(arg, kernels[i].name) == 0)
        return 0;
    for (unsigned i = 0; i < KERNELS; i++)
      n += (size_t)snprintf(names + n, sizeof names - n, " %s", kernels[i].name);
    argp_error(state, "no benchmark \"%s\"; there are%s", arg, names);
    return EINVAL;
  case ARGP_KEY_ARG:
    argp_error(state, "no arguments, so not \"%s\"", arg);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void simulate(const char *kernel, enum tandem_engine engine, uint32_t threads,
                     const struct bench_gpu *gpu, struct measured *m) {
  struct tandem_config c;
  struct tandem *t = NULL;
  struct tandem_job *job = NULL;
  struct tandem_error err = {{0}};
  char path[4096];
  snprintf(path, sizeof path, "%s/tests/kernels/%s/%s_bench.yaml", cli_root(), kernel, kernel);
  gpu_config_default(&c);
  c.engine = engine;
  c.threads = threads;
  for (const char *const *s = gpu != NULL ? gpu->settings : NULL; s != NULL && *s != NULL; s++) {
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(*s, "="), *s);
    (void)tandem_config_set(&c, key, strchr(*s, '=') + 1, NULL);
  }
  m->status = tandem_open(&c, &t, &err);
  if (m->status == TANDEM_OK)
    m->status = tandem_job_open(t, path, &job, &err);
  if (m->status == TANDEM_OK)
    m->status = tandem_job_run(job, &err);
  if (m->status == TANDEM_OK)
    m->status = tandem_job_check(job, &err);
  snprintf(m->error, sizeof m->error, "%.255s", err.text);
  if (m->status == TANDEM_OK)
    gpu_statistics(t, &m->stats);
  tandem_job_close(job);
  tandem_close(t);
}

enum tandem_status bench_measure(const char *kernel, enum tandem_engine engine, uint32_t threads,
                                 const struct bench_gpu *gpu, struct measured *m) {
  int ends[2] = {-1, -1}, status = 0;
  char cause[PROCESS_CAUSE];
  struct rusage usage;
  memset(m, 0, sizeof *m);
  fflush(NULL);
  const pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child == 0) {
    setpgid(0, 0);
    simulate(kernel, engine, threads, gpu, m);
    _exit(write(ends[1], m, sizeof *m) == (ssize_t)sizeof *m ? 0 : 1);
  }
  if (child < 0)
    snprintf(m->error, sizeof m->error, "cannot start a process: %s", strerror(errno));
  else
    scratch_child(child);
  close(ends[1]);
  const bool got = child > 0 && read(ends[0], m, sizeof *m) == (ssize_t)sizeof *m;
  close(ends[0]);
  if (child > 0 && wait4(child, &status, 0, &usage) == child) {
    scratch_child_gone(child);
    m->peak_kib = (uint64_t)usage.ru_maxrss;
    m->cpu_s = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
  }
  if (child > 0 && !got)
    snprintf(m->error, sizeof m->error, "the run %s",
             process_cause(status, NULL, cause, sizeof cause));
  if (!got)
    m->status = TANDEM_USAGE;
  if (m->status != TANDEM_OK)
    fprintf(stderr, "tandem: %s, %s: %s\n", kernel, gpu_key("run", "engine")->names[engine],
            m->error);
  return m->status;
}

static double per_second(const struct measured *m) {
  return (double)m->stats.sm.warp_instructions / m->stats.wall_s;
}

static double wall_share(const struct gpu_stats *s, unsigned part) {
  double all = 0;
  for (unsigned i = 0; i < TANDEM_WALLS; i++)
    all += s->wall[i];
  return all > 0 ? s->wall[part] / all : 0;
}

/* Nanoseconds of the verilated front end for each of its clock edges within the run. */
static double ns_in_run(const struct gpu_stats *s) {
  return s->frontend_steps != 0 ? 1e9 * s->wall[TANDEM_WALL_RTL] / (double)s->frontend_steps : 0;
}

/* Warp instructions a second if nothing but the bare models took time: steps that issue as the busy
 * measurement, the others as the stalled one. */
static double limit(const struct bench *b, const struct gpu_stats *s, uint32_t threads) {
  const double busy = (double)s->sm.warp_instructions / b->busy_ipc;
  const double rest = (double)s->frontend_steps - busy;
  const double ns = busy * b->busy + (rest > 0 ? rest : 0) * b->stalled;
  return (double)s->sm.warp_instructions / (1e-9 * ns / threads);
}

static json_t *as_json(const struct measured *m) {
  json_t *wall = json_object();
  for (unsigned i = 0; i < TANDEM_WALLS; i++)
    json_object_set_new(wall, cli_wall_names[i], json_real(m->stats.wall[i]));
  return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:I, s:o}", "cycles",
                   (json_int_t)m->stats.cycles, "warp_instructions",
                   (json_int_t)m->stats.sm.warp_instructions, "wall_s", m->stats.wall_s, "cpu_s",
                   m->cpu_s, "khz", m->stats.khz, "warp_instructions_per_s", per_second(m),
                   "peak_kib", (json_int_t)m->peak_kib, "wall", wall);
}

/* The GPUs: the one without any feature (NULL), then those that features ask for.  Returns how many
 * there are. */
static unsigned list_gpus(const struct bench_gpu *gpus[GPUS]) {
  unsigned n = 1;
  gpus[0] = NULL;
  for (size_t i = 0; i < features_count && n < GPUS; i++)
    if (features[i]->bench.name != NULL)
      gpus[n++] = &features[i]->bench;
  return n;
}

/* Runs of each GPU on one thread, in turn: other work of the machine lengthens any of them, so the
 * shortest of each counts. */
static enum tandem_status compare(const char *kernel, const struct bench_gpu *const gpus[GPUS],
                                  unsigned n, struct measured best[GPUS]) {
  for (int i = 0; i < ROUNDS; i++)
    for (unsigned gpu = 0; gpu < n; gpu++) {
      struct measured run;
      const enum tandem_status status =
          bench_measure(kernel, TANDEM_ENGINE_LOCKSTEP, 1, gpus[gpu], &run);
      if (status != TANDEM_OK)
        return status;
      if (i == 0 || run.stats.wall_s < best[gpu].stats.wall_s)
        best[gpu] = run;
    }
  return TANDEM_OK;
}

static void put(json_t *o, const char *of, const char *what, json_t *value) {
  char name[64];
  snprintf(name, sizeof name, "%s_%s", of, what);
  json_object_set_new(o, name, value);
}

/* A feature's GPU beside the one without. */
static void compare_gpu(const struct bench_gpu *gpu, const struct measured *m,
                        const struct measured *one, FILE *text, json_t *o) {
  const double models = m->stats.wall[TANDEM_WALL_RTL] / one->stats.wall[TANDEM_WALL_RTL],
               whole = m->stats.wall_s / one->stats.wall_s;
  fprintf(text, "  %-21s %8.2f times the time in verilated models, %.3f in all\n", gpu->title,
          models, whole);
  put(o, gpu->name, "one_thread", as_json(m));
  put(o, gpu->name, "rtl_ratio", json_real(models));
  put(o, gpu->name, "ratio", json_real(whole));
}

/* A line of how fast an engine is. */
static void put_speed(FILE *text, const char *engine, const struct measured *m, double guide) {
  fprintf(text, "  %-21s %8.1f kHz %9.0f thousand warp instructions/s", engine, m->stats.khz,
          per_second(m) / 1000);
  if (guide != 0)
    fprintf(text, ", %.1f times the guide", per_second(m) / guide);
  fputc('\n', text);
}

static enum tandem_status bench_kernel(const struct bench *b, const struct bench_kernel *k,
                                       FILE *text, json_t *all) {
  struct measured lockstep, best[GPUS], ref;
  const struct bench_gpu *gpus[GPUS];
  const unsigned n = list_gpus(gpus);
  enum tandem_status status =
      bench_measure(k->name, TANDEM_ENGINE_LOCKSTEP, b->threads, NULL, &lockstep);
  if (status == TANDEM_OK)
    status = compare(k->name, gpus, n, best);
  if (status == TANDEM_OK)
    status = bench_measure(k->name, TANDEM_ENGINE_REF, b->threads, NULL, &ref);
  if (status != TANDEM_OK)
    return status;
  const struct measured one = best[0];
  /* The share of one thread: time that several wait for each other would make it look smaller. */
  const double checks =
      wall_share(&one.stats, TANDEM_WALL_COMPARE) + wall_share(&one.stats, TANDEM_WALL_ISS);
  const double bare = limit(b, &lockstep.stats, b->threads);
  const uint64_t peak = lockstep.peak_kib > ref.peak_kib ? lockstep.peak_kib : ref.peak_kib;
  fprintf(text, "%s: %" PRIu64 " cycles, %" PRIu64 " warp instructions\n", k->name,
          lockstep.stats.cycles, lockstep.stats.sm.warp_instructions);
  put_speed(text, "lockstep", &lockstep, k->guide);
  put_speed(text, "ref", &ref, k->guide);
  fprintf(text,
          "  limit (bare models)   %8s     %9.0f thousand warp instructions/s\n"
          "  comparison and ISS    %8.1f %% of lockstep's time on one thread\n"
          "  front end in the run  %8.0f ns for each clock edge\n"
          "  1 thread / %u threads  %8.2f times the time\n"
          "  peak memory           %8.1f MiB\n",
          "", bare / 1000, 100 * checks, ns_in_run(&one.stats), b->threads,
          one.stats.wall_s / lockstep.stats.wall_s, (double)peak / 1024);
  json_t *o = json_pack(
      "{s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f}", "lockstep", as_json(&lockstep),
      "lockstep_one_thread", as_json(&one), "ref", as_json(&ref), "limit_warp_instructions_per_s",
      bare, "check_share", checks, "frontend_ns", ns_in_run(&one.stats), "thread_speedup",
      one.stats.wall_s / lockstep.stats.wall_s, "guide_warp_instructions_per_s", k->guide);
  for (unsigned i = 1; i < n; i++)
    compare_gpu(gpus[i], &best[i], &one, text, o);
  json_object_set_new(all, k->name, o);
  return bench_threads(k->name, text, o);
}

static int bench_all(struct bench *b) {
  FILE *text = b->json != NULL && strcmp(b->json, "-") == 0 ? stderr : stdout;
  json_t *root = json_object(), *all = json_object();
  double load[1] = {0};
  (void)getloadavg(load, 1);
  struct tandem_error err;
  if (!bench_frontend(true, &b->busy, &b->busy_ipc, &err) ||
      !bench_frontend(false, &b->stalled, NULL, &err)) {
    fprintf(stderr, "tandem: %s\n", err.text);
    json_decref(root);
    json_decref(all);
    return TANDEM_USAGE;
  }
  fprintf(text,
          "%ld processors, load %.1f before the measurements\n"
          "bare verilated front end: %.0f ns a cycle busy (%.2f instructions issued), %.0f ns "
          "stalled\n",
          sysconf(_SC_NPROCESSORS_ONLN), load[0], b->busy, b->busy_ipc, b->stalled);
  enum tandem_status status = TANDEM_OK;
  for (int i = 0; i < KERNELS && status == TANDEM_OK; i++)
    if (b->only == NULL || strcmp(b->only, kernels[i].name) == 0)
      status = bench_kernel(b, &kernels[i], text, all);
  json_object_set_new(root, "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
  json_object_set_new(root, "load", json_real(load[0]));
  json_object_set_new(root, "threads", json_integer(b->threads));
  json_object_set_new(root, "bare_busy_ns", json_real(b->busy));
  json_object_set_new(root, "bare_stalled_ns", json_real(b->stalled));
  json_object_set_new(root, "kernels", all);
  if (status == TANDEM_OK && b->json != NULL &&
      (json_dumpf(root, b->out.file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0 ||
       fputc('\n', b->out.file) == EOF || !outfile_commit(&b->out)))
    status = TANDEM_USAGE;
  json_decref(root);
  return status;
}

int cli_bench(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      NULL,
      "Measures Black-Scholes, N-body, BFS, Smith-Waterman and a stencil on 16 SMs: lockstep on "
      "several threads, on one, and there with the GPUs of features (of five runs each the "
      "shortest); on one, two and four threads, with the machine free and beside a busy process "
      "(of "
      "five runs each the median); the reference alone; and the bare verilated front end.  For "
      "figures that mean something, on a machine with nothing else to do.",
      NULL,
      NULL,
      NULL};
  struct bench b = {.threads = 2};
  argc = cli_join_json(argc, argv);
  cli_argp(&argp, argc, argv, &b);
  if (b.json != NULL && !outfile_open(&b.out, b.json))
    return TANDEM_USAGE;
  int status = bench_all(&b);
  output_abandon(&b.out);
  return status;
}
