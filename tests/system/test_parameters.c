/* Expressions, and the parameters of launch descriptions. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/expression.h"
#include "tests/system/helpers.h"

static int two_names(void *user, const char *name, union expression_value *v,
                     struct tandem_error *err) {
  const bool *real = user;
  const int64_t value = strcmp(name, "n") == 0 ? 128 : strcmp(name, "memory.d_2") == 0 ? 3 : 0;
  if (value == 0)
    return tandem_fail(err, -1, "no name %s", name);
  if (*real)
    v->real = (double)value;
  else
    v->whole = value;
  return 0;
}

TEST(whole_numbers) {
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {
      {"7", 7},
      {" 2 + 3*4 ", 14},
      {"(2+3)*4", 20},
      {"10-4-3", 3},
      {"64/4/2", 8},
      {"7/2", 3},
      {"-7/2", -3},
      {"-7%4", -3},
      {"7%-4", 3},
      {"2*-3", -6},
      {"--5", 5},
      {"0x1F+1", 32},
      {"n*n/32", 512},
      {"n+memory.d_2", 131},
      {"min(n, 5)+max(-1,-2)", 4},
      {"min(max(1,2),min(9,3))", 2},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775807-1", INT64_MIN},
      {"(-9223372036854775807-1)%-1", 0},
  };
  bool real = false;
  const struct expression_names names = {two_names, &real};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_error err;
    int64_t value = 0;
    if (expression_whole(cases[i].text, &names, &value, &err) != 0)
      fail_msg("%s: %s", cases[i].text, err.text);
    if (value != cases[i].value)
      fail_msg("%s is %" PRId64 ", not %" PRId64, cases[i].text, cases[i].value, value);
  }
}

TEST(real_numbers) {
  struct tandem_error err;
  double value;
  bool real = true;
  const struct expression_names names = {two_names, &real};
  assert_int_equal(expression_real("n/memory.d_2 - 1.5e1", &names, &value, &err), 0);
  assert_true(value == 128.0 / 3 - 15);
  assert_int_equal(expression_real("max(0.5, 7 % 2.5)", &names, &value, &err), 0);
  assert_true(value == 2.0);
  assert_int_equal(expression_real("1/(n-128)", &names, &value, &err), -22);
  contains(err.text, "division by 0");
}

TEST(bad_expressions) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"", "is missing at the end"},
      {"1+", "a number, a name or \"(\" is missing at the end"},
      {"1+*2", "is missing before \"*2\""},
      {"(1", "\")\" is missing at the end"},
      {"1 2", "an operator is missing before \"2\""},
      {"min(1)", "\",\" is missing before \")\""},
      {"max 1", "\"(\" is missing before \"1\""},
      {"1.5", "\"1.5\" is not a whole number"},
      {"12n", "\"12n\" is not a whole number"},
      {"0x", "is not a whole number"},
      {"k", "no name k"},
      {"1 & 2", "an operator is missing before \"& 2\""},
      {"n/(n-128)", "division by 0"},
      {"n%0", "division by 0"},
      {"9223372036854775808", "beyond 64 bits"},
      {"9223372036854775807+1", "beyond 64 bits"},
      {"-9223372036854775807-2", "beyond 64 bits"},
      {"4294967296*2147483648", "beyond 64 bits"},
      {"(-9223372036854775807-1)/-1", "beyond 64 bits"},
      {"-(-9223372036854775807-1)", "beyond 64 bits"},
      {"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1", "64 deep"},
  };
  bool real = false;
  const struct expression_names names = {two_names, &real};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_error err = {{0}};
    int64_t value = 77;
    if (expression_whole(cases[i].text, &names, &value, &err) != -22 || value != 77)
      fail_msg("\"%s\" is taken", cases[i].text);
    contains(err.text, cases[i].part);
  }
}

static uint64_t seed;

static uint64_t draw(uint64_t below) {
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return (seed >> 33) % below;
}

/* Writes a random expression of small numbers, all parentheses written, and computes it alongside.
 */
static int64_t grow(char *text, size_t size, unsigned depth) {
  char a[2048], b[2048];
  const int64_t number = (int64_t)draw(10);
  if (depth == 0) {
    snprintf(text, size, "%" PRId64, number);
    return number;
  }
  const int64_t x = grow(a, sizeof a, depth - 1), y = grow(b, sizeof b, depth - 1);
  const unsigned op = (unsigned)draw(7);
  if (op == 5 || op == 6) {
    snprintf(text, size, "%s(%.1000s, %.1000s)", op == 5 ? "min" : "max", a, b);
    return (x < y) == (op == 5) ? x : y;
  }
  if (op >= 3 && y == 0) {
    snprintf(text, size, "(-%.1000s)", a);
    return -x;
  }
  snprintf(text, size, "(%.1000s%c%.1000s)", a, "+-*/%"[op], b);
  return op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : op == 3 ? x / y : x % y;
}

TEST(random_expressions) {
  const char *given = getenv("TANDEM_SEED");
  seed = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
  printf("seed %" PRIu64 " (TANDEM_SEED)\n", seed);
  for (unsigned i = 0; i < 2000; i++) {
    char text[4096];
    struct tandem_error err = {{0}};
    int64_t value = 0;
    const int64_t expected = grow(text, sizeof text, 4);
    if (expression_whole(text, NULL, &value, &err) != 0 || value != expected)
      fail_msg("%s is %" PRId64 ", not %" PRId64 " %s", text, expected, value, err.text);
  }
}

