#!/usr/bin/env bash
# The C code under a sanitizer, in a build of its own; verilated models are without it:
#
#   sanitize.sh ROOT thread BUILD        a kernel on several host threads, whose RTL follows and SMs go ahead or not;
#                                        exit status 77 with the reason printed where this machine
#                                        cannot run the sanitizer
#   sanitize.sh ROOT address BUILD       every fast test that such a build has, also for undefined
#                                        behaviour
#   sanitize.sh ROOT model BUILD         of them those of the model, without RTL and harness
set -euo pipefail
root=$1 kind=$2 build=$3
sanitizer=${kind/model/address}
mkdir -p "$build"

# Older sanitizers lose their way in large address space randomisation; not everyone may turn it off.
fixed=(setarch "$(uname -m)" -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

# sanitized FOLDERS TARGET: builds.
sanitized() {
  local dirs
  dirs=$(cd "$root" && for dir in $1; do
    [[ -e $dir/CMakeLists.txt ]] && printf '%s;' "$dir"
  done)
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DTANDEM_SANITIZE="$sanitizer" \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1" "-DTANDEM_DIRS=${dirs%;}" >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" && exit 1; }
  ninja -C "$build" "$2" >"$build/build.log" 2>&1 || { cat "$build/build.log" && exit 1; }
}

# Two threads that write one variable a thousand times: exit status 66 where the sanitizer works, that
# of a crash where it does not run.  A sanitizer that runs and finds nothing says nothing about Tandem.
thread_sanitizer_finds_a_race() {
  local status=0 race=$build/race
  cat >"$race.c" <<'RACE'
#include <pthread.h>
static volatile int shared;
static void *add(void *unused) {
  for (int i = 0; i < 1000; i++)
    shared = shared + 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, add, 0) != 0)
    return 1;
  add(0);
  return pthread_join(thread, 0);
}
RACE
  cc -fsanitize=thread -fno-pie -no-pie -g "$race.c" -o "$race" >"$race.log" 2>&1 || status=$?
  ((status)) || "${fixed[@]}" "$race" >>"$race.log" 2>&1 || status=$?
  ((status == 66)) && return
  cat "$race.log"
  if ((status == 0)); then
    echo "the thread sanitizer runs and does not find a race"
    exit 1
  fi
  echo "skipped: the thread sanitizer does not run on this machine (exit status $status, a race gives 66;" \
    "vm.mmap_rnd_bits $(sysctl -n vm.mmap_rnd_bits 2>/dev/null || echo unknown))"
  exit 77
}

model="csim/ports csim/util csim/isa csim/mem csim/sm csim/iss csim/ref"
case $kind in
thread)
  thread_sanitizer_finds_a_race
  sanitized "$model harness" tandem_cli
  vecadd=$root/tests/kernels/vecadd/vecadd.yaml
  for way in "2 --rtl-block 2" "2 --lookahead 1" "3" "3 --rtl-block 1" "3 --engine ref"; do
    # shellcheck disable=SC2086 # options
    "${fixed[@]}" "$build/bin/tandem" run "$vecadd" --together --threads $way
  done
  # A mismatch, which threads that follow find.
  status=0
  "${fixed[@]}" "$build/bin/tandem" run "$vecadd" --together --threads 3 --bug 8 --report-dir "" || status=$?
  exit $((status != 1))
  ;;
address | model)
  tests="tests/isa tests/ptx tests/mem tests/sm tests/iss"
  [[ $kind == model ]] || tests+=" harness tests/random tests/system"
  sanitized "$model $tests" all
  exec "${fixed[@]}" ctest --test-dir "$build" -j "$(nproc)" --no-tests=error --output-on-failure -LE slow
  ;;
*)
  echo "no such kind of sanitizer: $kind" >&2
  exit 2
  ;;
esac
