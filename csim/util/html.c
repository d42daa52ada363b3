/* HTML: escaped texts, and the style sheet of all pages. */
#include "csim/util/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "csim/util/error.h"

void html_text(FILE *out, const char *text) {
  for (const char *s = text; *s != '\0';) {
    const size_t n = tandem_character(s);
    const char *entity = *s == '&'   ? "&amp;"
                         : *s == '<' ? "&lt;"
                         : *s == '>' ? "&gt;"
                         : *s == '"' ? "&quot;"
                                     : NULL;
    if (entity != NULL)
      fputs(entity, out);
    else if (n == 0 || *s == '\t')
      fputc((unsigned char)*s < 0x80 ? ' ' : '?', out);
    else
      fwrite(s, 1, n, out);
    s += n > 0 ? n : 1;
  }
}

void html_number(FILE *out, double value, int decimals) {
  char text[64];
  if (!isfinite(value) ||
      snprintf(text, sizeof text, "%.*f", decimals, value) >= (int)sizeof text) {
    fputs("\xe2\x80\x93", out);
    return;
  }
  const size_t sign = text[0] == '-';
  const size_t digits = strcspn(text, ".");
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (i > sign && i < digits && (digits - i) % 3 == 0)
      fputc(',', out);
    fputc(text[i], out);
  }
}

void html_write(FILE *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *f = format; *f != '\0'; f++) {
    if (*f != '%')
      fputc(*f, out);
    else if (*++f == 's')
      html_text(out, va_arg(list, const char *));
    else if (*f == 'r')
      fputs(va_arg(list, const char *), out);
    else if (*f == 'u')
      fprintf(out, "%u", va_arg(list, unsigned));
    else if (*f == 'g')
      fprintf(out, "%.10g", va_arg(list, double));
    else if (*f >= '0' && *f <= '9')
      html_number(out, va_arg(list, double), *f - '0');
    else
      fputc(*f, out);
  }
  va_end(list);
}

/* Light and dark, on a telephone and on paper (always light there).  Colours tell baseline (blue)
 * from added logic (orange); text keeps a contrast of 4.5 to its background. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#c9d1d9;"
    "--band:#f3f5f7;--base:#a9c8e8;--added:#f6a94a;--added1:#d9822b;--link:#0550ae}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--bg:#13171b;--fg:#e6e9ec;--dim:#a5afb9;"
    "--line:#3b434b;--band:#1c2228;--base:#29496b;--added:#8f4b0b;--added1:#c56f1a;"
    "--link:#79b8ff}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1100px;padding:1rem;background:var(--bg);color:var(--fg);"
    "font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem;"
    "border-bottom:1px solid var(--line)}\n"
    "a{color:var(--link)}.dim,.note{color:var(--dim)}.note{font-size:.9em}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}"
    "dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\n"
    "figure{margin:1rem 0}figcaption{margin-bottom:.3rem;font-weight:600}\n"
    ".treemap{display:block;width:100%;height:30rem;max-height:75vh}\n"
    "svg text{font-size:12px;fill:var(--fg);pointer-events:none}svg text.dim{opacity:.85}\n"
    ".tile{stroke:var(--bg);stroke-width:1}.box{fill:none;stroke:var(--bg);stroke-width:2}"
    ".box.depth0{stroke:var(--fg);stroke-width:1}.box.depth1{stroke-width:5}"
    ".box.depth2{stroke-width:3}\n"
    ".tile,.key{fill:var(--base);background:var(--base)}\n"
    ".tile.grown,.tile.added,.key.added{fill:var(--added);background:var(--added)}\n"
    ".key{display:inline-block;width:.9em;height:.9em;margin-left:.6em;vertical-align:-.1em}\n"
    ".plot svg{max-width:100%;height:auto;background:#fff}.plot svg text{fill:#000}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:.88em}th,td{padding:.2rem .5rem;border-bottom:1px solid var(--line);"
    "text-align:right;vertical-align:top}th{background:var(--band);font-weight:600}"
    "th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--bg)}"
    "th:first-child{background:var(--band)}td.text,th.text{text-align:left}\n"
    ".mark{display:inline-block;border-radius:.3em;padding:0 .4em;font-size:.85em;"
    "border:1px solid var(--line);color:var(--fg)}.mark.added,.mark.grown{background:var(--added);"
    "border-color:var(--added)}.mark.assumed,.mark.scaled{border-style:dashed}\n"
    "tr:target{outline:2px solid var(--added1)}\n"
    "details{border-bottom:1px solid var(--line)}summary{padding:.3rem 0;cursor:pointer;"
    "overflow-wrap:anywhere}pre{overflow-x:auto;font-size:.8em;margin:.3rem 0 1rem}\n"
    "@media(max-width:640px){body{padding:.6rem;font-size:14px}.treemap{height:34rem}"
    "svg text.wide{display:none}}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}.treemap{height:15cm}"
    "svg,.key,.mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}"
    "figure,tr{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}"
    "table{font-size:7pt}th,td{padding:.1rem .25rem}th:first-child,td:first-child{position:static}"
    "a{color:inherit;text-decoration:none}pre{white-space:pre-wrap}}\n";

void html_head(FILE *out, const char *title) {
  html_write(out,
             "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
             "<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" "
             "content=\"default-src 'none';style-src 'unsafe-inline'\"/>\n<title>%s</title>\n"
             "<style>\n%r</style>\n</head>\n<body>\n<h1>%s</h1>\n",
             title, style, title);
}
