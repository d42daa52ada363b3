/* Pages of HTML: texts, and the style sheet of all pages. */
#ifndef TANDEM_UTIL_HTML_H
#define TANDEM_UTIL_HTML_H

#include <stdio.h>

/* The head of a page that needs nothing else, with its heading. */
void html_head(FILE *out, const char *title);

/* Writes a text with `&<>"` escaped and control characters replaced by blanks. */
void html_text(FILE *out, const char *text);

#endif
