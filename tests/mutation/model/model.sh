#!/usr/bin/env bash
# Runs random programs in lockstep with mutants of the C model, and prints how many are noticed
# (docs/models/mutation.md).
#
#   model.sh FOLDER [GROUP...] [OPTION...]
#
# FOLDER has model_mutants and the lists of mutants.  Results are kept in FOLDER/results: a mutant runs
# once with a program and this script.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
groups=(ref/sm ref/gpu ref/buddy ref/spu lanes mem)
count=60 seed=1 json='' record='' chosen=()

usage() {
  cat <<END
Usage: tandem mutate --model [GROUP...] [OPTION...]
Runs random programs in lockstep with single changes in the C model: of the groups
${groups[*]} (default: all).

      --count N     mutants of each group, 1 to 99999 (default 60)
      --json FILE   writes the scores to a file
      --record      keeps the scores in tests/mutation/scores.txt
      --seed S      chooses the mutants, 1 to 99999 (default 1)
END
}
refuse() {
  echo "tandem: $*" >&2
  exit 2
}
number() { [[ ${2-} =~ ^[1-9][0-9]{0,4}$ ]] || refuse "$1 needs a number, 1 to 99999, not \"${2-}\""; }

(($#)) || refuse "which folder? that of model_mutants"
folder=$1
shift
while (($#)); do
  case $1 in
  --count) number "$@" && count=$2 && shift ;;
  --seed) number "$@" && seed=$2 && shift ;;
  --json)
    json=${2-}
    { [[ $json ]] && : >>"$json"; } 2>/dev/null || refuse "--json: cannot write $json"
    shift
    ;;
  --record) record=1 ;;
  -h | --help) usage && exit ;;
  -*) refuse "there is no option $1; --help lists the options" ;;
  *)
    [[ " ${groups[*]} " == *" $1 "* ]] || refuse "there is no group \"$1\": ${groups[*]}"
    chosen+=("$1")
    ;;
  esac
  shift
done
[[ ${chosen[*]-} ]] || chosen=("${groups[@]}")
folder=$(readlink -f "$folder")
for test in '' _spu _lanes; do
  [[ -x $folder/model_mutants$test ]] || refuse "$folder/model_mutants$test has not been built"
done
version=$(cat "$folder"/model_mutants "$folder"/model_mutants_* "$here/model.sh" | sha256sum | cut -c1-16)
results=$folder/results/$version
mkdir -p "$results"

# The runs that look for a group's mutants, a line each: the test, and words for it.  "unit" is the
# test of the unit that the mutant's file is the reference of, or belongs to; "mem" all tests of memory.
runs() {
  case $1 in
  ref/sm | ref/gpu)
    echo "unit --seed 1"
    echo "random --seed 1 --count 6"
    echo "random --seed 100 --count 15"
    ;;
  ref/buddy)
    echo "unit --seed 1"
    echo "random --seed 1 --count 3 --buddy 4 --halfway 1"
    echo "random --seed 1 --count 3 --buddy 2 --halfway 0"
    echo "random --seed 100 --count 12 --buddy 4 --halfway 1"
    echo "random --seed 200 --count 6 --buddy 8 --halfway 1"
    ;;
  ref/spu)
    echo "unit --seed 1"
    echo "spu --random 2 --seed 1"
    echo "spu --random 6 --seed 100"
    ;;
  lanes)
    echo "random --check operands --seed 1 --count 10"
    echo "random --check any --seed 1 --count 10"
    echo "random --check operands --seed 100 --count 40"
    echo "lanes"
    ;;
  mem)
    echo "random --check any --seed 1 --count 10"
    echo "random --check race-free --seed 1 --count 20"
    echo "spu --random 4 --seed 1"
    echo "random --check any --seed 100 --count 25"
    echo "random --check race-free --seed 100 --count 25"
    echo "mem"
    ;;
  esac
}

# Which mutants a group has: lines of their lists.
mutants() {
  case $1 in
  lanes) cat "$folder"/csim_isa_lanes_*.list ;;
  *) cat "$folder"/csim_"${1/\//_}"_*.list ;;
  esac
}

# Prints a failed run's cause in a word: the kind of the failure, or what its test compares.
cause() {
  case $(grep -m 1 -o 'failure of kind [a-z]*\|differs from lockstep\|must be [^ ]*$' "$1" || true) in
  *"kind iss") echo check ;;
  *kind*) sed -n 's/.*failure of kind \([a-z]*\).*/\1/p' "$1" | head -n 1 ;;
  differs*) echo engines ;;
  must*) echo host ;;
  *) echo test ;;
  esac
}

