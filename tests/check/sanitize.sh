#!/usr/bin/env bash
# The C code under the address and undefined-behaviour sanitizers: its own build, but for the
# verilated front end, which is the first build's, and every fast test that such a build has.
set -euo pipefail
root=$1 build=$2 rtl=$3
dirs=$(cd "$root" && for dir in csim/util csim/isa csim/mem csim/sm csim/iss csim/ref \
  tests/isa tests/ptx tests/mem tests/sm tests/iss tests/random rtl harness tests/system; do
  [[ -e $dir/CMakeLists.txt ]] && printf '%s;' "$dir"
done)
mkdir -p "$build"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTANDEM_SANITIZE=address \
  -DTANDEM_RTL_BUILD="$rtl" \
  -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g" "-DTANDEM_DIRS=${dirs%;}" >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log" && exit 1; }
ninja -C "$build" >"$build/build.log" 2>&1 || { cat "$build/build.log" && exit 1; }
exec ctest --test-dir "$build" -j "$(nproc)" --no-tests=error --output-on-failure -LE slow
