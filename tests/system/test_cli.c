/* The program: exit statuses, what it says, and the files it writes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/shell.h"

static char folder[] = "/tmp/tandem-cli-XXXXXX";
static char said[1 << 18]; /* standard output and error of the last command */

/* Runs `tandem <words>` through the shell in the test's folder; returns the exit status. */
static int tandem(const char *words) {
  char command[2048];
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", folder, PROGRAM, words);
  return shell_run(command, said, sizeof said);
}

static void expect(const char *words, int status, const char *part) {
  const int got = tandem(words);
  if (got != status || strstr(said, part) == NULL)
    fail_msg("tandem %s: status %d, expected %d with \"%s\": %s", words, got, status, part, said);
}

static char *in_folder(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void put(const char *name, const char *text) {
  FILE *f = fopen(in_folder(name), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static unsigned files(void) {
  char command[600], count[16] = "";
  snprintf(command, sizeof command, "ls %s | wc -l", folder);
  FILE *p = popen(command, "r");
  assert_non_null(fgets(count, sizeof count, p));
  pclose(p);
  return (unsigned)strtoul(count, NULL, 10);
}

static int make_folder(void **state) {
  (void)state;
  char command[600];
  if (mkdtemp(folder) == NULL)
    return -1;
  snprintf(command, sizeof command, "cp " PROGRAMS "/faults.cl %s", folder);
  return system(command);
}

static int drop_folder(void **state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

#define FINE                                                                                       \
  "run " PROGRAMS "/faults.cl --sms 2 --threads 1 --kernel fine --grid 2 --block 64 "              \
  "--arg buffer:u32:100:range --arg u32:100 "

static void statuses(void **state) {
  (void)state;
  put("good.yaml", "program: faults.cl\nbuffers: [{name: a, type: u32, count: 64}]\n"
                   "steps:\n  - launch: {kernel: fine, grid: [1], block: [32],\n"
                   "             args: [{buffer: a}, {u32: 64}]}\n"
                   "expect: [{buffer: a, data: [0, 1, 2]}]\n");
  put("wrong.yaml", "program: faults.cl\nbuffers: [{name: a, type: u32, count: 64}]\n"
                    "steps:\n  - launch: {kernel: fine, grid: [1], block: [32],\n"
                    "             args: [{buffer: a}, {u32: 64}]}\n"
                    "expect: [{buffer: a, data: [0, 1, 3]}]\n");
  put("sized.yaml", "parameters: {n: 2, half: =(n+1)/2}\nprogram: faults.cl\n"
                    "buffers: [{name: a, type: u32, count: 64}]\n"
                    "steps:\n  - launch: {kernel: fine, grid: [1], block: [32],\n"
                    "             args: [{buffer: a}, {u32: =n}]}\n"
                    "expect: [{buffer: a, data: [0, 1, 2]}]\n");
  put("empty.yaml", "program: faults.cl\nsteps: []\n");
  put("gpu.yaml", "sms: 3\nrun: {engine: ref}\n");
  put("bad.cl", "__kernel void k(__global int *a) { a[0] = undeclared; }\n");
  put("race.cl", "__kernel void race(__global int *a) { a[0] = get_global_id(0); }\n");
  put("bad.ptx", ".version 3.2\n.target sm_20\n.address_size 32\n.entry k() { foo.u32 %r1; }\n");
  static const struct {
    const char *words;
    int status;
    const char *part;
  } cases[] = {
      {"--help", 0, "Usage: tandem"},
      {"--version", 0, "tandem 0"},
      {"run --help", 0, "--state-interval"},
      {"bench --help", 0, "--json"},
      {"bugs --help", 0, "Usage: tandem bugs"},
      {"compile --help", 0, "--ptx"},
      {"disasm --help", 0, "PROGRAM"},
      {"run --version", 0, "tandem 0"},
      {"", 2, "Usage"},
      {"walk", 2, "unknown command \"walk\""},
      {"run --engine fast", 2, "--engine must be rtl, ref or lockstep, not fast"},
      {"run --sms 65", 2, "--sms must be 1 to 64, not 65"},
      {"run --warp-size 48", 2, "--warp-size must be 32, 64 or 128 threads, not 48"},
      {"run --set memory.t_rcd=0", 2, "memory.t_rcd must be 1 to 1000 DRAM cycles, not 0"},
      {"run --set memory.t_rcd", 2, "--set takes KEY=VALUE"},
      {"run --set memory.t_xyz=4", 2, "no configuration key \"memory.t_xyz\""},
      {"run --set memory.l1d_ways=3", 2, "memory: the sets of L1D"},
      {"config --set memory.l1d_ways=3", 2, "memory: the sets of L1D"},
      {"config word", 2, "not \"word\""},
      {"config --help", 0, "--hop-latency"},
      {"run --help", 0, "--power-up=N"},
      {"run --seed -1", 2, "--seed must be"},
      {"run --trace-sms 3-1", 2, "--trace-sms"},
      {"run --nonsense", 2, "unrecognized option"},
      {"run a.yaml b.yaml", 2, "not also \"b.yaml\""},
      {"run none.yaml", 2, "none.yaml"},
      {"run none.cl", 2, "none.cl"},
      {"run bad.cl", 2, "undeclared"},
      {"run bad.ptx", 2, "bad.ptx"},
      {"run good.yaml --param n=1", 2, "there is no parameter \"n\"; the file has none"},
      {"run good.yaml --param n", 2, "--param takes NAME=VALUE"},
      {"run good.yaml --param n=1.5", 2, "\"1.5\" is not a whole number"},
      {"run " PROGRAMS "/faults.cl --param n=1", 2, "--param is for a launch description"},
      {"run sized.yaml --engine ref --sms 2 --json", 1, "\"unexpected\""},
      {"run sized.yaml --engine ref --sms 2 --json --param n=3", 0, "\"half\": 2"},
      {"experiment --help", 0, "--retry-failed"},
      {"run good.yaml --config none.yaml", 2, "none.yaml"},
      {"run good.yaml --kernel fine", 2, "are for programs"},
      {"run good.yaml --dump z=z.bin", 2, "no buffer \"z\""},
      {"run good.yaml --bug 1 --engine ref", 2, "needs the RTL"},
      {"run good.yaml --json /nowhere/x.json", 2, "/nowhere/x.json"},
      {"run good.yaml --json /tmp", 2, "/tmp"},
      {"run good.yaml --trace /nowhere/x.fst", 2, "/nowhere/x.fst"},
      {"run good.yaml --trace /tmp", 2, "/tmp: Is a directory"},
      {"run good.yaml --trace /dev/null", 2, "not a regular file"},
      {"run good.yaml --sms 2 --trace x.fst --trace-sms 1,2", 2, "there are SMs 0 to 1"},
      {"run good.yaml --sms 2 --trace x.fst --trace-from 999999", 2, "no waveform x.fst: the run"},
      {"run good.yaml --report-dir /nowhere", 2, "cannot write reports to /nowhere"},
      {"run good.yaml --seed 9223372036854775808", 2, "--seed must be 0 to 2^63 - 1"},
      {"run good.yaml --sms 1 --json full", 2, "No space left on device"},
      {"run good.yaml --sms 1 --json x.json --dump a=full", 2, "No space left on device"},
      {"run good.yaml --sms 1 2>&1 >/dev/full #", 2, "cannot write standard output"},
      {"bugs --list 2>&1 >/dev/full #", 2, "cannot write standard output"},
      {"disasm good.s 2>&1 >/dev/full #", 2, "cannot write standard output"},
      {"run good.yaml --dump a=/nowhere/a.bin", 2, "/nowhere/a.bin"},
      {"compile good.yaml", 2, "good.yaml"},
      {"compile bad.cl", 2, "bad.cl"},
      {"run good.yaml --sms 1", 0, "ok: 1 SMs, engine lockstep, 1 launch"},
      {"run good.yaml --config gpu.yaml", 0, "ok: 3 SMs, engine ref"},
      {"run good.yaml --sms 1 --config gpu.yaml", 0, "ok: 1 SMs, engine ref"},
      {"run good.yaml --set sms=4 --set run.engine=ref", 0, "ok: 4 SMs, engine ref"},
      {"run good.yaml --sms 1 --stats --verbose", 0, "u_scoreboard"},
      {"run good.yaml --sms 1 --no-compare", 0, "unchecked"},
      {"run good.yaml --sms 1 --assertions", 0, "ok"},
      {"run wrong.yaml --sms 1", 1, "the first is [2]: 2, expected 3"},
      {"run empty.yaml --sms 1", 1, "compared nothing"},
      {"run empty.yaml --sms 1 --engine ref", 0, "ok"},
      {FINE, 0, "ok: 2 SMs"},
      {FINE "--check full", 0, "ok: 2 SMs"},
      {FINE "--check half", 2, "--check must be fast or full"},
      {FINE "--races", 0, "no races"},
      {"run race.cl --sms 2 --engine ref --races --block 64 --arg buffer:u32:4", 0,
       "race on global memory"},
      {"run " PROGRAMS "/faults.cl --kernel fine --arg 3", 2, "--arg"},
      {"run " PROGRAMS "/faults.cl --kernel fine --arg u32:3", 2, "takes 2 arguments, not 1"},
      {"run " PROGRAMS "/faults.cl --sms 1 --kernel out_of_bounds --block 64 "
       "--arg buffer:u32:64 --arg u32:64",
       1, "reproduce: ./tandem run"},
      {"run " PROGRAMS "/faults.cl --sms 1 --kernel endless --max-cycles 20000 "
       "--arg buffer:u32:64 --arg u32:1",
       1, "has not ended within 20000 cycles"},
  };
  put("good.s", ".source \"good.s\"\n.kernel \"k\"\n.regs 4\n.shared 0\n.local 0\n.params 0\n"
                "  exit\n.end\n");
  assert_int_equal(symlink("/dev/full", in_folder("full")), 0);
  const unsigned before = files();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect(cases[i].words, cases[i].status, cases[i].part);
  assert_int_equal(files(), before); /* nothing half-written, no waveforms */
}

static json_t *run_json(const char *words) {
  char command[1024];
  json_error_t error;
  snprintf(command, sizeof command, "%s --json out.json", words);
  (void)tandem(command);
  json_t *o = json_load_file(in_folder("out.json"), 0, &error);
  if (o == NULL)
    fail_msg("%s: %s; %s", words, error.text, said);
  unlink(in_folder("out.json"));
  return o;
}

static void json_keys(void **state) {
  (void)state;
  static const char *const keys[] = {"status",
                                     "engine",
                                     "cycles",
                                     "warp_instructions",
                                     "thread_instructions",
                                     "ipc",
                                     "compared",
                                     "mismatches",
                                     "wall_s",
                                     "iss_checked",
                                     "khz",
                                     "wall",
                                     "stalls",
                                     "seed",
                                     "sms",
                                     "occupancy",
                                     "memory",
                                     "digest"};
  json_t *o = run_json(FINE);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (json_object_get(o, keys[i]) == NULL)
      fail_msg("no key %s", keys[i]);
  assert_string_equal(json_string_value(json_object_get(o, "status")), "ok");
  assert_string_equal(json_string_value(json_object_get(o, "engine")), "lockstep");
  assert_int_equal(json_integer_value(json_object_get(o, "seed")), 1);
  assert_int_equal(json_integer_value(json_object_get(o, "mismatches")), 0);
  const json_int_t cycles = json_integer_value(json_object_get(o, "cycles"));
  json_int_t slots = 0;
  const char *name;
  json_t *v;
  json_object_foreach(json_object_get(o, "stalls"), name, v) slots += json_integer_value(v);
  assert_int_equal(slots, cycles * 2 * 2); /* two schedulers of two SMs */
  assert_int_equal(json_object_size(json_object_get(o, "wall")), 7);
  json_decref(o);
  /* Of the warps that there are, not of those that a larger SM has. */
  put("warps.yaml", "sm: {warps: 2}\n");
  o = run_json(FINE "--config warps.yaml --engine ref");
  assert_true(json_real_value(json_object_get(o, "occupancy")) > 0.5);
  assert_true(json_real_value(json_object_get(o, "occupancy")) <= 1.0);
  json_decref(o);
  o = run_json("run wrong.yaml --sms 1");
  assert_string_equal(json_string_value(json_object_get(o, "status")), "unexpected");
  json_decref(o);
  o = run_json("run " PROGRAMS "/faults.cl --sms 1 --kernel out_of_bounds --block 64 "
               "--arg buffer:u32:64 --arg u32:64");
  assert_string_equal(json_string_value(json_object_get(o, "status")), "fault");
  v = json_object_get(o, "failure");
  assert_string_equal(json_string_value(json_object_get(v, "kind")), "memory");
  json_decref(o);
}

/* The value at a path like memory.dram.reads. */
static json_t *at_path(json_t *o, const char *path) {
  size_t n;
  while (o != NULL && path[n = strcspn(path, ".")] == '.') {
    o = json_object_getn(o, path, n);
    path += n + 1;
  }
  return json_object_get(o, path);
}

/* A cell of a table's line, without blanks and quotes at its ends; ends the cell's text. */
static char *cell(char **line) {
  char *text = strsep(line, "|");
  if (text == NULL)
    return "";
  text += strspn(text, " `");
  for (size_t n = strlen(text); n != 0 && strchr(" `", text[n - 1]) != NULL;)
    text[--n] = '\0';
  return text;
}

/* The JSON has each name of docs/statistics.md with a number, the text report each title. */
static void statistics_are_those_of_the_page(void **state) {
  (void)state;
  char row[1024];
  unsigned paths = 0, titles = 0;
  bool figures = false;
  FILE *page = fopen(DOCS "/statistics.md", "r");
  assert_non_null(page);
  /* Of all machines that count something of their own; the texts are in `said`. */
  json_t *spu = run_json(FINE "--sms 2 --spu-columns 2 --engine ref --stats");
  char *spu_said = strdup(said);
  json_t *o = run_json(FINE "--buddy 2 --engine ref --stats");
  assert_non_null(spu_said);
  while (fgets(row, sizeof row, page) != NULL) {
    char *at = row, title[160];
    if (strncmp(row, "##", 2) == 0)
      figures = strncmp(row, "## Figures: ", 12) == 0;
    if (!figures || *cell(&at) != '\0' || at == NULL)
      continue;
    const char *path = cell(&at);
    snprintf(title, sizeof title, "\n  %-22s ", cell(&at));
    if (strcmp(path, "in the JSON") == 0 || strcmp(path, "---") == 0)
      continue;
    if (*path != '\0' && ++paths && !json_is_number(at_path(o, path)) &&
        !json_is_number(at_path(spu, path)))
      fail_msg("the JSON has no %s", path);
    if (strncmp(path, "units.", 6) != 0 && strspn(title, "\n ") < strlen(title) && ++titles &&
        strstr(said, title) == NULL &&
        strstr(spu_said, title) == NULL) /* units without instructions are left out */
      fail_msg("the text has no%s: %s", title, said);
  }
  assert_true(paths > 60 && titles > 40);
  free(spu_said);
  json_decref(spu);
  json_decref(o);
  fclose(page);
}

/* What `tandem config` prints is a GPU description that gives the same configuration, with every
 * key: 1 less of one is seen. */
static void prints_configuration(void **state) {
  (void)state;
  char *first;
  expect("config --sms 6 --buddy 2 --no-iss --set sm.latency.sfu.interval=5 --set memory.t_rcd=13",
         0, "\n    sfu:\n      latency: 39");
  assert_non_null(strstr(said, "\n      interval: 5 "));
  assert_non_null(strstr(said, "\n  t_rcd: 13 "));
  assert_non_null(strstr(said, "\n  iss: false "));
  first = strdup(said);
  put("all.yaml", first);
  expect("config --config all.yaml", 0, "sms: 6 ");
  assert_string_equal(said, first);
  free(first);
  unlink(in_folder("all.yaml"));
}

/* Equal inputs give equal bytes, apart from time, whatever the number of threads. */
static void deterministic(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "1", "2", "3"};
  char *first = NULL;
  for (unsigned i = 0; i < 4; i++) {
    char words[512];
    snprintf(words, sizeof words, "run " KERNELS "/reduction/reduction.yaml --sms 5 --threads %s",
             threads[i]);
    json_t *o = run_json(words);
    json_object_del(o, "wall");
    json_object_del(o, "wall_s");
    json_object_del(o, "khz");
    json_object_del(o, "warp_instructions_per_s");
    char *text = json_dumps(o, JSON_INDENT(1));
    json_decref(o);
    if (first == NULL)
      first = text;
    else {
      assert_string_equal(text, first);
      free(text);
    }
  }
  free(first);
}

static void dump(void **state) {
  (void)state;
  uint32_t word[100];
  expect(FINE "--dump arg0=a.bin", 0, "ok");
  FILE *f = fopen(in_folder("a.bin"), "rb");
  assert_non_null(f);
  assert_int_equal(fread(word, sizeof word[0], 100, f), 100);
  assert_int_equal(fgetc(f), EOF);
  fclose(f);
  unlink(in_folder("a.bin"));
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(word[i], 4 * i);
}

static long size_of(const char *name) {
  struct stat st;
  return stat(in_folder(name), &st) == 0 ? (long)st.st_size : -1;
}

/* An FST file's header block (type 0) has the start and end time, big-endian, at bytes 9 and 17. */
static uint64_t fst_time(const char *name, long at) {
  unsigned char b[8];
  uint64_t v = 0;
  FILE *f = fopen(in_folder(name), "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, at, SEEK_SET), 0);
  assert_int_equal(fread(b, 1, 8, f), 8);
  fclose(f);
  for (unsigned i = 0; i < 8; i++)
    v = v << 8 | b[i];
  return v;
}

static void waveforms(void **state) {
  (void)state;
  expect(FINE "--trace w.fst --trace-from 100 --trace-to 139", 0, "ok");
  assert_true(size_of("w.fst") > 0);
  const uint64_t start = fst_time("w.fst", 9), end = fst_time("w.fst", 17);
  assert_int_equal(start, 100 * 1000000 / 700);
  assert_in_range(end, 139 * 1000000 / 700, 140 * 1000000 / 700);
  expect(FINE "--trace t.fst", 0, "ok"); /* from the first cycle to the last */
  assert_int_equal(fst_time("t.fst", 9), 0);
  assert_true(fst_time("t.fst", 17) > 300 * 1000000 / 700);
  expect(FINE "--trace v.fst --trace-to 50 --trace-sms all", 0, "ok");
  assert_int_equal(size_of("v.fst"), -1);
  assert_true(size_of("v.sm0.fst") > 0 && size_of("v.sm1.fst") > 0);
  expect("run good.yaml --sms 1 --trace u.fst --engine ref", 2, "RTL");
  assert_int_equal(size_of("u.fst"), -1);
}

static void compiles(void **state) {
  (void)state;
  expect("compile " PROGRAMS "/faults.cl -o f.img", 0, "");
  assert_true(size_of("f.img") > 0);
  expect("disasm f.img -o f.s", 0, "");
  expect("compile f.s -o g.img", 0, "");
  char command[1200];
  snprintf(command, sizeof command, "cd %s && cmp f.img g.img", folder);
  assert_int_equal(system(command), 0);
  expect("disasm f.img", 0, ".kernel \"out_of_bounds\"");
  expect("compile --ptx " PROGRAMS "/faults.cl", 0, ".entry out_of_bounds");
  expect("run f.img --sms 1 --kernel fine --arg buffer:u32:8 --arg u32:8", 0, "ok");
  put("broken.img", "this is no image");
  expect("disasm broken.img", 2, "broken.img");
}

/* What is not a file is written to and not replaced; a link is followed. */
static void other_targets(void **state) {
  (void)state;
  struct stat st;
  char command[1200];
  assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
  /* The reader ends by itself should nobody write. */
  (void)snprintf(command, sizeof command,
                 "cd %s; timeout 60 cat fifo >read & timeout 60 %s %s --json %s/fifo >/dev/null; "
                 "wait $!; grep -q '\"status\": \"ok\"' %s/read",
                 folder, PROGRAM, FINE, folder, folder);
  assert_int_equal(system(command), 0);
  assert_true(stat(in_folder("fifo"), &st) == 0 && S_ISFIFO(st.st_mode));
  put("target", "");
  assert_int_equal(symlink("target", in_folder("link")), 0);
  expect(FINE "--json link", 0, "ok");
  assert_true(lstat(in_folder("link"), &st) == 0 && S_ISLNK(st.st_mode));
  assert_true(size_of("target") > 100);
}

/* A run that is stopped from outside leaves no file. */
static void interrupted(void **state) {
  (void)state;
  char command[1200];
  const unsigned before = files();
  (void)snprintf(
      command, sizeof command,
      "cd %s; %s run %s/faults.cl --sms 1 --kernel endless --arg buffer:u32:64 --arg u32:1 "
      "--json x.json --dump arg0=x.bin & sleep 1; kill -TERM $!; wait $!",
      folder, PROGRAM, PROGRAMS);
  assert_int_equal(WEXITSTATUS(system(command)), 128 + SIGTERM);
  assert_int_equal(files(), before);
}

/* The command that a report ends with shows the same again, with a waveform. */
static void reproduces(void **state) {
  (void)state;
  char first[512], command[512];
  expect("run " KERNELS "/reduction/reduction.yaml --sms 2 --threads 1 --bug 24 --report-dir ''", 1,
         "mismatch: ");
  (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(said, "\n"), said);
  const char *again = strstr(said, "reproduce: ./tandem ");
  assert_non_null(again);
  again += strlen("reproduce: ./tandem ");
  (void)snprintf(command, sizeof command, "%.*s", (int)strcspn(again, "\n"), again);
  expect(command, 1, first);
  assert_true(size_of("mismatch.fst") > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statuses),
      cmocka_unit_test(json_keys),
      cmocka_unit_test(prints_configuration),
      cmocka_unit_test(statistics_are_those_of_the_page),
      cmocka_unit_test(deterministic),
      cmocka_unit_test(dump),
      cmocka_unit_test(waveforms),
      cmocka_unit_test(compiles),
      cmocka_unit_test(interrupted),
      cmocka_unit_test(other_targets),
      cmocka_unit_test(reproduces),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
