/* The program's files: where outputs go, and what is left of them after signals and on full disks.
 */
#include <setjmp.h>
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
  return mkdtemp(folder) != NULL ? 0 : -1;
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

/* Each name is one file: no device, pipe or link is replaced, no input overwritten. */
static void outputs_are_no_inputs(void **state) {
  (void)state;
  FILE *many = fopen(in_folder("many.s"), "w"), *ptx = fopen(in_folder("many.ptx"), "w");
  fputs(".source \"k.s\"\n", many);
  fputs(".version 6.0\n.target sm_20\n.address_size 32\n", ptx);
  for (unsigned i = 0; i < 4097; i++) {
    fprintf(many, ".kernel \"k%u\"\n.regs 4\n.params 0\n  exit\n.end\n", i);
    fprintf(ptx, ".visible .entry k%u() { ret; }\n", i);
  }
  fclose(many);
  fclose(ptx);
  FILE *calls = fopen(in_folder("calls.ptx"), "w"),
       *buffers = fopen(in_folder("buffers.yaml"), "w");
  fputs(".version 6.0\n.target sm_20\n.address_size 32\n", calls);
  for (unsigned i = 0; i < 8193; i++)
    fprintf(calls, ".func f%u() { ret; }\n", i);
  FILE *regs = fopen(in_folder("regs.ptx"), "w"); /* of a listing that is more than a buffer */
  fputs(".version 6.0\n.target sm_20\n.address_size 32\n.visible .entry k() {\n.reg .b32 %r<2>;\n",
        regs);
  for (unsigned i = 0; i < 2000; i++)
    fputs("membar.cta;\n", regs);
  fputs("ret;\n}\n", regs);
  fclose(regs);
  fputs("program: k.s\nbuffers:\n", buffers);
  for (unsigned i = 0; i < 4097; i++)
    fprintf(buffers, "  - {name: b%u, type: u8, count: 1}\n", i);
  fputs("steps: [{launch: {grid: [1], block: [32], args: []}}]\n", buffers);
  fclose(calls);
  fclose(buffers);
  put("latin.yaml", "program: caf\351.cl\n");
  put("empty.s", ".source \"k.s\"\n");
  put("local.s",
      ".source \"k.s\"\n.kernel \"k\"\n.regs 4\n.local 524288\n.params 0\n  exit\n.end\n");
  put("in.yaml", "program: k.s\nbuffers: [{name: a, type: u32, count: 4, fill: {file: a.bin}}]\n"
                 "steps: [{launch: {grid: [1], block: [32], args: []}}]\n");
  put("gpu.yaml", "sms: 1\n");
  put("of.yaml", "gpu: gpu.yaml\nprogram: k.s\nbuffers: [{name: a, type: u32, count: 4}]\n"
                 "steps: [{launch: {grid: [1], block: [32], args: []}}]\n");
  put("k.s", ".source \"k.s\"\n.kernel \"k\"\n.regs 4\n.shared 0\n.local 0\n.params 0\n"
             "  exit\n.end\n");
  put("head.h", "typedef float number;\n");
  put("head.cl", "#include \"head.h\"\nkernel void k(global number *a) { *a = 1; }\n");
  put("a.bin", "0123456789abcdef");
  put("wrong.s", ".source \"k.s\"\n.kernel \"k\"\n.regs 4\n.shared 0\n.local 0\n"
                 ".param \"a\", 4, align 4, at 12002\n.params 8\n  exit\n.end\n");
  static const struct {
    const char *words;
    int status;
    const char *part;
  } cases[] = {
      {"run in.yaml --engine ref --json=in.yaml", 2, "in.yaml: it is also the name of an input"},
      {"run in.yaml --engine ref --dump a=a.bin", 2, "a.bin: it is also the name of an output"},
      {"run in.yaml --engine ref --dump a=./k.s", 2, "k.s: it is also the name of an output"},
      {"run in.yaml --config gpu.yaml --engine ref --json=gpu.yaml", 2,
       "gpu.yaml: it is also the name of an input"},
      {"run of.yaml --engine ref --dump a=gpu.yaml", 2,
       "gpu.yaml: it is also the name of an input"},
      {"run in.yaml --config gpu.yaml --trace gpu.yaml", 2,
       "gpu.yaml: it is also the name of an input"},
      {"run in.yaml --engine ref --dump a=x --json x", 2, "another output has that name"},
      {"run in.yaml --sms 1 --trace x.fst --json x.fst", 2, "another output has that name"},
      {"compile wrong.s", 2, "wrong.s: kernel k: parameter 0 is malformed"},
      {"compile k.s -o k.s", 2, "k.s: it is also the name of an output"},
      {"compile head.cl -o head.h", 2, "head.h: it is also the name of an output"},
      {"disasm k.s -o k.s", 2, "k.s: it is also the name of an output"},
      {"run in.yaml --engine ref --json ''", 2, "cannot write : the name is empty"},
      {"bugs --only 200 in.yaml", 2, "there is no fault 200 of this GPU; --list shows all"},
      {"bugs --only 1 none.yaml", 2, "none.yaml"},
      {"bugs --only 1 in.yaml none.yaml --json", 2, "none.yaml"},
      {"compile k.s -o /dev/null", 0, ""},
      {"compile k.s -o /dev/full", 2, "/dev/full: No space left on device"},
      {"compile k.s -o /dev/stdout | wc -c #", 0, "100"},
      {"compile k.s -o soft; test -L soft && wc -c <hard #", 0, "100"},
      {"disasm k.s -o /dev/stdout | grep kernel #", 0, ".kernel"},
      {"run in.yaml --engine ref --json /dev/fd/3 3>j; grep digest j #", 0, "digest"},
      {"run in.yaml --engine ref --json /dev/stdout >j; grep -c -e '\"digest' -e 'ok:' j #", 0,
       "2"},
      {"run /dev/zero", 2, ".cl, .ptx, .s or .img"},
      {"run . --engine ref", 2, ".cl, .ptx, .s or .img"},
      {"run zero.yaml", 2, "zero.yaml: it has more than"},
      {"compile zero.s", 2, "zero.s: it has more than"},
      {"run d.yaml", 2, "d.yaml: Is a directory"},
      {"disasm d.s", 2, "d.s: Is a directory"},
      {"disasm d.cl", 2, "d.cl"},
      {"disasm d.img", 2, "d.img: Is a directory"},
      {"disasm regs.ptx 2>&1 >/dev/full | paste -sd/ #", 0,
       "tandem: cannot write standard output: No space left on device\n"},
      {"run in.yaml --engine ref --json=- 2>&1 >/dev/full #", 2,
       "standard output: No space left on device"},
      {"--help 2>&1 >&- #", 2, "cannot write standard output"},
      {"run " PROGRAMS "/faults.cl --kernel out_of_bounds --sms 1 --block 64 "
       "--arg buffer:u32:64 --arg u32:64 --trace t.fst 2>&-; grep -c reproduce t.fst; rm t.fst #",
       0, "0"},
      {"--help 2>&1 >/dev/full #", 2, "cannot write standard output: No space left on device"},
      {"run --help 2>&1 >/dev/full #", 2, "cannot write standard output: No space left on device"},
      {"compile empty.s", 2, "empty.s: there is no kernel"},
      {"compile many.s", 2, "a program has at most 4096 kernels"},
      {"compile many.ptx", 2, "a program has at most 4096 kernels"},
      {"run \"$(printf 'caf\\351.s')\" --engine ref", 2, "caf?.s: it is no line of UTF-8 text"},
      {"run \"$(printf 'new\\nline.s')\" --engine ref", 2, "line.s: it is no line of UTF-8 text"},
      {"run k.s --engine ref --kernel \"$(printf '\\001')\"", 2, "cannot run ?: it is no line"},
      {"compile calls.ptx", 2, "calls.ptx:8196: a module has at most 8192 functions"},
      {"run buffers.yaml --engine ref", 2, "buffers.yaml:3: 4097 buffers; there are at most 4096"},
      {"run $(printf 'a\\033[31m\\377\\302\\233\\303\\251.img') --engine ref", 2,
       "a?[31m???\u00e9.img: No such file"},
      {"run k.s \"$(printf '\\033[31m')\"", 2, "not also \"?[31m\""},
      {"run \"$(printf -- '--\\033[31m')\"", 2, "unrecognized option '--?[31m'"},
      {"config \"$(printf 'caf\\303\\251\\n\\302\\233')\"", 2, "not \"caf\u00e9\n??\""},
      {"run local.s --engine ref --grid 1 --block 32", 2,
       "no room for 12884901888 bytes of local memory, 524288 a thread of 16 SMs"},
      {"run latin.yaml --engine ref", 2,
       "latin.yaml: not YAML: byte 13: invalid trailing UTF-8 octet; YAML is text in UTF-8"},
  };
  char command[1024];
  snprintf(
      command, sizeof command,
      "cd %s && cp k.s \"$(printf 'caf\\351.s')\" && cp k.s \"$(printf 'new\\nline.s')\" && touch "
      "hard && ln -s hard soft && mkdir d.yaml d.s d.cl d.img && "
      "ln -s /dev/zero zero.yaml && ln -s /dev/zero zero.s && ln -s /dev/zero zero.img && touch j",
      folder);
  assert_int_equal(system(command), 0);
  const unsigned before = files();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect(cases[i].words, cases[i].status, cases[i].part);
  assert_int_equal(files(), before);
}

