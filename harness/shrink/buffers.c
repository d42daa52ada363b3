/* Fewer and smaller buffers, of simpler contents. */
#include <stdlib.h>
#include <string.h>

#include "harness/shrink/passes.h"
#include "harness/shrink/tree.h"

struct pass {
  struct shrink_case base;
  size_t buffer;
};

static json_t *buffer_of(const struct shrink_case *c, size_t i) {
  return json_array_get(json_object_get(c->tree, "buffers"), i);
}

static bool without_buffers(void *user, const bool *gone, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  json_t *buffers = json_object_get(c->tree, "buffers");
  for (size_t i = json_array_size(buffers); i-- > 0;)
    if (gone[i])
      json_array_remove(buffers, i);
  return true;
}

/* Zeros; all ones; 0, 1, 2, ... */
enum { FILLS = 3 };
static bool with_fill(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (json_object_get(buffer_of(&p->base, p->buffer), "fill") == NULL || !case_copy(c, &p->base))
    return false;
  json_t *b = buffer_of(c, p->buffer);
  json_t *fill = i == 1   ? json_pack("{s:s}", "value", "1")
                 : i == 2 ? json_pack("{s:{s:s, s:s}}", "range", "start", "0", "step", "1")
                          : NULL;
  return fill == NULL ? json_object_del(b, "fill") == 0 : json_object_set_new(b, "fill", fill) == 0;
}

/* A buffer with i elements; a list of data is cut. */
static bool with_count(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  json_t *b = buffer_of(c, p->buffer), *data = json_object_get(json_object_get(b, "fill"), "data");
  while (json_array_size(data) > i)
    json_array_remove(data, json_array_size(data) - 1);
  return json_object_set_new(b, "count", tree_text(i)) == 0;
}

void pass_buffers(struct judge *j) {
  const struct tries t = judge_tries(j);
  struct pass p;
  size_t n = json_array_size(json_object_get(j->best.tree, "buffers"));
  bool *gone = calloc(n + 1, sizeof *gone);
  if (gone != NULL && case_copy(&p.base, &j->best)) {
    (void)reduce_list(&t, n, 1, gone, without_buffers, &p);
    case_free(&p.base);
  }
  free(gone);
  n = json_array_size(json_object_get(j->best.tree, "buffers"));
  for (p.buffer = 0; p.buffer < n; p.buffer++) {
    if (!case_copy(&p.base, &j->best))
      return;
    (void)t.first(t.self, FILLS, with_fill, &p);
    case_free(&p.base);
    if (!case_copy(&p.base, &j->best))
      return;
    const size_t count = tree_number(json_object_get(buffer_of(&p.base, p.buffer), "count"));
    (void)reduce_number(&t, 1, count, with_count, &p);
    case_free(&p.base);
  }
}
