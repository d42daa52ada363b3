#!/usr/bin/env bash
# Proves that a unit of two revisions does the same, or finds inputs for which it does not, by yosys and yosys-abc:
#
#   equal.sh BEFORE AFTER GENERATED UNIT SECONDS FRAMES FILE
#
# BEFORE, AFTER: the sources of both; GENERATED: a build's folder generated/csim/ports, whose miter drives both units;
# SECONDS, FRAMES: the bounds (miter.sh).
#
# FILE: "equal" (proved), "differs N" (the outputs do in cycle N; lines "CYCLE INPUT=VALUE ..." follow, without inputs
# that are 0; cycle 0 is the reset), "open N" (no difference in N cycles), or "open" and the reason.
set -euo pipefail
export LC_ALL=C
before=$1 after=$2 generated=$3 unit=$4 seconds=$5 frames=$6 file=$7
. "${0%/*}/miter.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() {
  printf '%s\n' "$@" >"$file.part"
  mv "$file.part" "$file"
  exit 0
}
# said: the line of yosys' log that says why it ended.
said() { grep -m 1 ERROR "$work/yosys.log" || tail -n 1 "$work/yosys.log"; }

# elaborate ROOT NAME OPTIONS COMMANDS: the unit of a revision, under a name.
elaborate() {
  root=$1
  . "$root/tests/units.sh"
  local parameters sources=() source
  parameters=$(parameters_of "$unit" | sed -E "s/([A-Za-z]+)=([0-9]+)/chparam -set \\1 \\2 $unit;/g")
  mkdir "$work/$2"
  for source in $(texts "$unit $unit" | cut -f 2 | grep -v tandem_pkg | sort); do
    with_clock "$root/$source" >"$work/$2/${source##*/}"
    sources+=("$work/$2/${source##*/}")
  done
  yosys -q -p "
    read_verilog -sv $3 -noautowire $root/rtl/tandem_pkg.sv ${sources[*]}
    $parameters
    hierarchy -check -top $unit
    proc
    flatten
    $4
    rename -top $2
    write_rtlil $work/$2.il
  " >"$work/yosys.log" 2>&1
}
elaborate "$before" unit -formal "chformal -assert2assume" && elaborate "$after" mutant "" "" ||
  verdict "open" "it is not elaborated: $(said)"
make_model "read_rtlil $work/unit.il; read_rtlil $work/mutant.il" "$generated/${unit}_miter.sv" "$after" || true
[[ -s $work/model.aig ]] || verdict "open" "the units cannot be compared: $(said)"

# The shortest way to a difference: "differs N" and the inputs, a line a cycle.  The miter's output is two cycles behind
# the difference.  abc numbers the inputs piN as the model does, in whose symbols their names are.
witness() {
  abc "$work/model.aig" "fold; strash; bmc3 -F $(($1 + 1)); write_cex -n $work/cex"
  grep -aoE "i[0-9]+ [a-z0-9_]+(\[[0-9]+\])?$" "$work/model.aig" >"$work/names"
  awk '
    FILENAME ~ /names$/ { name[substr($1, 2) + 0] = $2; next }
    match($0, /LENGTH: [0-9]+/) { length_of = substr($0, RSTART + 8) - 3 }
    /^pi[0-9]+@/ {
      split(substr($0, 3), part, /[@=]/)
      input = name[part[1] + 0]
      bit = 0
      if (match(input, /\[[0-9]+\]$/)) {
        bit = substr(input, RSTART + 1, RLENGTH - 2)
        input = substr(input, 1, RSTART - 1)
      }
      if (input == "step_i" || part[2] > length_of) next
      if (!(input in known)) { known[input]; order[n++] = input }
      if (part[3] == 1) {
        digit[part[2], input, int(bit / 4)] += 2 ^ (bit % 4)
        if (int(bit / 4) > top[part[2], input]) top[part[2], input] = int(bit / 4)
        some[part[2], input]
      }
    }
    END {
      print "differs " length_of
      for (cycle = 0; cycle <= length_of; cycle++) {
        line = cycle
        for (i = 0; i < n; i++)
          if ((cycle, order[i]) in some) {
            line = line " " order[i] "=0x"
            for (d = top[cycle, order[i]] + 0; d >= 0; d--) line = line sprintf("%x", digit[cycle, order[i], d])
          }
        print line
      }
    }' "$work/names" "$work/cex"
}
equal() { verdict equal; }
different() { verdict "$(witness "$1")"; }
judge_model
verdict "open ${bound:-0}"
