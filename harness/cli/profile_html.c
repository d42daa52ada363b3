/* Profiles as a page of HTML: the source as a heat map, then the instructions. */
#include <inttypes.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "csim/util/html.h"
#include "harness/cli/profile.h"

/* Causes that a kernel has slots of, bit c for code c, without `issued`. */
static uint32_t causes_of(const struct gpu_profile_row *total) {
  uint32_t set = 0;
  for (unsigned i = 0; i < STALL_CODES; i++)
    set |= (uint32_t)(i != STALL_NONE && total->sm.stalls[i] != 0) << i;
  return set;
}

static void head(FILE *out, const char *first, const char *second, uint32_t causes) {
  html_write(out, "<div class=\"scroll\"><table>\n<tr><th>%s</th><th class=\"text\"></th>", first);
  if (second != NULL)
    html_write(out, "<th class=\"text\">%s</th>", second);
  fputs("<th>waiting</th>", out);
  for (size_t c = 0; c < profile_ncolumns; c++)
    html_write(out, "<th title=\"%s\">%s</th>", profile_columns[c].text, profile_columns[c].title);
  for (uint32_t left = causes; left != 0; left &= left - 1) {
    const struct stall_desc *s = &stalls[__builtin_ctz(left)];
    html_write(out, "<th title=\"%s\">%s</th>", s->text, s->title);
  }
  fputs("</tr>\n", out);
}

static void cell(FILE *out, uint64_t value) {
  if (value == 0)
    fputs("<td></td>", out);
  else
    html_write(out, "<td>%0</td>", (double)value);
}

static void code(FILE *out, const char *text) {
  html_write(out, "<td class=\"text\"><code style=\"white-space:pre\">%s</code></td>", text);
}

/* The background of a row tells its share of the slots that are waited for. */
static void row(FILE *out, const char *name, const char *text, const char *ptx,
                const struct gpu_profile_row *r, const struct gpu_profile_row *total,
                uint32_t causes) {
  const uint64_t all = profile_waits(total), waits = profile_waits(r);
  const double share = all != 0 ? (double)waits / (double)all : 0;
  fprintf(out, "<tr style=\"background:rgba(217,130,43,%.3f)\">", 0.75 * share);
  html_write(out, "<td>%s</td>", name);
  code(out, text);
  if (ptx != NULL)
    code(out, ptx);
  if (waits != 0)
    html_write(out, "<td>%1 %%</td>", 100 * share);
  else
    fputs("<td></td>", out);
  for (size_t c = 0; c < profile_ncolumns; c++)
    cell(out, profile_value(r, c));
  for (uint32_t left = causes; left != 0; left &= left - 1)
    cell(out, r->sm.stalls[__builtin_ctz(left)]);
  fputs("</tr>\n", out);
}

static void sources(FILE *out, const struct gpu_profile_kernel *k,
                    const struct gpu_profile_row *total, uint32_t causes) {
  struct profile_lines l;
  if (!profile_lines(k, true, &l))
    return;
  head(out, "line", NULL, causes);
  for (size_t i = 0; i < l.n; i++) {
    const struct profile_line *line = &l.line[i];
    row(out, line->place != 0 ? line->name : "no line", line->text != NULL ? line->text : "", NULL,
        &line->row, total, causes);
  }
  row(out, "no instruction", "", NULL, &k->none, total, causes);
  fputs("</table></div>\n", out);
  profile_lines_free(&l);
}

static void instructions(FILE *out, const struct gpu_profile_kernel *k,
                         const struct gpu_profile_row *total, uint32_t causes) {
  fputs("<details><summary>Instructions</summary>\n", out);
  struct isa_ptx_line line = {0};
  const bool known = k->program->ptx != NULL;
  head(out, "PC", known ? "PTX" : NULL, causes);
  for (uint32_t pc = k->entry; pc < k->end; pc++) {
    char name[300], where[256] = "", text[ISA_TEXT];
    char ptx[PROFILE_PTX], beside[PROFILE_PTX + 16] = "";
    isa_disasm(k->uops[pc].word, text);
    if (pc >= k->program->ncode || !isa_program_line(k->program, pc, where, sizeof where))
      where[0] = '\0';
    snprintf(name, sizeof name, "%" PRIu32 " %s", pc, where);
    if (isa_program_ptx(k->program, pc, &line, ptx, sizeof ptx))
      snprintf(beside, sizeof beside, "%" PRIu32 ": %s", line.number, ptx);
    row(out, name, text, known ? beside : NULL, &k->rows[pc - k->entry], total, causes);
  }
  fputs("</table></div>\n</details>\n", out);
}

void profile_html(FILE *out, const struct tandem *t) {
  html_head(out, "Profile");
  fputs(
      "<p class=\"note\">A slot is one scheduler's cycle. The colour of a line is its share of the "
      "slots in which nothing was issued.</p>\n",
      out);
  for (size_t i = 0; i < gpu_profile_kernels(t); i++) {
    const struct gpu_profile_kernel *k = gpu_profile_kernel(t, i);
    const struct gpu_profile_row total = profile_total(k);
    const uint32_t causes = causes_of(&total);
    html_write(out, "<h2>%s</h2>\n<p>Launches: %0; cycles: %0</p>\n", k->name, (double)k->launches,
               (double)k->cycles);
    sources(out, k, &total, causes);
    instructions(out, k, &total, causes);
  }
  fputs("</body>\n</html>\n", out);
}
