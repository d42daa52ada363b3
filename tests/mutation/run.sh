# shellcheck shell=bash
# Runs the mutants of a prepared unit (prepare.sh), and judges those that no test finds.  $root, $build, $here, $work
# and $seeds are set.

# take LEVEL UNIT SECONDS: what prepare.sh wrote to $work/UNIT; $mutants gets their number.  SECONDS: of each proof.
take() {
  level=$1 unit=$2 seconds=$3
  mapfile -t prepared <"$work/$unit"
  netlist=${prepared[0]} limit=${prepared[2]} command=("${prepared[@]:3}")
  trials=$build/mutation/$level/$unit/trials-${prepared[1]}-$seeds
  mutants=$(wc -l <"$netlist.list")
  # A verdict depends on the scripts that judge mutants, and on the assertions, too.
  proofs=$({ cat "$netlist.il" "$netlist.list" "$here/"{equivalent,miter}.sh && sed "s|^|$root/|" "$netlist.sources" | xargs cat; } |
    sha256sum | cut -c1-16)
  proofs=$build/mutation/$level/$unit/proofs-$proofs-$seconds
}

# each LIMIT TEXT FOLDER COMMAND...: runs COMMAND, whose {} are replaced, for each number of standard input, on all
# processors, until the seconds of LIMIT are over ('': no end).  Each writes FOLDER/<number>.
each() {
  local bound=(timeout "$1") text=$2 folder=$3 numbers pid status=0
  [[ $1 ]] || bound=()
  shift 3
  numbers=$(cat)
  [[ $numbers ]] || return 0
  mkdir -p "$folder"
  "${bound[@]}" xargs -P "$(nproc)" -I{} "$@" <<<"$numbers" &
  pid=$!
  while [[ -t 2 ]] && kill -0 $pid 2>/dev/null; do
    printf '\r\033[K%s: %d of %d' "$text" "$(find "$folder" -name '*[0-9]' | wc -l)" "$(wc -l <<<"$numbers")" >&2
    sleep 0.3
  done
  wait $pid || status=$?
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  ((status == 0)) || [[ ${#bound[@]} != 0 && $status == 124 ]] || {
    echo "tandem: $text: failed" >&2
    exit 1
  }
}

# run_trials LIMIT: the mutants of standard input.
run_trials() {
  each "$1" "$unit, mutants run" "$trials" "$here/trial.sh" {} "$seeds" "$limit" "$trials/{}" "${command[@]}"
}

# The mutants that survive.  In whole runs those are left out that change no bit in any run: no run reaches them.
survivors() {
  local acts=
  [[ $level == unit ]] || acts='[1-9]'
  { grep -lE "^survived $acts" "$trials"/*[0-9] || true; } | sed 's/.*\///' | sort -n
}

# judge LIMIT: the survivors of standard input.
judge() {
  each "$1" "$unit, survivors judged" "$proofs" "$here/equivalent.sh" "$root" "$netlist" {} "$seconds" "$proofs/{}"
}

# results NUMBERS: a line of JSON for each mutant that has run.
results() {
  local mutant verdict
  for mutant in $1; do
    verdict=$trials/$mutant
    [[ -e $verdict ]] || continue
    # A wider test may find what an older one left to a proof.
    [[ ! -e $proofs/$mutant || $(<"$verdict") != survived* ]] || verdict=$proofs/$mutant
    printf '%s\t%s\t%s\t%s\n' "$unit" "$mutant" "$(<"$verdict")" \
      "$(sed -n "${mutant}p" "$netlist.list")"
  done | jq -Rc -f "$here/record.jq"
}
