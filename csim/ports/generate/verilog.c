/* Lists of a module's ports, for SystemVerilog modules around it or bound into it.  Types are those
 * of the module's header, with its parameters, which the includer has too. */
#include <ctype.h>
#include <string.h>

#include "csim/ports/generate/write.h"

/* The first line of the ports in the text of a module's file; NULL: there is no such module. */
static const char *ports_of(const char *rtl, const char *unit) {
  char start[100];
  snprintf(start, sizeof start, "\nmodule %s ", unit);
  const char *p = strstr(rtl, start);
  p = p != NULL ? strchr(p, '(') : NULL;
  if (p != NULL && p[-1] == '#') { /* parameters */
    p = strstr(p, "\n) (");
    p = p != NULL ? p + 3 : NULL;
  }
  return p != NULL ? strchr(p, '\n') : NULL;
}

/* A line "input logic [7:0] name_i,  // comment" without its end; returns the length. */
static size_t declaration(const char *line) {
  const size_t whole = strcspn(line, "\n");
  size_t n = 0;
  while (n < whole && strncmp(line + n, "//", 2) != 0)
    n++;
  while (n > 0 && (isspace((unsigned char)line[n - 1]) || line[n - 1] == ','))
    n--;
  return n;
}

static void write_port(FILE *out, enum port_list list, const char *type, size_t n, bool first) {
  if (list == LIST_OUTPUTS)
    fprintf(out, "  %.*s;\n", (int)n, type);
  else
    fprintf(out, "  %sinput %.*s\n", first ? "" : ", ", (int)n, type);
}

void write_port_list(FILE *out, const char *rtl, const char *unit, enum port_list list) {
  const char *line = ports_of(rtl, unit);
  bool first = true;
  fprintf(out, "// Ports of %s, from its header.\n", unit);
  while (line != NULL && (line = strchr(line, '\n')) != NULL && strncmp(++line, ");", 2) != 0) {
    const char *p = line + strspn(line, " ");
    const bool input = strncmp(p, "input ", 6) == 0, output = strncmp(p, "output ", 7) == 0;
    if (*p == '`')
      fprintf(out, "%.*s\n", (int)strcspn(p, "\n"), p);
    if (list == LIST_ALL ? input || output : list == LIST_INPUTS ? input : output) {
      const char *type = p + (input ? 6 : 7);
      type += strspn(type, " ");
      write_port(out, list, type, declaration(type), first);
      first = false;
    }
  }
}
