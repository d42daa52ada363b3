/* The code that is made of ports tables, and the functions that walk them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "csim/ports/facts.h"
#include "csim/ports/generate/generate.h"
#include "csim/ports/units.h"

static char root[] = "/tmp/test_ports_XXXXXX";

static void write_table(const char *name, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/csim/ports/%s.def", root, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int make_root(void **state) {
  char path[200];
  (void)state;
  assert_non_null(mkdtemp(root));
  snprintf(path, sizeof path, "%s/csim", root);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/csim/ports", root);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/csim/ports/folder", root);
  mkdir(path, 0777);
  write_table("units",
              "/* UNIT(none) */\nUNIT(one,\n     GATES() MEMBERS(rows, 8, frontend_parts)\n"
              "     VARIANT(a, \"B=1 C=2\", 0))\n");
  write_table("folder/frontend_parts", "PART(first, one, 1)\n");
  return 0;
}

static int remove_root(void **state) {
  static const char *const names[] = {"units", "folder/frontend_parts", "folder/one"};
  char path[200];
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/csim/ports/%s.def", root, names[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/csim/ports/folder", root);
  rmdir(path);
  snprintf(path, sizeof path, "%s/csim/ports", root);
  rmdir(path);
  snprintf(path, sizeof path, "%s/csim", root);
  rmdir(path);
  return rmdir(root);
}

/* Keeps all files, one behind the other. */
static int keep(const char *name, const char *text, void *out, struct tandem_error *err) {
  (void)err;
  fprintf(out, "== %s\n%s", name, text);
  return 0;
}

static int generate(const char *table, char **text, struct tandem_error *err) {
  size_t size;
  write_table("folder/one", table);
  FILE *out = open_memstream(text, &size);
  const int status = ports_generate(root, keep, out, err);
  fclose(out);
  return status;
}

static void tables_become_code(void **state) {
  static const char *const lines[] = {
      "== csim/ports/one.h\n",
      "  uint64_t valid; /* 1 bit: a request */\n",
      "  uint64_t data[4]; /* 64 bits, if valid */\n",
      "  uint64_t rows[8]; /* 3 * 4 bits, if valid >> i & 1 */\n",
      "  {\"rows\", 3 * 4, offsetof(struct one_view, rows), 8, \"p->valid >> i & 1\"},\n",
      "    const uint64_t means = (a->valid[0] >> i & 1) != 0;\n",
      "  if (all || (p->valid))\n    pin_put(m.data_i, p->data);\n",
      "  read_state(view.rows, root.one__DOT__u_x__DOT__rows_q | bits(0, 12));\n",
      "    read_state(s.first.valid, root.one__DOT__g_member__BRA__7__KET____DOT__"};
  struct tandem_error err;
  char *text;
  (void)state;
  const int status =
      generate("/* A comment. */\n#ifndef ROWS\n#define ROWS 4\n#endif\n"
               "PORT_IN(valid, 1, 1) /* a request */\nPORT_IN_WORDS(data, 4, p->valid)\n"
               "PORT_OUT(done, 1, 1)\nSTATE(valid, 8, 1, valid_q, 1)\n"
               "STATE(rows, 3 * ROWS, 8, u_x__DOT__rows_q | bits(0, 12), p->valid >> i & 1)\n",
               &text, &err);
  assert_int_equal(status, 0);
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (strstr(text, lines[i]) == NULL)
      fail_msg("not generated: %s\n%s", lines[i], text);
  free(text);
}

static void lines_that_are_none_are_refused(void **state) {
  static const struct {
    const char *table, *error;
  } cases[] = {{"PORT(a, 1, 1)\n", "PORT with 3 arguments is no line of a ports table"},
               {"PORT_IN(a, 1)\n", "PORT_IN with 2 arguments is no line of a ports table"},
               {"PORT_IN(a, 1, 1\n", "this is no line of a table: PORT_IN(a, 1, 1"},
               {"#include \"csim/ports/none.def\"\n", "csim/ports/none.def"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_error err;
    char *text;
    assert_true(generate(cases[i].table, &text, &err) < 0);
    if (strstr(err.text, cases[i].error) == NULL)
      fail_msg("\"%s\" lacks \"%s\"", err.text, cases[i].error);
    free(text);
  }
}

static void the_first_difference_that_counts_is_found(void **state) {
  const struct ports_table *t = ports_table_of("icache");
  struct icache_view a = {.mshr_valid = {4}}, b = a;
  uint64_t counts[PORTS_MAX] = {0};
  struct port_diff first = {.state = NULL};
  (void)state;
  assert_ptr_equal(t, &icache_ports);
  b.mshr_line[1] = 5; /* an entry that is not valid */
  assert_int_equal(t->view_same(&a, &b, counts, &first), 0);
  b.mshr_line[2] = 7;
  b.rank[0] = 1;
  assert_int_equal(t->view_same(&a, &b, counts, &first), 2);
  assert_string_equal(first.state->name, "rank");
  assert_int_equal(first.b, 1);
  assert_int_equal(counts[0], 2); /* comparisons of valid */
  assert_int_equal(counts[2], 2); /* of one line of the four MSHRs */
}

static void units_are_known_by_name(void **state) {
  const struct unit_facts *f = unit_facts_of("warp_scheduler");
  (void)state;
  assert_true(f->gates && !f->made_of_units);
  assert_string_equal(f->variants[0].parameters, "Parity=1'b1");
  assert_null(f->variants[1].name);
  assert_null(f->member);
  assert_string_equal(unit_facts_of("buddy_cluster")->member, "buddy_member");
  assert_null(unit_facts_of("buddy_member")); /* a block */
  assert_non_null(ports_table_of("buddy_member"));
  assert_null(ports_table_of("none"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_become_code),
      cmocka_unit_test(lines_that_are_none_are_refused),
      cmocka_unit_test(the_first_difference_that_counts_is_found),
      cmocka_unit_test(units_are_known_by_name),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
