#!/usr/bin/env bash
# The example of docs/adding.md is true: its patch, on a copy of the tree, gives a unit that is built,
# tested, compared in a machine and reported when it is wrong, and touches few files.
#
#   adding.sh ROOT BUILD    BUILD: folder of the copy and its build, kept for the next time
#
# When this fails because the tree has changed, take the example along, in a tree without changes:
#
#   patch -p1 <tests/adding/activity_meter.patch     (what does not apply is in *.rej)
#   mend it by docs/adding.md, until its tests pass
#   git add -AN . && git -c diff.suppressBlankEmpty=true diff -- . ':!docs/reference/units.md' >/tmp/example.patch
#   git stash -u && mv /tmp/example.patch tests/adding/activity_meter.patch
set -euo pipefail
root=$1 build=$2
unit=activity_meter fault=19
most=5 # existing files that a unit may touch
tree=$build/tree
. "$root/tests/check/files.sh"

fail() {
  echo "$*"
  exit 1
}
# quietly WHAT COMMAND...: its output only if it fails.
quietly() {
  local what=$1
  shift
  "$@" >"$build/log" 2>&1 && return
  cat "$build/log"
  fail "$what; how to take the example along with a change of the tree: tests/adding/adding.sh"
}

mkdir -p "$build"
rm -rf "$tree" && mkdir "$tree"
(cd "$root" && sources '*') >"$build/files"
tar -C "$root" -c -T "$build/files" | tar -C "$tree" -x
quietly "the example does not apply" \
  patch -d "$tree" -p1 --no-backup-if-mismatch -i "$root/tests/adding/$unit.patch"

quietly "the example does not configure" cmake -S "$tree" -B "$build/build" -G Ninja \
  "-DTANDEM_DIRS=csim/ports;csim/util;csim/isa;csim/mem;csim/sm;csim/iss;csim/ref;harness;tests/unit;tests/rtl"
quietly "the example does not build" ninja -C "$build/build" tandem boundary units_page test_$unit
quietly "a test of the example's unit fails" ctest --test-dir "$build/build" --output-on-failure -LE slow \
  -R "^((test|faults|netlist|boundary|lint|lint_faults)_$unit|rtl_bugs_list|units_page)\$"

# A kernel in lockstep compares each output and state of the unit.
tandem=$build/build/bin/tandem kernel=$tree/tests/kernels/vecadd/vecadd.yaml
quietly "a kernel fails with the example" "$tandem" run --verbose "$kernel"
compared=$(awk -v unit=$unit '$1 == unit && $3 > 0 { n++ } END { print n + 0 }' "$build/log")
lines=$(grep -cE '^(PORT_OUT|STATE)\(' "$tree/csim/ports/meter/$unit.def")
((compared == lines)) || fail "$compared outputs and states of $unit were compared, not $lines"

# A fault in it is reported as that of any unit.
status=0
"$tandem" run --bug $fault --report-dir "$build" "$kernel" >"$build/log" 2>&1 || status=$?
((status == 1)) || fail "fault $fault ended the run with exit status $status, not 1"
for words in "mismatch: the GPU, port $unit.issued: RTL 0x" "unit          $unit of the GPU" \
  "cycles of the GPU ($unit)" "waveform: $build/mismatch-$unit-cycle" "reproduce: "; do
  grep -qF -- "$words" "$build/log" || { cat "$build/log" && fail "the report lacks \"$words\""; }
done

# The page of all units is written by units_page.
touched=$(while read -r file; do cmp -s "$root/$file" "$tree/$file" || echo "$file"; done <"$build/files" |
  grep -vx docs/reference/units.md)
count=$(wc -l <<<"$touched")
printf 'existing files touched: %s\n%s\n' "$count" "$touched"
((count <= most)) || fail "a unit may touch $most existing files"
