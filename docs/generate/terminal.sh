#!/usr/bin/env bash
# docs/images/report.svg: the report of a real run with a deliberate fault, as a picture of a terminal.
#
#   terminal.sh ROOT TANDEM            writes the picture
#   terminal.sh ROOT TANDEM --check    exit status 1 if the picture has another text
set -euo pipefail
export LC_ALL=C.UTF-8
root=$1 tandem=$2
fault='missed WAR' # its kind in the lists of seeded faults, rtl/*.def and rtl/*/*.def
kernel=tests/kernels/matmul/matmul.yaml
picture=$root/docs/images/report.svg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number=$(find "$root/rtl" -name '*.def' -exec sed -nE "s/^[A-Z]+\\( *([0-9]+),.*\"$fault\",.*/\\1/p" {} + | head -n 1)
[[ $number ]] || {
  echo "the RTL has no fault \"$fault\"" >&2
  exit 2
}
cd "$work"
ln -s "$root/tests" tests # the run names files from its folder
status=0
"$tandem" run "$kernel" --bug "$number" >output 2>&1 || status=$?
((status == 1)) || {
  cat output >&2
  echo "the run ended with exit status $status, not 1" >&2
  exit 1
}

# Its head, its last three instructions, its end.
{
  printf '$ ./tandem run %s --bug %s\n' "$kernel" "$number"
  sed '/^$/q' output | sed '/^$/d'
  echo '  ...'
  grep -E '^ +[0-9]+ both ' output | tail -n 3
  grep -E '^waveform: ' output
} >text

rows=$(wc -l <text) columns=$(awk '{ if (length > n) n = length } END { print n }' text)
width=$((columns * 73 / 10 + 34)) height=$((rows * 18 + 56))
{
  cat <<SVG
<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height">
  <title>A mismatch report of Tandem</title>
  <style>
    text { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; fill: #d6dee8; white-space: pre }
    .command { fill: #8ddb8c }
    .first { fill: #ff9492; font-weight: bold }
    .rtl { fill: #ffb86b }
    .ref { fill: #8cc7ff }
    .dim { fill: #8b949e }
  </style>
  <rect width="$width" height="$height" rx="8" fill="#161b22"/>
  <circle cx="18" cy="16" r="5" fill="#ff5f57"/><circle cx="36" cy="16" r="5" fill="#febc2e"/><circle cx="54" cy="16" r="5" fill="#28c840"/>
SVG
  awk '{
    class = /^\$/ ? "command" : NR == 2 ? "first" : /^  (RTL|differing) / ? "rtl" : /^  reference / ? "ref" : \
      /^(  \.\.\.|waveform)/ ? "dim" : ""
    gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;")
    printf "  <text%s x=\"16\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", class ? " class=\"" class "\"" : "", NR * 18 + 30, $0
  }' text
  echo '</svg>'
} >picture

if [[ ${3-} == --check ]]; then
  diff "$picture" picture || {
    echo "docs/images/report.svg shows another report: docs/generate/terminal.sh . build/bin/tandem" >&2
    exit 1
  }
else
  cp picture "$picture"
fi
