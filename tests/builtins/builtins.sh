#!/usr/bin/env bash
# Compares every built-in function of OpenCL C 1.2, of every type and width, with a host oracle
# (docs/reference/builtins.md).  All take about three minutes of processor time.
#
#   builtins.sh ROOT BUILD [--page] [OPTION...]
#
#   --page           writes the tables of docs/reference/builtins.md anew; without options that choose
#   --only PATTERN   functions by their names, or by name and variant: 'exp*', 'exp:float4'; may be repeated
#   --sample K       one case of K, chosen by the seed
#   --seed N         seed of operands and samples (1)
#   --tuples N       operand tuples of a case, a multiple of 1536 (1536)
#   --engine ENGINE  ref (default), rtl or lockstep
#   --list           names and variants
#
# Exit status 1: a function is wrong or refused.
set -euo pipefail
root=$1 build=$2
shift 2
page=
case ${1-} in
--help)
  sed -n 's/^#   builtins.sh ROOT BUILD/tandem builtins/p; s/^#   -/  -/p' "${BASH_SOURCE[0]}"
  exit
  ;;
--page) page=1 && shift ;;
--list) exec "$build/tests/builtins/builtins" --list ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
parts=$(nproc) status=0
for ((part = 0; part < parts; part++)); do
  "$build/tests/builtins/builtins" "$@" --share "$part/$parts" >"$work/$part" &
done
for ((part = 0; part < parts; part++)); do
  wait -n || { [[ $? == 1 ]] || exit 2; status=1; }
done
cat "$work"/[0-9]* >"$build/tests/builtins/results.tsv"
awk -F'\t' '$5 != "right" { print "builtins: " $2 " of " $4 ": " $5 ": " $9 } { n++; bad += $5 != "right" }
            END { print "builtins: " n + 0 " cases, " bad + 0 " wrong or refused" }' "$build/tests/builtins/results.tsv"
[[ ! $page ]] || "$root/tests/builtins/page.sh" "$root" "$build/tests/builtins/results.tsv"
exit "$status"
