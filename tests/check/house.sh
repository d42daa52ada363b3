#!/usr/bin/env bash
# Rules of the house that a reader feels: no source file above 600 lines, no tabs (but in
# makefiles), no blanks at line ends, no notes to oneself left behind; each C, C++ and SystemVerilog
# file opens with a comment that says what it is; comments begin with their subject and name files
# that exist.
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"
status=0
complain() {
  echo "$1"
  status=1
}
mapfile -t files < <(sources '*')
for file in "${files[@]}"; do
  case $file in *.md) ;; *)
    lines=$(wc -l <"$file")
    ((lines <= 600)) || complain "$file: $lines lines; at most 600"
    ;;
  esac
done
if grep -nP '\t|[ \t]+$' "${files[@]}"; then complain "tabs or blanks at line ends"; fi
if grep -nE "\\b(TO""DO|FIX""ME|XX""X)\\b" "${files[@]}"; then complain "notes left behind"; fi
# Each file of tests/rtl/broken is one construct, named after it.
while read -r file; do
  case $(head -n 1 "$file") in '/*'*[a-z]* | '//'*[a-z]*) ;; *)
    complain "$file: does not open with a comment that says what it is"
    ;;
  esac
done < <(sources '*.c' '*.h' '*.cpp' '*.sv' | grep -v '^tests/rtl/broken/')

# Assertions of the RTL have names, which reports show.
mapfile -t rtl < <(sources 'rtl/*.sv')
if awk '{ sub(/ *\/\/.*/, "") }
  /assert \(/ && !/([a-z0-9_]+:|begin : [a-z0-9_]+) +assert \(/ && before !~ /begin : [a-z0-9_]+$/ { print FILENAME ":" FNR ":" $0 }
  NF > 0 { before = $0 }' "${rtl[@]}" | grep .; then
  complain "assertions without a name: name: assert (...), or in a loop, begin : name before it"
fi

# Prose of comments.
mapfile -t prose_files < <(sources '*.c' '*.h' '*.cl' '*.cpp' '*.def' '*.inc' '*.sv')
comments() { grep -HnoP '(/\*(?!/)|//|^ +\* ).*' "${prose_files[@]}"; }
mapfile -t script_files < <(sources '*.sh' '*.awk' '*.jq' '*.tcl' '*.cmake' '*CMakeLists.txt' '*.yaml' .ci/run tandem)
# First lines of comments that begin with #, and those behind code.
script_comments() {
  awk '{ whole = /^ *#[^!]/ }
    (!whole || !before || FNR == 1) && match($0, /(^| )# .*/) { print FILENAME ":" FNR ":" substr($0, RSTART) }
    { before = whole }' "${script_files[@]}"
}
if { comments; script_comments; } | grep -P '(/\*+|//|\d: ?#) *(Of|Those|As|Who|So many|Whether|What)\b|[.:] +What '; then
  complain 'comments that begin with one of the words "Of, Those, As, Who, So many, Whether, What": name the subject'
fi
# A comment names files that exist, by their path or the end of it; <...> is a header of the system,
# or stands for a name, as %s does.
while IFS=: read -r place line name; do
  complain "$place:$line: the comment names $name, which does not exist"
done < <(comments | sed 's/<[a-z0-9/]*\.h>//g; s/\(<[a-zA-Z]*>\|%s\)[^ ,]*//g' |
  grep -oP '^[^:]*:\d+|[\w./-]*\w\.(c|h|sv|def)\b' |
  awk 'NR == FNR { for (path = $0; path != ""; path = sub("^[^/]*/", "", path) ? path : "") there[path]; next }
       /:[0-9]+$/ { place = $0; next }
       !($0 in there) { print place ":" $0 }' <(sources '*.c' '*.h' '*.sv' '*.def') -)
exit $status
