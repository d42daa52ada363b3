# shellcheck shell=bash
# Facts about units for scripts, from csim/ports/units.def and the sources.  $root is set.
#
#   facts UNIT FACT      first arguments of a unit's facts, a line each
#   units_all            all units, and spu_grid, a top that is no unit of machines
#   units_system         those that machines are made of
#   parameters_of UNIT   with which its mutants are measured
#   texts START...       the files that each start "NAME FILE..." is made of (texts.awk)
facts_of_units=$(awk -f "$root/tests/facts.awk" "$root/csim/ports/units.def")
facts() { awk -F '\t' -v unit="$1" -v fact="$2" '$1 == unit && $2 == fact { print $3 }' <<<"$facts_of_units"; }
units_all() { awk -F '\t' '$2 == "UNIT" { print $1 } END { print "spu_grid" }' <<<"$facts_of_units"; }
units_system() { awk -F '\t' '$2 == "MACHINE" { print $1 }' <<<"$facts_of_units"; }
parameters_of() {
  local given
  given=$(facts "$1" MUTATED)
  [[ $1 != spu_grid ]] || given="Columns=2 Rows=2 Words=256"
  printf '%s\n' "$given"
}
texts() {
  (cd "$root" && printf '%s\n' "$@" |
    awk -f tests/texts.awk rtl/*.sv rtl/*/*.sv csim/ref/*/*.[ch] csim/isa/*/*.[ch] csim/ports/{,*/}*.def \
      tests/unit/*.[ch] tests/unit/*/*.[ch] tests/random/*.[ch] tests/kernels/spu/*.[ch] -)
}
