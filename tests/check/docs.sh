#!/usr/bin/env bash
# The documentation (docs/*.md, README.md and other pages) can be relied on and read:
#   - what it names exists: targets of relative links, headings that links name, and paths in code
#     spans that start with a folder of the tree;
#   - the pages that sources name exist (a patch may bring its own), and the sources that comments name;
#   - every page in docs is reached by links from README.md;
#   - lines have less than 120 characters, those of tables and code excepted;
#   - no sentence begins with What; by hand none begins with Of, Those, As, Who, So many or Whether;
#   - a page that is written by hand has at most 300 lines, and all of them have at most 70,000 words, enough
#     for three architectures and a look inside of runs.  Generated are docs/reference with
#     its introductions (docs/generate), docs/results/figures.md, and tables between "<!-- NAME: written by" and "<!-- end of".
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"
export LC_ALL=C.UTF-8
status=0
complain() {
  echo "$1"
  status=1
}

# The lines of a page outside of code, the others empty, so that line numbers stay.
text() { awk '/^```/ { code = !code; print ""; next } { print code || /^    / ? "" : $0 }' "$1"; }

# The names by which links know a page's headings.
anchors() { text "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'; }

links() { text "$1" | grep -oP '\]\(\K[^)\s]+' | grep -vE '^(https?:|mailto:)' || true; }

# The page that a link leads to: PAGE LINK, without a heading.
target() {
  local to=${2%%#*}
  if [[ -z $to ]]; then echo "$1"; else realpath -m --relative-to=. "$(dirname "$1")/$to"; fi
}

mapfile -t pages < <(sources '*.md')
tops=$(find . -maxdepth 1 -type d ! -name '.*' ! -name 'build*' -printf '%f\n' | paste -sd'|')
declare -A leads
for page in "${pages[@]}"; do
  while read -r link; do
    to=$(target "$page" "$link")
    leads[$page]+="$to "
    if [[ ! -e $to ]]; then
      complain "$page: link to $link, which does not exist"
    elif [[ $link == *.md#* || $link == '#'* ]] && ! grep -qxF -- "${link#*#}" < <(anchors "$to"); then
      complain "$page: link to $link, a heading that does not exist"
    fi
  done < <(links "$page")
  # <unit> and * stand for any name; braces as the shell's.
  while read -r path; do
    pattern=$(sed -e 's/<[^>]*>/*/g' <<<"$path")
    compgen -G "$pattern" >/dev/null || complain "$page: names $path, which does not exist"
  done < <(grep -oP '`\K[^`\s]+(?=`)' "$page" | grep -E "^($tops)/" | grep -v '[{}]' || true)
  while read -r line; do
    complain "$page:$line: 120 characters or more"
  done < <(text "$page" | grep -nP '^(?!\|).{120}' | cut -d: -f1 || true)
  while read -r line; do
    complain "$page:$line: a sentence that begins with \"What\""
  done < <(text "$page" | grep -nP '^(?!#)(.*[.:;?!|*] |\s*)\W?What\b' | cut -d: -f1 || true)
  case $page in docs/reference/* | docs/results/figures.md | docs/results/mutation.md) continue ;; esac
  while read -r line; do
    complain "$page:$line: a sentence that begins with Of, Those, As, Who, So many or Whether"
  done < <(text "$page" | grep -nP '[.?!] (Of|Those|As|Who|So many|Whether) ' | cut -d: -f1 || true)
done

while read -r page; do
  [[ -e ${page##*:} ]] || complain "${page%:*}: names ${page##*:}, which does not exist"
done < <(sources '*' | grep -vE '\.(md|patch)$' | xargs grep -oHIE '\bdocs/[a-z_/]+\.md\b' | sort -u)

# Files that comments name, but for those of other programs, of the compiler's driver and of a build;
# X stands for any unit.
outside=' dirent.h spu.h linked.c fast.cpp slow.cpp file.sv csim/ports/all.h csim/ports/pins.h '
while read -r place name; do
  [[ $outside == *" $name "* || ${name##*/} == X[._]* ]] || complain "$place: names $name, which does not exist"
done < <(sources '*.c' '*.h' '*.cpp' '*.sv' '*.def' '*.inc' | xargs awk '
  {
    text = $0
    if (!match(text, /\/\*|\/\/|^ *\* /)) next
    text = substr(text, RSTART)
    while (match(text, /(^|[ (,;:])[A-Za-z_][A-Za-z0-9_\/]*\.(c|h|sv|cpp|def|inc)([^A-Za-z0-9_*]|$)/)) {
      name = substr(text, RSTART, RLENGTH)
      gsub(/^[ (,;:]|[^A-Za-z0-9_]$/, "", name)
      print FILENAME ":" FNR, name
      text = substr(text, RSTART + RLENGTH - 1)
    }
  }' | awk '
  NR == FNR {
    n = split($0, part, "/")
    name = ""
    for (i = n; i > 0; i--) known[name = part[i] (name != "" ? "/" name : "")] = 1
    next
  }
  !($2 in known)' <(sources '*') -)

words=0
for page in "${pages[@]}"; do
  case $page in docs/reference/* | docs/generate/* | docs/results/figures.md) continue ;; docs/*) ;; *) continue ;; esac
  read -r lines more < <(awk '
    /^<!-- .*: written by/ { generated = 1 }
    !generated { lines++; words += NF }
    /^<!-- end of/ { generated = 0 }
    END { print lines + 0, words + 0 }' "$page")
  ((lines <= 300)) || complain "$page: $lines lines, more than 300"
  words=$((words + more))
done
((words <= 70000)) || complain "docs: the pages written by hand have $words words, more than 70000"

declare -A reached
waiting=(README.md)
while ((${#waiting[@]})); do
  page=${waiting[0]}
  waiting=("${waiting[@]:1}")
  [[ -n ${reached[$page]:-} ]] && continue
  reached[$page]=1
  for to in ${leads[$page]:-}; do [[ $to == *.md ]] && waiting+=("$to"); done
done
for page in "${pages[@]}"; do
  [[ $page != docs/* || $page == docs/generate/* || -n ${reached[$page]:-} ]] || complain "$page: no link leads here"
done
exit $status
