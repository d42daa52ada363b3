#!/usr/bin/env bash
# A build with some of the features configures, compiles and runs a kernel in lockstep; it has the options of
# these features alone.
#
#   features.sh SOURCES FOLDER ["FEATURE;..."]    FOLDER: its build folder, kept for the next time; default: none
set -euo pipefail
sources=$1 folder=$2 features=${3-}
kernels=$sources/tests/kernels

fail() {
  echo "with the features \"$features\": $*" >&2
  exit 1
}
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log" && fail "\`$*\` fails"; }; }

mkdir -p "$folder"
# Debug compiles in a third of the time.
quietly cmake -S "$sources" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DTANDEM_FEATURES=$features"
quietly ninja -C "$folder" tandem_cli
tandem=$folder/bin/tandem
quietly "$tandem" run "$kernels/vecadd/vecadd.yaml"
"$tandem" run --help >"$folder/help"

# has FEATURE OPTION WORD...: the option is there if the feature is, and the run of the words is in lockstep.
has() {
  local feature=$1 option=$2
  if [[ ";$features;" != *";$feature;"* ]]; then
    ! grep -q -- "$option" "$folder/help" || fail "there is an option $option"
    return
  fi
  grep -q -- "$option" "$folder/help" || fail "there is no option $option"
  quietly "$tandem" run "${@:3}"
}
has buddy --buddy= --buddy=2 "$kernels/vecadd/vecadd.yaml"
has spu --spu-columns "$kernels/spu/faults/relay.yaml"
has wide --warp-size --warp-size=64 "$kernels/vecadd/vecadd.yaml"
has flex --flex-scheme --config "$kernels/flex/flex12.yaml" --flex-scheme=occ "$kernels/vecadd/vecadd.yaml"
