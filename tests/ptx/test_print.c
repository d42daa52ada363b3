/* Nothing that the parser reads is dropped: the tree of a module, printed back, has its tokens, and
 * so has the tree of each text with a token too few or too many, unless an error names the line. */
#include <dirent.h>
#include <unistd.h>

#include "tests/ptx/print.h"
#include "tests/ptx/snippets.h"
#include "tests/test.h"

static uint64_t seed = 1;

static uint64_t next(void) {
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return seed ^ seed >> 29;
}

static char *read_file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in)
    fail_msg("%s: cannot be read", path);
  char *text = calloc(1, 1 << 16);
  assert_true(fread(text, 1, (1 << 16) - 1, in) > 0);
  fclose(in);
  return text;
}

/* Calls fn with each module of the tests: those of the folder nvcc, and the snippets. */
static void for_modules(void (*fn)(const char *name, const char *text)) {
  DIR *dir = opendir(TANDEM_ROOT "/tests/ptx/nvcc");
  unsigned n = 0;
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    if (!strstr(e->d_name, ".ptx"))
      continue;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/ptx/nvcc/%s", TANDEM_ROOT, e->d_name);
    char *text = read_file(path);
    fn(e->d_name, text);
    free(text);
    n++;
  }
  closedir(dir);
  assert_true(n >= 6);
  for (size_t i = 0; i < nsnippets; i++)
    fn(snippets[i].name, snippets[i].text);
}

static void is_same(const char *name, const char *text) {
  char what[400];
  if (print_check(text, what, sizeof what) != PRINT_SAME)
    fail_msg("%s: %s", name, what);
}

TEST(modules) { for_modules(is_same); }

/* Forms of the grammar that the modules lack. */
TEST(forms) {
  static const char *const texts[] = {
      ".version 8.0\n.target sm_80, debug\n.address_size 64\n.entry k .maxnreg 32 { ret; }",
      ".global .align 8 .v4 .f32 a[2] = {{1.0, 2.0, 0f3F800000, -1.5}, {0}};",
      ".global .u32 t[2][3] = {{1, 2, 3}, {4+5*2, (6-1)<<2, ~7}}, other = WARP_SZ;",
      ".global .u64 p = t+4, q[2] = {generic(t)+8, generic(16)}; .global .u32 t[8];",
      ".func (.reg .pred p, .param .b8 c[4]) f (.reg .f64 d, .param .v2 .u32 e) { ; ; }",
      ".func f .noreturn .pragma \"one\"; { ret; }\n.func g;\n.alias g, f;",
      ".func f () { call f; call (_), f, (1, x+4), proto; L: .callprototype (.param .b32 _) _; }",
      ".func f () { list: .branchtargets a, b; brx.idx r, list; a: b: .pragma \"x\", \"y\"; }",
      ".entry k () { .reg .pred p, q; setp.eq.s32 p|q, 1, 2; setp.eq.s32 _|q, 3, 4, !p; }",
      ".entry k () { .reg .u32 r; @r bra L; }",
      ".entry k () { .reg .pred p; @!p exit; add.u32 a, b+1-2, -3; ld.u32 {a, _}, [c+-4]; }"};
  char what[400];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const enum print_result r = print_check(texts[i], what, sizeof what);
    if (r != (strstr(texts[i], "@r ") ? PRINT_REFUSED : PRINT_SAME))
      fail_msg("%s\n%s", texts[i], what);
  }
}

static unsigned same, refused;

static void edit(const char *name, const char *text) {
  enum { EDITS = 400 };
  for (unsigned i = 0; i < EDITS; i++) {
    char what[400], *edited = print_edit(text, next());
    assert_non_null(edited);
    const enum print_result r = print_check(edited, what, sizeof what);
    if (r == PRINT_DIFFERS)
      fail_msg("%s: %s\n%s", name, what, edited);
    same += r == PRINT_SAME;
    refused += r == PRINT_REFUSED;
    free(edited);
  }
}

/* More than a tenth of the changed texts is still PTX: so the comparison of trees has work. */
TEST(edits) {
  for_modules(edit);
  printf("%u texts are PTX, %u are refused\n", same, refused);
  assert_true(same > refused / 10 && refused > same / 10);
}

int main(int argc, char **argv) {
  const char *s = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  seed = s ? (uint64_t)strtoull(s, NULL, 0) : (uint64_t)(unsigned)getpid();
  printf("seed %llu\n", (unsigned long long)seed);
  return test_run(NULL, NULL);
}