#define STEPS                                                                                      \
  "buffers: [{name: a, type: u8, count: 64%s}]\n"                                                  \
  "steps: [{launch: {grid: [1], block: [32], args: [%s]}}]\n"

/* A launch description from anywhere reads what is below its folder, and passes options that reach
 * no files; --trust lifts both. */
static void strangers_are_kept_in(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    int status; /* without --trust; with it the run is fine */
    const char *part;
  } cases[] = {
      {"file", "program: k.cl\n" STEPS, 2,
       "secret is not below the folder of the launch description"},
      {"expect", "program: k.cl\n" STEPS "expect: [{buffer: a, file: ../secret}]\n", 2, ":4: "},
      {"link", "program: k.cl\n" STEPS "expect: [{buffer: a, file: link}]\n", 2,
       "link is not below"},
      {"program", "program: ../k.cl\n" STEPS, 2, ":1: "},
      {"gpu", "gpu: ../gpu.yaml\nprogram: k.cl\n" STEPS, 2, ":1: "},
      {"plugin", "program: k.cl\noptions: [-DX, \"-Wno-unused\"]\n" STEPS, 0, "ok"},
      {"below", "program: below/k.cl\noptions: [-Ibelow]\n" STEPS, 0, "ok"},
      {"I", "program: k.cl\noptions: [-I..]\n" STEPS, 2, ":2: "},
      {"include", "program: k.cl\noptions: [-include, gpu.h]\n" STEPS, 2,
       "the option \"-include\" is not one of"},
      {"MF", "program: k.cl\noptions: [-MD, -MF, written]\n" STEPS, 2, "the option \"-MD\""},
      {"at", "program: k.cl\noptions: [\"@arguments\"]\n" STEPS, 2, "the option \"@arguments\""},
      {"comma", "program: k.cl\noptions: [\"-Wp,-MD,written\"]\n" STEPS, 2, "the option \"-Wp,"},
      {"load", "program: k.cl\noptions: [-fplugin=../x.so]\n" STEPS, 2, "the option \"-fplugin"},
  };
  char command[1024];
  snprintf(
      command, sizeof command,
      "cd %s && mkdir -p in/below && echo 'kernel void k(void) {}' | tee k.cl in/k.cl "
      ">in/below/k.cl "
      "&& head -c 64 /dev/zero >secret && ln -s ../secret in/link && echo 'sms: 1' >gpu.yaml && "
      "touch gpu.h && echo -DX >arguments",
      folder);
  assert_int_equal(system(command), 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024], words[128];
    const bool file = strcmp(cases[i].name, "file") == 0;
    snprintf(text, sizeof text, cases[i].text, file ? ", fill: {file: ../secret}" : "", "");
    put("in/x.yaml", text);
    snprintf(words, sizeof words, "run in/x.yaml --engine ref --sms 1");
    expect(words, cases[i].status, cases[i].part);
    if (strcmp(cases[i].name, "load") == 0)
      continue; /* there is no such plugin */
    snprintf(words, sizeof words, "run in/x.yaml --engine ref --sms 1 --trust");
    expect(words, 0, "ok");
  }
  /* The command line is the user's own. */
  expect("run ./k.cl --engine ref --sms 1", 0, "ok");
  snprintf(command, sizeof command, "cd %s && cp k.cl ./-dash.cl && cp k.cl ./@at.cl", folder);
  assert_int_equal(system(command), 0);
  expect("compile -o x.img -- -dash.cl", 0, "");
  expect("compile -o x.img @at.cl", 0, "");
}

