/* The parts of `tandem shrink` that run nothing: delta debugging, programs without some of
 * their instructions, launch descriptions as trees, the folder of the small program. */
#include <sys/stat.h>
#include <unistd.h>

#include "csim/isa/asm/asm.h"
#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/shrink/reduce.h"
#include "harness/shrink/shrink.h"
#include "harness/shrink/tree.h"
#include "tests/test.h"

/* ---- delta debugging ---- */

enum { ITEMS = 200 };

/* A list fails while it has all items of `needed`, and, if `pairs`, an even number of items; if
 * `after`, item 10 can go once item 150 has gone. */
struct world {
  bool needed[ITEMS], trial[ITEMS], pairs, after;
  size_t trials, smallest; /* smallest: items that are there in the smallest list that failed */
};

static bool fails(const struct world *w, const bool *gone, size_t *there) {
  *there = 0;
  for (size_t i = 0; i < ITEMS; i++) {
    if (w->needed[i] && gone[i])
      return false;
    *there += !gone[i];
  }
  return (!w->pairs || *there % 2 == 0) && !(w->after && gone[10] && !gone[150]);
}

static size_t first(void *self, size_t n, tries_make *make, void *user) {
  struct world *w = self;
  size_t there;
  for (size_t i = 0; i < n; i++) {
    if (!make(user, i, w->trial))
      continue;
    w->trials++;
    if (fails(w, w->trial, &there)) {
      assert_true(there < w->smallest); /* each answer is smaller than the last */
      w->smallest = there;
      return i;
    }
  }
  return n;
}

static bool make(void *user, const bool *gone, void *to) {
  (void)user;
  memcpy(to, gone, ITEMS * sizeof *gone);
  return true;
}

TEST(all_that_is_needed_stays_and_nothing_else) {
  static const size_t needed[][4] = {
      {0, 0, 0, 0}, {199, 199, 199, 199}, {3, 4, 99, 100}, {0, 64, 128, 199}};
  for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++) {
    struct world w = {.smallest = ITEMS};
    const struct tries t = {&w, first};
    bool gone[ITEMS] = {false};
    for (size_t i = 0; i < 4; i++)
      w.needed[needed[k][i]] = true;
    assert_true(reduce_list(&t, ITEMS, 1, gone, make, NULL));
    for (size_t i = 0; i < ITEMS; i++)
      assert_int_equal(gone[i], !w.needed[i]);
    assert_in_range(w.trials, 8, 120); /* far fewer than the 200 of one by one, twice */
    assert_false(reduce_list(&t, ITEMS, 1, gone, make, NULL));
  }
}

/* A list that fails with an even number of items alone: parts go, no single item can. */
TEST(no_single_item_can_go_at_the_end) {
  struct world w = {.smallest = ITEMS, .pairs = true};
  const struct tries t = {&w, first};
  bool gone[ITEMS] = {false}, less[ITEMS];
  size_t there;
  w.needed[17] = w.needed[170] = true;
  assert_true(reduce_list(&t, ITEMS, 1, gone, make, NULL));
  assert_true(fails(&w, gone, &there));
  assert_in_range(there, 2, 20);
  for (size_t i = 0; i < ITEMS; i++) {
    memcpy(less, gone, sizeof less);
    less[i] = true;
    assert_true(gone[i] || !fails(&w, less, &there));
  }
}

TEST(single_items_are_tried_again) {
  struct world w = {.smallest = ITEMS, .after = true};
  const struct tries t = {&w, first};
  bool gone[ITEMS] = {false};
  w.needed[149] = w.needed[151] = true;
  assert_true(reduce_list(&t, ITEMS, 1, gone, make, NULL));
  for (size_t i = 0; i < ITEMS; i++)
    assert_int_equal(gone[i], !w.needed[i]);
}

TEST(large_parts_alone) {
  struct world w = {.smallest = ITEMS};
  const struct tries t = {&w, first};
  bool gone[ITEMS] = {false};
  size_t there = 0;
  w.needed[0] = true;
  assert_true(reduce_list(&t, ITEMS, 50, gone, make, NULL));
  for (size_t i = 0; i < ITEMS; i++)
    there += !gone[i];
  assert_in_range(there, 25, 50);
}

/* Numbers from `needed` on fail. */
static size_t first_number(void *self, size_t n, tries_make *make_number, void *user) {
  size_t i = 0, value;
  while (i < n && (!make_number(user, i, &value) || value < *(size_t *)self))
    i++;
  return i;
}

