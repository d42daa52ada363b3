/* Pages of HTML: texts, and the style sheet of all pages. */
#ifndef TANDEM_UTIL_HTML_H
#define TANDEM_UTIL_HTML_H

#include <stdio.h>

/* The style sheet, for a page's <style>. */
extern const char html_style[];

/* Writes a text with `&<>"` escaped and control characters replaced by blanks. */
void html_text(FILE *out, const char *text);

#endif
