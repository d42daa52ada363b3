/* The generator of random OpenCL programs: the same programs everywhere, with all that they are to
 * have; without some of their parts they are still whole. */
#include "csim/util/hash.h"
#include "harness/random_cl/print.h"
#include "harness/random_cl/random_cl.h"
#include "tests/test.h"

enum { SIZE = 10, PROGRAMS = 200 };

static char *print(struct program *p, bool c, const bool *kept) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(p);
  assert_non_null(out);
  struct printer w = {.out = out, .p = p, .c = c, .kept = kept};
  print_program(&w);
  assert_int_equal(fclose(out), 0);
  return text;
}

static char *text_of(uint64_t seed, uint64_t index, bool c) {
  struct program *p = random_cl_make(seed, index, SIZE);
  char *text = print(p, c, NULL);
  random_cl_free(p);
  return text;
}

TEST(a_seed_and_an_index_make_one_program) {
  char *a = text_of(3, 7, false), *again = text_of(3, 7, false), *other = text_of(3, 8, false),
       *seed = text_of(4, 7, false);
  assert_string_equal(a, again);
  assert_string_not_equal(strchr(a, '('), strchr(other, '('));
  assert_string_not_equal(strchr(a, '('), strchr(seed, '('));
  free(a);
  free(again);
  free(other);
  free(seed);
}

/* The key changes with the generator, and with nothing else: not with the machine or compiler. */
TEST(programs_are_the_same_on_every_machine) {
  struct hash h;
  char key[HASH_KEY];
  hash_start(&h);
  for (unsigned i = 0; i < 40; i++) {
    char *text = text_of(1, i / 2, i % 2);
    hash_text(&h, text);
    free(text);
  }
  hash_end(&h, key);
  assert_string_equal(key, "9b033e823a6fedaee420b7d2f2f7501f");
}

/* Its kernel had more instructions than a program may, most of them in functions. */
TEST(calls_end_before_a_program_is_too_long) {
  struct program *p = random_cl_make(1, 497, SIZE);
  assert_non_null(p);
  const struct function *kernel = p->functions;
  while (kernel->next != NULL)
    kernel = kernel->next;
  assert_in_range(kernel->size, 1000, 16000);
  random_cl_free(p);
}

TEST(programs_have_all_that_they_are_to_have) {
  static const char *const words[] = {"char ",
                                      "uchar16",
                                      "short3",
                                      "ushort2",
                                      "int8",
                                      "uint4",
                                      "long3",
                                      "ulong16",
                                      "float3",
                                      "double16",
                                      "double ",
                                      "_sat_rtp(",
                                      "_rte(",
                                      "_rtz(",
                                      "_rtn(",
                                      "as_float",
                                      "as_double",
                                      "canon(",
                                      "shuffle(",
                                      "shuffle2(",
                                      "vload3(",
                                      "for (;",
                                      "while (",
                                      "do {",
                                      "again",
                                      "goto past",
                                      "switch (",
                                      "default:",
                                      "break;",
                                      "continue;",
                                      "noinline",
                                      "__local ",
                                      "struct {",
                                      "union {",
                                      "get_work_dim()",
                                      "barrier(",
                                      "async_work_group_copy(",
                                      "async_work_group_strided_copy(",
                                      "atomic_inc(",
                                      "atomic_max((volatile __local",
                                      "atom_xor(",
                                      "__constant ",
                                      "] = {{((float3)",
                                      ", 1, 0);",
                                      "get_local_size(",
                                      ") { return "};
  enum { WORDS = sizeof words / sizeof *words };
  unsigned found[WORDS] = {0}, *of_op = calloc(ops_count, sizeof *of_op);
  assert_non_null(of_op);
  for (uint64_t i = 0; i < PROGRAMS; i++) {
    char *cl = text_of(1, i, false), *c = text_of(1, i, true), name[64];
    for (size_t k = 0; k < WORDS; k++)
      found[k] += strstr(cl, words[k]) != NULL;
    for (size_t k = 0; k < ops_count; k++) {
      snprintf(name, sizeof name, "op_%s(", ops[k].name);
      of_op[k] += strstr(c, ops[k].class == ANY_ALL ? "MSB(" : name) != NULL;
    }
    free(cl);
    free(c);
  }
  for (size_t k = 0; k < WORDS; k++)
    if (found[k] == 0)
      fail_msg("no program has %s", words[k]);
  for (size_t k = 0; k < ops_count; k++)
    if (of_op[k] == 0)
      fail_msg("no program has the operation %s", ops[k].name);
  free(of_op);
}

/* Parentheses of all kinds are closed. */
static void check_whole(const char *text) {
  int round = 0, square = 0, curly = 0;
  for (; *text != '\0'; text++) {
    round += (*text == '(') - (*text == ')');
    square += (*text == '[') - (*text == ']');
    curly += (*text == '{') - (*text == '}');
    assert_true(round >= 0 && square >= 0 && curly >= 0);
  }
  assert_int_equal(round + square + curly, 0);
}

TEST(what_is_left_of_a_program_is_whole) {
  for (uint64_t i = 0; i < 20; i++) {
    struct program *p = random_cl_make(5, i, SIZE);
    assert_non_null(p);
    const size_t n = random_cl_parts(p);
    bool *kept = calloc(n, sizeof *kept);
    size_t longest = 0;
    assert_non_null(kept);
    for (unsigned share = 0; share <= 8; share++) { /* of eight parts, so many are kept */
      for (size_t k = 0; k < n; k++)
        kept[k] = k == 0 || k * 0x9e3779b97f4a7c15 >> 61 < share;
      char *cl = print(p, false, kept), *c = print(p, true, kept);
      check_whole(cl);
      check_whole(c);
      if (share == 0)
        assert_true(strlen(cl) < 300); /* an empty kernel */
      longest = strlen(cl) > longest ? strlen(cl) : longest;
      free(cl);
      free(c);
    }
    char *all = print(p, false, NULL);
    assert_int_equal(strlen(all), longest);
    free(all);
    free(kept);
    random_cl_free(p);
  }
}

int main(void) { return test_run(NULL, NULL); }
