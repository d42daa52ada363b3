#!/usr/bin/env bash
# Proves that a unit of two revisions does the same, or finds inputs for which it does not, by yosys and yosys-abc:
#
#   equal.sh BEFORE AFTER GENERATED UNIT SECONDS FILE
#
# BEFORE, AFTER: the sources of both; GENERATED: a build's folder generated/csim/ports, whose miter drives both units.
# Both get the same inputs from reset on, as unit and mutant in equivalent.sh: inputs by which an assertion of the
# earlier unit fails are left out; outputs are compared in cycles in which their qualifier of the ports table holds.
# State without a reset begins with 0 in both.
#
# FILE: "equal" (proved), "differs N" (the outputs do in cycle N; lines "CYCLE INPUT=VALUE ..." follow, without inputs that
# are 0; cycle 0 is the reset), "open N" (no difference in N cycles), or "open" and the reason.
set -euo pipefail
export LC_ALL=C
before=$1 after=$2 generated=$3 unit=$4 seconds=$5 file=$6
frames=60
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() {
  printf '%s\n' "$@" >"$file.part"
  mv "$file.part" "$file"
  exit 0
}
limited() { (ulimit -t "$seconds" && exec "$@") || true; }

# elaborate ROOT NAME OPTIONS COMMANDS: the unit of a revision, under a name.  Assertions are read with the clock alone:
# yosys takes no check beside an asynchronous reset.
elaborate() {
  root=$1
  . "$root/tests/units.sh"
  local parameters sources=() source
  parameters=$(parameters_of "$unit" | sed -E "s/([A-Za-z]+)=([0-9]+)/chparam -set \\1 \\2 $unit;/g")
  mkdir "$work/$2"
  for source in $(texts "$unit $unit" | cut -f 2 | grep -v tandem_pkg | sort); do
    sed -e '/^`ifndef SYNTHESIS/,/^`endif/s/ or negedge rst_ni//' -e 's/^`ifdef FORMAL$/`ifdef PROPERTIES/' \
      "$root/$source" >"$work/$2/${source##*/}"
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
  " >"$work/log" 2>&1
}
elaborate "$before" unit -formal "chformal -assert2assume" && elaborate "$after" mutant "" "" ||
  verdict "open" "it is not elaborated: $(grep -m 1 ERROR "$work/log" || tail -n 1 "$work/log")"

limited yosys -q -p "
  read_rtlil $work/unit.il
  read_rtlil $work/mutant.il
  read_verilog -sv -formal -noautowire $generated/${unit}_miter.sv
  hierarchy -check -top both
  proc
  flatten
  opt_clean; opt_expr; opt_clean; memory; opt_clean; async2sync; dffunmap
  techmap -map $after/tests/formal/clock_is_enable.v
  opt_expr; opt_clean
  techmap; opt_clean; setundef -undriven -zero; setundef -init -zero; aigmap
  write_aiger -zinit -symbols $work/model.aig
" >"$work/log" 2>&1
[[ -s $work/model.aig ]] || verdict "open" "the units cannot be compared: $(grep -m 1 ERROR "$work/log" || tail -n 1 "$work/log")"

# abc COMMANDS: on what both units are, with its log in $work/log.
abc() { limited yosys-abc -c "read_aiger $1; strash; $2" >"$work/log" 2>&1; }
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
# judge MODEL COMMANDS: the verdict, if there is one.
judge() {
  local frame
  abc "$1" "$2"
  frame=$(grep -ao 'was asserted in frame *[0-9]*' "$work/log" | grep -o '[0-9]*$' | head -n 1) || true
  [[ ! $frame ]] || verdict "$(witness "$frame")"
  if grep -aq 'Property proved' "$work/log"; then verdict equal; fi
}
# By induction, registers that are equal on both sides, or constant: in any case; then for legal inputs alone (-c).
less=$work/model.aig fold=
for same in "fold; strash; lcorr; scorr; dc2" "dc2; scorr -c; scorr -c -F 2; fold; strash; lcorr; scorr; dc2"; do
  judge "$work/model.aig" "$same; write_aiger $work/less.aig; pdr -T $((seconds / 3))"
  [[ ! -s $work/less.aig ]] || less=$work/less.aig
done
[[ $less != "$work/model.aig" ]] || fold="fold; strash;"
judge "$less" "$fold bmc3 -F $frames -T $((seconds / 3))"
bound=$(grep -aoE 'No output asserted in [0-9]+ frames' "$work/log" | grep -oE '[0-9]+' | head -n 1) || true
judge "$less" "$fold scorr -F 4; dc2; pdr -T $seconds"
verdict "open ${bound:-0}"
