#!/usr/bin/env bash
# Wrong use of mutate.sh: refuses.sh ROOT BUILD
set -uo pipefail
status=0
# refused WORDS ARGUMENT...: exit status 2, with these words in the message.
refused() {
  local words=$1 output code=0
  shift
  output=$("$mutate" "$root" "$build" "$@" 2>&1) || code=$?
  if ((code != 2)) || ! grep -qF -- "$words" <<<"$output"; then
    echo "$*: exit status $code, \"$output\""
    status=1
  fi
}
root=$1 build=$2 mutate=$1/tests/mutation/mutate.sh
refused 'there is no unit "fetcher"; the units are fetch icache' fetcher
refused 'no run has barrier by itself; it can be of sm_frontend cta_dispatch' --level system barrier
refused '--count 0: a number from 1 to 5000' --count 0
refused '--count x: a number' fetch --count x
refused '--seeds 101: a number from 1 to 100' --seeds 101
refused '--seconds 0: a number' --seconds 0
refused '--sample 9: a number from 10 to 86400' --sample 9
refused '--record keeps scores of one seed, not of --seeds 2' --record --seeds 2
refused '--seed needs a value' --seed
refused 'cannot write to ""' --json ''
# Below a file nobody can make a file, not even root.
refused "cannot write to \"$0/a.json\"" --json "$0/a.json"
refused '--level gates: unit or system' --level gates
refused 'unknown option --levels' --levels system
exit $status
