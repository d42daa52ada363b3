#!/usr/bin/env bash
# Arrows between folders point one way: each #include "..." of a C or C++ file follows the table, and
# no headers include each other in a circle.  With a build folder, its calls instead: each call of a
# function in another folder follows the same table, and no folders call each other in a circle.
#
#   arrows.sh ROOT [BUILD]
set -euo pipefail
root=$1 build=${2:-}
. "$root/tests/check/files.sh"
cd "$root"

# A folder, with its sub-folders that have no line of their own, and the folders or files that it may
# include besides itself.  It may call the functions of those folders (of a file's folder, where a file is
# named), and what these may call.  `.` is the whole tree.
table='
csim/ports
csim/ports/generate   csim/util
csim/util
csim/isa/core         csim/util
csim/isa/lanes        csim/isa/core csim/util
csim/isa/asm          csim/isa/core
csim/isa/ptx/base     csim/isa/core
csim/isa/ptx/parse    csim/isa/ptx/base
csim/isa/ptx/ir       csim/isa/ptx/base
csim/isa/ptx/select   csim/isa/ptx/ir csim/isa/core
csim/isa/ptx/opt      csim/isa/ptx/ir
csim/isa/ptx/alloc    csim/isa/ptx/ir
csim/isa/ptx/emit     csim/isa/ptx/ir csim/isa/asm
csim/isa/ptx          csim/isa/ptx csim/isa/core
csim/isa/opencl       csim/isa/ptx/ptx.h csim/isa/asm csim/isa/core csim/util
csim/mem/base         csim/isa/core csim/util
csim/mem/net
csim/mem/l2           csim/mem/base csim/mem/net csim/mem/mem.h csim/mem/mem_config.h
csim/mem/l1           csim/mem csim/isa
csim/mem              csim/mem csim/isa csim/util
csim/sm/timing        csim/sm/sm_config.h csim/sm/shape.h csim/isa
csim/sm               csim/sm/timing csim/mem/mem.h csim/isa csim/ports csim/util
csim/sm/lanes         csim/sm csim/isa csim/ports csim/util
csim/iss              csim/isa csim/util
csim/ref              csim/isa csim/ports
harness               harness/shim/models/models.h
harness/shim          csim/ports
harness/shim/models   harness/shim csim/ports csim/util
harness/shim/boundary csim/ports csim/util
harness/unit          csim/ports csim/util harness/shim/models/models.h harness/netlist.h
harness/gpu/host      harness/gpu/config.h harness/unit csim/util
harness/gpu/core      csim harness/gpu/host harness/gpu/config.h harness/gpu/feature.h harness/gpu/faults.h harness/unit harness/tandem.h
harness/gpu/results   csim harness/unit harness/gpu/core harness/gpu/host harness/gpu/energy harness/gpu/config.h harness/gpu/feature.h harness/tandem.h
harness/gpu/energy    csim/isa/core harness/gpu/config.h harness/gpu/results/statistics.h
harness/gpu           csim rtl harness/gpu harness/unit harness/shim/rtl.h harness/tandem.h harness/netlist.h
harness/job           csim harness/gpu
harness/experiment    csim/util csim/ports csim/isa/opencl harness/job/inputs.h harness/gpu/faults.h harness/tandem.h
harness/regress       harness/experiment harness/gpu/faults.h csim/util harness/tandem.h
harness/shrink        harness/regress harness/experiment harness/job harness/gpu csim/isa csim/util harness/tandem.h
harness/random_cl     harness/shrink/cvise.h csim/util
harness/compare       synth harness/experiment harness/shim/models/models.h csim/util harness/tandem.h
harness/activity      csim/ports/netlist.h csim/ports/generate csim/util synth harness/tandem.h harness/netlist.h
rtl                   csim/ports harness/shim
harness/cli           csim harness synth
synth/input           csim/util
synth/model           synth/input csim/util
synth/flow            synth/input synth/model csim/util
synth/report          synth/input synth/model synth/flow csim/util
docs/generate         csim harness
tb                    .
tests                 .
'

