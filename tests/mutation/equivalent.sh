#!/bin/sh
# Decides by yosys and yosys-abc if a mutant is equivalent to its unit; writes the verdict to a file, unless the
# file is there:
#
#   equivalent.sh ROOT NETLIST MUTANT SECONDS FILE
#
# NETLIST: of prepare.sh, without .il, .list, .sources and .parameters.  How unit and mutant are compared: miter.sh.
#
# FILE: "equivalent" (proved), "bounded N" (no difference in N cycles), "different N" (one in cycle N) or "unknown".
set -u
root=$1 netlist=$2 mutant=$3 seconds=$4 file=$5
[ ! -e "$file" ] || exit 0
unit=$(basename "$netlist")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' TERM INT
frames=60
. "$root/tests/mutation/miter.sh"
: >"$work/log"

verdict() {
  echo "$1" >"$file.part" && mv "$file.part" "$file"
  exit 0
}

# The unit with its assertions as assumptions, once for all mutants.
elaborate() {
  while read -r source; do
    with_clock "$root/$source" >"$work/$(basename "$source")"
  done <"$netlist.sources"
  mv "$work/tandem_pkg.sv" "$work/tandem_pkg.first"
  yosys -q -p "
    read_verilog -sv -formal -noautowire $work/tandem_pkg.first $(echo "$work"/*.sv)
    $(sed -E "s/([A-Za-z]+)=([0-9]+)/chparam -set \\1 \\2 $unit;/g" "$netlist.parameters")
    hierarchy -check -top $unit
    proc
    flatten
    chformal -assert2assume
    rename -top unit
    write_rtlil $netlist.unit.part
  " >"$netlist.unit.log" 2>&1 && mv "$netlist.unit.part" "$netlist.unit.il"
}
# The mutation by itself, without the input that selects it.
sed -n "${mutant}p" "$netlist.list" | sed -E 's/-ctrl bug_i 16 [0-9]+ //; s/-module [^ ]+/-module mutant/' >"$work/mutate.ys"

# A mutant that computes the same outputs and next state from every state, reached or not, is equivalent: proved
# without the registers, memories and instances, however large they are.

# The unit without them, with all of its mutants, once for all of them; and that with none switched on.
cut() {
  rm -f "$netlist.none.aig"
  yosys -q -p "
    read_rtlil $netlist.il
    add -input bug_i 16
    script $netlist.list
    async2sync; dffunmap; clean
    write_rtlil $work/all.il
  " &&
    awk -f "$root/tests/mutation/cut.awk" "$work/all.il" "$work/all.il" >"$work/cut.il" &&
    yosys -q -p "
      read_rtlil $work/cut.il
      opt_expr; opt_clean
      techmap; opt_clean; setundef -undriven -zero; setundef -zero; aigmap
      write_aiger -symbols $work/cut.aig
    " &&
    yosys-abc -c "read_aiger $work/cut.aig; strash; write_blif $work/cut.blif" &&
    switched "$work/cut.blif" 0 >"$work/none.blif" &&
    yosys-abc -c "read_blif $work/none.blif; strash; write_aiger $netlist.none.aig" &&
    [ -s "$netlist.none.aig" ] &&
    mv "$work/cut.blif" "$netlist.cut.blif"
}

# switched BLIF MUTANT: the network with this mutant on.
switched() {
  awk -v mutant="$2" '
    /^\.inputs/ { inside = 1 }
    /^\.outputs/ { inside = 0; after = 1 }
    inside { gsub(/bug_i\[[0-9]+\]/, "") }
    { print }
    after && !/\\$/ {
      after = 0
      for (bit = 0; bit < 16; bit++)
        print ".names bug_i[" bit "]" (int(mutant / 2 ^ bit) % 2 ? "\n1" : "")
    }' "$1"
}

exec 9>"$netlist.lock"
flock 9
[ "$netlist.cut.blif" -nt "$netlist.list" ] || cut >"$netlist.cut.log" 2>&1 || verdict unknown
exec 9>&-
switched "$netlist.cut.blif" "$mutant" >"$work/mutant.blif"
limited yosys-abc -c "
  read_blif $work/mutant.blif; strash; write_aiger $work/mutant.aig;
  miter $netlist.none.aig $work/mutant.aig; fraig; iprove" >"$work/log" 2>&1
if grep -aq '^UNSATISFIABLE' "$work/log"; then verdict equivalent; fi

# A cluster is too large for what follows. But if the part that has the mutated cell does the same with and without the
# mutation, for any inputs of it, so does the cluster. The part: the cells of the innermost instance, and registers that
# have its wires. Any cells with one clock would do. Registers begin with 0, and the reset comes at any time.
prove_part() {
  part=$(sed -nE 's/.* -cell \$flatten([^ ]*)\.\$[^ ]* .*/\1/p; t; s/.* -wire ([^ ]*)\.[^. ]+ .*/\1/p' "$work/mutate.ys" |
    sed 's/\\//g; s/[][]/?/g')
  [ "$part" ] || return 0
  any=$(echo "$part" | sed 's/\./.*/g') # names of flattened cells have more in between
  limited yosys -q -p "
    read_rtlil $netlist.il
    select -set registers w:$part.* %ci1:+[Q] t:\$*ff* %i
    select -set part c:\$flatten*$any.* c:$part.* @registers %u %u
    submod -name part @part
    hierarchy -top part
    design -save part
    rename part mutant
    script $work/mutate.ys
    design -stash mutant
    design -load part
    design -copy-from mutant -as mutant mutant
    miter -equiv -flatten part mutant both
    hierarchy -top both
    opt_clean; opt_expr; opt_clean; memory; opt_clean
    select -assert-max 1 t:\$*ff* %ci1:+[CLK] w:* %i
    async2sync; dffunmap; opt_expr; opt_clean
    techmap; opt_clean; setundef -undriven -zero; setundef -init -zero; aigmap
    write_aiger -zinit $work/part.aig
  " >"$work/yosys.log" 2>&1 || return 0
  limited yosys-abc -c "read_aiger $work/part.aig; strash; lcorr; scorr; dc2; pdr -T $((seconds / 3))" \
    >"$work/log" 2>&1 || true
  if grep -aq 'Property proved' "$work/log"; then verdict equivalent; fi
}

# Ports of a cluster are its members', one behind the other, of a grid its slots'; they are too large for what follows.
if [ "$unit" = spu_grid ] ||
  awk -f "$root/tests/facts.awk" "$root/csim/ports/units.def" | grep -q "^$unit[[:space:]]MEMBERS[[:space:]]"; then
  [ "$unit" = spu_grid ] || prove_part
  verdict unknown
fi

exec 9>"$netlist.lock"
flock 9
[ "$netlist.unit.il" -nt "$netlist.il" ] || elaborate || verdict unknown
exec 9>&-

make_model "
  read_rtlil $netlist.unit.il
  design -stash unit
  read_rtlil $netlist.il
  rename $unit mutant
  script $work/mutate.ys
  design -stash mutant
  design -copy-from unit -as unit unit
  design -copy-from mutant -as mutant mutant
" "$netlist.miter.sv" "$root" || verdict unknown
equal() { verdict equivalent; }
different() { verdict "different $1"; }
judge_model
verdict "${bound:+bounded }${bound:-unknown}"
