/* Reports of lockstep when the RTL is wrong: faults of rtl/faults.def, switched on. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/system/helpers.h"

static char folder[] = "/tmp/tandem-mismatch-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) != NULL ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

/* Beside the waveform W.fst there is W.gtkw.  Each signal in it is in the waveform, by the reader
 * of another program; it has the clock, this register and this port, and a marker.  Both are
 * removed. */
static void check_view(const char *wave, const char *register_, const char *port) {
  char command[1024], line[512];
  unsigned signals = 0, found = 0, markers = 0;
  snprintf(command, sizeof command,
           FST_NAMES " %s | sort >%s/names && sed -n '/^[^-@*[]/p' %.*s.gtkw | sort >%s/view && "
                     "! comm -13 %s/names %s/view | grep . && rm %s/names %s/view",
           wave, folder, (int)strlen(wave) - 4, wave, folder, folder, folder, folder, folder);
  if (system(command) != 0)
    fail_msg("signals of %s's view are not in it", wave);
  snprintf(command, sizeof command, "%.*s.gtkw", (int)strlen(wave) - 4, wave);
  FILE *view = fopen(command, "r");
  assert_non_null(view);
  while (fgets(line, sizeof line, view) != NULL) {
    signals += strncmp(line, "TOP.", 4) == 0;
    markers += *line == '*';
    found += strstr(line, register_) != NULL || strstr(line, port) != NULL ||
             strcmp(line, "TOP.clk_i\n") == 0;
  }
  fclose(view);
  unlink(command);
  assert_true(signals > 20 && markers == 1);
  assert_int_equal(found, 3);
}

/* Fault 2: fetch asks for warps whose fetch is outstanding.  The report has every part, and is of
 * the first cycle in which anything differs, however rarely states are compared. */
TEST(report) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  struct stat st;
  uint64_t cycle[2];
  char wave[256];
  static const char *const parts[] = {
      "mismatch: SM 1, ",
      "  unit          ",
      "of SM 1\n",
      "  RTL           0x",
      "  reference     0x",
      "cycles of SM 1 (sm_frontend)",
      "inputs of both sides",
      " rtl ",
      " ref ",
      "waveform: ",
      "reproduce: ./tandem run x --state-interval 1 --trace mismatch.fst --trace-from ",
      " --trace-sms 1",
  };
  c.bug = 1;
  c.bug_sm = 1;
  c.command = "./tandem run x";
  c.report_dir = folder;
  for (unsigned i = 0; i < 2; i++) {
    c.state_interval = i == 0 ? 1 : 5000;
    assert_int_equal(run_kernel(&c, "prefix", &t, &err), TANDEM_FAULT);
    for (unsigned k = 0; k < sizeof parts / sizeof parts[0]; k++)
      contains(tandem_report(t), parts[k]);
    const struct tandem_failure *f = tandem_failure(t);
    assert_int_equal(f->sm, 1);
    assert_true(strcmp(f->kind, "state") == 0 || strcmp(f->kind, "port") == 0);
    cycle[i] = f->cycle;
    snprintf(wave, sizeof wave, "%s/mismatch-sm1-cycle%llu.fst", folder,
             (unsigned long long)f->cycle);
    contains(tandem_report(t), wave);
    assert_int_equal(stat(wave, &st), 0);
    assert_true(st.st_size > 1000);
    check_view(wave, ".u_fetch.last_q[5:0]", "TOP.iss0_valid_o");
    unlink(wave);
    struct gpu_stats s;
    gpu_statistics(t, &s);
    assert_int_equal(s.mismatches, 1);
    tandem_close(t);
  }
  assert_int_equal(cycle[0], cycle[1]);
}

/* Before the cycle that is reported, both sides of the recorded outputs agree: no mark stands in
 * their lines.  Returns how many lines were looked at. */
static unsigned same_before(const struct tandem *t, uint64_t cycle) {
  const char *line = strstr(tandem_report(t), "(* differs");
  unsigned seen = 0;
  if (line == NULL)
    fail_msg("no outputs in: %s", tandem_report(t));
  for (line = strchr(line, '\n'); line != NULL && line[1] != '\n'; line = strchr(line + 1, '\n')) {
    unsigned long long at;
    char side[4];
    if (sscanf(line, "%llu %3s", &at, side) != 2 || at >= cycle)
      continue;
    seen++;
    const char *mark = strchr(line + 1, '*');
    if (mark != NULL && mark < line + 1 + strcspn(line + 1, "\n"))
      fail_msg("cycle %llu differs before %llu: %s", at, (unsigned long long)cycle, line);
  }
  return seen;
}

/* The history shows the ports of one cycle in one line, on either side. */
TEST(history) {
  static const struct {
    unsigned bug, buddy;
    const char *kernel;
  } faults[] = {{4, 1, "matmul"}, {1, 1, "prefix"}, {11, 4, "prefix"}};
  for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
    struct tandem *t;
    struct tandem_error err;
    c.bug = faults[i].bug;
    c.feature.buddy.size = faults[i].buddy;
    c.sms = 4;
    c.report_dir = folder;
    assert_int_equal(run_kernel(&c, faults[i].kernel, &t, &err), TANDEM_FAULT);
    assert_true(same_before(t, tandem_failure(t)->cycle) > 10);
    tandem_close(t);
  }
}

