#!/usr/bin/env bash
# The two models of a unit are made of one text with one set of options: a full one adds traces,
# assertions, faults and checks, and nothing else.  By Verilator's own record of how it was called.
#
#   models.sh FOLDER      FOLDER/V<unit>_plain/ and FOLDER/V<unit>_full/ are the models
set -euo pipefail
folder=$1
adds='--assert --trace-fst +define+TANDEM_BUGS +define+TANDEM_CHECKS'
scrambled='--vpi scramble.vlt' # what can lose its power

# The arguments of a model's record, a line each, without the names that differ.
arguments() {
  local dir=$1 name=${1##*/}
  sed -n 's/^C "\(.*\)"$/\1/p' "$dir/${name}__verFiles.dat" | tr ' ' '\n' |
    sed -e "s|$dir|DIR|" -e "s|^$name\$|NAME|" -e 's|.*/scramble.vlt$|scramble.vlt|' | sort
}

# The sources that it read.
sources_of() { sed -n 's/^S .*"\([^"]*\.\(sv\|vlt\)\)"$/\1/p' "$1/${1##*/}__verFiles.dat" | grep -v 'scramble.vlt$' | sort; }

status=0 pairs=0
complain() {
  echo "$@"
  status=1
}
for plain in "$folder"/V*_plain; do
  full=${plain%_plain}_full
  pairs=$((pairs + 1))
  wanted=$adds
  [[ $plain != */Vbuddy_* ]] || wanted="$adds $scrambled"
  added=$(comm -13 <(arguments "$plain") <(arguments "$full") | tr '\n' ' ')
  left_out=$(comm -23 <(arguments "$plain") <(arguments "$full") | tr '\n' ' ')
  [[ $(tr ' ' '\n' <<<"$added" | sort | xargs) == $(tr ' ' '\n' <<<"$wanted" | sort | xargs) ]] ||
    complain "${full##*/} adds: $added"
  [[ ! $left_out ]] || complain "${full##*/} lacks: $left_out"
  [[ $(sources_of "$plain") && $(sources_of "$plain") == $(sources_of "$full" | grep -v buddy_checks) ]] ||
    complain "${full##*/} has other sources"
done
((pairs)) || complain "no models in $folder"
exit $status