static bool number(void *user, size_t i, void *to) {
  (void)user;
  *(size_t *)to = i;
  return true;
}

TEST(the_smallest_number_that_is_tried) {
  static const size_t needed[] = {0, 1, 5, 8, 9, 33, 64, 5000}, found[] = {1, 1, 5, 8, 12, 48, 64};
  for (size_t i = 0; i < 7; i++) {
    size_t least = needed[i];
    const struct tries t = {&least, first_number};
    assert_int_equal(reduce_number(&t, 1, 1000, number, NULL), found[i]);
  }
  size_t least = needed[7];
  const struct tries t = {&least, first_number};
  assert_int_equal(reduce_number(&t, 1, 1000, number, NULL), 1000);
  assert_int_equal(reduce_number(&t, 0, 0, number, NULL), 0);
}

/* ---- programs ---- */

static const char loop[] = ".kernel k\n.param n, 4\n"
                           "  movs r1, param+0\n"
                           "top: isetp.le.s p0, r1, #0\n"
                           "  @p0 bra out, rpc out\n"
                           "  nop\n"
                           "  movi r2, table\n"
                           "  iadd r1, r1, #-1\n"
                           "  bra top, rpc none\n"
                           "out: exit\n"
                           ".end\n.data\ntable: .u32 7\n";

static void becomes(const bool *gone, const char *text) {
  struct isa_program *p, *q;
  struct tandem_error err;
  char is[ISA_TEXT], wanted[ISA_TEXT];
  assert_int_equal(isa_assemble(loop, "loop", &p, &err), 0);
  struct isa_program *less = code_without(p, gone);
  assert_non_null(less);
  assert_int_equal(isa_assemble(text, "wanted", &q, &err), 0);
  assert_int_equal(less->ncode, q->ncode);
  for (size_t pc = 0; pc < q->ncode; pc++) {
    isa_disasm(less->code[pc], is);
    isa_disasm(q->code[pc], wanted);
    assert_string_equal(is, wanted);
  }
  assert_int_equal(less->nrelocs, q->nrelocs);
  for (size_t i = 0; i < q->nrelocs; i++)
    assert_int_equal(less->relocs[i].pc, q->relocs[i].pc);
  assert_int_equal(less->kernels[0].entry, 0);
  assert_int_equal(less->kernels[0].end, q->ncode);
  isa_program_free(p);
  isa_program_free(q);
  isa_program_free(less);
}

TEST(branches_lead_to_what_is_behind_their_targets) {
  /* The target of a branch, and what refers to the data. */
  becomes((const bool[8]){[1] = true, [4] = true}, ".kernel k\n.param n, 4\n"
                                                   "  movs r1, param+0\n"
                                                   "top: @p0 bra out, rpc out\n"
                                                   "  nop\n"
                                                   "  iadd r1, r1, #-1\n"
                                                   "  bra top, rpc none\n"
                                                   "out: exit\n.end\n");
  /* Before a target, and the exit that a branch leads to: it leads behind the code. */
  becomes((const bool[8]){[0] = true, [3] = true, [7] = true}, ".kernel k\n.param n, 4\n"
                                                               "top: isetp.le.s p0, r1, #0\n"
                                                               "  @p0 bra out, rpc out\n"
                                                               "  movi r2, table\n"
                                                               "  iadd r1, r1, #-1\n"
                                                               "  bra top, rpc none\n"
                                                               "out:\n.end\n"
                                                               ".data\ntable: .u32 7\n");
}

TEST(a_kernel_keeps_an_instruction) {
  struct isa_program *p;
  struct tandem_error err;
  const bool all[8] = {true, true, true, true, true, true, true, true};
  assert_int_equal(isa_assemble(loop, "loop", &p, &err), 0);
  assert_null(code_without(p, all));
  isa_program_free(p);
}

/* ---- launch descriptions ---- */

TEST(trees_are_written_as_they_were_read) {
  static const char text[] = "{launch: {kernel: k, grid: [1, 2], flag: \"a: b\", x: -1.5e3}}";
  struct yaml_file f;
  struct tandem_error err;
  char *written = NULL;
  size_t size;
  assert_int_equal(yaml_open_text(&f, text, "text", &err), 0);
  json_t *tree = tree_of(&f, yaml_root(&f));
  FILE *out = open_memstream(&written, &size);
  assert_non_null(out);
  tree_write(out, tree);
  assert_int_equal(fclose(out), 0);
  assert_string_equal(written, text);
  free(written);
  json_decref(tree);
  yaml_close(&f);
}

