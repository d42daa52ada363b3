/* `tandem synth` asked for what cannot be: exit status 2, what is wrong and what to do, and no file
 * left behind. */
#include <dirent.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "tests/shell.h"
#include "tests/synth/library.h"
#include "tests/test.h"

/* Where Debian's qflow-tech-osu018 has it. */
#define OSU018 "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

static char folder[] = "/tmp/tandem-synth-XXXXXX";
static char said[1 << 16]; /* standard output and error of the last command */
static char *osu018;

static void put_bytes(const char *name, const char *bytes, size_t n) {
  char path[512];
  struct tandem_error err;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(files_write(path, bytes, n, &err), 0);
}

static void put(const char *name, const char *text) { put_bytes(name, text, strlen(text)); }

/* The library with one place changed. */
static void put_changed(const char *name, const char *from, const char *to) {
  char *at = strstr(osu018, from), *text;
  assert_non_null(at);
  assert_true(asprintf(&text, "%.*s%s%s", (int)(at - osu018), osu018, to, at + strlen(from)) > 0);
  put(name, text);
  free(text);
}

/* A cell with these pins, the last one its output. */
#define ARC LIBRARY_TIMES("A", "")
#define LIBRARY "library(l) { " LIBRARY_HEAD
#define IN(name) "pin(" name ") { direction : input; capacitance : 0.01; }"
#define NAND2(arc)                                                                                 \
  "cell(NAND2) { area : 2; " IN("A") IN("B") "pin(Y) { direction : output; function : "            \
                                             "\"!(A B)\"; " arc " } }"
#define BOTH LIBRARY_TIMES("A B", "")
#define INV                                                                                        \
  "cell(INV) { area : 1; " IN("A") "pin(Y) { direction : output; function : \"!A\"; " ARC " } }"
#define DFF                                                                                               \
  "cell(DFF) { area : 5; ff(IQ, IQN) { next_state : \"D\"; clocked_on : \"C\"; }" IN(                     \
      "C") "pin(D) { direction : input; capacitance : 0.01; " LIBRARY_SETUP("C") "} pin(Q) { "            \
                                                                                 "direction : "           \
                                                                                 "output; "               \
                                                                                 "function : "            \
                                                                                 "\"IQ\";"                \
                                                                                 " " LIBRARY_AFTER_CLOCK( \
                                                                                     "C") "} }"

static int start(void **state) {
  (void)state;
  struct tandem_error err;
  if (mkdtemp(folder) == NULL || files_read(OSU018, &osu018, NULL, &err) != 0)
    return -1;
  put("garbage.lib", "%PDF-1.4 nothing of the kind");
  put("empty.lib", "");
  put("no-cells.lib", "library(l) { time_unit : \"1ns\"; }");
  put("cut.lib", LIBRARY NAND2(BOTH) INV " cell(");
  put("own.lib", osu018);
  put("nested.lib", "library(l) { type(t) { bit_width : 8; bit_from : 7; bit_to : 0; } "
                    "cell(a) { bus(b) { bus_type : t; direction : input; "
                    "library(y) { cell(c) { area : 2; } } bus_type : t; } } }");
  put("deep.lib", "library(l) { a() { a() { a() { a() { a() { a() { a() { a() { a() { a() { a() {"
                  " a() { a() { a() { a() { a() { a() { a() {");
  put("nan.lib", "library(l) { cell(a) { area : nan; } }");
  put("less.lib", "library(l) {\ncell(a) { area : -1; } }");
  static const char zero[] = LIBRARY NAND2(BOTH) INV DFF "}\0rest";
  put_bytes("zero.lib", zero, sizeof zero - 1);
  put("no-nand.lib", LIBRARY INV DFF "}");
  put("no-inverter.lib", LIBRARY NAND2(BOTH) DFF "}");
  put("no-register.lib", LIBRARY NAND2(BOTH) INV "}");
  put("no-times.lib", LIBRARY NAND2("") INV DFF "}");
  /* Registers without a reset, which clock_gate needs. */
  put("no-reset.lib", LIBRARY NAND2(BOTH) INV DFF "}");
  put_changed("syntax.lib", "cell (", "1bad : 2; cell (");
  put_changed("model.lib", "table_lookup", "polynomial");
  return 0;
}

static int stop(void **state) {
  (void)state;
  scratch_remove(folder);
  free(osu018);
  return 0;
}

/* Runs `tandem synth <words>` in the test's folder; returns the exit status. */
static int synth(const char *words, const char *path) {
  char command[2048];
  if (path != NULL)
    snprintf(command, sizeof command, "cd %s && PATH=%s %s synth %s 2>&1", folder, path, PROGRAM,
             words);
  else
    snprintf(command, sizeof command, "cd %s && %s synth %s 2>&1", folder, PROGRAM, words);
  return shell_run(command, said, sizeof said);
}