# run PLACE TEST WORDS: a test with what runs says, for a minute of processor time at most.
run() (
  program=$folder/model_mutants unit=$(basename "$1" | sed 's/[.]c:.*//')
  tests=("${program}_$unit")
  case $2 in
  random) tests=("$program") ;;
  spu | lanes) tests=("${program}_$2") ;;
  mem) tests=("$program"_mem_*) ;;
  unit)
    case $1 in # parts of composed units
    csim/ref/buddy/*) [[ -x ${tests[0]} ]] || tests=("${program}_buddy_cluster") ;;
    csim/ref/sm/*) [[ -x ${tests[0]} ]] || tests=("${program}_sm_frontend") ;;
    *) [[ -x ${tests[0]} ]] || exit 0 ;;
    esac
    ;;
  esac
  shift 2
  ulimit -t 60
  for test in "${tests[@]}"; do
    "$test" "$@" || exit
    [[ $test != *_buddy_cluster ]] || "$test" --parameters "Members=4 Hop=1 Entries=1" "$@" || exit
  done
)

# Digests of what programs without races leave in memory, which no time changes.
memory() { grep -o 'memory [0-9a-f]*' "$1" || true; }

# trial GROUP NUMBER PLACE: a line "number place verdict cause" into results, unless it is there.
# Verdicts: caught; missed; timing (cycles differ, nothing else does); idle (it never acts);
# equivalent (of the last two, the compiler makes the same of it).
trial() {
  local group=$1 number=$2 place=$3 verdict=idle why=- words status i=0
  local file=$results/$number work
  [[ ! -e $file ]] || return 0
  work=$(mktemp -d)
  while read -r words && [[ $verdict != caught ]]; do
    i=$((i + 1)) status=0
    # shellcheck disable=SC2086
    (cd "$work" && TANDEM_MUTANT=$number TANDEM_MUTANT_ACTED=acted run "$place" $words >out 2>&1) || status=$?
    if ((status)); then
      verdict=caught why=$(cause "$work/out")
      [[ $words != lanes* && $words != unit* && $words != mem ]] || why=${words%% *}
      ((status < 128)) || why=crash
      ((status != 137 && status != 152)) || why="time"
    elif [[ -e $work/acted && $verdict == idle || $verdict == missed ]]; then
      verdict=missed
      [[ $group != mem || $words == mem ]] || cmp -s "$work/out" "$results/plain.mem.$i" || verdict=timing
    fi
    if ((!status)) && [[ $group == mem && $words != mem ]] && ! cmp -s <(memory "$work/out") <(memory "$results/plain.mem.$i"); then
      verdict=missed why=memory
      break
    fi
  done < <(runs "$group")
  if [[ $verdict == missed || $verdict == idle ]] && "$here/equivalent.sh" "$folder" "$number"; then
    verdict=equivalent
  fi
  rm -rf "$work"
  printf '%s %s %s %s\n' "$number" "$place" "$verdict" "$why" >"$file.part"
  mv "$file.part" "$file"
}

# Without a mutant each run must pass; its output is what others are compared with.
plain() {
  local i=0 words
  while read -r words; do
    i=$((i + 1))
    [[ $words != unit* ]] || continue # which the tests of units hold
    # shellcheck disable=SC2086
    run none $words >"$results/plain.${1/\//_}.$i" 2>&1 || refuse "without a mutant fails: $words"
  done < <(runs "$1")
}

export folder here results
export -f trial run runs cause memory
rows=()
format='%-10s %8s %8s %8s %10s %8s %8s  %s\n'
# shellcheck disable=SC2059
printf "$format" group mutants caught timing equivalent idle missed score
for group in "${chosen[@]}"; do
  plain "$group"
  list=$(mutants "$group" | awk -v s="$seed" 'BEGIN { srand(s) } { print rand() "\t" $0 }' | sort -g |
    awk -v n="$count" 'NR <= n' | cut -f 2-)
  done=0 all=$(wc -l <<<"$list")
  while read -r _; do
    done=$((done + 1))
    [[ ! -t 2 ]] || printf '\r\033[K%s: %d of %d' "$group" "$done" "$all" >&2
  done < <(cut -d ' ' -f 1,2 <<<"$list" |
    xargs -P "$(nproc)" -L 1 bash -c 'trial "$0" "$1" "$2"; echo' "$group" 2>"$results/stderr")
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  row=$(cut -d ' ' -f 1 <<<"$list" | sed "s|^|$results/|" | xargs cat | awk '
    { n[$3]++; if ($3 == "caught") by[$4]++ }
    END {
      of = n["caught"] + n["missed"]
      printf "%d %d %d %d %d %d %.1f", NR, n["caught"], n["timing"], n["equivalent"], n["idle"], n["missed"],
        of ? 100 * n["caught"] / of : 100
      for (w in by) printf " %s:%d", w, by[w]
    }')
  read -r n caught timing equivalent idle missed score by <<<"$row"
  # shellcheck disable=SC2059
  printf "$format" "$group" "$n" "$caught" "$timing" "$equivalent" "$idle" "$missed" "$score %  ($by)"
  verdicts="\"caught\": $caught, \"timing\": $timing, \"equivalent\": $equivalent, \"idle\": $idle"
  rows+=("{\"group\": \"$group\", \"mutants\": $n, $verdicts, \"missed\": $missed, \"score\": $score}")
  for verdict in missed idle; do
    while read -r number text; do
      ! grep -q " $verdict " "$results/$number" || echo "  $verdict: $number $text"
    done <<<"$list"
  done
done
summary=$(printf '{"count": %d, "seed": %d, "groups": [%s]}' "$count" "$seed" "$(IFS=,; echo "${rows[*]}")")
if [[ $json ]]; then echo "$summary" >"$json" || refuse "cannot write $json"; fi
if [[ $record ]]; then
  echo "$summary" >"$results/summary.json"
  "$here/../scores.sh" "$(readlink -f "$here/../../..")" record "$results/summary.json"
fi