/* ---- the folder ---- */

TEST(other_files_are_left_alone) {
  struct tandem_error err;
  char *folder, path[4200];
  assert_int_equal(scratch_folder(NULL, &folder), 0);
  assert_int_equal(out_check(folder, &err), 0); /* empty */
  snprintf(path, sizeof path, "%s/mine.txt", folder);
  assert_int_equal(files_write(path, "x", 1, &err), 0);
  assert_true(out_check(folder, &err) < 0);
  assert_non_null(strstr(err.text, "--out"));
  snprintf(path, sizeof path, "%s/" SHRINK_LAUNCH, folder);
  assert_int_equal(files_write(path, "x", 1, &err), 0);
  assert_int_equal(out_check(folder, &err), 0); /* its own */
  snprintf(path, sizeof path, "%s/none", folder);
  assert_int_equal(out_check(path, &err), 0);
  scratch_drop(folder);
}

/* ---- all of it ---- */

/* A program in the place of `tandem`: a store hangs at u_x.y, but at u_x.z without iadd; the
 * reference alone hangs too, unless there is a movi. */
static const char stub[] =
    "#!/bin/sh\n"
    "code=${2%/*}/shrunk.s ref=\n"
    "for word; do case $word in --json=*) json=${word#--json=} ;; --engine=ref) ref=1 ;; esac; "
    "done\n"
    "where=u_x.y status=0\n"
    "grep -q iadd $code || where=u_x.z\n"
    "grep -q st.global $code && status=1\n"
    "[ -n \"$ref\" ] && grep -q movi $code && status=0\n"
    "[ $status = 0 ] && echo '{\"digest\": \"1\"}' >$json\n"
    "[ $status = 1 ] && echo '{\"failure\": {\"kind\": \"hang\", \"where\": \"'$where'\", "
    "\"cycle\": 5}}' >$json\n"
    "exit $status\n";

static void on_better(void *user) { ++*(size_t *)user; }

TEST(place_and_outcome_of_the_reference_stay) {
  static const char code[] = ".kernel k\n.param a, 4\n  movs r1, param+0\n  movi r2, #9\n"
                             "  mul.u r3, r2, r2\n  iadd r2, r2, #4\n  st.global.32 [r1], r2\n"
                             "  exit\n.end\n";
  const char *const words[] = {NULL};
  struct tandem_error err;
  struct shrink_case from = {0};
  struct shrink_result r;
  size_t better = 0;
  char *folder, program[4200], out[4200], path[4300];
  assert_int_equal(scratch_folder(NULL, &folder), 0);
  snprintf(program, sizeof program, "%s/tandem", folder);
  snprintf(out, sizeof out, "%s/out", folder);
  snprintf(path, sizeof path, "%s/" SHRINK_LAUNCH, out);
  assert_int_equal(files_write(program, stub, strlen(stub), &err), 0);
  assert_int_equal(chmod(program, 0700), 0);
  gpu_config_default(&from.config);
  assert_int_equal(isa_assemble(code, "code", &from.code, &err), 0);
  from.tree = json_pack("{s:[], s:[{s:{s:[s], s:[s]}}, {s:{s:[s], s:[s]}}]}", "buffers", "steps",
                        "launch", "grid", "7", "block", "256", "launch", "grid", "1", "block", "1");
  struct judge j = {
      .program = program, .words = words, .slots = 2, .on_better = on_better, .user = &better};
  const struct shrink_request q = {"launch.yaml", "shrink", out, 10};
  assert_int_equal(judge_open(&j, &err), 0);
  if (shrink(&j, &from, &q, &r, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(r.place.unit, "x");
  assert_string_equal(r.place.field, "y");
  assert_int_equal(r.before.ctas, 8);
  assert_int_equal(r.after.ctas, 1);
  assert_int_equal(r.after.instructions, 3);
  assert_int_equal(r.tries, j.tries);
  assert_in_range(better, 4, r.tries);
  assert_true(r.whole);
  assert_int_equal(access(path, R_OK), 0);
  judge_close(&j);
  case_free(&from);
  scratch_drop(folder);
}

int main(void) { return test_run(NULL, NULL); }