/* Without the second run: what was seen, when it was seen, and no waveform. */
TEST(without_pin) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  c.bug = 1;
  c.pin = false;
  c.report_dir = folder;
  assert_int_equal(run_kernel(&c, "prefix", &t, &err), TANDEM_FAULT);
  contains(tandem_report(t), "  RTL           0x");
  assert_null(strstr(tandem_report(t), "waveform"));
  assert_null(strstr(tandem_report(t), "inputs of both sides"));
  tandem_close(t);
}

/* The line that begins so, of a report; to be freed. */
static char *line_of(const struct tandem *t, const char *start) {
  const char *line = strstr(tandem_report(t), start);
  if (line == NULL)
    fail_msg("no line \"%s\" in: %s", start, tandem_report(t));
  return strndup(line, strcspn(line, "\n"));
}

/* Fault 24 shows in a vector of a bit a warp.  The warp and its instruction are those of the first
 * cycle, with the second run as without. */
TEST(instruction) {
  static const char *const starts[] = {"mismatch: SM 0, state u_scoreboard.hazard", "  warp  ",
                                       "  instruction  "};
  char *lines[2][3];
  for (unsigned i = 0; i < 2; i++) {
    struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
    struct tandem *t;
    struct tandem_error err;
    c.bug = 4;
    c.pin = i == 0;
    c.state_interval = i == 0 ? 64 : 1;
    assert_int_equal(run_kernel(&c, "matmul", &t, &err), TANDEM_FAULT);
    for (unsigned k = 0; k < 3; k++)
      lines[i][k] = line_of(t, starts[k]);
    tandem_close(t);
  }
  for (unsigned k = 0; k < 3; k++) {
    assert_string_equal(lines[0][k], lines[1][k]);
    free(lines[0][k]);
    free(lines[1][k]);
  }
}

/* A folder that is not there costs the waveform alone, and the report says so. */
TEST(no_waveform) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  char none[64], says[128];
  snprintf(none, sizeof none, "%s/none", folder);
  snprintf(says, sizeof says, "no waveform: cannot write %s/mismatch-sm0", none);
  c.bug = 1;
  c.report_dir = none;
  assert_int_equal(run_kernel(&c, "prefix", &t, &err), TANDEM_FAULT);
  contains(tandem_report(t), says);
  contains(tandem_report(t), "inputs of both sides");
  tandem_close(t);
}

/* Fault 3 forgets a warp that waits for an icache line: without comparison it is a hang, and the
 * report has what each warp waits for. */
TEST(hang) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  c.bug = 3;
  c.compare = false;
  c.hang_cycles = 2000;
  c.report_dir = folder;
  c.command = "./tandem run x";
  assert_int_equal(run_kernel(&c, "prefix", &t, &err), TANDEM_FAULT);
  assert_string_equal(tandem_failure(t)->kind, "hang");
  contains(tandem_report(t), "no progress for more than 2000 cycles");
  contains(tandem_report(t), "SM 0: warps that wait");
  contains(tandem_report(t), "warp ");
  contains(tandem_report(t), "the last 32 cycles of SM 0 (sm_frontend)");
  contains(tandem_report(t), "mask ffffffff"); /* of an instruction issued in them */
  contains(tandem_report(t), "reproduce: ./tandem run x --state-interval 1 --trace mismatch.fst");
  char wave[256];
  struct stat st;
  snprintf(wave, sizeof wave, "%s/hang-sm0-cycle%llu.fst", folder,
           (unsigned long long)tandem_failure(t)->cycle);
  contains(tandem_report(t), wave);
  assert_int_equal(stat(wave, &st), 0);
  unlink(wave);
  tandem_close(t);
}

/* Fault 4 misses write-after-read hazards: a value that came too early is really read, and the
 * architectural check sees it without any comparison. */
TEST(architectural) {
  struct tandem_config c = small(TANDEM_ENGINE_RTL);
  struct tandem *t;
  struct tandem_error err;
  c.bug = 4;
  c.spread_registers = false; /* a value comes soon after the last one in its register */
  c.report_dir = folder;
  assert_int_equal(run_kernel(&c, "bfs", &t, &err), TANDEM_FAULT);
  assert_string_equal(tandem_failure(t)->kind, "iss");
  contains(tandem_report(t), "architectural check: ");
  contains(tandem_report(t), "  instruction   ");
  contains(tandem_report(t), "instructions issued in them");
  tandem_close(t);
}

/* Fault 9: CTA dispatch, a unit of the GPU and not of an SM. */
TEST(dispatch) {
  static const char *const parts[] = {
      ": RTL 0x",
      ", reference 0x",
      "  unit          cta_dispatch of the GPU",
      "cycles of the GPU (cta_dispatch)",
      "waveform: ",
      " rtl ",
      " ref ",
      "reproduce: ./tandem run x --state-interval 1 --trace mismatch.fst --trace-from ",
      " --trace-gpu",
  };
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  c.bug = 9;
  c.command = "./tandem run x";
  c.report_dir = folder;
  assert_int_equal(run_kernel(&c, "prefix", &t, &err), TANDEM_FAULT);
  for (unsigned k = 0; k < sizeof parts / sizeof parts[0]; k++)
    contains(tandem_report(t), parts[k]);
  contains(tandem_failure(t)->where, "cta_dispatch.");
  tandem_close(t);
}

int main(void) { return test_run(make_folder, drop_folder); }
