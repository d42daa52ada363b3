/* Names of cells and paths, as the source has them. */
#include <stdio.h>
#include <string.h>

#include "harness/shim/boundary/design.h"

/* ---- places ---- */

/* A signal of the source that has the net; NULL: none. */
static const char *signal_of(struct module *m, const struct net *net) {
  const char *name;
  json_t *value, *bit;
  size_t i;
  json_object_foreach(json_object_get(m->text, "netnames"), name, value) {
    if (json_integer_value(json_object_get(value, "hide_name")) != 0)
      continue;
    json_array_foreach(json_object_get(value, "bits"), i, bit) {
      if (module_net(m, bit) == net)
        return name;
    }
  }
  return NULL;
}

/* The line of the source in a name that yosys has made, "$and$/FOLDER/FILE:12$34", as
 * "FILE:12"; false: it has none. */
static bool line_of(const char *name, char text[PLACE]) {
  const char *end = strrchr(name, '$'), *colon = strrchr(name, ':'), *start;
  if (name[0] != '$' || colon == NULL || end < colon)
    return false;
  for (start = colon; start > name && start[-1] != '/' && start[-1] != '$';)
    start--;
  (void)snprintf(text, PLACE, "%.*s", (int)(end - start), start);
  return true;
}

void design_place(struct module *m, const char *name, json_t *cell, char text[PLACE]) {
  const char *port;
  json_t *bits;
  (void)snprintf(text, PLACE, "%s", name);
  if (name[0] != '$')
    return;
  json_object_foreach(json_object_get(cell, "connections"), port, bits) {
    const struct net *n = cell_drives(cell, port) ? module_net(m, json_array_get(bits, 0)) : NULL;
    const char *signal = n != NULL ? signal_of(m, n) : NULL;
    if (signal != NULL) {
      (void)snprintf(text, PLACE, "%s", signal);
      return;
    }
  }
  (void)line_of(name, text);
}

/* ---- trails ---- */

/* The first and the last places of a path. */
enum { HALF = 4 };
struct trail {
  char first[HALF][PLACE], last[HALF][PLACE]; /* last: a ring */
  unsigned n;
};

static char *place_of(struct trail *t, unsigned i) {
  return i < HALF ? t->first[i] : t->last[(i - HALF) % HALF];
}

/* Adds a place within an instance, but the one that the trail is at. */
static void add_place(struct trail *t, const char *instance, const char *place) {
  char text[PLACE];
  if (snprintf(text, sizeof text, "%s%s", instance, place) >= PLACE)
    (void)snprintf(text + PLACE - 4, 4, "...");
  if (t->n != 0 && strcmp(place_of(t, t->n - 1), text) == 0)
    return;
  memcpy(place_of(t, t->n++), text, PLACE);
}

static void follow(struct design *d, struct module *m, const struct pin *in, const struct pin *out,
                   const char *instance, struct trail *t);

/* The input of an instance through which its output depends on the net; NULL: none. */
static const struct pin *input_of(struct module *m, json_t *cell, const struct module *child,
                                  const struct pin *out, const struct net *net) {
  const char *port;
  json_t *bits, *bit;
  size_t i;
  json_object_foreach(json_object_get(cell, "connections"), port, bits) {
    const struct pin *in = module_pin(child, port);
    json_array_foreach(bits, i, bit) {
      if (module_net(m, bit) == net && in != NULL && out->from[in - child->pins])
        return in;
    }
  }
  return NULL;
}

/* Adds the way from a net to the next one, through the driver of that. */
static void step(struct design *d, struct module *m, const struct net *from, const struct net *to,
                 const char *instance, struct trail *t) {
  char text[PLACE];
  struct module *child = design_module(d, cell_type(to->cell));
  const struct pin *out = child != NULL ? module_pin(child, to->port) : NULL;
  const struct pin *in = out != NULL ? input_of(m, to->cell, child, out, from) : NULL;
  if (in != NULL) {
    (void)snprintf(text, sizeof text, "%s%s.", instance, to->cell_name);
    follow(d, child, in, out, text, t);
  }
  const char *signal = signal_of(m, to);
  if (signal != NULL)
    add_place(t, instance, signal);
  else if (line_of(to->cell_name, text))
    add_place(t, "", text);
}

/* Adds a path within a module. */
static void follow(struct design *d, struct module *m, const struct pin *in, const struct pin *out,
                   const char *instance, struct trail *t) {
  size_t i, at = m->n_nets;
  json_t *bit;
  design_walk(d, m, out);
  json_array_foreach(in->bits, i, bit) {
    const struct net *n = module_net(m, bit);
    if (n != NULL && at == m->n_nets && m->seen[n - m->nets] == m->walk)
      at = (size_t)(n - m->nets);
  }
  if (at == m->n_nets)
    return;
  add_place(t, instance, in->name);
  for (; m->came[at] != at; at = m->came[at])
    step(d, m, &m->nets[at], &m->nets[m->came[at]], instance, t);
  add_place(t, instance, out->name);
}

void design_trail(struct design *d, struct module *m, const struct pin *in, const struct pin *out,
                  char text[TRAIL]) {
  struct trail t = {.n = 0};
  text[0] = '\0';
  follow(d, m, in, out, "", &t);
  size_t n = 0;
  for (unsigned i = 1; i + 1 < t.n && n < TRAIL; i++) { /* the caller names the ends */
    const bool left_out = i >= HALF && i + HALF < t.n;
    const char *before = i == 1 ? ", through " : ", ";
    if (!left_out)
      n += (size_t)snprintf(text + n, TRAIL - n, "%s%s", before, place_of(&t, i));
    else if (i == HALF)
      n += (size_t)snprintf(text + n, TRAIL - n, ", ...");
  }
}
