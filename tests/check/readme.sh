#!/usr/bin/env bash
# Outputs in README.md are real: where a paragraph with a command `./tandem run ...` precedes a block
# of code, each line of the block is one of the command's output, in that order; `...` stands for
# lines left out.
#
# The picture of a report and the table of hardware are real, too (docs/generate).
#
#   readme.sh ROOT TANDEM
set -euo pipefail
root=$1 tandem=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$root/tests" tests # of waveforms, the folder of the run is in the report
status=0 samples=0

# check COMMAND BLOCK: the block's lines are found one after the other.
check() {
  local line at=0 next
  # shellcheck disable=SC2086
  "$tandem" ${1#./tandem } >output 2>&1 || true
  while IFS= read -r line; do
    [[ $line != ... ]] || continue
    next=$(tail -n +$((at + 1)) output | grep -nxF -- "$line" | head -n 1 | cut -d: -f1) || true
    [[ $next ]] || {
      echo "README.md: not in the output of $1 (in this place): $line"
      status=1
      continue
    }
    at=$((at + next))
  done <"$2"
}

# The paragraph before a block, which ends with a colon, names the command.
command='' code=''
while IFS= read -r line; do
  case $line in
  '```'*)
    if [[ $code ]]; then
      [[ ! $command ]] || { check "$command" block && samples=$((samples + 1)); }
      code='' command=''
    else
      code=1
      : >block
    fi
    ;;
  *)
    if [[ $code ]]; then
      printf '%s\n' "$line" >>block
    elif [[ $line =~ \`(\./tandem\ run\ [^\`]*)\` ]]; then
      command=${BASH_REMATCH[1]}
    elif [[ $line && $line != *: ]]; then
      command=''
    fi
    ;;
  esac
done <"$root/README.md"
((samples >= 1)) || {
  echo "README.md: no output of a command found"
  status=1
}
bash "$root/docs/generate/terminal.sh" "$root" "$tandem" --check || status=1
bash "$root/docs/generate/box.sh" "$root" --check || status=1
exit $status