/* ---- launch descriptions ---- */

#define REST                                                                                       \
  "program: faults.cl\nbuffers:\n"                                                                 \
  "  - {name: a, type: u32, count: =n*b, fill: {range: {start: \"=max(n, b)\", step: 0}}}\n"       \
  "  - {name: f, type: f32, count: 1, fill: {value: =b-1}}\n"                                      \
  "steps:\n  - launch: {kernel: fine, grid: [=n/4], block: [32], args: [{buffer: a}, {u32: "       \
  "=n}]}\n"                                                                                        \
  "expect:\n  - {buffer: f, data: [=7 - 4]}\n"

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

TEST(parameters_of_a_job) {
  static const struct tandem_parameter other = {"n", 8}, unknown = {"q", 1}, none = {NULL, 1};
  char path[] = "/tmp/tandem-parameters-XXXXXX";
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.trust = true; /* the program is elsewhere */
  struct tandem *t = open_gpu(&c);
  struct tandem_job *job;
  struct tandem_error err;
  struct tandem_parameter rows[4];
  uint32_t address;
  uint64_t bytes;
  close(mkstemp(path));
  put(path, "parameters: {n: 4, b: 4, nb: =n*b}\n"
            "program: " PROGRAMS "/faults.cl\noptions: [\"-DN=${n}\", \"-DNB=${nb + 1}\"]\n"
            "buffers: [{name: a, type: u32, count: =nb}]\n"
            "steps:\n  - launch: {kernel: fine, grid: [1], block: [32],\n"
            "             args: [{buffer: a}, {u32: =n}]}\n"
            "expect: [{buffer: a, data: [=n-n, 1, 2, 3]}]\n");
  if (tandem_job_open_with(t, path, &other, 1, &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_int_equal(tandem_job_parameters(job, rows, 2), 3);
  assert_string_equal(rows[0].name, "n");
  assert_int_equal(rows[0].value, 8);
  assert_int_equal(tandem_job_parameters(job, rows, 4), 3);
  assert_int_equal(rows[2].value, 32); /* computed from the other value */
  assert_true(tandem_job_buffer(job, "a", &address, &bytes));
  assert_int_equal(bytes, 4 * 32);
  assert_int_equal(tandem_job_run(job, &err), TANDEM_OK);
  assert_int_equal(tandem_job_check(job, &err), TANDEM_OK);
  tandem_job_close(job);
  assert_int_equal(tandem_job_open_with(t, path, &unknown, 1, &job, &err), TANDEM_USAGE);
  contains(err.text, ":1: there is no parameter \"q\"; known: n, b, nb");
  assert_int_equal(tandem_job_open_with(t, path, &none, 1, &job, &err), TANDEM_USAGE);
  contains(err.text, "a parameter needs a name");
  assert_int_equal(tandem_job_open_with(t, path, NULL, 1, &job, &err), TANDEM_USAGE);
  tandem_close(t);
  unlink(path);
}

TEST(computed_values) {
  static const struct {
    const char *head, *part; /* NULL: it is fine */
  } cases[] = {
      {"parameters: {n: 4, b: 4}\n", NULL},
      {"parameters: {b: 0x4, n: =b}\n", NULL},
      {"parameters: {n: 4}\n",
       "text.yaml:4: in \"n*b\": there is no parameter \"b\" (known here: n)"},
      {"", "text.yaml:3: in \"n*b\": there is no parameter \"n\"; add it to parameters:"},
      {"parameters: {n: 0, b: 4}\n",
       "text.yaml:4: count must be 1 to 1073741824, not 0 (from \"=n*b\")"},
      {"parameters: {n: =b, b: 4}\n", "text.yaml:1: in \"b\": there is no parameter \"b\""},
      {"parameters: {n: 4, b: =n/(n-4)}\n", "text.yaml:1: in \"n/(n-4)\": division by 0"},
      {"parameters: {n: 4, b: four}\n",
       "text.yaml:1: a parameter must be a whole number, not \"four\""},
      {"parameters: {n: 4, n: 4}\n", "text.yaml:1: parameter \"n\" is there twice"},
      {"parameters: {n: 4, min: 4}\n", "text.yaml:1: \"min\" cannot name a parameter"},
      {"parameters: {n: 4, 4b: 4}\n", "text.yaml:1: \"4b\" cannot name a parameter"},
      {"parameters: {n: 4, b: [4]}\n", "text.yaml:1: a parameter must be a whole number"},
      {"parameters: [n, b]\n", "text.yaml:1: parameters must be a mapping"},
      {"parameters: {n: 4, b: 4}\noptions: [\"-DN=${n\"]\n",
       "text.yaml:2: \"${n\" has no closing \"}\""},
      {"parameters: {n: 4, b: 4}\noptions: [\"-DN=${m}\"]\n",
       "text.yaml:2: in \"m\": there is no parameter"},
  };
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[2048];
    struct tandem *t;
    struct tandem_error err;
    snprintf(text, sizeof text, "%s%s", cases[i].head, REST);
    enum tandem_status status = run_text(&c, text, &t, &err);
    tandem_close(t);
    if ((status == TANDEM_OK) != (cases[i].part == NULL))
      fail_msg("%s: %s", cases[i].head, err.text);
    if (cases[i].part != NULL)
      contains(err.text, cases[i].part);
  }
}

int main(void) { return test_run(NULL, NULL); }