/* A run that a signal ends leaves no half of a file, and nobody at work. */
static void signals_leave_nothing(void **state) {
  (void)state;
  put("slow.cl", "#include \"pipe.h\"\n"); /* clang waits for a writer */
  char command[1024];
  snprintf(command, sizeof command, "cd %s && mkfifo pipe.h && mkdir -p tmp", folder);
  assert_int_equal(system(command), 0);
  const unsigned before = files();
  static const char *const signals[] = {"TERM", "HUP"};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    snprintf(
        command, sizeof command,
        "cd %s && { TMPDIR=%s/tmp %s compile slow.cl -o x.img & p=$!; "
        "n=0; while [ $n -lt 200 ] && { [ \"$(ls -A tmp)\" = \"\" ] || ! pgrep -f "
        "'[c]lang.*%s/tmp' ; } >/dev/null; do n=$((n+1)); sleep "
        "0.05; done; "
        "kill -%s $p; wait $p; echo $?; ls -A tmp; pgrep -f '[c]lang.*%s/tmp'; true; } 2>/dev/null",
        folder, folder, PROGRAM, folder, signals[i], folder);
    assert_int_equal(shell_run(command, said, sizeof said), 0);
    if (strcmp(said, "143\n") != 0 && strcmp(said, "129\n") != 0)
      fail_msg("SIG%s: %s", signals[i], said);
  }
  assert_int_equal(files(), before);
}

