#!/usr/bin/env bash
# The C code under the sanitizers, in builds of its own but for the verilated front end, which is the
# first build's:
#
#   thread                            a kernel on several host threads
#   address and undefined behaviour   every fast test that such a build has
set -euo pipefail
root=$1 build=$2 rtl=$3

# Older sanitizers lose their way in large address space randomisation; not everyone may turn it off.
fixed=(setarch "$(uname -m)" -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

# sanitized KIND FOLDERS TARGET: builds in $build/KIND.
sanitized() {
  local kind=$1 dirs dir=$build/$1
  dirs=$(cd "$root" && for dir in $2; do
    [[ -e $dir/CMakeLists.txt ]] && printf '%s;' "$dir"
  done)
  mkdir -p "$dir"
  cmake -S "$root" -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DTANDEM_SANITIZE="$kind" -DTANDEM_RTL_BUILD="$rtl" \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g" "-DTANDEM_DIRS=${dirs%;}" >"$dir/configure.log" 2>&1 ||
    { cat "$dir/configure.log" && exit 1; }
  ninja -C "$dir" "$3" >"$dir/build.log" 2>&1 || { cat "$dir/build.log" && exit 1; }
}

model="csim/ports csim/util csim/isa csim/mem csim/sm csim/iss csim/ref"
sanitized thread "$model rtl harness" tandem_cli
tandem=("${fixed[@]}" "$build/thread/bin/tandem")
if "${tandem[@]}" --version >/dev/null 2>&1; then
  for engine in lockstep ref; do
    "${tandem[@]}" run "$root/tests/kernels/vecadd/vecadd.yaml" --threads 3 --engine $engine
  done
else
  echo "the thread sanitizer does not run on this machine"
fi

sanitized address "$model tests/isa tests/ptx tests/mem tests/sm tests/iss tests/random rtl harness \
  tests/system" all
# Sanitizers do without clones by processor, so that the tests of the lanes are one.
exec "${fixed[@]}" ctest --test-dir "$build/address" -j "$(nproc)" --no-tests=error \
  --output-on-failure -LE slow -E '^test_lanes_'