/* Files of reports, or what was to become one, in the folder. */
static void nothing_written(const char *words) {
  DIR *d = opendir(folder);
  for (const struct dirent *e; (e = readdir(d)) != NULL;)
    if (strstr(e->d_name, "out") != NULL)
      fail_msg("tandem synth %s leaves %s", words, e->d_name);
  closedir(d);
}

static void refused(const char *words, const char *path, const char *part, const char *remedy) {
  const int got = synth(words, path);
  if (got != 2 || strstr(said, part) == NULL || strstr(said, remedy) == NULL)
    fail_msg("tandem synth %s: status %d, expected 2 with \"%s\" and \"%s\": %s", words, got, part,
             remedy, said);
  nothing_written(words);
}

#define OUT " --build build --json=out.json --html out.html"

TEST(libraries_are_refused) {
  static const struct {
    const char *file, *part, *remedy;
  } cases[] = {{"garbage.lib", "does not start with library", "--liberty takes a .lib file"},
               {"empty.lib", "does not start with library", "--liberty takes a .lib file"},
               {"no-cells.lib", "it has no cells", "--liberty takes a .lib file"},
               {"cut.lib", "it ends within", "--liberty takes a .lib file"},
               {"nested.lib", "none of its 1 cells is a NAND", "--liberty"},
               {"deep.lib", "groups are nested too deeply", "--liberty takes a .lib file"},
               {"nan.lib", "nan.lib:1: not a Liberty file that can be used: an area is no number",
                "--liberty takes a .lib file"},
               {"less.lib", "less.lib:2: ", "an area is no number from 0"},
               {"zero.lib", "zero.lib: a byte 0, which no Liberty file has", ""},
               {"no-nand.lib", "none of its 2 cells is a NAND of two inputs", "--liberty"},
               {"no-inverter.lib", "is a buffer or an inverter", "--liberty"},
               {"no-register.lib", "is a flip-flop", "--liberty"},
               {"no-times.lib", "NAND of two inputs with an area and times", "--liberty"},
               {"no-reset.lib", "cannot map clock_gate: yosys ended", "another library with"},
               {"syntax.lib", "cannot time clock_gate: sta", "another library with --liberty"},
               {"model.lib", "cannot time clock_gate: ", "another library with --liberty"},
               {"nowhere.lib", "nowhere.lib: No such file", ""},
               {".", "", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[256];
    snprintf(words, sizeof words, "clock_gate --liberty %s" OUT, cases[i].file);
    refused(words, NULL, cases[i].part, cases[i].remedy);
    /* Nor does a second try take what the first one left. */
    refused(words, NULL, cases[i].part, cases[i].remedy);
  }
}

TEST(memories_are_refused) {
  refused("clock_gate --macros garbage.lib" OUT, NULL, "does not start with library", ".lib");
  refused("clock_gate --macros no-nand.lib" OUT, NULL, "none of its 2 cells is a memory",
          "by --sram MAP.yaml which memories they serve");
  refused("clock_gate --macros nowhere.lib" OUT, NULL, "nowhere.lib: No such file", "");
}

TEST(tools_are_missed) {
  char link[512];
  refused("clock_gate" OUT, "none", "no program yosys", "install Debian's package yosys");
  snprintf(link, sizeof link, "%s/bin", folder);
  struct tandem_error err;
  assert_int_equal(files_folder(link, &err), 0);
  snprintf(link, sizeof link, "%s/bin/yosys", folder);
  assert_int_equal(symlink("/usr/bin/yosys", link), 0);
  refused("clock_gate" OUT, "bin", "no program sta", "install Debian's package opensta");
  /* A file of that name which is no such program. */
  put("bin/sta", "#!/bin/sh\nexit 1\n");
  snprintf(link, sizeof link, "chmod +x %s/bin/sta", folder);
  assert_int_equal(system(link), 0);
  refused("clock_gate" OUT, "bin:/bin", "sta -version does not run", "");
}

TEST(words_are_refused) {
  static const struct {
    const char *words, *part, *remedy;
  } cases[] = {
      {"nobody" OUT, "there is no unit \"nobody\"", "clock_gate"},
      {"scoreboard_" OUT, "there is no unit", "scoreboard"},
      {"../rtl/sm/fetch" OUT, "there is no unit", "fetch"},
      {"clock_gate_Nothing3" OUT, "cannot elaborate clock_gate_Nothing3", "Nothing"},
      {"--feature flux" OUT, "there is no feature \"flux\"", "there is: buddy, spu"},
      {"--param columns=2" OUT, "--param columns=2 is of no use", "--feature"},
      {"--feature spu --param columns=17" OUT, "--param columns is 17", "from 1 to 16"},
      {"--feature spu --param cols=2" OUT, "spu has no parameter \"cols\"", "it has columns, rows"},
      {"--feature spu --param columns=16 --param rows=16" OUT, "sms is 256", "128 at most"},
      {"clock_gate --json=nowhere/out.json --build build", "nowhere/out.json", "No such file"},
      {"clock_gate --html nowhere/out.html --build build", "nowhere/out.html", "No such file"},
      {"clock_gate --json=out.json --html nowhere/out.html --build build", "nowhere/out.html",
       "No such file"},
      {"clock_gate --json=out.json --build garbage.lib", "garbage.lib", ""},
      {"clock_gate --liberty own.lib --json=own.lib --build build",
       "own.lib: it is also the name of an output", ""},
      {"clock_gate --macros own.lib --html own.lib --build build",
       "own.lib: it is also the name of an output", ""},
      {"clock_gate --check --baseline own.lib --json=own.lib --build build",
       "own.lib: it is also the name of an output", ""},
      {"clock_gate --sram map.yaml" OUT, "--sram map.yaml is of no use", "--macros"},
      {"clock_gate --macros own.lib --sram nowhere.yaml" OUT, "nowhere.yaml", "No such file"},
      {"clock_gate --liberty nowhere.lib --liberty own.lib" OUT, "nowhere.lib", "No such file"},
      {"clock_gate --liberty own.lib --liberty ./own.lib" OUT, "./own.lib:", "is in own.lib, too"},
      {"--clock fast" OUT, "--clock is \"fast\"", "MHz from 0.001 to 100000"},
      {"--clock 0" OUT, "--clock is \"0\"", "MHz from"},
      {"--clock -5" OUT, "--clock is \"-5\"", "MHz from"},
      {"--clock nan" OUT, "--clock is \"nan\"", "MHz from"},
      {"--clock 1e9" OUT, "--clock is \"1e9\"", "MHz from"},
      {"--clock 100MHz" OUT, "--clock is \"100MHz\"", "MHz from"},
      {"--check --update" OUT, "exclude each other", "--help"},
      {"--check --check-changed" OUT, "exclude each other", "--help"},
      {"--check --no-clock-gating" OUT, "take no --no-clock-gating", "--help"},
      {"--check-changed --no-clock-gating", "take no --no-clock-gating", "--help"},
      {"--update --no-clock-gating" OUT, "take no --no-clock-gating", "--help"},
      {"--check-changed clock_gate", "--check-changed chooses the units", "--help"},
      {"--check-changed --feature spu", "--check-changed chooses the units", "--help"},
      {"--check-changed --flat", "--check-changed chooses the units", "--help"},
      {"--check-changed" OUT, "--check-changed chooses the units", "--help"},
      {"--check-changed --budget 0", "--budget must be 1 to", "--help"},
      {"--check-changed --turn 1.5", "--turn must be 0 to", "--help"},
      {"--check --budget 9" OUT, "options of --check-changed", "--help"},
      {"--check-changed --baseline nowhere.json --build build", "no baseline of library osu018",
       "--update"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refused(cases[i].words, NULL, cases[i].part, cases[i].remedy);
}

/* Names and places that Tcl, yosys or the shell might take for something else than text. */
TEST(names_stay_texts) {
  static const char *const names[] = {"a b",  "\xc3\xa4\xe2\x82\xac", "a}b", "{", "[exit 7]",
                                      "$x*?", "a'\\''b;\"#\\c"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char words[256], name[64];
    const char *mark = strstr(names[i], "'\\''"); /* as the shell has ' within '...' */
    snprintf(name, sizeof name, "%.*s%s.lib", mark != NULL ? (int)(mark - names[i]) : 99, names[i],
             mark != NULL ? mark + 3 : "");
    put(name, osu018);
    snprintf(words, sizeof words, "clock_gate --liberty '%s.lib' --build '%s'", names[i], names[i]);
    if (synth(words, NULL) != 0)
      fail_msg("tandem synth %s: %s", words, said);
  }
  /* A buffer whose name would run a command is not taken. */
  put("evil.lib",
      "library(../../evil) { " LIBRARY_HEAD
          NAND2(BOTH) "cell(\"B[open touched w]\") { area : 8; " IN(
              "A") "pin(Y) { direction : output; function : \"A\"; " ARC " } }" DFF "}");
  refused("clock_gate --liberty evil.lib" OUT, NULL, "is a buffer or an inverter", "--liberty");
  char command[300];
  snprintf(command, sizeof command, "cd %s && find . -name touched", folder);
  assert_int_equal(shell_run(command, said, sizeof said), 0);
  assert_string_equal(said, "");
}

/* Correct words work in the same place. */
TEST(right_words_are_taken) {
  if (synth("clock_gate" OUT, NULL) != 0)
    fail_msg("%s", said);
  char path[512];
  snprintf(path, sizeof path, "%s/out.json", folder);
  assert_int_equal(unlink(path), 0);
  snprintf(path, sizeof path, "%s/out.html", folder);
  assert_int_equal(unlink(path), 0);
}

int main(void) { return test_run(start, stop); }
