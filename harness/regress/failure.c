/* The place of a failure: kind, unit, field. */
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/faults.h"
#include "harness/regress/regress.h"

#define NAME "abcdefghijklmnopqrstuvwxyz0123456789_"

/* "u_scoreboard.hazard[3]": the unit, and the field without the number of its element. */
static void split(const char *where, struct regress_failure *f) {
  const char *dot = strchr(where, '.'), *name = strncmp(where, "u_", 2) == 0 ? where + 2 : where;
  if (dot == NULL) {
    snprintf(f->field, sizeof f->field, "%.*s", (int)strcspn(where, "[ "), where);
    return;
  }
  snprintf(f->unit, sizeof f->unit, "%.*s", (int)(dot - name), name);
  snprintf(f->field, sizeof f->field, "%.*s", (int)strcspn(dot + 1, "["), dot + 1);
}

/* "issue.sv:240: pick0_eligible": the module issue, and the assertion's name, or the line of
 * another text. */
static bool of_assertion(const char *where, struct regress_failure *f) {
  const char *at = strstr(where, ".sv:"), *name = at;
  while (name != NULL && name > where && strchr("/ ", name[-1]) == NULL)
    name--;
  if (at == NULL)
    return false;
  snprintf(f->unit, sizeof f->unit, "%.*s", (int)(at - name), name);
  const int line = (int)strspn(at + 4, "0123456789");
  const char *said = at + 4 + line;
  if (strncmp(said, ": ", 2) == 0 && said[2 + strspn(said + 2, NAME)] == '\0')
    snprintf(f->field, sizeof f->field, "%s", said + 2);
  else
    snprintf(f->field, sizeof f->field, "sv:%.*s", line, at + 4);
  return true;
}

/* A difference that a unit's test prints: "scoreboard: cycle 12, output pending[3]: ...". */
static bool of_unit_test(const char *said, struct regress_failure *f) {
  char unit[48], what[16], field[80];
  const char *at = strstr(said, ": cycle ");
  while (at != NULL && at > said && at[-1] != '\n')
    at--;
  if (at == NULL || sscanf(at, "%47[a-z0-9_]: cycle %*u, %15s %79[^[:\n]", unit, what, field) != 3)
    return false;
  snprintf(f->kind, sizeof f->kind, "%s", strcmp(what, "output") == 0 ? "port" : what);
  snprintf(f->unit, sizeof f->unit, "%s", unit);
  snprintf(f->field, sizeof f->field, "%s", field);
  return true;
}

/* A process that a limit or a signal has ended. */
static bool of_process(const struct experiment_result *r, struct regress_failure *f) {
  if (strcmp(r->status, "failed") != 0)
    snprintf(f->kind, sizeof f->kind, "%s", r->status);
  else if (r->signal != 0)
    snprintf(f->kind, sizeof f->kind, "signal %d", r->signal);
  return *f->kind != '\0';
}

void regress_place(struct regress_case *c) {
  struct regress_failure *f = &c->failure;
  const struct experiment_result *r = c->result;
  const json_t *failure = json_object_get(r->json, "failure");
  const char *kind = json_string_value(json_object_get(failure, "kind")),
             *where = json_string_value(json_object_get(failure, "where")),
             *status = json_string_value(json_object_get(r->json, "status"));
  if (of_process(r, f))
    return;
  if (kind != NULL) {
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    where = where != NULL ? where : "";
    if (strcmp(kind, "assert") != 0 || !of_assertion(where, f))
      split(where, f);
    return;
  }
  if (c->run->settings.kind == EXPERIMENT_UNIT && of_unit_test(r->error != NULL ? r->error : "", f))
    return;
  if (status != NULL && strcmp(status, "unexpected") == 0)
    snprintf(f->kind, sizeof f->kind, "result");
  else
    snprintf(f->kind, sizeof f->kind, "%s", experiment_kinds[c->run->settings.kind]);
  if (c->run->settings.special.unit != NULL)
    snprintf(f->unit, sizeof f->unit, "%s", c->run->settings.special.unit);
  if (c->run->settings.kind == EXPERIMENT_FAULT)
    snprintf(f->field, sizeof f->field, "%s", c->run->settings.special.fault->name);
}

void regress_place_text(const struct regress_failure *f, char *text, size_t size) {
  snprintf(text, size, "%s%s%s%s%s", f->kind, *f->unit != '\0' || *f->field != '\0' ? " " : "",
           f->unit, *f->unit != '\0' && *f->field != '\0' ? "." : "", f->field);
}

bool regress_is_expected(const struct experiment_run *run, const struct experiment_result *result) {
  struct regress_case c = {.run = run, .result = result};
  char place[200];
  regress_place(&c);
  regress_place_text(&c.failure, place, sizeof place);
  return run->settings.place == NULL || strcmp(run->settings.place, place) == 0;
}
