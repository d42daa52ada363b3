#!/usr/bin/env bash
# An engineer's edited module in a run: `tandem run --rtl FOLDER`.
#
#   own_rtl.sh TANDEM ROOT
set -euo pipefail
tandem=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/rtl"
cd "$work"
fail() {
  echo "$*" >&2
  exit 1
}
run() { "$tandem" run --rtl rtl --threads 1 "$@"; }

# Warp 5 does not wait for its operands.
sed 's/~hazard_i & ~ready_a/~(hazard_i \& ~48'\''h20) \& ~ready_a/' "$root/rtl/sm/issue.sv" >rtl/issue.sv
cmp -s rtl/issue.sv "$root/rtl/sm/issue.sv" && fail "rtl/sm/issue.sv has no longer the text that this test edits"
echo 'module of_nothing; endmodule' >rtl/of_nothing.sv
status=0
run >out 2>err || status=$?
((status == 1)) || fail "a broken module ends with $status: $(cat err)"
grep -q 'warning: no model of this run reads rtl/of_nothing.sv' err || fail "no word of the file that is not read"
# The first word of it comes before the second run.
first=$(grep 'mismatch: ' err | head -n 1)
[[ $first == *'running again'* ]] || fail "no first word of the mismatch"
grep -qxF -- "$first" "$root/README.md" || fail "README.md does not show: $first"
grep -q '^waveform: ./mismatch-sm0-cycle[0-9]*.fst' err || fail "no waveform: $(tail -n 20 err)"
grep -q -- '--rtl rtl' err || fail "the report does not repeat --rtl"

# A module that is only written in another way gives what the tree's gives.
rm rtl/*
{ cat "$root/rtl/gpu/cta_dispatch.sv" && echo '// another text'; } >rtl/cta_dispatch.sv
run --json=mine >out 2>err || fail "an equal module fails: $(cat err)"
"$tandem" run --threads 1 --json=theirs >out
for field in cycles digest; do
  [[ $(jq -c ".. | .$field? // empty" mine) == $(jq -c ".. | .$field? // empty" theirs) ]] || fail "another $field"
done

# A message that ends a simulation fails the run in both engines, without --assertions.
sed 's/endmodule/  int unsigned time_q;\n  always_ff @(posedge clk_i) begin\n    time_q <= rst_ni ? time_q + 1 : 0;\n    if (rst_ni \&\& time_q == 2) $fatal(1, "text of %0d", time_q);\n  end\nendmodule/' \
  "$root/rtl/gpu/cta_dispatch.sv" >rtl/cta_dispatch.sv
for engine in lockstep rtl; do
  status=0
  run --engine "$engine" >out 2>err || status=$?
  ((status == 1)) && grep -q 'cycle [0-9]*: .*cta_dispatch.sv:.*text of 2' err || fail "\$fatal, engine $engine: status $status: $(cat err)"
done
ended() {
  status=0
  run --engine rtl --assertions --no-pin --json=ended >out 2>err || status=$?
  ((status == 1)) && grep -q "$1" err && [[ $(jq -r .failure.where ended) =~ $2 ]] || fail "status $status, not \"$1\": $(cat err)"
}
sed -i 's/\$fatal.*;/$finish;/' rtl/cta_dispatch.sv
ended 'the RTL ends the run in the GPU, cycle .*: \$finish' ':[0-9]+: \$finish$'
sed -i 's/\$finish;/;/; s/ assert (.*enabled_i.*/ assert (time_q != 2);/' rtl/cta_dispatch.sv
ended 'RTL assertion failed in the GPU, cycle .*groups_adjacent' '^cta_dispatch.sv:[0-9]+: groups_adjacent$'

# Refused, nothing simulated.
refused() {
  status=0
  run "${@:2}" >out 2>err || status=$?
  ((status == 2)) && grep -q -- "$1" err || fail "status $status, not \"$1\": $(cat err)"
}
refused 'engine ref runs no RTL' --engine ref
sed 's/endmodule/  assign = 1;\nendmodule/' "$root/rtl/sm/issue.sv" >rtl/issue.sv
refused 'rtl/issue.sv:[0-9]*:[0-9]*: syntax error'
