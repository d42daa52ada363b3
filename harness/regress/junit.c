/* Verdicts as JUnit XML, with the elements and attributes that `ctest --output-junit` writes. */
#include <string.h>
#include <time.h>

#include "csim/util/html.h"
#include "harness/regress/regress.h"

static const char *status(const struct regress_case *c) {
  return regress_bad(c) ? "fail" : c->verdict == REGRESS_MISSING ? "notrun" : "run";
}

static void one(FILE *out, const struct regress_case *c) {
  char place[200], seconds[32];
  snprintf(seconds, sizeof seconds, "%.6f", c->result->wall_s);
  html_write(out, "\t<testcase name=\"%s\" classname=\"%s\" time=\"%s\" status=\"%s\">\n",
             c->run->name, c->run->at[0]->name, seconds, status(c));
  regress_place_text(&c->failure, place, sizeof place);
  if (regress_bad(c))
    html_write(out, "\t\t<failure message=\"%s: %s\"/>\n", place, c->text != NULL ? c->text : "");
  else if (c->verdict == REGRESS_MISSING)
    html_write(out, "\t\t<skipped message=\"it was not run\"/>\n");
  else if (c->verdict == REGRESS_EXPECTED)
    html_write(out, "\t\t<skipped message=\"it fails as expected: %s\"/>\n",
               c->run->settings.because);
  html_write(out, "\t\t<system-out>%s\n%s</system-out>\n\t</testcase>\n",
             c->result->command != NULL ? c->result->command : "",
             c->result->error != NULL ? c->result->error : "");
}

void regress_junit(FILE *out, const struct regress_report *r) {
  const time_t now = time(NULL);
  struct tm tm;
  char at[32] = "", seconds[32];
  const size_t *n = r->counts;
  if (gmtime_r(&now, &tm) != NULL)
    (void)strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%S", &tm);
  snprintf(seconds, sizeof seconds, "%.6f", r->wall_s);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  html_write(out, "<testsuite name=\"%s\"\n\ttests=\"%u\"\n\tfailures=\"%u\"\n\tdisabled=\"0\"\n",
             r->s->name, (unsigned)r->s->nruns,
             (unsigned)(n[REGRESS_FAILED] + n[REGRESS_UNEXPECTED]));
  html_write(out, "\tskipped=\"%u\"\n\thostname=\"%s\"\n\ttime=\"%s\"\n\ttimestamp=\"%s\"\n\t>\n",
             (unsigned)(n[REGRESS_EXPECTED] + r->s->nruns - n[REGRESS_PASSED] - n[REGRESS_FAILED] -
                        n[REGRESS_UNEXPECTED] - n[REGRESS_EXPECTED]),
             r->revision->host, seconds, at);
  for (size_t i = 0; i < r->s->nruns; i++)
    one(out, &r->cases[i]);
  fputs("</testsuite>\n", out);
}
