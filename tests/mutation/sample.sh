# shellcheck shell=bash
# tandem mutate --sample: some of the recorded mutants of units whose score is stale or not recorded, in the time that
# $sample is.  $root, $build, $here, $work and $seed are set.
#
# The units come in an order that the seed chooses.  Each gets an equal part of the time that is left, and at least
# half a minute, for its netlist, its model and as many mutants as it lasts for, at most 20, in the seed's order.  A
# third of it is for proofs.  So few mutants measure nothing.  They are compared with what is recorded: sample.jq.

shuffled() { shuf --random-source=<(yes "$seed"); }

left() { echo $((deadline - SECONDS)); }

# part OF: seconds until $end, divided, at least 1.
part() { echo $(((end - SECONDS) / $1 > 0 ? (end - SECONDS) / $1 : 1)); }

# sample_unit LEVEL UNIT COUNT SEED MOST: results to $work/found, for MOST seconds; status 1 if time was too short.
sample_unit() {
  local end=$((SECONDS + $5)) status=0 chosen
  timeout "$5" "$here/prepare.sh" "$root" "$build" "$1" "$2" "$3" "$4" "$work/$2" || status=$?
  ((status != 124)) || return 1
  ((status == 0)) || exit 1
  ((SECONDS + 3 < end)) || return 1
  take "$1" "$2" 10
  chosen=$(seq "$mutants" | shuffled | head -n 20)
  run_trials $(($(part 3) * 2)) <<<"$chosen" || exit 1
  survivors | { grep -xF "$chosen" || true; } | judge "$(part 1)" || exit 1
  results "$chosen" >"$work/found" || exit 1
}

# compare LEVEL UNIT ALL CAUGHT NONE: a line of the table, from what is recorded.
compare() {
  jq -sr --arg level "$1" --arg unit "$2" --argjson all "$3" --argjson caught "$4" --argjson none "$5" \
    -f "$here/sample.jq" "$work/found"
}

# sample_all [UNIT...]
sample_all() {
  local deadline=$((SECONDS + sample)) rows n level unit count first recorded most line status=0 late=()
  rows=$("$here/scores.sh" "$root" rows | awk -v units="$*" '
    $1 != "current" && $2 != "model" && !($1 == "new" && $2 == "system") &&
      (units == "" || index(" " units " ", " " $3 " ")) {
      if ($1 == "new") print $2, $3, 60, 1, 0, 0, 0
      else print $2, $3, $4, $5, $9, $10, $17 + $18
    }' | shuffled)
  [[ $rows ]] || {
    echo "all scores are of the RTL, references and tests as they are"
    return 0
  }
  n=$(wc -l <<<"$rows")
  printf '%d scores are stale; %d s of their mutants, seed %d\n\n' "$n" "$sample" "$seed"
  printf '%-8s%-15s%8s%8s%12s%6s%10s%10s\n' level unit mutants caught equivalent open unjudged recorded
  while read -r level unit count first recorded; do
    most=$(($(left) / n))
    ((most >= 30)) || most=30
    ((most <= $(left))) || most=$(left)
    n=$((n - 1))
    if ((most < 10)); then
      late+=("$level/$unit")
    elif sample_unit "$level" "$unit" "$count" "$first" "$most" </dev/null; then
      # shellcheck disable=SC2086
      line=$(compare "$level" "$unit" $recorded)
      echo "$line"
      [[ $line != *below* ]] || status=1
    else
      printf '%-8s%-15s  was not ready in %d s\n' "$level" "$unit" "$most"
    fi
  done <<<"$rows"
  ((${#late[@]} == 0)) || echo "no time was left for ${late[*]}"
  return $status
}
