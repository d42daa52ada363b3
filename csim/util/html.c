/* HTML: escaped texts, and the style sheet of all pages. */
#include "csim/util/html.h"

void html_text(FILE *out, const char *text) {
  for (const char *s = text; *s != '\0'; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '&')
      fputs("&amp;", out);
    else if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '"')
      fputs("&quot;", out);
    else
      fputc((c < ' ' && c != '\n') || c == 0x7f ? ' ' : c, out);
  }
}

/* Light and dark, on a telephone and on paper (always light there).  Colours tell baseline (blue)
 * from added logic (orange); text keeps a contrast of 4.5 to its background. */
const char html_style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#c9d1d9;"
    "--band:#f3f5f7;--base:#a9c8e8;--base1:#6fa0d3;--base2:#3f72ab;"
    "--added:#f6a94a;--added1:#d9822b;--added2:#a85a12;--link:#0550ae}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--bg:#13171b;--fg:#e6e9ec;--dim:#a5afb9;"
    "--line:#3b434b;--band:#1c2228;--base:#29496b;--base1:#3f72ab;--base2:#7fb0e0;"
    "--added:#8f4b0b;--added1:#c56f1a;--added2:#f0ae62;--link:#79b8ff}}\n"
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
    ".tile,.part0{fill:var(--base);background:var(--base)}"
    ".part1{fill:var(--base1);background:var(--base1)}"
    ".part2{fill:var(--base2);background:var(--base2)}\n"
    ".tile.grown,.tile.added,.part0.grown,.part0.added{fill:var(--added);background:var(--added)}"
    ".part1.grown,.part1.added{fill:var(--added1)}.part2.grown,.part2.added{fill:var(--added2)}\n"
    ".key{display:inline-block;width:.9em;height:.9em;margin-left:.6em;vertical-align:-.1em}\n"
    ".bar{display:grid;grid-template-columns:14rem 1fr 6.5rem;gap:.5rem;align-items:center;"
    "margin:.15rem 0}.bar span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    ".bar svg{width:100%;height:1.1em}.bar b{text-align:right;font-weight:400;"
    "font-variant-numeric:tabular-nums}\n"
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
    "svg text.wide{display:none}.bar{grid-template-columns:1fr auto;gap:0 .5rem}"
    ".bar svg{grid-column:1/3;grid-row:2}}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}.treemap{height:15cm}"
    "svg,.key,.mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}"
    "figure,tr{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}"
    "table{font-size:7pt}th,td{padding:.1rem .25rem}th:first-child,td:first-child{position:static}"
    "a{color:inherit;text-decoration:none}pre{white-space:pre-wrap}}\n";
