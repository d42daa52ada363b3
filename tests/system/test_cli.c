/* The program: exit statuses, what it says, and the files it reads and writes. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/shell.h"
#include "tests/test.h"

static char folder[] = "/tmp/tandem-cli-XXXXXX";
static char said[1 << 18]; /* standard output and error of the last command */

/* Runs a command line in the test's folder; returns the exit status. */
static int shell(const char *line) {
  char command[2048];
  snprintf(command, sizeof command, "cd %s && %s", folder, line);
  return shell_run(command, said, sizeof said);
}

/* Runs `tandem <words>` in the test's folder; returns the exit status. */
static int tandem(const char *words) {
  char line[1536];
  snprintf(line, sizeof line, "%s %s 2>&1", PROGRAM, words);
  return shell(line);
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

static long size_of(const char *name) {
  struct stat st;
  return stat(in_folder(name), &st) == 0 ? (long)st.st_size : -1;
}

static unsigned files(void) {
  assert_int_equal(shell("ls -A | wc -l"), 0);
  return (unsigned)strtoul(said, NULL, 10);
}

static int make_folder(void **state) {
  (void)state;
  if (mkdtemp(folder) == NULL)
    return -1;
  return shell("cp " PROGRAMS "/faults.cl " CLI "/* . && sh make.sh");
}

static int drop_folder(void **state) {
  (void)state;
  return shell("rm -rf \"$PWD\"");
}

#define FAULTS "run " PROGRAMS "/faults.cl "
#define FINE_LAUNCH                                                                                \
  PROGRAMS "/faults.cl --sms 2 --threads 1 --kernel fine --grid 2 --block 64 "                     \
           "--arg buffer:u32:100:range --arg u32:100 "
#define FINE "run " FINE_LAUNCH
#define OUT_OF_BOUNDS                                                                              \
  FAULTS "--sms 1 --kernel out_of_bounds --block 64 --arg buffer:u32:64 --arg u32:64 "

struct command {
  const char *words;
  int status;
  const char *part;
};

/* Nothing half-written, no waveform is left. */
static void expect_all(const struct command *commands, size_t n) {
  const unsigned before = files();
  for (size_t i = 0; i < n; i++)
    expect(commands[i].words, commands[i].status, commands[i].part);
  assert_int_equal(files(), before);
}
#define EXPECT_ALL(commands) expect_all(commands, sizeof(commands) / sizeof *(commands))

TEST(options) {
  static const struct command commands[] = {
      {"--help", 0, "Usage: tandem"},
      {"--version", 0, "tandem 0"},
      {"run --help", 0, "--power-up=N"},
      {"", 2, "Usage"},
      {"walk", 2, "unknown command \"walk\""},
      {"run --nonsense", 2, "unrecognized option"},
      {"run a.yaml b.yaml", 2, "not also \"b.yaml\""},
      {"run --engine fast", 2, "--engine must be rtl, ref or lockstep, not fast"},
      {"run --trace-sms 3-1", 2, "--trace-sms"},
      {"run --set memory.t_rcd", 2, "--set takes KEY=VALUE"},
      {"run --set memory.t_xyz=4", 2, "no configuration key \"memory.t_xyz\""},
      {"config --gpu gtx", 2, "there is no GPU \"gtx\"; there are gpgpusim and gtx480"},
      {"run --gpu none/gtx480.yaml", 2, "none/gtx480.yaml: No such file"},
      {"config --set memory.l1d_ways=3", 2, "memory: the sets of L1D"},
      {"run good.yaml --param n=1", 2, "there is no parameter \"n\"; the file has none"},
      {"run good.yaml --param n", 2, "--param takes NAME=VALUE"},
      {FAULTS "--param n=1", 2, "--param is for a launch description"},
      {"run good.yaml --kernel fine", 2, "are for programs"},
      {"run good.yaml --dynamic-shared 64", 2, "--dynamic-shared and --arg are for programs"},
      {"run good.yaml --dump z=z.bin", 2, "no buffer \"z\""},
      {"run good.yaml --bug 1 --engine ref", 2, "needs the RTL"},
      {"bugs --only 200 good.yaml", 2, "there is no fault 200 of this GPU; --list shows all"},
      {FINE "--check half", 2, "--check must be fast or full"},
      {FAULTS "--kernel fine --arg u32:3", 2, "takes 2 arguments, not 1"},
      /* Control characters, and bytes that are no text, are shown as ?. */
      {"run $(printf 'a\\033[31m\\377\\302\\233\\303\\251.img')", 2,
       "a?[31m???\u00e9.img: No such"},
      {"run \"$(printf 'caf\\351.s')\"", 2, "caf?.s: it is no line of UTF-8 text"},
  };
  EXPECT_ALL(commands);
}

TEST(inputs) {
  static const struct command commands[] = {
      {"run none.cl", 2, "none.cl"},
      {"run bad.cl", 2, "undeclared"},
      {"run bad.ptx", 2, "bad.ptx"},
      {"run wrong.cu", 2, "wrong.cu:1:47: error: use of undeclared identifier 'undeclared'"},
      {"compile good.yaml", 2, "good.yaml"},
      {"compile wrong.s", 2, "wrong.s: kernel k: parameter 0 is malformed"},
      {"compile empty.s", 2, "empty.s: there is no kernel"},
      {"compile many.s", 2, "a program has at most 4096 kernels"},
      {"compile many.ptx", 2, "a program has at most 4096 kernels"},
      {"compile calls.ptx", 2, "calls.ptx:8196: a module has at most 8192 functions"},
      {"run buffers.yaml", 2, "buffers.yaml:3: 4097 buffers; there are at most 4096"},
      {"run local.s --grid 1 --block 32", 2, "no room for 12884901888 bytes of local memory"},
      {"run latin.yaml", 2, "latin.yaml: not YAML: byte 13: invalid trailing UTF-8 octet"},
      {"run .", 2, ".cl, .cu, .ptx, .s or .img"},
      {"run zero.yaml", 2, "zero.yaml: it has more than"},
      {"disasm folder.img", 2, "folder.img: Is a directory"},
  };
  EXPECT_ALL(commands);
}

/* The last of two values of an option counts, which is said; some options take all. */
TEST(options_given_twice) {
  static const struct command commands[] = {
      {"run in.yaml --engine ref --timeline a.json --timeline=b.json 2>&1 && rm b.json && ls "
       "a.json #",
       2, "--timeline is given twice: \"b.json\" counts, \"a.json\" does not"},
      {"run in.yaml --sms 2 --engine ref --sms=3", 0, "--sms is given twice: \"3\" counts, \"2\""},
      {"run --json=a in.yaml --json --engine ref", 0, "--json is given twice: \"\" counts, \"a\""},
      {"synth x --clo 100 --clock=120", 2, "--clock is given twice: \"120\" counts, \"100\""},
      {"synth x --macros a.lib --macros b.lib", 2, "--macros is given twice: \"b.lib\" counts"},
      {"regress none.yaml -j2 --jobs 3", 2, "--jobs is given twice: \"3\" counts, \"2\" does not"},
      {"compile k.s -o a.img -ob.img 2>&1; rm b.img; ls a.img #", 2,
       "--output is given twice: \"b.img\""},
      {"run sized.yaml --engine ref --json --param n=2 --param n=3 2>&1 | grep '\"n\"' #", 0,
       "\"n\": 3"},
      {"run sized.yaml --engine ref --param n=2 --param n=3", 0,
       "--param is given twice: \"n=3\" counts, \"n=2\" does not"},
      {"run in.yaml --engine ref --set sms=2 --set sms=3", 0, "--set is given twice: \"sms=3\""},
      {"run in.yaml --engine ref --engine ref --set sms=2 --set run.pin=false 2>&1 | grep -c twice "
       "#",
       1, "0"},
  };
  EXPECT_ALL(commands);
}

/* The cause and the remedy are named. */
TEST(wrong_words) {
  static const struct command commands[] = {
      {"run good.yaml --trace x.vcd", 2, "--trace writes a file in the format FST, FILE.fst, not"},
      {"run good.yaml --trace-from 10", 2, "--trace-gpu are for --trace"},
      {"run good.yaml --trace-gpu", 2, "--trace-gpu are for --trace"},
      {"run good.yaml --trace x.fst --trace-sms 900", 2, "of numbers up to 127, not \"900\""},
      {"run good.yaml --param n", 2, "--param takes NAME=VALUE, not \"n\""},
      {"run good.yaml --dump a", 2, "--dump takes BUFFER=FILE, not \"a\""},
      {"compile --ptx k.s", 2, "k.s: --ptx is for what clang compiles: .cl, .cu"},
      {"compile none.cl", 2, "cannot read none.cl: No such file"},
      {"compile none.cu", 2, "cannot read none.cu: No such file"},
      {"compile folder.cl -o d.img", 2, "cannot read folder.cl: Is a directory"},
      {"bench --kernel bsf", 2, "no benchmark \"bsf\"; there are blackscholes"},
      {"bugs --feature budy", 2, "there is no feature \"budy\"; the nearest name is buddy"},
      {"bugs none.yaml --quick 2>&1 | grep -c fetch #", 1, "0"},
      {"models --days 3", 2, "--days is for --prune"},
      {"synth scorebord", 2, "there is no unit \"scorebord\"; the nearest name is scoreboard;"},
  };
  EXPECT_ALL(commands);
}

/* Each name is one file: no device or link is replaced, no input overwritten. */
TEST(outputs) {
  static const struct command commands[] = {
      {"run good.yaml --json none/x.json", 2, "none/x.json"},
      {"run good.yaml --json ''", 2, "cannot write : the name is empty"},
      {"run good.yaml --engine ref --report-dir good.yaml", 2, "good.yaml: Not a directory"},
      {"run good.yaml --engine ref --report-dir good.yaml/x", 2, "good.yaml: Not a directory"},
      {"run good.yaml --trace .", 2, "Is a directory"},
      {"run good.yaml --trace /dev/null", 2, "not a regular file"},
      {"run good.yaml --trace x.fst --trace-from 999999", 2, "no waveform x.fst: the run"},
      {"run in.yaml --json=in.yaml", 2, "in.yaml: it is also the name of an input"},
      {"run in.yaml --dump a=gpu.yaml", 2, "gpu.yaml: it is also the name of an input"},
      {"run in.yaml --dump a=./k.s", 2, "k.s: it is also the name of an output"},
      {"run in.yaml --engine lockstep --trace gpu.yaml", 2, "it is also the name of an input"},
      {"run in.yaml --dump a=x --json x", 2, "another output has that name"},
      {"compile head.cl -o head.h", 2, "head.h: it is also the name of an output"},
      {"disasm k.s -o k.s", 2, "k.s: it is also the name of an output"},
      {"compile k.s -o soft; test -L soft && wc -c <hard #", 0, "100"},
      {"compile k.s -o /dev/stdout | wc -c #", 0, "100"},
      {"run good.yaml --json full", 2, "No space left on device"},
      {"run good.yaml 2>&1 >/dev/full #", 2, "cannot write standard output"},
      {"disasm k.s 2>&1 >/dev/full #", 2, "cannot write standard output"},
      {"run good.yaml --json 2>&1 >/dev/full #", 2, "standard output: No space left on device"},
      {"--help 2>&1 >&- #", 2, "cannot write standard output"},
      {"--version; ulimit -f 8; " PROGRAM " run k.s --sms 1 --grid 1 --block 32 --trace t.fst", 2,
       "is the disk full?"},
      /* The report does not go to the waveform when standard error is closed. */
      {OUT_OF_BOUNDS "--trace t.fst 2>&-; grep -c reproduce t.fst; rm t.fst #", 0, "0"},
      {FINE "--dump arg0=a >&2; od -An -v -tu4 -w4 a | awk '$1 == 4 * (NR - 1)' | wc -l; rm a #", 0,
       "100"},
      {FINE "$(for i in $(seq 40); do echo --dump arg0=d$i; done) >&2; ls d?* | wc -l; rm d?* #", 0,
       "40"},
      {FINE "--report-dir new/er >&2; ls -d new/er; rm -r new #", 0, "new/er"},
  };
  EXPECT_ALL(commands);
}

TEST(runs) {
  static const struct command commands[] = {
      {"run good.yaml --sms 1", 0, "ok: 1 SMs, engine lockstep, 1 launch"},
      {"run good.yaml --config gpu.yaml", 0, "ok: 3 SMs, engine ref"},
      {"run good.yaml --sms 1 --config gpu.yaml", 0, "ok: 1 SMs, engine ref"},
      {"run good.yaml --sms 1 --gpu gpgpusim --engine ref", 0, "launch, GPU gpgpusim"},
      {"run good.yaml --config gpu.yaml --gpu gpgpusim", 0,
       "ok: 3 SMs, engine ref, 1 launch, GPU gpgpusim"},
      {"run good.yaml --set sms=4 --set run.engine=ref", 0, "ok: 4 SMs, engine ref"},
      {"run good.yaml --sms 1 --stats --verbose", 0, "u_scoreboard"},
      {"run good.yaml --sms 1 --no-compare", 0, "unchecked"},
      {"run good.yaml --sms 1 --assertions", 0, "ok"},
      {"run sized.yaml --engine ref --json", 1, "\"unexpected\""},
      {"run sized.yaml --engine ref --json --param n=3", 0, "\"half\": 2"},
      {"run wrong.yaml --sms 1", 1, "the first is [2]: 2, expected 3"},
      {"run empty.yaml --sms 1", 1, "compared nothing"},
      {"run empty.yaml --sms 1 --engine ref", 0, "ok"},
      {FINE "--check full", 0, "ok: 2 SMs"},
      {FINE "--races", 0, "no races"},
      {"run race.cl --engine ref --races --arg buffer:u32:4", 0, "race on global memory"},
      {"run races.cl --engine ref --sms 1 --block 128 --races --arg buffer:u32:4", 0,
       "by several threads and thread 70 of the CTA"},
      {OUT_OF_BOUNDS, 1, "reproduce: ./tandem run"},
      {FAULTS "--sms 1 --kernel endless --max-cycles 20000 --arg buffer:u32:64 --arg u32:1", 1,
       "has not ended within 20000 cycles"},
  };
  EXPECT_ALL(commands);
}

/* A command line of the shell that ends with status 0. */
static void holds(const char *line) {
  if (shell(line) != 0)
    fail_msg("%s: %s", line, said);
}

/* The JSON of a run meets a condition of jq. */
#define JSON(words, condition)                                                                     \
  holds(PROGRAM " " words " --json=out.json >&2; jq -e '" condition "' out.json && rm out.json")

TEST(json) {
  JSON(FINE, ".status == \"ok\" and .engine == \"lockstep\" and .seed == 1 and .mismatches == 0");
  JSON(FINE, "has(\"khz\") and has(\"wall_s\") and has(\"digest\") and (.wall | length) == 7");
  JSON(FINE, "(.stalls | add) == .cycles * 2 * 2"); /* two schedulers of two SMs */
  /* The share of the warps of this SM. */
  JSON(FINE "--set sm.warps=2 --engine ref", ".occupancy > 0.5 and .occupancy <= 1");
  JSON(FINE "--engine ref --gpu gpgpusim", ".gpu == \"gpgpusim\"");
  JSON("run wrong.yaml --sms 1", ".status == \"unexpected\"");
  JSON(OUT_OF_BOUNDS, ".status == \"fault\" and .failure.kind == \"memory\"");
}

/* The profile as text, JSON and HTML; its sums are the JSON's of the run. */
TEST(profile) {
  holds(
      PROGRAM
      " " FINE "--engine ref --profile --profile=p.json --profile=p.html --json=r.json "
      ">text && jq -e --slurpfile r r.json '(.profile | length) == 1 and (.profile[0] | "
      "(.all.slots | to_entries | all(.value == $r[0].stalls[.key])) and .all.transactions "
      "== $r[0].memory.transactions and (.instructions | map(.warp_instructions) | add) == "
      "$r[0].warp_instructions and ([.instructions[].source // \"\" | contains(\"faults.cl:\")] | "
      "any))' p.json && xmllint --noout p.html && grep -q 'rgba(217,130,43,0.[0-9]*[1-9]' "
      "p.html && grep -q 'get_global_id' p.html && grep -q '^  faults.cl:[0-9]*: .*get_global_id' "
      "text && grep -q '>[0-9]*: st.global' p.html && rm p.html r.json");
  holds(PROGRAM
        " compile --ptx faults.cl -o p.ptx && jq -e --rawfile x p.ptx '($x | split(\"\\n\") | "
        "map(gsub(\"[ \\t]+\"; \" \") | ltrimstr(\" \"))) as $l | [.profile[0].instructions[] | "
        "$l[.ptx_line - 1] == .ptx and (.ptx != \"\")] | all and length > 3' p.json && "
        "grep -q 'faults.cl:[0-9]*  ; PTX [0-9]*: st.global' text && rm p.json p.ptx text");
  expect(FINE "--engine ref --profile=no/folder/p.html", 2, "no/folder");
}

/* The file of pipelines, plain and compressed; what cannot be asked for. */
TEST(pipeline) {
  holds(PROGRAM " " FINE "--engine ref --pipeline p.kanata --cycles 0:2000 >&2 && " PROGRAM " " FINE
                "--engine ref --pipeline q.kanata.gz --cycles 0:2000 >&2 && gzip -dc q.kanata.gz | "
                "cmp - p.kanata && grep -q '^Kanata' p.kanata && grep -q '^R' p.kanata && "
                "rm p.kanata q.kanata.gz");
  holds(PROGRAM " " FINE "--engine ref --timeline t.json --timeline-every 9 >&2 && " PROGRAM
                " " FINE
                "--engine ref --timeline t.json.gz --timeline-every 9 >&2 && gzip -dc t.json.gz | "
                "cmp - t.json && jq -es '.[0][-1].ph == \"E\"' t.json >&2 && rm t.json t.json.gz");
  expect(FINE "--engine ref --timeline t.txt", 2, "FILE.json");
  expect(FINE "--engine ref --timeline-every 9", 2, "is for --timeline");
  expect(FINE "--engine ref --timeline t.json --timeline-every 0", 2, "must be 1 to ");
  expect(FINE "--engine ref --timeline no/t.json", 2, "cannot write no/t.json");
  expect(FINE "--engine ref --pipeline p.txt", 2, "FILE.kanata");
  expect(FINE "--engine ref --cycles 1:2", 2, "are for --pipeline");
  expect(FINE "--engine ref --pipeline p.kanata --cycles 9:2", 2, "must be 9 to ");
  expect(FINE "--engine ref --pipeline p.kanata --cycles 9", 2, "FIRST:LAST");
  expect(FINE "--engine ref --pipeline p.kanata --pipeline-sms 2", 2, "there are SMs 0 to 1");
  expect(FINE "--engine ref --pipeline p.kanata --pipeline-warps 64", 2,
         "--pipeline-warps must be");
  expect(FINE "--engine ref --pipeline p.kanata --cycles 5000:5010", 0, "p.kanata is empty");
  holds("rm p.kanata");
}

/* Why a warp waits, for people and as JSON; questions without an answer. */
TEST(why) {
  expect("why " FINE_LAUNCH "--engine ref --cycle 100 --sm 0 --warp 0", 0,
         "misses in the instruction cache");
  holds(PROGRAM " why " FINE_LAUNCH
                "--engine ref --cycle 100 --sm 0 --warp 0 --json | jq -e '.cycle == 100 and "
                "(.chain | length > 2) and .chain[0].cause == \"fetch\" and .chain[0].pc == 0 and "
                "(.chain[1].until > 100)' >&2");
  expect("why " KERNELS
         "/reduction/reduction.yaml --sms 2 --bug 8 --report-dir '' --cycle 280 --sm 0 "
         "--warp 1",
         0, "up to cycle 286, in which the run fails");
  expect("why " FINE_LAUNCH "--engine ref --sm 0 --warp 0", 2, "all three are needed");
  expect("why " FINE_LAUNCH "--engine ref --cycle 100 --sm 2 --warp 0", 2, "there is no SM 2");
  expect("why " FINE_LAUNCH "--engine ref --cycle 100 --sm 0 --warp 47", 2, "has no instruction");
  expect("why " FINE_LAUNCH "--engine ref --cycle 100000 --sm 0 --warp 0", 2, "the run ends in");
}

TEST(statistics_are_those_of_the_page) {
  holds(PROGRAM " " FINE "--spu-columns 2 --engine ref --stats --json=spu.json >spu.txt && " PROGRAM
                " " FINE "--buddy 2 --engine ref --stats --json=buddy.json >buddy.txt && " PROGRAM
                " " FINE
                "--set sm.warps=24 --set flex.size=2 --engine ref --stats --json=flex.json "
                ">flex.txt && sh statistics.sh " DOCS "/reference/statistics.md");
}

/* `tandem config` prints a GPU description that gives the same configuration, with every key. */
TEST(prints_configuration) {
  expect("config --gpu gpgpusim --sms 6 --buddy 2 --no-iss --set sm.latency.sfu.interval=5 "
         "--set memory.t_rcd=13 | tee all.yaml #",
         0, "\n    sfu:\n      latency: {value: 8, source: \"SM2_GTX480");
  assert_non_null(strstr(said, "\n      interval: 5 "));
  assert_non_null(strstr(said, "\n  t_rcd: 13 ")); /* it has no source any longer */
  assert_non_null(strstr(said, "\n  iss: false "));
  holds(PROGRAM " config --config all.yaml | cmp - all.yaml");
}

/* Equal inputs give equal bytes, apart from time, whatever the number of threads. */
TEST(deterministic) {
  holds("n=0; for threads in 1 1 2 3; do n=$((n + 1)); " PROGRAM " run " KERNELS
        "/prefix/prefix.yaml --sms 5 --threads $threads --json=run$n.json >&2 || exit; "
        "jq -S 'del(.wall, .wall_s, .khz, .warp_instructions_per_s)' run$n.json >run$n && "
        "cmp run1 run$n || exit; done");
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

TEST(waveforms) {
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
}

TEST(compiles) {
  expect("compile " PROGRAMS "/faults.cl -o f.img", 0, "");
  assert_true(size_of("f.img") > 0);
  expect("disasm f.img -o f.s", 0, "");
  expect("compile f.s -o g.img", 0, "");
  holds("cmp f.img g.img");
  expect("disasm f.img", 0, ".kernel \"out_of_bounds\"");
  expect("compile --ptx " PROGRAMS "/faults.cl", 0, ".entry out_of_bounds");
  expect("run f.img --sms 1 --kernel fine --arg buffer:u32:8 --arg u32:8", 0, "ok");
}

/* CUDA C: its kernel runs, in a launch description with options too, and is the program of its PTX.
 */
TEST(cuda) {
  expect("run scale.cu --sms 1 --block 32 --arg buffer:u32:32:range --dump arg0=a >&2; "
         "od -An -v -tu4 -w4 a | awk '$1 == 4 * (NR - 1)' | wc -l; rm a #",
         0, "32");
  holds("printf 'program: scale.cu\noptions: [-DFACTOR=7]\n"
        "buffers: [{name: a, type: u32, count: 32, fill: {value: 3}}]\n"
        "steps: [{launch: {grid: [1], block: [32], args: [{buffer: a}]}}]\n"
        "expect: [{buffer: a, data: [21, 21]}]\n' >cuda.yaml");
  expect("run cuda.yaml --sms 1 --engine ref", 0, "ok");
  holds("sed -i s/21/12/ cuda.yaml");
  expect("run cuda.yaml --sms 1 --engine ref", 1, "expected 12");
  expect("compile scale.cu --ptx -o k.ptx", 0, "");
  expect("compile k.ptx -o a.img", 0, "");
  expect("compile scale.cu -o b.img", 0, "");
  holds(PROGRAM " disasm a.img | grep '^  ' >a; " PROGRAM " disasm b.img | grep '^  ' | cmp - a");
  holds("rm cuda.yaml k.ptx a.img b.img a");
}

/* The PTX that is kept names lines of the source, and is the same program. */
TEST(keeps_ptx) {
  expect(FINE "--engine ref --keep-ptx", 0, "ok");
  holds("grep -q '// .*faults.cl:6$' faults.cl.ptx");
  expect("compile faults.cl.ptx -o kept.img", 0, "");
  expect("compile " PROGRAMS "/faults.cl -o f.img", 0, "");
  expect("disasm kept.img -o kept.s", 0, "");
  expect("disasm f.img -o f.s", 0, "");
  holds("grep '^  ' kept.s >a; grep '^  ' f.s >b; cmp a b");
  holds("rm faults.cl.ptx kept.img kept.s f.img f.s a b");
  expect(FINE "--engine ref --keep-ptx=./none", 2,
         "./none/faults.cl.ptx: the PTX cannot be written");
}

/* A launch description from anywhere reads what is below its folder, and passes options that reach
 * no files; --trust lifts both. */
TEST(strangers_are_kept_in) {
#define REST                                                                                       \
  "buffers: [{name: a, type: u8, count: 64}]\n"                                                    \
  "steps: [{launch: {grid: [1], block: [32], args: []}}]\n"
#define OPTIONS(list) "program: k.cl\noptions: [" list "]\n" REST
  static const struct {
    const char *text;
    int status; /* without --trust; with it the run is fine */
    const char *part;
  } cases[] = {
      {"program: k.cl\n" REST "expect: [{buffer: a, file: ../secret}]\n", 2,
       "secret is not below the folder of the launch description"},
      {"program: k.cl\n" REST "expect: [{buffer: a, file: link}]\n", 2, "link is not below"},
      {"program: ../k.cl\n" REST, 2, ":1: "},
      {"gpu: ../gpu.yaml\nprogram: k.cl\n" REST, 2, ":1: "},
      {OPTIONS("-DX, \"-Wno-unused\""), 0, "ok"},
      {"program: below/k.cl\noptions: [-Ibelow]\n" REST, 0, "ok"},
      {OPTIONS("-I.."), 2, ":2: "},
      {OPTIONS("-I, .."), 2, ":2: "},
      {"program: has.cl\noptions: [-Ibelow]\n" REST, 0, "ok"},
      {"program: has.cl\noptions: [-I, below]\n" REST, 0, "ok"},
      {"program: has.cl\noptions: [-D, X, -I, below, -U, X]\n" REST, 0, "ok"},
      {OPTIONS("-include, gpu.h"), 2, "the option \"-include\" is not one of"},
      {OPTIONS("-MD, -MF, written"), 2, "the option \"-MD\""},
      {OPTIONS("\"@arguments\""), 2, "the option \"@arguments\""},
      {OPTIONS("\"-Wp,-MD,written\""), 2, "the option \"-Wp,"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    FILE *f = fopen(in_folder("in/x.yaml"), "w");
    assert_non_null(f);
    fputs(cases[i].text, f);
    fclose(f);
    expect("run in/x.yaml --engine ref --sms 1", cases[i].status, cases[i].part);
    expect("run in/x.yaml --engine ref --sms 1 --trust", 0, "ok");
  }
  /* The command line is the user's own. */
  expect("run ./k.cl --engine ref --sms 1", 0, "ok");
  expect("compile -o x.img -- -dash.cl", 0, "");
  expect("compile -o x.img @at.cl", 0, "");
}

/* A run that is stopped from outside leaves no file. */
TEST(interrupted) {
  const unsigned before = files();
  assert_int_equal(shell(PROGRAM " " FAULTS "--sms 1 --kernel endless --arg buffer:u32:64 "
                                 "--arg u32:1 --json x.json --dump arg0=x.bin & "
                                 "sleep 1; kill -TERM $!; wait $!"),
                   128 + SIGTERM);
  assert_int_equal(files(), before);
}

/* The command that a report ends with shows the same again, with a waveform. */
TEST(reproduces) {
  char first[512], command[512];
  expect("run " KERNELS "/reduction/reduction.yaml --sms 2 --threads 1 --bug 8 --report-dir ''", 1,
         "mismatch: ");
  (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(said, "\n"), said);
  const char *again = strstr(said, "reproduce: ./tandem ");
  assert_non_null(again);
  again += strlen("reproduce: ./tandem ");
  (void)snprintf(command, sizeof command, "%.*s", (int)strcspn(again, "\n"), again);
  expect(command, 1, first);
  assert_true(size_of("mismatch.fst") > 1000);
}

int main(void) { return test_run(make_folder, drop_folder); }
