#!/usr/bin/env bash
# Random programs that seeded faults fail become small: fewer than 20 instructions, one CTA for each SM, and the
# same place of failure.  A search that is killed leaves its smallest program; a regression makes failures small.
#
#   faults.sh TANDEM SOURCES RANDOM_RUN gpu|clusters
set -euo pipefail
tandem=$1 sources=$2 random=$3 part=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*"; exit 1; }

# Each fault with the first seed to try, and options of random_run.
programs='
gpu       1  1
gpu       2 17
gpu       3  1
gpu       4  2
gpu       5  3
gpu       6  1
gpu       7  1 --deep
gpu       8  1
gpu       9  1
clusters 10  3 --set buddy.size=2
clusters 11  1 --set buddy.size=2
clusters 12  3 --set buddy.size=2
clusters 13  1 --set buddy.size=2
clusters 14  1 --set buddy.size=2
clusters 160 1 --set flex.size=2
clusters 166 2 --set flex.size=6
clusters 171 1 --set flex.size=2
clusters 175 1 --set flex.size=2
clusters 182 1 --set flex.size=2
clusters 185 20 --set flex.size=2
'
# All faults but those of the SPU are tried.
listed=$(awk '$1 ~ /^(gpu|clusters)$/ {print $2}' <<<"$programs" | sort -n)
there=$(sed -n 's/^FAULT(\([0-9]*\),.*/\1/p' "$sources"/rtl/{sm,gpu,buddy,flex}/faults.def | sort -n)
[[ $listed == "$there" ]] || fail "faults that are tried: $listed; that there are: $there"

# write FAULT SEED WORD...: the random program of a seed that the fault fails; leaves its path in `launch`.
write() {
  local seed status
  for ((seed = $2; seed < $2 + 20; seed++)); do
    launch=programs/random-$seed.yaml
    "$random" --seed="$seed" --set "run.bug=$1" --write=programs "${@:3}"
    status=0
    timeout 1200 "$tandem" run "$launch" --no-pin --report-dir= --json=whole.json >/dev/null 2>&1 || status=$?
    [[ $status == 1 ]] && return
    [[ $status == 0 ]] || fail "fault $1, seed $seed: status $status"
  done
  fail "fault $1: no program fails"
}

# The place of a failure without the numbers of elements and cycles.
place() { jq -r '.failure | .kind + " " + (.where | sub("^u_"; "") | sub("\\[.*"; ""))' "$1"; }

printf '%5s  %-32s %6s %6s %5s %5s %6s %6s\n' fault place before after nops CTAs tries s
while read -r of fault seed options; do
  [[ $of == "$part" ]] || continue
  # shellcheck disable=SC2086 # several options
  write "$fault" "$seed" $options
  timeout 400 "$tandem" shrink "$launch" --out small --json=small.json --time 300s >/dev/null 2>said || fail "fault $fault: $(cat said)"
  status=0
  "$tandem" run small/shrunk.yaml --no-pin --report-dir= --json=again.json >/dev/null 2>&1 || status=$?
  jq -r --arg fault "$fault" '[$fault, .kind + " " + .unit + "." + .field, .before.instructions, .after.instructions, .after.nops,
    .after.ctas, .tries, .seconds] | @tsv' small.json |
    awk -F '\t' '{printf "%5s  %-32.32s %6d %6d %5d %5d %6d %6.1f\n", $1, $2, $3, $4, $5, $6, $7, $8}'
  [[ $status == 1 && $(place again.json) == "$(place whole.json)" ]] || fail "fault $fault: $(place whole.json) became $(place again.json)"
  sms=$(sed -n 's/^  sms: //p' small/shrunk.yaml)
  jq -e --argjson sms "$sms" '.whole and .before.instructions > 50 and .after.instructions < 20 and .after.ctas <= $sms' small.json >/dev/null ||
    fail "fault $fault: it is not small: $(cat small.json)"
done <<<"$programs"
[[ $part == gpu ]] || exit 0

echo "killed in the middle"
write 5 3
rm -rf small
"$tandem" shrink "$launch" --out small >/dev/null 2>&1 &
for ((i = 0; i < 600; i++)); do
  [[ -e small/shrunk.s && $(wc -l <small/shrunk.s) -lt 200 ]] && break
  sleep 0.1
done
kill -KILL $!
wait $! 2>/dev/null || true
status=0
"$tandem" run small/shrunk.yaml --no-pin --report-dir= --json=again.json >/dev/null 2>&1 || status=$?
[[ $status == 1 && $(place again.json) == "$(place whole.json)" ]] || fail "what a killed search leaves does not fail so"
[[ $(wc -l <small/shrunk.s) -lt 200 ]] || fail "what a killed search leaves is not smaller"

echo "OpenCL C"
cat >k.cl <<'END'
// Not needed: a second kernel, a function, and most of the first kernel.
__kernel void second(__global int *a) { a[0] = 1; }
int twice(int x) {
  return x + x;
}
__kernel void k(__global int *a, int n) {
  int i = get_global_id(0);
  if (i < n) {
    for (int j = 0; j < 3; j++)
      a[i] += twice(i * j);
  }
}
END
cat >k.yaml <<'END'
program: k.cl
gpu: {sms: 1, run: {bug: 8}}
buffers: [{name: a, type: s32, count: 256}]
steps: [{launch: {kernel: k, grid: [2], block: [128], args: [{buffer: a}, {s32: 256}]}}]
END
"$tandem" shrink k.yaml --out cl --json=cl.json --time 60s >/dev/null 2>said || fail "OpenCL C: $(cat said)"
jq -e '.kind == "port" and .unit == "sm_frontend" and .after.ctas == 1' cl.json >/dev/null || fail "OpenCL C: $(cat cl.json)"
[[ $(grep -cv '^//' cl/shrunk.cl) -lt 8 ]] || fail "the text is not smaller: $(cat cl/shrunk.cl)"
! grep -q second cl/shrunk.cl || fail "the second kernel is there: $(cat cl/shrunk.cl)"
status=0
"$tandem" run cl/shrunk.yaml --no-pin --report-dir= --json=again.json >/dev/null 2>&1 || status=$?
[[ $status == 1 && $(place again.json) == "port sm_frontend.iss1_mask" ]] || fail "OpenCL C fails at $(place again.json)"

echo "a regression"
cat >s.yaml <<'END'
defaults: {timeout: 100}
runs:
  - {name: lost, random: {count: 2, seed: 3}, set: {run.bug: 5}}
  - {name: fine, random: {count: 1, seed: 1}}
END
status=0
"$tandem" regress s.yaml --results r.sqlite --shrink --json=r.json >said 2>&1 || status=$?
[[ $status == 1 ]] || fail "regress --shrink: status $status: $(cat said)"
small=$(sed -n 's/^ *small: [0-9]* instructions*, .* threads*: .*tandem run //p' said)
[[ -s $small ]] || fail "the report names no small program: $(cat said)"
jq -e '[.groups[] | select(.failure.small != null)] | length == 1' r.json >/dev/null || fail "the JSON names no small program"
status=0
"$tandem" run "$small" --no-pin --report-dir= --json=again.json >/dev/null 2>&1 || status=$?
[[ $status == 1 && $(place again.json) == "state scoreboard.wpend" ]] || fail "the small program fails at $(place again.json)"
"$tandem" regress s.yaml --results r.sqlite --show >said 2>&1 || true
grep -qF "$small" said || fail "the small program is not kept"
