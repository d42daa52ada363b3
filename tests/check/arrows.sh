#!/usr/bin/env bash
# Arrows between folders point one way: each #include "..." of a C or C++ file follows the table, and
# no headers include each other in a circle.
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"

# A folder, with its sub-folders that have no line of their own, and the folders or files that it may
# include besides itself.  `.` is the whole tree.
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
csim/sm/timing        csim/sm/sm_config.h csim/isa
csim/sm               csim/sm/timing csim/mem/mem.h csim/isa csim/ports csim/util
csim/sm/wide          csim/sm csim/isa csim/ports csim/util
csim/iss              csim/isa csim/util
csim/ref              csim/isa csim/ports
harness               csim harness/shim/models/models.h harness/gpu/run_stats.def
harness/shim          csim/ports
harness/shim/models   harness/shim csim/ports csim/util
harness/shim/boundary csim/ports csim/util
harness/unit          csim/ports csim/util harness/shim/models/models.h harness/internal.h harness/netlist.h
harness/gpu/energy    csim/isa/core harness/internal.h
harness/gpu           csim rtl harness/gpu harness/unit harness/shim/rtl.h harness/internal.h harness/netlist.h
harness/job           csim harness/gpu
harness/experiment    csim/util harness/tandem.h
harness/activity      csim/ports/netlist.h csim/ports/generate csim/util synth harness/tandem.h harness/netlist.h
rtl
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

arrows=$(includes)
status=0
if grep '#include' <<<"$arrows"; then status=1; fi

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
  {
    from = home($1)
    if (from == "") {
      print $1 ": its folder has no line in the table of tests/check/arrows.sh"
      bad = 1
    } else if (from != home($2)) {
      n = split(allowed[from], item, " ")
      for (k = 1; k <= n && !within($2, item[k]); k++) continue
      if (k > n) {
        print $1 ": " from " may not include " $2
        bad = 1
      }
    }
  }
  END { exit bad }' < <(grep -v '#include' <<<"$arrows") || status=1

if ! circle=$(grep -v '#include' <<<"$arrows" | tsort 2>&1 >/dev/null); then
  echo "these files include each other in a circle:"
  sed -n 's/^tsort: \([^ :]*\)$/  \1/p' <<<"$circle"
  status=1
fi
# Units, reports and the cycle loop serve every feature and name none.
mapfile -t common < <(sources 'harness/unit/*' 'harness/gpu/report/*' harness/gpu/{cell,launch,pace,journal,figures,kernels,statistics,config}.c 'harness/job/*' 'harness/experiment/*')
if grep -nHiE 'buddy|cluster|\bspu|\bflex' "${common[@]}" | grep -v "histogram clustered"; then
  echo "a feature is named where all are alike"
  status=1
fi
exit $status