# Lines "file header": files that verilation generates are not in the tree and have no arrows.
includes() {
  sources '*.c' '*.h' '*.cpp' '*.def' '*.inc' |
    xargs grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' |
    sed -E 's/^([^:]*):.*"([^"]*)"$/\1 \2/' |
    while read -r file header; do
      if [[ -e $header ]]; then
        echo "$file $header"
      elif [[ -e ${file%/*}/$header ]]; then
        echo "$file: #include \"$header\" names its header by the folder of the file, not of the tree"
      fi
    done
}

# Lines "file file function": who calls whom, by the symbols of the object files.  Data is left out: a
# table of a feature (machine_buddy) is what the file that collects the tables refers to, and the only
# way from a folder to one that stands on it.
calls() {
  jq -r '.[] | (.command | capture(" -o (?<object>[^ ]+) -c ").object) + " " + .file' "$build/compile_commands.json" |
    sed -n "s| $root/| |p" | grep -E ' (csim|harness|synth|docs)/' |
    while read -r object file; do [[ ! -e $build/$object ]] || echo "$build/$object $file"; done >"$work/objects"
  # Files that are one translation unit: an object of each.  Folders of csim/ref call each other.
  jq -r '.[] | select(.file | test("/Unity/") and (test("/csim/ref/") | not)) |
      .file + " " + (.command | sub("^[^ ]*ccache "; "") | sub(" -o .*"; ""))' "$build/compile_commands.json" |
    while read -r unit command; do
      [[ ! -e $unit ]] || sed -n "s|^#include \"\($root/\)\(.*\)\"$|\2|p" "$unit" | while read -r file; do
        echo "$work/${file//\//_}.o $file" >>"$work/objects"
        echo "cd $build && $command -O0 -w -o $work/${file//\//_}.o -c $root/$file"
      done
    done | xargs -P "$(nproc)" -d '\n' -n 1 sh -c
  cut -d' ' -f1 "$work/objects" | xargs -r nm -A |
    awk 'FILENAME != "-" { source[$1] = $2; next }
      { match($1, /:[0-9a-f]*$/); file = source[substr($1, 1, RSTART - 1)] }
      $2 == "T" { of[$3] = of[$3] " " file }
      $2 == "U" { uses[file " " $3] }
      END {
        for (use in uses) {
          split(use, part, " ")
          n = split(of[part[2]], owner, " ")
          if (n > 0 && index(of[part[2]], " " part[1]) == 0)
            print part[1], owner[1], part[2]
        }
      }' "$work/objects" - | sort
}

# Reads lines "file file [function]" and prints those that the table does not allow.
forbidden() {
  awk -v table="$table" '
    BEGIN {
      lines = split(table, line, "\n")
      for (i = 1; i <= lines; i++) {
        items = split(line[i], item, " ")
        for (k = 2; k <= items; k++)
          allowed[item[1]] = allowed[item[1]] " " item[k]
        if (items > 0)
          folders[item[1]]
      }
    }
    function within(path, folder) { return folder == "." || path == folder || index(path, folder "/") == 1 }
    function home(path) {
      while (sub(/\/[^\/]*$/, "", path))
        if (path in folders)
          return path
      return ""
    }
    function includes(from, path, n, item, k) {
      n = split(allowed[from], item, " ")
      for (k = 1; k <= n; k++)
        if (within(path, item[k]))
          return 1
      return 0
    }
    function calls(from, path, n, item, k) { # it, or a folder that it may call
      if (from == "" || seen[from]++)
        return 0
      n = split(allowed[from], item, " ")
      for (k = 1; k <= n; k++) {
        if (item[k] ~ /\.[a-z]+$/)
          sub(/\/[^\/]*$/, "", item[k])
        if (within(path, item[k]) || calls(home(item[k] "/"), path))
          return 1
      }
      return 0
    }
    {
      from = home($1)
      split("", seen)
      if (from == "")
        print $1 ": its folder has no line in the table of tests/check/arrows.sh"
      else if (from != home($2) && !(NF == 3 ? calls(from, $2) : includes(from, $2)))
        print $1 ": " from " may not " (NF == 3 ? "call " $3 " of " : "include ") $2
    }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -n $build ]]; then
  calls >"$work/arrows"
  if [[ ! -s $work/arrows ]]; then
    echo "nothing is built in $build"
    exit 77
  fi
  # The folders of each call.
  awk '{ for (i = 1; i < 3; i++) sub(/\/[^\/]*$/, "", $i) } $1 != $2' "$work/arrows" >"$work/circles"
else
  includes >"$work/all"
  grep '#include' "$work/all" >"$work/wrong" || true
  grep -v '#include' "$work/all" >"$work/arrows"
  # In the rooms of harness/gpu a file and its header are one.
  sed -E 's#^(harness/gpu/(core|host|results)/[a-z_]+)\.c #\1.h #' "$work/arrows" | awk '$1 != $2' >"$work/circles"
fi
forbidden <"$work/arrows" >>"$work/wrong"
if ! circle=$(cut -d' ' -f1,2 "$work/circles" | tsort 2>&1 >/dev/null); then
  [[ -n $build ]] && who="folders call" || who="files include"
  echo "$who each other in a circle:" >>"$work/wrong"
  # tsort names the members of one circle behind the other.
  awk -F': ' 'FILENAME == "-" { if (NF == 2) circle[n, $2]; else n++; next }
    { split($0, arrow, " ") }
    { for (i = 1; i <= n; i++)
        if ((i, arrow[1]) in circle && (i, arrow[2]) in circle) {
          print "  " arrow[1] " -> " arrow[2] (arrow[3] != "" ? ": " arrow[3] : "")
          next
        } }' - "$work/circles" <<<"$circle" >>"$work/wrong"
fi
# Units, reports and the cycle loop serve every feature and name none.
mapfile -t common < <(sources 'harness/unit/*' 'harness/gpu/report/*' 'harness/gpu/host/*' harness/gpu/core/{cell,launch,journal}.c harness/gpu/results/{figures,kernels,statistics}.c harness/gpu/config.c 'harness/job/*' 'harness/experiment/*')
if grep -nHiE 'buddy|cluster|\bspu|\bflex' "${common[@]}" | grep -v "histogram clustered"; then
  echo "a feature is named where all are alike" >>"$work/wrong"
fi
cat "$work/wrong"
[[ ! -s $work/wrong ]]
