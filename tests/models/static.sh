#!/usr/bin/env bash
# A program that loads no models: it has the default GPU's linked in (-DTANDEM_STATIC=ON).
#
#   static.sh ROOT BUILD
set -euo pipefail
root=$1 build=$2
fail() {
  echo "$*" >&2
  exit 1
}
mkdir -p "$build"
dirs="csim/ports;csim/util;csim/isa;csim/mem;csim/sm;csim/iss;csim/ref;harness"
cmake -S "$root" -B "$build" -G Ninja -DTANDEM_STATIC=ON "-DTANDEM_DIRS=$dirs" >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log" && exit 1; }
ninja -C "$build" tandem >"$build/build.log" 2>&1 || { cat "$build/build.log" && exit 1; }
export XDG_CACHE_HOME=$build/cache
rm -rf "$XDG_CACHE_HOME"
"$build/bin/tandem" run --bug 4 "$root/tests/kernels/matmul/matmul.yaml" --report-dir "$build" >"$build/log" 2>&1 &&
  fail "a fault is not found"
grep -q '^waveform: ' "$build/log" || fail "the report has no waveform: $(cat "$build/log")"
"$build/bin/tandem" run
[[ ! -e $XDG_CACHE_HOME ]] || fail "a model was made"
status=0
said=$("$build/bin/tandem" run --buddy 2 2>&1) || status=$?
[[ $status == 2 && $said == *"loads no models"*"sm_frontend.WarpSize=32.plain"* ]] || fail "exit status $status: $said"
