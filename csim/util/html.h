/* Pages of HTML: texts, and the style sheet of all pages. */
#ifndef TANDEM_UTIL_HTML_H
#define TANDEM_UTIL_HTML_H

#include <stdio.h>

/* The head of a page that needs nothing else, with its heading. */
void html_head(FILE *out, const char *title);

/* With so many decimals, and commas between thousands; a dash for what is not a number. */
void html_number(FILE *out, double value, int decimals);

/* Writes HTML with a text (%s, escaped; %r, as it is), a whole number (%u), a double (%g, or a
 * digit: that many decimals, as html_number has it) in the place of each %. */
void html_write(FILE *out, const char *format, ...);

/* Writes a text with `&<>"` escaped and control characters replaced by blanks. */
void html_text(FILE *out, const char *text);

#endif
