/* A launch as all SMs' checks see it: its CTAs. */
#include "csim/iss/launch.h"

#include <errno.h>
#include <stdlib.h>

#include "csim/iss/launch_local.h"

struct iss_launch *iss_launch_create(unsigned sms, struct tandem_error *err) {
  struct iss_launch *l = calloc(1, sizeof *l);
  if (l != NULL && (l->iss = calloc(sms, sizeof(struct iss *))) != NULL) {
    l->sms = sms;
    return l;
  }
  iss_launch_destroy(l);
  (void)tandem_fail(err, -ENOMEM, "no memory for the check of launches");
  return NULL;
}

void iss_launch_destroy(struct iss_launch *l) {
  if (l == NULL)
    return;
  free(l->run);
  free(l->iss);
  free(l);
}

void iss_launch_join(struct iss_launch *l, struct iss *iss) {
  l->iss[iss->sm] = iss;
  iss->launch = l;
}

int iss_launch_begin(struct iss_launch *l, const struct grid *grid, struct tandem_error *err) {
  free(l->run);
  l->grid = grid;
  l->ran = 0;
  l->run = calloc(grid->ctas, sizeof *l->run);
  return l->run != NULL ? 0 : tandem_fail(err, -ENOMEM, "no memory for the check of a launch");
}

bool iss_launch_ran(struct iss_launch *l, uint64_t number, unsigned sm) {
  if (l->run[number] != 0)
    return false;
  l->run[number] = (uint8_t)(sm + 1);
  l->ran++;
  return true;
}

static bool all_ran(struct iss_launch *l, unsigned *sm) {
  uint64_t number = 0;
  if (l->ran == l->grid->ctas)
    return true;
  while (l->run[number] != 0)
    number++;
  *sm = 0;
  (void)iss_fails(l->iss[0], "CTAs that have run, without", 0, l->grid->kernel->entry,
                  l->grid->ctas, l->ran);
  l->iss[0]->bad.of = "CTA";
  l->iss[0]->bad.at = number;
  return false;
}

bool iss_launch_finish(struct iss_launch *l, unsigned *sm) { return all_ran(l, sm); }