/* A waveform on a full disk is an error, whichever of the files that it is made of has no room. */
static void full_disks_are_told(void **state) {
  (void)state;
  char command[2048];
  snprintf(command, sizeof command,
           "cd %s && mkdir -p small && mount -t tmpfs -o size=64k none small 2>&1", folder);
  if (shell_run(command, said, sizeof said) != 0) {
    printf("skipped: no file system can be mounted here: %s\n", said);
    skip();
  }
  snprintf(command, sizeof command, "%s/small/fill", folder);
  FILE *f = fopen(command, "w");
  assert_non_null(f);
  for (unsigned i = 0; i < 50 * 1024; i++)
    fputc('x', f);
  fclose(f);
  const int traced = tandem(FINE "--trace small/t.fst");
  snprintf(command, sizeof command, "ls -A %s/small; umount %s/small", folder, folder);
  char *text = strdup(said);
  (void)shell_run(command, said, sizeof said);
  if (traced != 2 || strstr(text, "is the disk full?") == NULL || strcmp(said, "fill\n") != 0)
    fail_msg("status %d: %s; left: %s", traced, text, said);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_are_no_inputs), cmocka_unit_test(strangers_are_kept_in),
      cmocka_unit_test(signals_leave_nothing), cmocka_unit_test(full_disks_are_told)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
