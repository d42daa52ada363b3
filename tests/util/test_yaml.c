/* YAML whose text is short and whose meaning is not. */
#include "csim/util/yaml_tree.h"
#include "tests/test.h"

static int load(const char *text, struct tandem_error *err) {
  struct yaml_file f;
  const int status = yaml_open_text(&f, text, "x.yaml", err);
  if (status == 0)
    yaml_close(&f);
  return status;
}

static void refused(const char *text, const char *part) {
  struct tandem_error err;
  if (load(text, &err) == 0 || strstr(err.text, part) == NULL)
    fail_msg("expected \"%s\": %s: %.200s", part, err.text, text);
}

/* Lists of ten aliases of the list before: 10^levels values. */
static char *bomb(unsigned levels) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fputs("- &a0 [1, 2, 3]\n", out);
  for (unsigned i = 1; i <= levels; i++) {
    fprintf(out, "- &a%u [", i);
    for (unsigned k = 0; k < 10; k++)
      fprintf(out, "%s*a%u", k != 0 ? ", " : "", i - 1);
    fputs("]\n", out);
  }
  fclose(out);
  return text;
}

TEST(aliases_are_counted) {
  struct tandem_error err;
  char *text = bomb(4);
  assert_int_equal(load(text, &err), 0);
  free(text);
  text = bomb(30);
  refused(text, "x.yaml:7: its aliases stand for more than 1000000 values");
  free(text);
  refused("a: 1\nb: &x {c: [*x]}\n",
          "x.yaml:2: more than 1000 levels deep, or an alias of something");
  assert_int_equal(load("a: &x 1\nb: [*x, *x]\n", &err), 0);
}

/* A text of 256 MiB could stand for 20 GB of values. */
TEST(values_are_limited) {
  struct tandem_error err;
  char *text = malloc(20000010);
  memset(text, '1', 20000000);
  for (unsigned i = 0; i < 20000000; i += 2)
    text[i] = i == 0 ? '[' : ',';
  strcpy(text + 20000000, ",1]\n");
  refused(text, "x.yaml:1: more than 10000000 values");
  strcpy(text + 2000000, "]\n");
  assert_int_equal(load(text, &err), 0);
  free(text);
}

/* 100,000 anchors took libyaml minutes. */
TEST(anchors_are_limited) {
  struct tandem_error err;
  char *text = malloc(200000), *at = text;
  for (unsigned i = 0; i < 5001; i++)
    at += sprintf(at, "- &a%u [&b%u]\n", i, i);
  refused(text, "x.yaml:5001: more than 10000 anchors");
  at = text;
  for (unsigned i = 0; i < 10000; i++)
    at = stpcpy(at, "a&b");
  assert_int_equal(load(text, &err), 0);
  free(text);
}

/* 100,000 brackets took libyaml half a minute. */
TEST(depth_is_limited) {
  enum { DEEP = 100000 };
  static const char *const levels[] = {"[", "{", "- ", "? ", "[{"};
  char *text = malloc(2 * DEEP + 8);
  struct tandem_error err;
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
    char *at = stpcpy(text, "x\n"); /* a scalar: none of these is read by libyaml */
    for (unsigned k = 0; k < DEEP && (i == 0 || k < 2000); k++)
      at = stpcpy(at, levels[i]);
    if (load(text + 2, &err) == 0)
      fail_msg("%.10s... is accepted", text + 2);
    assert_non_null(strstr(err.text, "x.yaml:1: "));
  }
  /* 5,000 pairs of brackets side by side are accepted. */
  char *at = text;
  *at++ = '[';
  for (unsigned k = 0; k < 5000; k++)
    at = stpcpy(at, "[],");
  strcpy(at, "]");
  assert_int_equal(load(text, &err), 0);
  free(text);
}

/* Escapes write what no name has: commands to a terminal, and ends of texts. */
TEST(texts_are_printable) {
  struct tandem_error err;
  refused("a: 1\nb: \"k.s\\0junk\"\n", "x.yaml:2: a text has the control character 0x00");
  refused("a: 1\nb: \"\\e[31m\"\n", "x.yaml:2: a text has the control character 0x1b");
  refused("\"a\\x7f\": 1\n", "x.yaml:1: a text has the control character 0x7f");
  refused("[\"\\x9b\"]\n", "x.yaml:1: a text has the control character 0x9b");
  assert_int_equal(load("a: \"\\t\\n\xc3\xa9\xc2\xa0\"\nb: |\n  x\n  y\n", &err), 0);
}

int main(void) { return test_run(NULL, NULL); }
