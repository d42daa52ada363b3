#!/usr/bin/env bash
# Compares the compiler's output for a source with one mutant and without: exit status 0 if it is the same.
#
#   equivalent.sh FOLDER NUMBER       FOLDER has the lists of mutants and the sources with them
set -euo pipefail
folder=$1 number=$2
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../..
clang=$(command -v clang-14 || command -v clang)
list=$(grep -l "^$number " "$folder"/*.list)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for only in 0 "$number"; do
  "$clang" -std=gnu11 -I "$root" -I "$folder/../../../generated" -O2 -w -ffp-contract=off -frounding-math -DMUTANT_ONLY="$only" -c \
    -o "$work/$only.o" "${list%.list}.o.c"
done
cmp -s "$work/0.o" "$work/$number.o"
