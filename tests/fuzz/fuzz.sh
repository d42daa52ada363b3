#!/usr/bin/env bash
# Builds the fuzz targets with clang, its libFuzzer, address and undefined-behaviour sanitizers, and runs
# each:
#
#   fuzz.sh ROOT BUILD runs N          N executions each, from the same seed: repeatable
#   fuzz.sh ROOT BUILD seconds N [TARGET...]   N seconds in all, going on from what was found before (BUILD/found)
#
# An input that fails is kept in BUILD; its path is printed.
set -euo pipefail
root=$1 build=$2 kind=$3 count=$4
shift 4
mkdir -p "$build"
for tool in clang-14 clang++-14; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done

dirs="csim/ports;csim/util;csim/isa;csim/mem;csim/sm;csim/iss;csim/ref;harness;tests/fuzz"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang-14 \
  -DCMAKE_CXX_COMPILER=clang++-14 -DTANDEM_SANITIZE=fuzzer -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1" \
  "-DTANDEM_DIRS=$dirs" >"$build/configure.log" 2>&1 || { cat "$build/configure.log" && exit 1; }
mapfile -t targets < <(sed -n 's/^fuzz_target(\([a-z]*\) .*/\1/p' "$root/tests/fuzz/CMakeLists.txt")
(($#)) && targets=("$@")
ninja -C "$build" "${targets[@]/#/fuzz_}" >"$build/build.log" 2>&1 || { cat "$build/build.log" && exit 1; }

# Older sanitizers lose their way in large address space randomisation; not everyone may turn it off.
fixed=(setarch "$(uname -m)" -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

# fuzz TARGET: runs it; what it finds new goes to the first folder.
fuzz() {
  local target=$1 limit new corpus=$root/tests/fuzz/corpus/$1 program
  program=$(find "$build" -name "fuzz_$target" -type f)
  if [[ $kind == runs ]]; then
    new=$(mktemp -d)
    limit=(-runs="$count" -seed=1)
  else
    new=$build/found/$target
    mkdir -p "$new"
    limit=(-max_total_time=$((count / ${#targets[@]} + 1)))
  fi
  # Inputs of launch share a GPU, which keeps what they load: only the end of the run looks for leaks.
  [[ $target != launch ]] || limit+=(-detect_leaks=0)
  local status=0
  "${fixed[@]}" "$program" "${limit[@]}" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -malloc_limit_mb=4096 \
    -artifact_prefix="$build/$target-" "$new" "$corpus" >"$build/$target.log" 2>&1 || status=$?
  [[ $kind != runs ]] || rm -rf "$new"
  if ((status)); then
    tail -n 60 "$build/$target.log"
    echo "fuzz_$target: status $status"
    return 1
  fi
  echo "fuzz_$target: $(grep -E '^(Done|stat::number_of_executed_units)' "$build/$target.log" | tail -n 1)"
}

status=0
for target in "${targets[@]}"; do
  fuzz "$target" || status=1
done
exit $status
