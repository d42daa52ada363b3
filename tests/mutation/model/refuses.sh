#!/usr/bin/env bash
# model.sh refuses bad arguments: status 2 and a message that says what is right.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in model_mutants model_mutants_spu model_mutants_lanes; do
  : >"$work/$program"
  chmod +x "$work/$program"
done
refused() {
  local text=$1 status=0 said
  shift
  said=$("$here/model.sh" "$@" 2>&1) || status=$?
  [[ $status == 2 && $said == *"$text"* ]] || {
    echo "model.sh $*: status $status: $said"
    exit 1
  }
}
refused "there is no group \"rtl\": ref/sm ref/gpu ref/buddy ref/spu lanes mem" "$work" rtl
refused "--count needs a number, 1 to 99999, not \"0\"" "$work" --count 0
refused "--seed needs a number, 1 to 99999, not \"\"" "$work" --seed
refused "there is no option --fast; --help lists the options" "$work" --fast
refused "has not been built" "$here"
refused "--json: cannot write $work/none/x.json" "$work" --json "$work/none/x.json"
